"""The position of a game of Intrige, as plain values, and what can be read off it without a rule."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

CRAFTS = ("A", "P", "S", "D")
"""Alchemist, priest, scribe, doctor: the order in which one player's scholars come."""

PAYS = (1000, 6000, 10000, 3000)
"""What the four areas of a court pay a round; an area is named by its pay and kept by its place in this row."""

SEATS = ("red", "yellow", "green", "blue", "white")
HOME = "AAPPSSDD"
CASH = 32000
UNIT = 1000
ROUNDS = 5

type Phase = Literal["bribes", "decision", "over"]
type Kind = Literal["free", "external", "internal"]


class Scholar(NamedTuple):
    """One scholar: whose he is and what he does. A player's two of one craft are never told apart."""

    seat: int
    craft: str


type Court = tuple[Scholar | None, ...]


class Group(NamedTuple):
    """Applicants that are settled together, in bribing order; of an internal conflict the incumbent is first.

    ``area`` is the place of the contested area in ``PAYS`` (internal), else -1.
    """

    kind: Kind
    area: int
    members: tuple[Scholar, ...]


class Bribe(NamedTuple):
    """A bribe as paid; ``amount`` None where the viewer may not know it."""

    scholar: Scholar
    amount: int | None
    wish: str
    defends: bool


class Entry(NamedTuple):
    """A bribe in the book of a sealed game: when and to whom it went."""

    round: int
    court: int
    bribe: Bribe


class Setting(Struct, frozen=True):
    """The options under which a game is played."""

    staged: bool = False
    sealed: bool = False
    open_cash: bool = False
    same_court: bool = False


class Tally(Struct, frozen=True):
    """Counts for statistics; all of it public."""

    free: int = 0
    external: int = 0
    internal: int = 0
    attacks: int = 0
    own_attacks: int = 0
    lost_seats: int = 0


class State(Struct, frozen=True):
    """A position: whose court is active, what everybody holds, who sits, waits, is at home or banished.

    ``cash`` holds None where the viewer may not know it. ``groups`` and ``bribes`` belong to the running admission;
    ``stage`` is the group being settled in a staged game, else 0. ``banked`` is all income paid so far.
    """

    setting: Setting
    first: int
    round: int
    active: int
    phase: Phase
    cash: tuple[int | None, ...]
    courts: tuple[Court, ...]
    waiting: tuple[tuple[Scholar, ...], ...]
    home: tuple[str, ...]
    island: tuple[Scholar, ...] = ()
    groups: tuple[Group, ...] = ()
    stage: int = 0
    bribes: tuple[Bribe, ...] = ()
    book: tuple[Entry, ...] = ()
    banked: int = 0
    tally: Tally = Tally()

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.home)


def distance(state: State, seat: int) -> int:
    """How many steps clockwise from the active player's left neighbour (0) a seat sits."""
    return (seat - state.active - 1) % len(state.home)


def area_of(court: Court, craft: str) -> int:
    """The place of the area where that craft is seated, or -1."""
    for place, scholar in enumerate(court):
        if scholar is not None and scholar.craft == craft:
            return place
    return -1


def free_areas(court: Court) -> list[int]:
    """The places of the empty areas, the best paid first."""
    return [place for place in BEST_FIRST if court[place] is None]


BEST_FIRST = sorted(range(len(PAYS)), key=PAYS.__getitem__, reverse=True)
CHEAP_FIRST = sorted(range(len(PAYS)), key=PAYS.__getitem__)


def current_groups(state: State) -> tuple[Group, ...]:
    """The groups that bribe, or are decided, in this turn: all of an admission, or one in a staged game."""
    if state.setting.staged:
        return state.groups[state.stage : state.stage + 1]
    return state.groups


def sends_now(state: State) -> int:
    """How many scholars the active player sends in this turn."""
    last = not state.setting.staged or state.stage >= len(state.groups) - 1
    return min(2, len(state.home[state.active])) if last and state.phase == "decision" else 0


def put[T](row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same row with another value at one place."""
    return (*row[:place], value, *row[place + 1 :])
