"""Bringing ladders up to date. `play` appends results to a list; this pulls from it (docs/ladders.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import batched

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone
from msgspec import to_builtins

from postspiel.play.models import Result
from tournaments.models import Ladder, RatingChange, Standing
from tournaments.ratings import elo

_BATCH = 500


def pull() -> int:
    """Play what is new in the list of results onto the ladder of its title; return how many results that were.

    May run twice, late, or in two workers at once: a result is played once.
    """
    titles = Result.objects.order_by("title").values_list("title", flat=True).distinct()
    return sum(_bring_up(_ladder(title)) for title in titles)


def rebuild(title: str) -> int:
    """Play a title's ladder from its first result; annulled results are left out. Return how many were played."""
    return _play(_ladder(title), anew=True)


def annul(result: Result, *, annulled: bool = True) -> None:
    """Take a result off the ladder (or put it back), and play the ladder anew without (or with) it."""
    with transaction.atomic():
        Result.objects.filter(pk=result.pk).update(annulled=annulled)
        rebuild(result.title)


def rated_places(entries: Iterable[dict[str, int | str | None]]) -> dict[int, int]:
    """The place of each seat that counts: those that a player held at the end.

    Bots and open seats are not rated, nor opponents: who beats three bots has beaten nobody. Places keep the gaps that
    leaves, which only their order matters for, but a first place stays a first place.
    """
    return {int(one["user"]): int(one["place"] or 0) for one in entries if one["user"] and not one["bot"]}


def _ladder(title: str) -> Ladder:
    ladder, _ = Ladder.objects.get_or_create(title=title)
    return ladder


def _bring_up(ladder: Ladder) -> int:
    known = _results(ladder).filter(pk__lte=ladder.last_result)
    census = known.aggregate(results=Count("pk"), id_sum=Sum("pk", default=0))
    if census != {"results": ladder.results, "id_sum": ladder.id_sum}:
        return _play(ladder, anew=True)
    if not _results(ladder).filter(pk__gt=ladder.last_result).exists():
        return 0
    return _play(ladder, anew=False)


def _results(ladder: Ladder) -> QuerySet[Result]:
    return Result.objects.filter(title=ladder.title, annulled=False).order_by("pk")


@transaction.atomic
def _play(ladder: Ladder, *, anew: bool) -> int:
    """Claim the ladder as it was seen, then play: everything (`anew`), or what lies beyond its last result."""
    if not _claim(ladder):
        return 0
    if anew:
        ladder.changes.all().delete()
        ladder.standings.all().delete()
        ladder.last_result = ladder.results = ladder.id_sum = 0
    results = list(_results(ladder).filter(pk__gt=ladder.last_result))
    standings = {} if anew else _standings(ladder, results)
    _write_changes(ladder, elo.replay(map(_as_result, results), standings))
    _write_standings(ladder, standings)
    _mark(ladder, results)
    return len(results)


def _claim(ladder: Ladder) -> bool:
    # Whoever comes second waits for the first one's row, then finds it changed and leaves the rest to the next pull.
    seen = Ladder.objects.filter(
        pk=ladder.pk, last_result=ladder.last_result, results=ladder.results, id_sum=ladder.id_sum
    )
    return seen.update(updated=timezone.now()) == 1


def _mark(ladder: Ladder, results: list[Result]) -> None:
    ladder.results += len(results)
    ladder.id_sum += sum(result.pk for result in results)
    ladder.last_result = max([ladder.last_result, *(result.pk for result in results)])
    ladder.save(update_fields=("results", "id_sum", "last_result"))


def _as_result(row: Result) -> elo.Result:
    return elo.result(row.pk, rated_places(row.entries), decided=row.decided)


def _standings(ladder: Ladder, results: list[Result]) -> dict[int, elo.Standing]:
    players = {player for result in results for player in rated_places(result.entries)}
    rows = ladder.standings.filter(player__in=players)
    return {row.player_id: elo.Standing(row.rating, row.games, row.wins) for row in rows}


def _write_changes(ladder: Ladder, played: Iterator[elo.Played]) -> None:
    rows = (row for one in played for row in _changes(ladder, one))
    for batch in batched(rows, _BATCH):
        RatingChange.objects.bulk_create(batch)


def _changes(ladder: Ladder, played: elo.Played) -> Iterator[RatingChange]:
    pairs, result = elo.explain(played), played.result
    for player, before, after, k in zip(result.players, played.before, played.after, played.k, strict=True):
        yield RatingChange(
            ladder=ladder,
            result_id=result.number,
            player_id=player,
            before=before,
            after=after,
            k=k,
            pairs=to_builtins(pairs[player]),
        )


def _write_standings(ladder: Ladder, standings: dict[int, elo.Standing]) -> None:
    rows = [
        Standing(ladder=ladder, player_id=player, rating=one.rating, games=one.games, wins=one.wins)
        for player, one in standings.items()
    ]
    Standing.objects.bulk_create(
        rows,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=("ladder", "player"),
        update_fields=("rating", "games", "wins"),
    )
