"""The organiser's desk: all that a person runs, at a glance, in a constant number of queries (DESIGN section 8).

What is wrong with games (mail held or stuck, players whom no mail reaches, seats that nobody holds) is looked up once
for all of them: there is little of it, or the organiser has other troubles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import audits, readiness, roles
from postspiel.play.models import Act, Game, Seat, Sheet, Turn

A_PAGE = 50
RECENT = 10
MOST = 1000
"""Of what is wrong, so much is looked at and counted."""

WHILE = timedelta(days=14)
"""How long a mail that was given up stays on the desk."""


class Show(StrEnum):
    """Which games are listed: all that run, those with one kind of trouble, or those that do not run."""

    RUNNING = "running"
    OVERDUE = "overdue"
    TODAY = "today"
    WAITING = "waiting"
    HELD = "held"
    UNREACHABLE = "unreachable"
    OPEN_SEATS = "open-seats"
    STUCK = "stuck"
    FORMING = "forming"
    OVER = "over"


IDLE: Mapping[Show, tuple[str, ...]] = {
    Show.FORMING: (Game.Status.OPEN,),
    Show.OVER: (Game.Status.ENDED, Game.Status.CANCELLED),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the organiser wants to see: which games, of which title ("": all), with which words in their names."""

    show: Show = Show.RUNNING
    title: str = ""
    text: str = ""
    page: int = 1


@dataclass(slots=True)
class Row:
    """One game on the desk. ``sheets`` (without orders) is empty if the reader plays in it: he sees numbers only."""

    game: Game
    turn: Turn | None = None
    plays: bool = False
    overdue: bool = False
    asked: int = 0
    handed_in: int = 0
    sheets: list[Sheet] = field(default_factory=list)
    open_seats: list[Seat] = field(default_factory=list)
    unreachable: list[Seat] = field(default_factory=list)
    held: int = 0
    stuck: int = 0

    @property
    def late(self) -> list[Sheet]:
        """The sheets of players who owe something and have handed in nothing."""
        return [sheet for sheet in self.sheets if readiness.late(sheet)]

    @property
    def waits(self) -> bool:
        """Whether somebody may be late, as far as the reader is to know."""
        return self.handed_in < self.asked if self.plays else bool(self.late)


@dataclass(slots=True)
class Trouble:
    """What is wrong, by game."""

    held: Counter[int]
    stuck: Counter[int]
    unreachable: dict[int, list[Seat]]
    open_seats: dict[int, list[Seat]]

    def games(self, show: Show) -> Iterable[int]:
        """The games with one kind of it."""
        kinds: dict[Show, Mapping[int, object]] = {
            Show.HELD: self.held,
            Show.STUCK: self.stuck,
            Show.UNREACHABLE: self.unreachable,
            Show.OPEN_SEATS: self.open_seats,
        }
        return list(kinds[show])


