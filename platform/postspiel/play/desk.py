"""The organiser's desk: all that a person runs, at a glance, in a constant number of queries (DESIGN section 8).

What is wrong with games (mail held or stuck, players whom no mail reaches, seats that nobody holds) is looked up once
for all of them: there is little of it, or the organiser has other troubles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, FilteredRelation, OuterRef, Q, QuerySet
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import audits, readiness, roles, vacancies
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


@dataclass(frozen=True, slots=True)
class Place:
    """A seat on the desk: its index, and who holds it.

    ``misses``: so many turns he has missed in a row. ``away``: he has said that he will be away at the deadline.
    """

    index: int
    name: str
    misses: int = 0
    away: bool = False


@dataclass(slots=True)
class Row:
    """One game on the desk. ``late``, who owes a sheet, is empty if the reader plays in it: he sees numbers only."""

    game: Game
    turn: Turn | None = None
    plays: bool = False
    overdue: bool = False
    asked: int = 0
    handed_in: int = 0
    late: list[Place] = field(default_factory=list)
    open_seats: list[Place] = field(default_factory=list)
    unreachable: list[Place] = field(default_factory=list)
    held: int = 0
    stuck: int = 0

    @property
    def waits(self) -> bool:
        """Whether somebody may be late, as far as the reader is to know. Nobody is while the game is paused."""
        return self.game.paused is None and (self.handed_in < self.asked if self.plays else bool(self.late))


@dataclass(slots=True)
class Trouble:
    """What is wrong, by game. ``titles`` are those in whose games seats are open."""

    held: Counter[int]
    stuck: Counter[int]
    unreachable: dict[int, list[Place]]
    open_seats: dict[int, list[Place]]
    titles: set[str]

    def games(self, show: Show) -> Collection[int]:
        """The games with one kind of it."""
        kinds: dict[Show, Mapping[int, object]] = {
            Show.HELD: self.held,
            Show.STUCK: self.stuck,
            Show.UNREACHABLE: self.unreachable,
            Show.OPEN_SEATS: self.open_seats,
        }
        return kinds[show].keys()


@dataclass(slots=True)
class Desk:
    """What lies on the desk: how many games there are of each kind, one page of those wanted, what was done last.

    ``away`` are players who are or will be absent, ``standing_by`` how many people wait for an open seat, by title.
    """

    wanted: Wanted
    counts: dict[Show, int]
    total: int
    rows: list[Row]
    acts: list[audits.Entry]
    away: list[vacancies.Away]
    standing_by: dict[str, int]

    @property
    def pages(self) -> int:
        """How many pages the wanted games fill, at least one."""
        return max(1, -(-self.total // A_PAGE))


def look(user: User, wanted: Wanted, now: datetime) -> Desk:
    """Return a person's desk at a moment. At most twelve queries, however many games he runs."""
    mine = Game.objects.filter(roles.runs(user))
    trouble = _trouble(user, now)
    counts = _counts(mine, user, now) | {show: len(trouble.games(show)) for show in _BY_TROUBLE}
    if wanted.show in IDLE:
        games = _idle(mine, wanted)
        total, rows = games.count(), [Row(game) for game in games[_slice(wanted)]]
    else:
        turns = _wanted(user, wanted, trouble, now)
        total = turns.count() if wanted.title or wanted.text else counts[wanted.show]
        rows = [*_running(turns[_slice(wanted)], user, trouble, now), *_forming(mine, wanted)]
    done = audits.entries(user, list(acts(mine)[:RECENT]))
    away, waiting = vacancies.absences_for(user, now), vacancies.standing_by_for(trouble.titles)
    _mark_away(rows, away, user)
    return Desk(wanted, counts, total, rows, done, away, waiting)


def acts(games: QuerySet[Game]) -> QuerySet[Act]:
    """Return what was done with some games, the last first."""
    found = Act.objects.filter(game__in=games).select_related("game", "who")
    return found.defer("game__final_state").order_by("-pk")


_BY_TROUBLE = (Show.HELD, Show.UNREACHABLE, Show.OPEN_SEATS, Show.STUCK)


