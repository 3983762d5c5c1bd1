"""What others may read of play. Whatever a seat gets comes from its masked position, its events and its own sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine import turns as engine
from games.engine.contract import Ask, Block, Locale, Page, Text
from games.engine.contract import Sheet as Orders
from games.engine.texts import roll_text
from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import anonymity, brake, deadlines, positions, press, questions, readiness, times, turns
from postspiel.play.audience import free_seats, invited_game, organised_turn, visible_game
from postspiel.play.brake import whole as hold_of_all
from postspiel.play.feeds import by_token as feed_by_token
from postspiel.play.feeds import feed_of
from postspiel.play.feeds import turns_of as feed_turns
from postspiel.play.feeds import waiting as feed_waiting
from postspiel.play.heartbeats import last_sweep
from postspiel.play.holds import why as held_why
from postspiel.play.models import Act, Ballot, Event, Game, Hold, Press, Seat, Sheet, Submission, Turn
from postspiel.play.notices import thread
from postspiel.play.positions import options_of, policy_of, schedule_of, title_of
from postspiel.play.roles import may_command, may_reveal, may_run, role_of, runs
from postspiel.play.sheets import understood_of
from postspiel.play.sweeping import oldest_overdue
from postspiel.play.understanding import Desk, Understood, read_text, understand

__all__ = [
    "Understood",
    "feed_by_token",
    "feed_of",
    "feed_turns",
    "feed_waiting",
    "free_seats",
    "held_why",
    "hold_of_all",
    "invited_game",
    "last_sweep",
    "may_command",
    "may_reveal",
    "may_run",
    "oldest_overdue",
    "options_of",
    "organised_turn",
    "policy_of",
    "role_of",
    "schedule_of",
    "thread",
    "title_of",
    "understood_of",
    "visible_game",
]


MOST_HOLDS = 50


@dataclass(frozen=True, slots=True)
class TurnLog:
    """What happened in one turn, as a reader may know it."""

    turn: Turn
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Mine:
    """One of a player's games: his seat, and the open turn with his sheet if it runs."""

    game: Game
    seat: Seat
    turn: Turn | None = None
    sheet: Sheet | None = None

    @property
    def waits(self) -> bool:
        """Whether the game waits for him."""
        return self.sheet is not None and self.sheet.asked and self.sheet.status != Sheet.Status.FINAL


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that may be joined."""

    game: Game
    free: int


# --- one game ---------------------------------------------------------------------------------------------------------


def open_turn(game: Game) -> Turn | None:
    """Return the turn that runs; None before the start and after the end."""
    return Turn.objects.select_related("game").filter(game=game, status=Turn.Status.OPEN).first()


def position(game: Game, seat: Seat | None, locale: str | None = None) -> Page | None:
    """Return the position as a seat (None: a watcher) sees it; the last one if the game is over, None before it began.

    ``locale`` defaults to the active language, here as in the other functions.
    """
    if game.status == Game.Status.ENDED:
        return _shown(game, positions.final_state_of(game), seat, _locale(locale))
    turn = open_turn(game)
    return position_at(turn, seat, locale) if turn else None


def position_at(turn: Turn, seat: Seat | None, locale: str | None = None) -> Page:
    """Return the position that a turn started from, as a seat sees it. The turn's game should be loaded."""
    return _shown(turn.game, positions.state_of(turn), seat, _locale(locale))


def log(game: Game, seat: Seat | None, locale: str | None = None) -> list[TurnLog]:
    """Return what happened, turn by turn, as far as a seat (None: a watcher) may know it. Two queries."""
    turns = game.turns.filter(status=Turn.Status.DONE).order_by("number").defer("state")
    events = _heard(Event.objects.filter(turn__in=turns), seat)
    return [TurnLog(turn, _story(game, events.get(turn.pk, []), _locale(locale))) for turn in turns]


def log_of(turn: Turn, seat: Seat | None, locale: str | None = None) -> TurnLog:
    """Return what happened in one turn, as far as a seat may know it."""
    events = _heard(turn.events.all(), seat)
    return TurnLog(turn, _story(turn.game, events.get(turn.pk, []), _locale(locale)))


def before(turn: Turn) -> Turn | None:
    """Return the turn before this one (the set-up before turn 1)."""
    earlier = Turn.objects.select_related("game").filter(game=turn.game_id, status=Turn.Status.DONE)
    return earlier.filter(number__lt=turn.number).order_by("-number").first()


def last_turn(game: Game) -> Turn | None:
    """Return the last turn that was resolved."""
    done = Turn.objects.select_related("game").filter(game=game, status=Turn.Status.DONE)
    return done.order_by("-number").first()


def asks_for(seat: Seat) -> tuple[Ask, ...]:
    """Return what the seat may order in the open turn; nothing if none is open."""
    turn = open_turn(seat.game)
    return positions.title_of(seat.game).asks(positions.seen(turn, seat.index), seat.index) if turn else ()