@dataclass(slots=True)
class Desk:
    """What lies on the desk: how many games there are of each kind, one page of those wanted, what was done last."""

    wanted: Wanted
    counts: dict[Show, int]
    total: int
    rows: list[Row]
    acts: list[audits.Entry]

    @property
    def pages(self) -> int:
        """How many pages the wanted games fill, at least one."""
        return max(1, -(-self.total // A_PAGE))


def look(user: User, wanted: Wanted, now: datetime) -> Desk:
    """Return a person's desk at a moment. At most twelve queries, however many games he runs."""
    mine = Game.objects.filter(roles.runs(user))
    trouble = _trouble(mine, user, now)
    counts = _counts(mine, user, now) | {show: len(list(trouble.games(show))) for show in _BY_TROUBLE}
    if wanted.show in IDLE:
        games = _idle(mine, wanted)
        total, rows = games.count(), [Row(game) for game in games[_slice(wanted)]]
    else:
        turns = _wanted(mine, user, wanted, trouble, now)
        total = turns.count() if wanted.title or wanted.text else counts[wanted.show]
        rows = [*_running(turns[_slice(wanted)], user, trouble, now), *_forming(mine, wanted)]
    return Desk(wanted, counts, total, rows, audits.entries(user, list(acts(mine)[:RECENT])))


def acts(games: QuerySet[Game]) -> QuerySet[Act]:
    """Return what was done with some games, the last first."""
    return Act.objects.filter(game__in=games).select_related("game", "who").order_by("-pk")


_BY_TROUBLE = (Show.HELD, Show.UNREACHABLE, Show.OPEN_SEATS, Show.STUCK)


def _open(mine: QuerySet[Game]) -> QuerySet[Turn]:
    return Turn.objects.filter(game__in=mine.filter(status=Game.Status.RUNNING), status=Turn.Status.OPEN)


def _counts(mine: QuerySet[Game], user: User, now: datetime) -> dict[Show, int]:
    states = dict(mine.order_by().values_list("status").annotate(Count("pk")))
    found = _open(mine).aggregate(
        overdue=Count("pk", filter=Q(deadline__lte=now, game__paused=None)), today=Count("pk", filter=_today(user, now))
    )
    return {
        Show.RUNNING: states.get(Game.Status.RUNNING, 0),
        Show.FORMING: states.get(Game.Status.OPEN, 0),
        Show.OVER: states.get(Game.Status.ENDED, 0) + states.get(Game.Status.CANCELLED, 0),
        Show.OVERDUE: found["overdue"],
        Show.TODAY: found["today"],
        Show.WAITING: _open(mine).filter(_waiting(user)).order_by("pk")[:MOST].count(),
    }


def _today(user: User, now: datetime) -> Q:
    """The rest of the reader's day."""
    midnight = timezone.localtime(now, user.zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return Q(deadline__gt=now, deadline__lt=midnight + timedelta(days=1))


def _waiting(user: User) -> Q:
    """Turns in which somebody owes a sheet; of games that he plays in, the organiser is not told."""
    late = Sheet.objects.filter(turn=OuterRef("pk"), owes=True, status=Sheet.Status.NONE, seat__player__isnull=False)
    own = Seat.objects.filter(game=OuterRef("game"), player=user)
    return Q(Exists(late)) & ~Q(Exists(own))


def _trouble(mine: QuerySet[Game], user: User, now: datetime) -> Trouble:
    seats = Seat.objects.filter(game__in=mine.filter(status=Game.Status.RUNNING))
    return Trouble(
        held=_by_game(_letters(Incoming.objects.filter(verdict=Incoming.Verdict.HELD), seats)),
        stuck=_by_game(_letters(Outgoing.objects.filter(state=Outgoing.State.FAILED, due__gt=now - WHILE), seats)),
        unreachable=_seats(_resting(seats, user)),
        open_seats=_seats(seats.filter(Q(vacant__isnull=False) | Q(player=None, bot=""))),
    )


def _letters[M: (Incoming, Outgoing)](mails: QuerySet[M], seats: QuerySet[Seat]) -> QuerySet[M]:
    addresses = Address.objects.filter(kind="seat", object_id__in=seats.values("pk"))
    return mails.filter(address__in=addresses)


def _by_game[M: (Incoming, Outgoing)](mails: QuerySet[M]) -> Counter[int]:
    game = Seat.objects.filter(pk=OuterRef("address__object_id")).values("game")[:1]
    return Counter(mails.annotate(game=game).values_list("game", flat=True)[:MOST])


def _resting(seats: QuerySet[Seat], user: User) -> QuerySet[Seat]:
    """Seats whose players' mail comes back; of anonymous games that he plays in, the organiser is not told."""
    hidden = Q(game__anonymous=True, game__seats__player=user)
    resting = Q(player__mailboxes__address=F("player__email"), player__mailboxes__suspended__isnull=False)
    return seats.filter(resting).exclude(hidden)


def _seats(seats: QuerySet[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {}
    for seat in seats.select_related("player").order_by("game", "index")[:MOST]:
        found.setdefault(seat.game_id, []).append(seat)
    return found


def _wanted(mine: QuerySet[Game], user: User, wanted: Wanted, trouble: Trouble, now: datetime) -> QuerySet[Turn]:
    """The open turns that are wanted, the next deadline first."""
    turns = _open(mine).filter(_named(wanted, "game__"))
    match wanted.show:
        case Show.OVERDUE:
            turns = turns.filter(deadline__lte=now, game__paused=None)
        case Show.TODAY:
            turns = turns.filter(_today(user, now))
        case Show.WAITING:
            turns = turns.filter(_waiting(user))
        case Show.RUNNING:
            pass
        case show:
            turns = turns.filter(game__in=trouble.games(show))
    return turns.select_related("game").defer("state", "game__final_state").order_by("deadline", "pk")


def _named(wanted: Wanted, prefix: str) -> Q:
    title = Q(**{f"{prefix}title": wanted.title}) if wanted.title else Q()
    return title & Q(**{f"{prefix}name__icontains": wanted.text}) if wanted.text else title


def _slice(wanted: Wanted) -> slice:
    return slice((wanted.page - 1) * A_PAGE, wanted.page * A_PAGE)


def _running(turns: Iterable[Turn], user: User, trouble: Trouble, now: datetime) -> list[Row]:
    turns = list(turns)
    sheets: dict[int, list[Sheet]] = {turn.pk: [] for turn in turns}
    rows = Sheet.objects.filter(turn__in=list(sheets)).defer("orders").select_related("seat__player")
    for sheet in rows.order_by("seat__index"):
        sheets[sheet.turn_id].append(sheet)
    return [_row(turn, sheets[turn.pk], user, trouble, now) for turn in turns]


def _forming(mine: QuerySet[Game], wanted: Wanted) -> list[Row]:
    """The newest games that have not started, behind the first page of those that run: they are worked on, too."""
    if wanted.show != Show.RUNNING or wanted.page > 1:
        return []
    return [Row(game) for game in _idle(mine, replace(wanted, show=Show.FORMING))[:RECENT]]


def _row(turn: Turn, sheets: list[Sheet], user: User, trouble: Trouble, now: datetime) -> Row:
    asked = [sheet for sheet in sheets if sheet.asked]
    plays = any(sheet.seat.player_id == user.pk for sheet in sheets)
    return Row(
        game=turn.game,
        turn=turn,
        plays=plays,
        overdue=turn.game.paused is None and turn.deadline is not None and turn.deadline <= now,
        asked=len(asked),
        handed_in=sum(sheet.status != Sheet.Status.NONE for sheet in asked),
        sheets=[] if plays else sheets,
        open_seats=trouble.open_seats.get(turn.game_id, []),
        unreachable=trouble.unreachable.get(turn.game_id, []),
        held=trouble.held[turn.game_id],
        stuck=trouble.stuck[turn.game_id],
    )


def _idle(mine: QuerySet[Game], wanted: Wanted) -> QuerySet[Game]:
    games = mine.filter(_named(wanted, ""), status__in=IDLE[wanted.show])
    return games.defer("final_state").order_by("-created", "-pk")
