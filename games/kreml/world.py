"""A position while a turn is carried out: the same facts as ``State``, to be changed in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import asdict, replace

from games.engine.contract import Table
from games.kreml import data, events
from games.kreml.desk import Desk
from games.kreml.state import (
    CHIEF,
    LEVELS,
    MORTAL,
    OFFICES,
    SEATS,
    Ending,
    Politician,
    Poll,
    Stage,
    State,
    Tally,
    Trial,
)

FREE = LEVELS.keys()


@dataclass(slots=True)
class Person:
    """A politician, changeable; the fields are those of ``state.Politician``."""

    age: int
    marks: int
    waves: int
    cure: bool
    opened: int
    controller: int
    declared: tuple[int, ...]


class World:
    """The turn's working copy. ``desks`` are the seats' orders, ``stopped`` who does nothing more in this phase.

    ``begun`` are the phases that have begun in this turn.
    """

    def __init__(self, state: State, desks: dict[int, Desk], table: Table) -> None:
        self.before = state
        self.setting = state.setting
        self.table = table
        self.desks = desks
        self.year = state.year
        self.stage: Stage = state.stage
        self.phase = 0
        self.people = {who: Person(*_fields(one)) for who, one in state.politicians.items()}
        self.offices = dict(state.offices)
        self.rows: dict[str, list[str]] = {
            "candidates": list(state.candidates),
            "people": list(state.people),
            "siberia": list(state.siberia),
            "wall": list(state.wall),
            "honours": list(state.honours),
        }
        self.lists = state.lists
        self.trial: Trial | None = state.trial
        self.poll: Poll | None = state.poll
        self.earlier = state.earlier
        self.ending: Ending | None = None
        self.stopped: set[str] = set()
        self.begun: set[int] = set()
        self.counts = asdict(state.tally)

    def frozen(self) -> State:
        """The position as a value again."""
        rows = {name: tuple(row) for name, row in self.rows.items()}
        politicians = {}
        for who, old in self.before.politicians.items():
            new = Politician(*_fields(self.people[who]))
            politicians[who] = old if new == old else new
        return replace(
            self.before,
            year=self.year,
            stage=self.stage,
            politicians=politicians,
            offices={office: self.offices[office] for office in OFFICES if office in self.offices},
            lists=self.lists,
            trial=self.trial,
            poll=self.poll,
            earlier=self.earlier,
            ending=self.ending,
            tally=Tally(**self.counts),
            **rows,
        )

    def tell(self, happening: events.Happening, to: int | None = None) -> None:
        """Say what happened, to everybody or to one seat."""
        events.tell(self.table, happening, None if to is None else frozenset({to}))

    def name(self, who: str) -> str:
        """A surname, for the label of a roll."""
        return data.roster(self.setting.roster).people[who].surname

    # --- who is where ---

    def members(self) -> list[str]:
        """The Politburo, in rank order."""
        return [self.offices[office] for office in OFFICES if office in self.offices]

    def present(self) -> list[str]:
        """The members who are not in cure, in rank order."""
        return [who for who in self.members() if not self.people[who].cure]

    def office(self, who: str) -> str:
        """Somebody's office, or ""."""
        return next((office for office, holder in self.offices.items() if holder == who), "")

    def place(self, who: str) -> str:
        """Where somebody is."""
        return self.office(who) or next(name for name, row in self.rows.items() if who in row)

    def person(self, name: str) -> str:
        """Whom a name means just now: a politician, or the holder of an office ("" while it is vacant)."""
        return self.offices.get(name, "") if name in OFFICES else name

    def in_line(self, offices: Iterable[str]) -> tuple[str, str]:
        """The first of these offices whose holder is present, and him; "", "" if there is none."""
        for office in offices:
            who = self.offices.get(office, "")
            if who and not self.people[who].cure:
                return office, who
        return "", ""

    def by_standing(self) -> list[str]:
        """Everybody in play: rank order, then candidates, people and Siberia by age."""
        return [
            *self.members(),
            *self.rows["candidates"],
            *self.by_age(self.rows["people"]),
            *self.by_age(self.rows["siberia"]),
        ]

    def by_age(self, row: Iterable[str]) -> list[str]:
        """The oldest first; of equals who has the lower id. Not for members and candidates: their standing counts."""
        return sorted(row, key=lambda who: (-self.people[who].age, int(who[1:])))

    def oldest(self, row: Iterable[str]) -> str:
        """The oldest; of equals who stands earlier (section 1)."""
        standing = {who: at for at, who in enumerate((*self.members(), *self.rows["candidates"]))}
        return min(row, key=lambda who: (-self.people[who].age, standing.get(who, len(OFFICES) * 2), int(who[1:])))

    # --- what changes ---

    def go(self, who: str, place: str, at: int | None = None) -> None:
        """Move somebody to a free office, or into a row (to its end, or to index ``at``)."""
        office = self.office(who)
        if office:
            del self.offices[office]
        else:
            self.rows[self.place(who)].remove(who)
        if place in OFFICES:
            self.offices[place] = who
            return
        row = self.rows[place]
        row.insert(len(row) if at is None else at, who)
        self.people[who].cure = False
        if place not in FREE:
            self.people[who].opened = 0

    def age(self, who: str, years: int) -> tuple[int, int]:
        """Let somebody age; his age before and after."""
        one = self.people[who]
        before = one.age
        one.age += years
        return before, one.age

    def begin(self, phase: int) -> None:
        """Open a phase."""
        self.phase = phase
        self.begun.add(phase)
        self.stopped.clear()
        self.tell(events.Phase(self.year, phase))

    def end_phase(self) -> None:
        """Whoever is 96 leaves for the honours list."""
        for who in [one for one in self.by_standing() if self.people[one].age >= MORTAL]:
            place = self.place(who)
            self.go(who, "honours")
            self.tell(events.Honoured(who, self.people[who].age, place))

    @property
    def chief(self) -> str:
        """The party chief, or ""."""
        return self.offices.get(CHIEF, "")

    # --- who orders what ---

    def controller(self, who: str) -> int:
        """The seat whom somebody follows, or -1."""
        return self.people[who].controller

    def desk(self, seat: int) -> Desk:
        """A seat's orders; empty ones if it has none."""
        return self.desks.setdefault(seat, Desk())

    def points(self, seat: int, who: str) -> int:
        """A seat's secret points on somebody; 0 where they are not known."""
        mine = self.lists[seat]
        return 0 if mine is None else mine.get(who, 0)


def _fields(one: Politician | Person) -> tuple[int, int, int, bool, int, int, tuple[int, ...]]:
    return one.age, one.marks, one.waves, one.cure, one.opened, one.controller, one.declared


def seat_id(seat: int) -> str:
    """The id of a seat, "" for nobody."""
    return SEATS[seat] if seat >= 0 else ""
