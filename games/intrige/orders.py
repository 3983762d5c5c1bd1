"""Reading orders: what a sheet comes to under the rules, and the error that says what is wrong with a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from games.engine.contract import Order, Value
from games.intrige.bidders import Key, open_bids
from games.intrige.state import CRAFTS, SEATS, Scholar, State


class Wrong(Exception):  # noqa: N818 - says what is the matter with an order
    """One order cannot stand: the code of its problem, data for the text, and the nearest right order."""

    def __init__(self, code: str, fix: Order | None = None, /, **data: Value) -> None:
        super().__init__(code)
        self.code, self.data, self.fix = code, data, fix


class Bid(NamedTuple):
    """A bid as written: a fixed amount, or (``step`` > 0) so much above the highest up to ``top``, else ``amount``."""

    amount: int
    step: int = 0
    top: int = 0
    wish: str = ""

    def figure(self, highest: int | None) -> int:
        """What it comes to after the highest earlier bribe of its group (None: there was none)."""
        if not self.step or highest is None or highest + self.step > self.top:
            return self.amount
        return highest + self.step

    @property
    def worst(self) -> int:
        """The most it can cost."""
        return max(self.amount, self.top)


class Line(NamedTuple):
    """An order that stands, with its place in the sheet."""

    at: int
    order: Order
    bid: Bid


@dataclass
class Reading:
    """What a seat's sheet comes to: its bids by scholar, standing bids by verb, decisions and sendings.

    ``winners`` maps a group's index to its winner's index among the members; ``areas`` maps (group, member) to an
    area. ``always`` lists the standing orders that stand, ``own_attacks`` the lines that attack an own scholar.
    """

    state: State
    seat: int
    bids: dict[Key, list[Line]] = field(default_factory=dict)
    standing: dict[str, Bid] = field(default_factory=dict)
    always: list[Order] = field(default_factory=list)
    winners: dict[int, int] = field(default_factory=dict)
    areas: dict[tuple[int, int], int] = field(default_factory=dict)
    sends: list[tuple[str, int]] = field(default_factory=list)
    own_attacks: list[int] = field(default_factory=list)

    @cached_property
    def open(self) -> dict[Key, int]:
        """How many bids may be given for whom."""
        return open_bids(self.state, self.seat)


def text(order: Order, name: str) -> str | None:
    """An argument that is an id or a text; None if it is missing, Wrong if it is something else."""
    value = order.args.get(name)
    if value is not None and not isinstance(value, str):
        raise Wrong("malformed")
    return value


def number(order: Order, name: str) -> int | None:
    """An argument that is a number; None if it is missing, Wrong if it is something else."""
    value = order.args.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise Wrong("malformed")
    return value


def craft_of(order: Order) -> str | None:
    """The craft that an order names, or None."""
    craft = text(order, "scholar")
    return craft if craft in CRAFTS else None


def seat_of(order: Order, name: str, seats: int) -> int | None:
    """The seat that an argument names, or None where it is missing; Wrong if nobody sits there."""
    word = text(order, name) if name in order.args else None
    if word is None:
        return None
    if word not in SEATS[:seats]:
        raise Wrong("nobody", seat=word)
    return SEATS.index(word)


def changed(order: Order, *, verb: str = "", drop: tuple[str, ...] = (), **args: Value) -> Order:
    """The same order with another verb or other arguments, for a fix."""
    kept = {name: value for name, value in order.args.items() if name not in drop}
    return replace(order, verb=verb or order.verb, args=kept | args, when=None, then=())


def with_value(order: Order, name: str, value: Value) -> Order:
    """The same order with one argument changed."""
    return replace(order, args=order.args | {name: value}, when=None, then=())


def scholar_data(scholar: Scholar) -> dict[str, Value]:
    """A scholar as data of an event or a problem."""
    return {"seat": SEATS[scholar.seat], "scholar": scholar.craft}
