"""What others may read about seats that change hands, absences, reliability. Each list takes few queries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.utils import timezone

from postspiel.accounts.models import Absence, User
from postspiel.play import positions, reliability, roles, standing_by
from postspiel.play.audience import visible_game
from postspiel.play.models import DeadlineChange, Game, Occupancy, Seat, StandBy
from postspiel.play.replacing import refusal

__all__ = ["refusal"]

MOST = 100

SOON = timedelta(days=14)
"""So long before it begins an absence is shown to who runs the games."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How the absences of a player count in one of his games: by how much they may still move deadlines there."""

    game: Game
    days: int
    left: timedelta

    @property
    def days_left(self) -> int:
        """Whole days that are left."""
        return self.left.days


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody's absence, and his seats (a game's key and name, and an index) in games of a person's.

    ``begun``: he is away now.
    """

    name: str
    first: date
    last: date
    begun: bool
    games: list[tuple[str, str, int]] = field(default_factory=list)


def open_seats() -> list[Seat]:
    """Return the seats of running, listed games that wait for a player, the newest first."""
    seats = Seat.objects.select_related("game__organiser").filter(vacant__isnull=False, game__listed=True)
    return list(seats.filter(game__status=Game.Status.RUNNING).order_by("-vacant")[:MOST])


def standing_by_for(titles: Collection[str]) -> dict[str, int]:
    """Return how many people stand by for each of these titles."""
    rows = StandBy.objects.filter(title__in=titles, user__is_active=True).values("title").annotate(people=Count("pk"))
    return dict.fromkeys(titles, 0) | {row["title"]: row["people"] for row in rows}


def people_standing_by(title: str) -> list[User]:
    """Return who stands by for a title, who has waited longest first."""
    return [row.user for row in standing_by.waiting(title)]


def titles_of(user: User) -> set[str]:
    """Return the titles that a person stands by for."""
    return set(StandBy.objects.filter(user=user).values_list("title", flat=True))


def offer(key: str, index: int, user: User | AnonymousUser) -> Seat | None:
    """Return a seat that somebody may look at before he takes it over; None if it is none of his business.

    It is for who may see the game, stands by for its title, is asked by name, or held the seat before.
    """
    if not isinstance(user, User):
        return None
    seat = Seat.objects.select_related("game__organiser", "player").filter(game__key=key, index=index).first()
    if seat is None or seat.game.status not in {Game.Status.RUNNING, Game.Status.ENDED}:
        return None
    held = Occupancy.objects.filter(seat=seat, user=user)
    return seat if visible_game(key, user) or held.exists() or standing_by.is_called(seat, user) else None


def lost_seats(user: User) -> list[Seat]:
    """Return the seats that a person held last and that still wait for a player: he may come back."""
    seats = Seat.objects.select_related("game").filter(vacant__isnull=False, occupancies__user=user)
    mine = seats.filter(occupancies__scores=True, occupancies__why__in=("missed", "resigned"))
    return list(mine.filter(game__status=Game.Status.RUNNING).distinct())


def absences_of(user: User) -> list[Absence]:
    """Return a person's absences that are not over, in order."""
    today = timezone.now().astimezone(user.zone).date()
    return list(Absence.objects.select_related("user").filter(user=user, last__gte=today).order_by("first", "last"))


def absences_for(organiser: User, now: datetime) -> list[Away]:
    """Return who is absent or will be soon, of the players in games that a person runs, in order. One query.

    Of an anonymous game he is told nothing, nor of one that he plays in himself: it is a player's own business there.
    """
    today = now.astimezone(organiser.zone).date()
    own = Seat.objects.filter(player=organiser).values("game")
    theirs = Q(roles.runs(organiser, "game__"), game__status=Game.Status.RUNNING, game__anonymous=False)
    absent = Q(player__absences__last__gte=today, player__absences__first__lte=today + SOON)
    near = Seat.objects.filter(theirs & absent).exclude(game__in=own)
    fields = ("absences__pk", "absences__first", "absences__last", "pk", "display_name")
    rows = near.values_list(*(f"player__{name}" for name in fields), "game__key", "game__name", "index")
    found: dict[int, Away] = {}
    for absence, first, last, player, name, key, game, index in rows.order_by("player__absences__first", "game")[:MOST]:
        away = found.setdefault(absence, Away(name or f"#{player}", first, last, begun=first <= today))
        away.games.append((key, game, index))
    return list(found.values())


def allowances(user: User) -> list[Allowance]:
    """Return how a person's absences count in each game that he plays. Two queries."""
    seats = list(Seat.objects.select_related("game").filter(player=user, game__status=Game.Status.RUNNING))
    used: dict[int, timedelta] = {}
    for change in DeadlineChange.objects.filter(seat__in=seats, cause=DeadlineChange.Cause.ABSENCE).select_related(
        "seat"
    ):
        assert change.seat is not None  # noqa: S101 - it was asked for
        if change.seat.joined is None or change.made >= change.seat.joined:
            used[change.seat.pk] = used.get(change.seat.pk, timedelta()) + (change.new - change.old)
    return [_allowance(seat, used.get(seat.pk, timedelta())) for seat in seats]


def reliability_of(user: User) -> int | None:
    """Return a person's reliability in percent; None for who is new."""
    return reliability.of(user)


def reliabilities(users: Collection[int]) -> dict[int, int | None]:
    """Return the reliability of many people by their ids, in one query."""
    return reliability.of_all(users)


def history(game: Game) -> list[Occupancy]:
    """Return who held which seat of a game in which turns, by seat and time."""
    rows = Occupancy.objects.select_related("seat", "user").filter(seat__game=game)
    return list(rows.order_by("seat__index", "pk"))


def _allowance(seat: Seat, used: timedelta) -> Allowance:
    days = positions.policy_of(seat.game).absence_days
    return Allowance(seat.game, days, max(timedelta(days=days) - used, timedelta()))