def sheet_of(seat: Seat) -> Sheet | None:
    """Return the seat's own sheet for the open turn."""
    sheets = Sheet.objects.select_related("turn__game", "seat")
    return sheets.filter(seat=seat, turn__status=Turn.Status.OPEN).first()


def orders_of(sheet: Sheet) -> Orders:
    """Return the orders on a sheet, for its own seat only."""
    return positions.sheet_of(sheet)


def preview(seat: Seat, orders: Orders) -> engine.Preview | None:
    """Return what would come of these orders if nobody else ordered anything; None if no turn is open."""
    turn = open_turn(seat.game)
    if turn is None:
        return None
    return engine.preview(positions.title_of(seat.game), positions.seen(turn, seat.index), seat.index, orders)


def tried(seat: Seat, text: str, locale: str | None = None) -> Understood:
    """Return what would be made of a text in the place of the seat's whole sheet, and hand nothing in.

    Raises `ValueError` if no turn is open.
    """
    turn = open_turn(seat.game)
    if turn is None:
        raise ValueError("No turn is open.")
    seen = positions.seen(turn, seat.index)
    desk = Desk(title_of(seat.game), options_of(seat.game), seen, seat.index)
    return understand(desk, read_text(desk, text, _locale(locale)), replace=True, empty=False)


def preview_blocks(seat: Seat, orders: Orders, locale: str | None = None) -> tuple[Block, ...]:
    """Return a preview as it is read: what would happen, and from where on nobody can tell."""
    foreseen = preview(seat, orders)
    if foreseen is None:
        return ()
    options, title = positions.options_of(seat.game), positions.title_of(seat.game)
    blocks = title.story(options, foreseen.events, _locale(locale))
    if foreseen.stopped_at is None:
        return blocks
    roll = roll_text(title, options, foreseen.stopped_at, _locale(locale))
    return (*blocks, Text(_("What follows depends on chance (%(roll)s).") % {"roll": roll}, "quiet"))


def press_for(game: Game, seat: Seat | None) -> list[Press]:
    """Return the press that a seat (None: a watcher) may read, oldest first."""
    index = seat.index if seat else None
    rows = game.press.select_related("seat__player", "turn").order_by("pk")
    return [row for row in rows if press.may_read(row, index)]


def held_press(seat: Seat) -> list[Press]:
    """Return the press of a seat that waits until its writer says that it may name him; none of a former player's."""
    held = seat.press.filter(held=True, sent__gte=seat.joined) if seat.joined else seat.press.filter(held=True)
    return list(held.order_by("pk"))


def question(token: str) -> Outgoing | None:
    """Return the mail whose question a link answers; None if it is no link of ours."""
    number = questions.named(token)
    asked = Outgoing.objects.filter(pk=number or 0, kind__in=questions.KINDS).select_related("recipient")
    return asked.defer("raw", "texts").first()


def knows_players(game: Game, viewer: User | AnonymousUser | None) -> bool:
    """Whether a person may know who holds the seats of a game."""
    return anonymity.knows_players(game, viewer)


def seat_of(game: Game, user: User | AnonymousUser) -> Seat | None:
    """Return the seat that a person holds in a game."""
    if not isinstance(user, User):
        return None
    return Seat.objects.select_related("game", "player").filter(game=game, player=user).first()


def seats_of(game: Game) -> list[Seat]:
    """Return a game's seats in their order, with who holds them."""
    return list(game.seats.select_related("player").order_by("index"))


def seat_name(game: Game, index: int, locale: str | None = None) -> str:
    """Return what a seat is called."""
    title = positions.title_of(game)
    one = title.about.seats[index]
    return title.names(positions.options_of(game))[one][_locale(locale)][0]


def sheets_in(turn: Turn) -> tuple[int, int]:
    """Return how many sheets are in, and how many seats are asked; all that anybody learns of the sheets of others."""
    return _count(turn.sheets.select_related("seat").defer("orders"))


def is_late(seat: Seat, turn: Turn) -> bool:
    """Whether the seat's player still owes something in this turn, and it is still open."""
    sheets = Sheet.objects.select_related("seat").filter(turn=turn, seat=seat, turn__status=Turn.Status.OPEN)
    return any(readiness.late(sheet) for sheet in sheets)


def late_seats(turn: Turn) -> list[Seat]:
    """Return the seats that owe something and have handed in nothing. For an organiser who does not play."""
    return deadlines.late_seats(turn)


def submissions_of(seat: Seat, turn: Turn) -> QuerySet[Submission]:
    """Return what was sent for a seat's sheet of a turn since its player holds it, newest first."""
    return _since_joined(seat).filter(turn=turn).order_by("-pk")


def submission_of(seat: Seat, number: int) -> Submission | None:
    """Return what was sent for a seat under this id since its player holds it; None if it was sent for another."""
    return _since_joined(seat).select_related("turn").filter(pk=number).first()


