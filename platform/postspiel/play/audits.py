"""What was done with the games that a person runs, and what they came to: for the searchable list, and for files.

Only who runs a game reads of it here. Of a game that he plays in he learns no more than its players: neither who holds
which seat if that is hidden, nor who has missed a turn while the game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from postspiel.accounts.models import User
from postspiel.play import roles
from postspiel.play.models import Act, Game, Seat, Sheet, Turn

OFFICIAL = frozenset({
    "created", "cancelled", "imported", "extended", "reminded", "paused", "resumed", "forced", "rolled-back",
    "removed", "replaced", "swapped", "ended-early", "annulled", "acted-for", "message", "released", "assistant",
    "assistant-left", "bot", "bot-left", "offered",
})  # fmt: skip
"""Acts of those who run a game: to name who did them gives no player away.

"started" is none of them: a game is started by who takes its last seat.
"""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for among the acts; what is empty or None does not count. Days are the reader's own."""

    text: str = ""
    kind: str = ""
    game: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One act. ``who`` is empty if the platform did it, or if nobody is to know; ``hidden`` tells these apart."""

    act: Act
    who: str
    hidden: bool

    @property
    def why(self) -> str:
        """The reason that was given; "" if there was none."""
        return str(self.act.data.get("why", ""))


@dataclass(frozen=True, slots=True)
class Miss:
    """A turn that somebody missed. ``player`` is None if nobody is to know who it was."""

    game: Game
    turn: int
    seat: int
    player: User | None
    excused: bool
    closed: datetime | None


def acts(user: User, sought: Sought) -> QuerySet[Act]:
    """Return what was done with the games that a person runs, the last first."""
    found = Act.objects.filter(game__in=_mine(user)).select_related("game", "who").defer("game__final_state")
    if sought.kind:
        found = found.filter(kind=sought.kind)
    if sought.game:
        found = found.filter(game__key=sought.game)
    if sought.text:
        found = found.filter(_says(user, sought.text))
    return found.filter(_between(user, sought)).order_by("-pk")


def kinds(user: User) -> list[str]:
    """Return the kinds of acts that there are in a person's games."""
    return sorted(Act.objects.filter(game__in=_mine(user)).values_list("kind", flat=True).distinct())


def entries(user: User, rows: list[Act]) -> list[Entry]:
    """Return acts as a person may read them. One query."""
    secret = set(_secret(user).filter(pk__in={row.game_id for row in rows}).values_list("pk", flat=True))
    return [_entry(row, secret) for row in rows]


def listed(user: User) -> Iterator[Mapping[str, Any]]:
    """Return a person's games, the newest first; of open turns number, deadline, and how many sheets are in."""
    turn = Turn.objects.filter(game=OuterRef("pk"), status=Turn.Status.OPEN)
    sheets = Sheet.objects.filter(turn__game=OuterRef("pk"), turn__status=Turn.Status.OPEN, asked=True)
    count = sheets.order_by().values("turn").annotate(n=Count("pk"))
    rows = Game.objects.filter(pk__in=_mine(user)).order_by("-created", "-pk")
    found = rows.values(
        "key", "name", "title", "status", "size", "created", "started", "paused", "ended",
        turn=Subquery(turn.values("number")),
        deadline=Subquery(turn.values("deadline")),
        asked=Subquery(count.values("n")),
        handed_in=Subquery(count.exclude(status=Sheet.Status.NONE).values("n")),
    )  # fmt: skip
    yield from found.iterator(1000)


def misses(user: User) -> Iterator[Miss]:
    """Return the turns that were missed in a person's games, the last first."""
    own = Game.objects.filter(status=Game.Status.RUNNING, seats__player=user)
    secret = set(_secret(user).values_list("pk", flat=True))
    rows = Sheet.objects.filter(missed=True, turn__status=Turn.Status.DONE, turn__game__in=_mine(user))
    rows = rows.exclude(turn__game__in=own).select_related("turn__game", "seat", "player")
    for row in rows.defer("orders", "turn__state", "turn__game__final_state").order_by("-pk").iterator(1000):
        game = row.turn.game
        player = None if game.pk in secret else row.player
        yield Miss(game, row.turn.number, row.seat.index, player, bool(row.excused), row.turn.closed)


def _mine(user: User) -> QuerySet[Game]:
    """All games, for the host."""
    return Game.objects.all() if user.is_superuser else Game.objects.filter(roles.runs(user))


def _secret(user: User) -> QuerySet[Game]:
    """Games of a person of which he must not know who plays what (as `anonymity.knows_players`, for many at once)."""
    hidden = _mine(user).filter(anonymous=True).exclude(status=Game.Status.ENDED)
    plays = Seat.objects.filter(player=user).values("game")
    return hidden.filter(Q(pk__in=plays) | ~Q(organiser=user))


def _entry(act: Act, secret: set[int]) -> Entry:
    hidden = act.who is not None and act.game_id in secret and act.kind not in OFFICIAL
    return Entry(act, act.who.public_name if act.who and not hidden else "", hidden)


def _says(user: User, text: str) -> Q:
    """Acts with a text in the game's name, in the reason, or in the name of who did it, where the reader may know."""
    named = Q(who__display_name__icontains=text) & (Q(kind__in=OFFICIAL) | ~Q(game__in=_secret(user)))
    return Q(game__name__icontains=text) | Q(data__why__icontains=text) | named


def _between(user: User, sought: Sought) -> Q:
    found = Q()
    if sought.since:
        found &= Q(made__gte=datetime.combine(sought.since, time(), user.zone))
    if sought.until:
        found &= Q(made__lt=datetime.combine(sought.until + timedelta(days=1), time(), user.zone))
    return found