def _counts(mine: QuerySet[Game], user: User, now: datetime) -> dict[Show, int]:
    """Count the games of each kind that is no trouble, in one pass."""
    opened = FilteredRelation("turns", condition=Q(turns__status=Turn.Status.OPEN))
    kinds = {Show.RUNNING: Q(status=Game.Status.RUNNING)} | _kinds(user, now, turn="open__", game="")
    kinds |= {show: Q(status__in=states) for show, states in IDLE.items()}
    counts = mine.annotate(open=opened).aggregate(**{show.name: Count("pk", filter=one) for show, one in kinds.items()})
    return {show: counts[show.name] for show in kinds}


def _kinds(user: User, now: datetime, *, turn: str = "", game: str = "game__") -> dict[Show, Q]:
    """Return which open turns are of a kind, as a condition on turns, or on what has them by these prefixes.

    The rest of today is the reader's own; of games that he plays in he is not told that sheets are missing.
    """
    midnight = timezone.localtime(now, user.zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    own = Seat.objects.filter(player=user).values("game")
    return {
        Show.OVERDUE: Q(**{f"{turn}deadline__lte": now, f"{game}paused": None}),
        Show.TODAY: Q(**{f"{turn}deadline__gt": now, f"{turn}deadline__lt": midnight + timedelta(days=1)}),
        Show.WAITING: Q(**{f"{turn}owing__gt": 0}) & ~Q(**{f"{game}pk__in": own}),
    }


def _trouble(user: User, now: datetime) -> Trouble:
    """Look for what is wrong.

    Of games that he plays in the organiser is not told that somebody's mail is held, as it shows who has written; of
    anonymous ones, nor whose mail comes back.
    """
    seats = Seat.objects.filter(roles.runs(user, "game__"), game__status=Game.Status.RUNNING)
    own = Q(game__pk__in=Seat.objects.filter(player=user).values("game"))
    free = seats.filter(Q(vacant__isnull=False) | Q(player=None, bot=""))
    vacant = list(free.values_list("game", "index", "game__title").order_by("game", "index")[:MOST])
    return Trouble(
        held=_by_game(_letters(Incoming.objects.filter(verdict=Incoming.Verdict.HELD), seats.exclude(own))),
        stuck=_by_game(_letters(Outgoing.objects.filter(state=Outgoing.State.FAILED, due__gt=now - WHILE), seats)),
        unreachable=_resting(seats.exclude(own, game__anonymous=True)),
        open_seats=_places((game, _place(index, None, None)) for game, index, _title in vacant),
        titles={title for _game, _index, title in vacant},
    )


def _letters[M: (Incoming, Outgoing)](mails: QuerySet[M], seats: QuerySet[Seat]) -> QuerySet[M]:
    return mails.filter(address__kind="seat", address__object_id__in=seats.values("pk"))


def _by_game[M: (Incoming, Outgoing)](mails: QuerySet[M]) -> Counter[int]:
    game = Seat.objects.filter(pk=OuterRef("address__object_id")).values("game")[:1]
    return Counter(mails.annotate(game=game).values_list("game", flat=True)[:MOST])


def _resting(seats: QuerySet[Seat]) -> dict[int, list[Place]]:
    """Return the seats whose players' mail comes back.

    Starts from the few mailboxes that rest: whether one is its owner's present address is looked at afterwards.
    """
    resting = seats.filter(player__mailboxes__suspended__isnull=False).order_by("game", "index")
    names = ("game", "index", "player", "player__display_name", "player__email", "player__mailboxes__address")
    rows = resting.values_list(*names)[:MOST]
    return _places(
        (game, _place(index, player, name)) for game, index, player, name, email, address in rows if address == email
    )


def _places(found: Iterable[tuple[int, Place]]) -> dict[int, list[Place]]:
    places: dict[int, list[Place]] = {}
    for game, place in found:
        places.setdefault(game, []).append(place)
    return places


def _wanted(user: User, wanted: Wanted, trouble: Trouble, now: datetime) -> QuerySet[Turn]:
    """The open turns that are wanted, the next deadline first."""
    running = roles.runs(user, "game__"), _named(wanted, "game__")
    turns = Turn.objects.filter(*running, status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    if wanted.show in _BY_TROUBLE:
        turns = turns.filter(game__in=trouble.games(wanted.show))
    elif wanted.show != Show.RUNNING:
        turns = turns.filter(_kinds(user, now)[wanted.show])
    return turns.select_related("game").only("number", "deadline", *_SHOWN).order_by("deadline", "pk")


_SHOWN = [f"game__{name}" for name in ("key", "name", "title", "options", "anonymous", "status", "paused")]
"""What the desk shows of a game, and what its seats are called by."""


def _named(wanted: Wanted, prefix: str) -> Q:
    title = Q(**{f"{prefix}title": wanted.title}) if wanted.title else Q()
    return title & Q(**{f"{prefix}name__icontains": wanted.text}) if wanted.text else title


def _slice(wanted: Wanted) -> slice:
    return slice((wanted.page - 1) * A_PAGE, wanted.page * A_PAGE)


def _running(turns: Iterable[Turn], user: User, trouble: Trouble, now: datetime) -> list[Row]:
    rows = {turn.pk: _row(turn, trouble, now) for turn in turns}
    games = [row.game.pk for row in rows.values()]
    for turn, index, player, name, misses, asked, status, late in _sheets(list(rows), games):
        row = rows[turn]
        row.asked += asked
        row.handed_in += asked and status != Sheet.Status.NONE
        row.plays |= player == user.pk
        row.late += [_place(index, player, name, misses)] if late else []
    for row in rows.values():
        row.late = [] if row.plays else row.late
    return list(rows.values())


def _sheets(turns: list[int], games: list[int]) -> QuerySet[Sheet, tuple[int, int, int, str, int, bool, str, bool]]:
    """Return the sheets of some turns of games, with no more than is shown. By its game a seat is found faster."""
    rows = Sheet.objects.filter(turn__in=turns, seat__game__in=games).annotate(late=readiness.LATE)
    holder = ("seat__index", "seat__player", "seat__player__display_name", "seat__misses")
    return rows.order_by("seat__index").values_list("turn", *holder, "asked", "status", "late")


def _mark_away(rows: Iterable[Row], away: Iterable[vacancies.Away], user: User) -> None:
    """Mark those who owe a sheet and are away on the day of the deadline, by the reader's calendar."""
    spans: dict[str, list[tuple[int, vacancies.Away]]] = {}
    for one in away:
        for key, _name, index in one.games:
            spans.setdefault(key, []).append((index, one))
    for row in rows:
        day = row.turn.deadline.astimezone(user.zone).date() if row.turn and row.turn.deadline else None
        gone = {index for index, one in spans.get(row.game.key, ()) if day and one.first <= day <= one.last}
        row.late = [replace(place, away=place.index in gone) for place in row.late] if gone else row.late


def _forming(mine: QuerySet[Game], wanted: Wanted) -> list[Row]:
    """The newest games that have not started, behind the first page of those that run: they are worked on, too."""
    if wanted.show != Show.RUNNING or wanted.page > 1:
        return []
    return [Row(game) for game in _idle(mine, replace(wanted, show=Show.FORMING))[:RECENT]]


def _row(turn: Turn, trouble: Trouble, now: datetime) -> Row:
    return Row(
        game=turn.game,
        turn=turn,
        overdue=turn.game.paused is None and turn.deadline is not None and turn.deadline <= now,
        open_seats=trouble.open_seats.get(turn.game_id, []),
        unreachable=trouble.unreachable.get(turn.game_id, []),
        held=trouble.held[turn.game_id],
        stuck=trouble.stuck[turn.game_id],
    )


def _place(index: int, player: int | None, name: str | None, misses: int = 0) -> Place:
    return Place(index, name or (f"#{player}" if player else ""), misses)


def _idle(mine: QuerySet[Game], wanted: Wanted) -> QuerySet[Game]:
    games = mine.filter(_named(wanted, ""), status__in=IDLE[wanted.show])
    return games.defer("final_state").order_by("-created", "-pk")