def acts_of(game: Game) -> QuerySet[Act]:
    """Return what was done with a game, newest first."""
    return game.acts.select_related("who").order_by("-pk")


def wants_end(game: Game) -> list[int]:
    """Return the indices of the seats that have voted for ending the game."""
    return sorted(Ballot.objects.filter(game=game, motion="end").values_list("seat__index", flat=True))


def time_is_up(turn: Turn, now: datetime) -> bool:
    """Whether an open turn takes no more orders, or is about to be resolved."""
    if turn.deadline is None or turn.deadline > now or turn.game.paused or brake.stands(now):
        return False
    return turns.closes(turn) <= now or (turn.due is not None and turn.due <= now)


def holds_on(game: Game) -> list[Hold]:
    """Return what holds a game's turn back: its own hold, or that of all games."""
    if game.status != Game.Status.RUNNING:
        return []
    return list(Hold.objects.filter(Q(game=game) | Q(game=None), released=None).order_by("pk"))


def holds_for(user: User) -> list[Hold]:
    """Return the holds in force that a person may release, some of them; the host that of all games, too."""
    return list(_releasable(user).order_by("pk")[:MOST_HOLDS])


def hold_for(user: User, number: int) -> Hold | None:
    """Return a hold in force that a person may release; None if it is none of those."""
    return _releasable(user).filter(pk=number).first()


def _releasable(user: User) -> QuerySet[Hold]:
    mine = Q(game__in=Game.objects.filter(runs(user)), turn__status=Turn.Status.OPEN)
    every = Q(game=None) if user.is_superuser else Q(pk__in=[])
    return Hold.objects.select_related("game").filter(mine | every, released=None)


def deadline_text(turn: Turn, user: User) -> str:
    """Return a turn's deadline in a person's zone and language."""
    return times.deadline(turn, user.zone, user.locale)


# --- lists, each with a constant number of queries --------------------------------------------------------------------


def my_games(user: User) -> list[Mine]:
    """Return the games in which a person holds a seat: those that wait for him first, by deadline, then the newest."""
    seats = Seat.objects.select_related("game").filter(player=user).exclude(game__status=Game.Status.CANCELLED)
    turns = _open_turns(seat.game_id for seat in seats)
    sheets = {row.turn_id: row for row in Sheet.objects.filter(turn__in=turns.values(), seat__player=user)}
    mine = [_mine(seat, turns.get(seat.game_id), sheets) for seat in seats]
    return sorted(mine, key=_urgency)


def lobby(user: User | AnonymousUser) -> list[Offer]:
    """Return the listed games that a person may join, newest first."""
    free = Count("seats", filter=Q(seats__player=None, seats__bot=""))
    games = Game.objects.select_related("organiser").filter(status=Game.Status.OPEN, listed=True)
    if isinstance(user, User):
        games = games.exclude(seats__player=user)
    return [Offer(game, game.free) for game in games.annotate(free=free).order_by("-created")]


def _since_joined(seat: Seat) -> QuerySet[Submission]:
    """Leave out what former players wrote: their orders do not count, and their mails are nobody else's business."""
    sent = Submission.objects.filter(seat=seat)
    return sent.filter(received__gte=seat.joined) if seat.joined else sent


def _open_turns(games: Iterable[int]) -> dict[int, Turn]:
    turns = Turn.objects.filter(game__in=list(games), status=Turn.Status.OPEN).defer("state")
    return {turn.game_id: turn for turn in turns}


def _mine(seat: Seat, turn: Turn | None, sheets: dict[int, Sheet]) -> Mine:
    return Mine(seat.game, seat, turn, sheets.get(turn.pk) if turn else None)


def _urgency(mine: Mine) -> tuple[bool, bool, float]:
    deadline = mine.turn.deadline if mine.turn else None
    return not mine.waits, deadline is None, deadline.timestamp() if deadline else -mine.game.created.timestamp()


def _count(sheets: Iterable[Sheet]) -> tuple[int, int]:
    asked = [sheet for sheet in sheets if sheet.asked]
    return sum(sheet.status != Sheet.Status.NONE for sheet in asked), len(asked)


def _heard(events: QuerySet[Event], seat: Seat | None) -> dict[int, list[Any]]:
    index = seat.index if seat else None
    found: dict[int, list[Any]] = {}
    for row in events.order_by("turn_id", "index"):
        if positions.may_hear(row, index):
            found.setdefault(row.turn_id, []).append(positions.event_of(row))
    return found


def _story(game: Game, events: Sequence[Any], locale: Locale) -> tuple[Block, ...]:
    return positions.title_of(game).story(positions.options_of(game), events, locale)


def _shown(game: Game, state: Any, seat: Seat | None, locale: Locale) -> Page:
    title, index = positions.title_of(game), seat.index if seat else None
    return title.show(title.mask(state, index), index, locale)


def _locale(locale: str | None) -> Locale:
    return positions.locale_or(locale, get_language())
