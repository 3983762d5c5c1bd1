"""What the API sends and takes, as values; docs/api.md describes the same fields in words.

Everything about a game is made of what `play.selectors` gives the viewer's seat: nothing else gets here.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from games.engine.contract import Ask, Block, Order, Page
from games.engine.contract import Sheet as Orders
from postspiel.play.schedule import Schedule

MOST_ORDERS = 200

HIDDEN = "?"
"""Stands for a player whose name is hidden until the game is over."""

type Status = Literal["none", "on_file", "final"]


class SeatShape(Struct, frozen=True):
    """A seat: who holds it (public name, "" if nobody, "?" if that is hidden), or which bot plays it."""

    index: int
    name: str
    player: str
    bot: str


class TurnShape(Struct, frozen=True):
    """The open turn. Of the sheets of others only their number is told."""

    number: int
    opened: datetime
    earliest: datetime | None
    deadline: datetime | None
    sheets_in: int
    sheets_asked: int


class SheetShape(Struct, frozen=True):
    """The viewer's own sheet: its status, its orders, the same as lines in his language, and its salted digest."""

    status: Status
    orders: Orders
    lines: tuple[str, ...]
    digest: str


class LogShape(Struct, frozen=True):
    """What the viewer may know of a turn that is over."""

    turn: int
    closed: datetime | None
    blocks: tuple[Block, ...]


class PressShape(Struct, frozen=True):
    """A press that the viewer may read; ``to`` null is public."""

    turn: int | None
    seat: int
    to: tuple[int, ...] | None
    text: str
    sent: datetime


class GameShape(Struct, frozen=True):
    """A game as its viewer sees it. ``seat`` null: a watcher, who has no sheet and no asks."""

    key: str
    title: str
    name: str
    status: str
    size: int
    options: dict[str, bool | int | str]
    schedule: Schedule
    pace: str
    policy: str
    rules: int
    commitment: str
    seat: int | None
    seats: tuple[SeatShape, ...]
    turn: TurnShape | None
    position: Page | None
    state: Raw | None
    asks: tuple[Ask, ...]
    sheet: SheetShape | None
    log: tuple[LogShape, ...]
    press: tuple[PressShape, ...]


class OrdersShape(Struct, frozen=True, forbid_unknown_fields=True):
    """What is posted: orders as values or as a text in the order language; they take the place of the whole sheet.

    ``turn`` is the turn that they are meant for; ``done`` makes the sheet final.
    """

    orders: tuple[Order, ...] | None = None
    text: str | None = None
    turn: int | None = None
    done: bool = False


class AbsenceShape(Struct, frozen=True):
    """Days on which the viewer is away, in his own time zone."""

    id: int
    first: date
    last: date
    note: str


class AllowanceShape(Struct, frozen=True):
    """By how many days the viewer's absences may move deadlines of a game in all, and how many of them are left."""

    game: str
    name: str
    days: int
    days_left: int


class AbsencesShape(Struct, frozen=True):
    """The viewer's absences that are not over, and how they count in the games that he plays."""

    absences: tuple[AbsenceShape, ...]
    games: tuple[AllowanceShape, ...]


class AwayShape(Struct, frozen=True, forbid_unknown_fields=True):
    """What is posted to announce an absence."""

    first: date
    last: date
    note: Annotated[str, Meta(max_length=100)] = ""


class OfferShape(Struct, frozen=True):
    """A seat that waits for a player. ``refusal``: why the viewer cannot take it ("" if he can; null in lists)."""

    game: str
    name: str
    title: str
    seat: int
    seat_name: str
    since: datetime | None
    refusal: str | None = None


class StandByShape(Struct, frozen=True):
    """The titles that the viewer stands by for, the seats that wait, those that were his, and his reliability."""

    titles: tuple[str, ...]
    open: tuple[OfferShape, ...]
    lost: tuple[OfferShape, ...]
    reliability: int | None


class StandingShape(Struct, frozen=True, forbid_unknown_fields=True):
    """What is posted to stand by for a title, or to stand by no longer."""

    title: str
    standing: bool


class Refused(Struct, frozen=True):
    """An order or a line that was not taken, and why; ``fix`` is a line that would be right."""

    line: int
    text: str
    code: str
    reason: str
    fix: str = ""


class ReceiptShape(Struct, frozen=True):
    """What became of posted orders. ``reason``: why nothing of it counts, whatever it says ("" if it does)."""

    verdict: Literal["accepted", "partial", "rejected"]
    reason: str
    turn: int | None
    sheet: SheetShape | None
    refused: tuple[Refused, ...]
    hints: tuple[str, ...]
    missing: tuple[Ask, ...]
