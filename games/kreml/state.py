"""The position of a game of Kreml, as plain values, and what can be read off it without a rule (section 1)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.engine.contract import Sheet
from games.kreml.data import PEOPLE

SEATS = ("minsk", "odessa", "riga", "omsk", "tula", "kasan")
"""The players: the men behind the men, each called by the town where his files are kept."""

CHIEF = "chief"
LEVEL_1 = ("kgb", "foreign", "defence")
LEVEL_2 = ("ideologist", "industry", "agriculture", "sport")
OFFICES = (CHIEF, *LEVEL_1, *LEVEL_2)
"""The eight offices of the Politburo in rank order, which is the voting order."""

LEVELS = {CHIEF: 0, **dict.fromkeys(LEVEL_1, 1), **dict.fromkeys(LEVEL_2, 2), "candidates": 3, "people": 4}
"""The level of each place from which one can rise or fall."""

ROW = 5
"""The most candidates."""

MORTAL = 96
"""Whoever reaches this age leaves the game for the honours list."""

FIRST_YEAR, LAST_PARADE, LAST_YEAR = 1951, 1960, 1961
WAVES = 3
RANKS = 10

type Place = str
"""An office, or "candidates", "people", "siberia", "wall", "honours"."""

type Pace = Literal["classic", "brisk"]
type Stage = Literal[
    "ranking", "purges", "spy", "trial", "nomination", "election", "rebels", "commission", "autumn", "over"
]
"""What a turn is about: phase 0; 1-2; 3 (brisk: 3-4); the votes of a trial, then 4; the three turns of phase 5 (brisk:
one, "commission"); 6-8; the game is over."""

type Reason = Literal["three_waves", "1960", "1961", "draw"]


class Politician(Struct, frozen=True):
    """One politician. ``opened`` is the year in which his investigation was opened (0: none; it sleeps outside of the
    Politburo). ``controller`` is a seat, or -1 while nobody has ever controlled him; ``declared`` are
    points by seat.
    """

    age: int
    marks: int = 0
    waves: int = 0
    cure: bool = False
    opened: int = 0
    controller: int = -1
    declared: tuple[int, ...] = ()


class Setting(Struct, frozen=True):
    """The options under which a game is played."""

    pace: Pace = "classic"
    per_mark: bool = False
    nominee_votes: bool = True
    roster: str = "classic"
    health: str = "classic"


class Trial(Struct, frozen=True):
    """An accusation that is voted on in this turn."""

    accuser: str
    accused: str


class Poll(Struct, frozen=True):
    """A nomination that is voted on in this turn; ``second`` if he is one of the rebels."""

    proposer: str
    nominee: str
    second: bool = False


class Tally(Struct, frozen=True):
    """Counts for statistics; all of it public."""

    turns: int = 0
    parades: int = 0
    passed: int = 0
    contests: int = 0
    takeovers: int = 0


class Ending(Struct, frozen=True):
    """How the game ended; ``who`` decides it ("" in a draw)."""

    reason: Reason
    who: str = ""


class State(Struct, frozen=True):
    """A position.

    ``offices`` maps an office to its holder (vacant ones lack); the other places are rows in the order in which people
    came, ``candidates`` in the order of the row. ``lists`` are the secret points by seat and politician: None where the
    viewer may not know them, or before they are made. ``seniority`` are the seats, the most senior first. ``earlier``
    are, by seat, the orders of the turn before that still count in this one (a banishment, a second nomination): None
    where the viewer may not know them.
    """

    setting: Setting
    year: int
    stage: Stage
    politicians: dict[str, Politician]
    offices: dict[str, str]
    candidates: tuple[str, ...]
    people: tuple[str, ...]
    seniority: tuple[int, ...]
    lists: tuple[dict[str, int] | None, ...]
    siberia: tuple[str, ...] = ()
    wall: tuple[str, ...] = ()
    honours: tuple[str, ...] = ()
    trial: Trial | None = None
    poll: Poll | None = None
    earlier: tuple[Sheet | None, ...] = ()
    tally: Tally = Tally()
    ending: Ending | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.lists)


def members(state: State) -> list[str]:
    """The Politburo, in rank order."""
    return [state.offices[office] for office in OFFICES if office in state.offices]


def office_of(state: State, who: str) -> str:
    """The office that somebody holds, or ""."""
    return next((office for office, holder in state.offices.items() if holder == who), "")


def place_of(state: State, who: str) -> Place:
    """Where somebody is."""
    rows = ("candidates", "people", "siberia", "wall", "honours")
    return office_of(state, who) or next(row for row in rows if who in getattr(state, row))


def alive(state: State) -> list[str]:
    """Who can still be of use: everybody but those in the wall and on the honours list, by id."""
    gone = {*state.wall, *state.honours}
    return [who for who in PEOPLE if who not in gone]


def present(state: State) -> list[str]:
    """The members who are not in cure, in rank order."""
    return [who for who in members(state) if not state.politicians[who].cure]
