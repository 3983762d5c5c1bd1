"""What a seat has ordered, as the rules use it up in the course of a turn (sections 2 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from games.engine.contract import Order
from games.kreml.state import RANKS

COSTLY = frozenset({"purge", "investigate", "accuse", "banish", "swap", "promote", "demote", "move", "rehabilitate"})
"""Acts that cost whoever does them years; only these are counted and ended by ``stop``."""

MOVES = frozenset({"swap", "promote", "demote", "move"})
AIMED = frozenset({"purge", "investigate", "accuse", "banish", "swap", "demote"})
"""Acts that are "against" whom they name (section 2, triggers)."""


class Bid(NamedTuple):
    """A sealed bid: on whom (an id, an office, "anybody"), up to how much, when, and what then."""

    on: str
    points: int
    when: Order | None
    then: Order | None


class Ballot(NamedTuple):
    """A voting order: how, with whom ("" for all), on whom ("" for whoever it is)."""

    vote: str
    voter: str
    on: str


@dataclass(slots=True)
class Line:
    """One order that says what to do: whom it still names, its second name, and where it ends.

    ``only`` is the politician who carries it out ("" for any who can); ``done`` counts successes; ``passed`` marks a
    promotion that the chief could not make.
    """

    verb: str
    names: list[str]
    other: str = ""
    to: str = ""
    only: str = ""
    after: int = 0
    age: int = 0
    done: int = 0
    passed: bool = False

    def ended(self, age: int) -> bool:
        """Whether the line ends here for an actor of that age."""
        return bool((self.after and self.done >= self.after) or (self.age and age >= self.age))


class Act(NamedTuple):
    """What a politician announces: a verb, its object, and the vote, the office or the other one of a swap."""

    verb: str
    who: str
    detail: str = ""
    line: Line | None = None


@dataclass(slots=True)
class Desk:
    """All orders of one seat in a turn."""

    bids: list[Bid] = field(default_factory=list)
    holds: dict[str, int] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    ballots: list[Ballot] = field(default_factory=list)
    protected: list[str] = field(default_factory=list)
    opposed: list[str] = field(default_factory=list)
    cure_from: int = 0
    after: int = 0
    age: int = 0
    done: int = 0

    def ended(self, age: int) -> bool:
        """Whether all costly acts of the seat end here for an actor of that age."""
        return bool((self.after and self.done >= self.after) or (self.age and age >= self.age))


def read(orders: Iterable[Order]) -> Desk:
    """Make a desk of orders that ``check`` has let pass."""
    desk = Desk()
    for order in sorted(orders, key=lambda one: not one.standing):  # what stands yields to what is said today
        _put(desk, order)
    return desk


def _put(desk: Desk, order: Order) -> None:
    args = order.args
    match order.verb:
        case "bid":
            points = RANKS if "full" in args else _int(order, "points")
            desk.bids.append(Bid(_str(order, "on"), points, order.when, order.then[0] if order.then else None))
        case "hold":
            desk.holds[_str(order, "who")] = _int(order, "to") or RANKS
        case "vote":
            desk.ballots.append(Ballot(_str(order, "vote"), _str(order, "with"), _str(order, "on")))
        case "protect":
            desk.protected += _names(order)
        case "oppose":
            desk.opposed += _names(order)
        case "cure_from":
            desk.cure_from = int(_str(order, "marks"))
        case "stop":
            desk.after, desk.age = _int(order, "after") or desk.after, _int(order, "age") or desk.age
        case _:
            desk.lines.append(line(order))


def line(order: Order, only: str = "") -> Line:
    """Make a line of an order; ``only``: the one politician it is for."""
    names = _names(order) if isinstance(order.args.get("who"), tuple) else [_str(order, "who")]
    if "else" in order.args:
        names.append(_str(order, "else"))
    by = only or _str(order, "by")
    return Line(order.verb, names, _str(order, "with"), _str(order, "to"), by, _int(order, "after"), _int(order, "age"))


def _str(order: Order, name: str) -> str:
    value = order.args.get(name, "")
    return value if isinstance(value, str) else ""


def _int(order: Order, name: str) -> int:
    value = order.args.get(name, 0)
    return value if isinstance(value, int) else 0


def _names(order: Order) -> list[str]:
    value = order.args.get("who", ())
    return list(value) if isinstance(value, tuple) else []
