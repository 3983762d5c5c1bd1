"""What a game's page shows, gathered in one place: whatever a reader gets comes from play's selectors."""

from dataclasses import dataclass
from functools import cached_property

from django.http import QueryDict
from django.utils import timezone

from games.engine.contract import Ask
from games.engine.contract import Page as Position
from postspiel.accounts.models import User
from postspiel.play import deeds, selectors
from postspiel.play.models import Game, Hold, Press, Seat, Sheet, Submission, Turn
from postspiel.web import invitations, receipts
from postspiel.web.forms import InviteForm, PressForm, SeatForm, holder
from postspiel.web.orders import Asked, OrderForm
from postspiel.web.wording import locale
from tournaments import selectors as ladders

NEWEST = 20
"""So much press stands on the page of a game; the archive has all."""


@dataclass(frozen=True)
class Place:
    """A seat as the page lists it."""

    seat: Seat
    name: str
    mine: bool
    wants_end: bool

    @property
    def free(self) -> bool:
        """Whether nobody sits there."""
        return self.seat.player_id is None and not self.seat.bot


class GamePage:
    """A game as one reader sees it. Everything is read when the template asks for it, and once."""

    def __init__(self, game: Game, user: User, data: QueryDict | None = None) -> None:
        self.game = game
        self.user = user
        self.data = data
        self.foreseen: receipts.Foreseen | None = None
        self.receipt: receipts.Receipt | None = None

    @cached_property
    def seat(self) -> Seat | None:
        """The reader's seat, None if he only watches."""
        return selectors.seat_of(self.game, self.user)

    @cached_property
    def organises(self) -> bool:
        """Whether the reader runs the game: as its organiser, as an assistant, or as the host."""
        return selectors.may_run(self.game, self.user)

    @cached_property
    def commands(self) -> bool:
        """Whether the reader has an address for commands by mail."""
        return selectors.may_command(self.game, self.user)

    @cached_property
    def turn(self) -> Turn | None:
        """The open turn."""
        return selectors.open_turn(self.game)

    @cached_property
    def position(self) -> Position | None:
        """The position as the reader may see it."""
        return selectors.position(self.game, self.seat)

    @cached_property
    def log(self) -> list[selectors.TurnLog]:
        """What happened, the newest turn first."""
        return selectors.log(self.game, self.seat)[::-1]

    @cached_property
    def press(self) -> list[Press]:
        """The newest press that the reader may read, the newest first."""
        return selectors.press_for(self.game, self.seat)[: -NEWEST - 1 : -1]

    @cached_property
    def held_press(self) -> list[Press]:
        """The reader's own press that waits, because it names him."""
        return selectors.held_press(self.seat) if self.seat and self.game.anonymous else []

    @cached_property
    def places(self) -> list[Place]:
        """The seats, who holds them, and who wants the game to end."""
        ending = selectors.wants_end(self.game) if self.game.status == Game.Status.RUNNING else []
        mine = self.seat.pk if self.seat else None
        seats = selectors.seats_of(self.game)
        knows = selectors.knows_players(self.game, self.user)
        return [
            Place(one, holder(self.game, one, knows=knows or one.pk == mine), one.pk == mine, one.index in ending)
            for one in seats
        ]

    @cached_property
    def voted(self) -> bool:
        """Whether the reader has voted for ending the game."""
        return any(place.mine and place.wants_end for place in self.places)

    @cached_property
    def free(self) -> list[Seat]:
        """The seats that may be taken."""
        return [place.seat for place in self.places if place.free]

    @cached_property
    def holds(self) -> list[Hold]:
        """What holds the open turn back, or gave it more time."""
        return selectors.holds_on(self.game)

    @cached_property
    def done(self) -> list[deeds.Done]:
        """What was done with the game, beside the turns that were played."""
        return deeds.done(self.game, self.user)

    @cached_property
    def counts(self) -> tuple[int, int]:
        """How many sheets are in, and how many are asked for."""
        return selectors.sheets_in(self.turn) if self.turn else (0, 0)

    @cached_property
    def sheet(self) -> Sheet | None:
        """The reader's own sheet."""
        return selectors.sheet_of(self.seat) if self.seat else None

    @cached_property
    def lines(self) -> list[str]:
        """The reader's orders in force, as they are written."""
        return [self.asked.language.write(order, locale()) for order in self.asked.on_file] if self.sheet else []

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What the reader is asked."""
        return selectors.asks_for(self.seat) if self.seat else ()

    @cached_property
    def asked(self) -> Asked:
        """What the order form is made from."""
        title, options = selectors.title_of(self.game), selectors.options_of(self.game)
        on_file = selectors.orders_of(self.sheet) if self.sheet else ()
        return Asked(title, options, self.asks, on_file, locale())

    @cached_property
    def form(self) -> OrderForm | None:
        """The order form; None for who has no sheet to write on."""
        if self.sheet is None:
            return None
        more = self.receipt.to_mend if self.receipt and self.receipt.current else ""
        return OrderForm(self.asked, self.data, more)

    @cached_property
    def press_form(self) -> PressForm | None:
        """The form for press; None for who has no seat, or when the game does not run."""
        off = self.game.press_mode == Game.PressMode.OFF
        if self.seat is None or off or self.game.status != Game.Status.RUNNING:
            return None
        return PressForm(self.seat, [place.seat for place in self.places])

    @cached_property
    def seat_form(self) -> SeatForm | None:
        """The form by which the reader takes a seat; None if he cannot."""
        if self.seat is not None or self.game.status != Game.Status.OPEN or not self.free:
            return None
        return SeatForm(self.game, self.free)

    @cached_property
    def invite_form(self) -> InviteForm | None:
        """The form for inviting by mail; for the organiser before the start."""
        return InviteForm() if self.organises and self.game.status == Game.Status.OPEN else None

    @property
    def invitation(self) -> str:
        """The link that the organiser passes on."""
        return invitations.link(self.game)

    @cached_property
    def bots(self) -> list[str]:
        """The bots that the organiser may seat."""
        return list(selectors.title_of(self.game).bots)

    @cached_property
    def changes(self) -> list[ladders.Change]:
        """What the game did to its players' ratings."""
        return ladders.changes_of(self.game)

    @property
    def overdue(self) -> bool:
        """Whether the deadline has passed and the turn is about to be resolved."""
        return self.turn is not None and selectors.time_is_up(self.turn, timezone.now())

    def show_receipt(self, number: str) -> None:
        """Show what became of something that the reader sent, also if the turn has been played meanwhile."""
        if self.seat is not None and number.isdecimal():
            sent = selectors.submission_of(self.seat, int(number))
            self.receipt = self._receipt(sent) if sent else None

    def foresee(self, text: str) -> None:
        """Show what would come of these orders, written one a line."""
        if self.seat is not None and self.sheet is not None:
            self.foreseen = receipts.foreseen(self.seat, self.asked, text)

    def _receipt(self, sent: Submission) -> receipts.Receipt:
        current = self.turn is not None and sent.turn_id == self.turn.pk
        number = sent.turn.number if sent.turn else None
        return receipts.receipt(selectors.understood_of(sent), self.asked, turn=number, current=current)
