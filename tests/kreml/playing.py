"""What the tests of Kreml share: a table whose dice are set, positions made by hand, turns written as people write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from games.engine.contract import Event, Options, Order, Problem, Sheet
from games.engine.language import language
from games.engine.options import complete
from games.engine.playing import game_seed, play
from games.kreml import events, rules
from games.kreml.data import NESTOR, PEOPLE, roster
from games.kreml.state import OFFICES, SEATS, Politician, Setting, Stage, State
from games.kreml.title import TITLE

LANGUAGE = language(TITLE, {})
IDS = {roster("classic").people[who].surname.lower(): who for who in PEOPLE} | {"nestor": NESTOR}
SEATING = {
    "chief": "samowarow",  # 74
    "kgb": "satin",  # 65
    "foreign": "rubelow",  # 67
    "defence": "tundrow",  # 72
    "ideologist": "permafrostin",  # 69
    "industry": "parolina",  # 68
    "agriculture": "datschin",  # 64
    "sport": "pelzmützin",  # 63
}
ROW = ("stempelkow", "aktenjew", "mikrofonow", "schlangestow", "ordenskaja")  # 62 to 58
LISTED = dict.fromkeys((who for who in PEOPLE if who != NESTOR), 10)


class Dice:
    """A table with set dice: by the beginning of the label, one after the other; all others show the most."""

    def __init__(self, **rolls: int | Sequence[int]) -> None:
        self.rolls = {name: [value] if isinstance(value, int) else list(value) for name, value in rolls.items()}
        self.events: list[Event] = []
        self.kept: dict[int, Sheet] = {}
        self.labels: list[str] = []

    def roll(self, label: str, sides: int) -> int:
        self.labels.append(label)
        left = self.rolls.get(label.split(maxsplit=1)[0])
        return left.pop(0) if left else sides

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def keep(self, seat: int, sheet: Sheet) -> None:
        self.kept[seat] = sheet


class Told:
    """What came of a turn."""

    def __init__(self, state: State, table: Dice) -> None:
        self.state = state
        self.events = table.events
        self.kept = table.kept
        self.labels = table.labels

    def all(self, kind: type[events.Happening]) -> list[Any]:
        """All happenings of a kind."""
        return [events.read(event) for event in self.events if events.KINDS[event.kind] is kind]

    def one(self, kind: type[events.Happening]) -> Any:
        """The one happening of a kind."""
        found = self.all(kind)
        assert len(found) == 1, found
        return found[0]

    def age(self, name: str) -> int:
        return self.state.politicians[IDS[name]].age

    def person(self, name: str) -> Politician:
        return self.state.politicians[IDS[name]]

    def controller(self, name: str) -> str:
        seat = self.person(name).controller
        return SEATS[seat] if seat >= 0 else ""

    def siberia(self) -> set[str]:
        return set(names(self.state.siberia))

    def holder(self, office: str) -> str:
        return next(iter(names([self.state.offices[office]]))) if office in self.state.offices else ""

    def votes(self) -> dict[str, str]:
        return {next(names([vote.who])): vote.vote for vote in self.all(events.Voted)}


def names(who: Iterable[str]) -> Any:
    """Surnames in lower case."""
    back = {who: name for name, who in IDS.items() if name != "nestor"}
    return (back[one] for one in who)


def board(
    stage: Stage = "purges",
    *,
    seating: Mapping[str, str | None] | None = None,
    row: Sequence[str] = ROW,
    siberia: Sequence[str] = (),
    away: Sequence[str] = (),
    year: int = 1952,
    follow: Mapping[str, str] | None = None,
    lists: Mapping[int, Mapping[str, int]] | None = None,
    seniority: Sequence[int] = (0, 1, 2),
    seats: int = 3,
    people: Mapping[str, Mapping[str, Any]] | None = None,
    **setting: Any,
) -> State:
    """A position by hand.

    ``seating`` changes who sits where (None: vacant), ``away`` are in the Kremlin wall beside Nestor, ``follow`` is
    {"satin": "minsk 3"}: controlled by whom, at how many points; ``people`` changes politicians field by field. Every
    list gives 10 points to everybody unless ``lists`` says otherwise.
    """
    seated = {**SEATING, **(seating or {})}
    offices = {office: IDS[who] for office in OFFICES if (who := seated[office]) is not None}
    placed = {*offices.values(), *(IDS[name] for name in (*row, *siberia, *away)), NESTOR}
    walled = tuple(IDS[name] for name in away)
    if NESTOR not in offices.values():
        walled = (NESTOR, *walled)
    politicians = {who: Politician(entry.age, declared=(0,) * seats) for who, entry in roster("classic").people.items()}
    for name, who in (follow or {}).items():
        seat, points = who.split()
        at = SEATS.index(seat)
        declared = tuple(int(points) * (here == at) for here in range(seats))
        politicians[IDS[name]] = replace(politicians[IDS[name]], controller=at, declared=declared)
    for name, fields in (people or {}).items():
        politicians[IDS[name]] = replace(politicians[IDS[name]], **fields)
    secret = tuple(
        {IDS[name]: points for name, points in lists[seat].items()} if lists and seat in lists else dict(LISTED)
        for seat in range(seats)
    )
    return State(
        setting=Setting(**setting),
        year=year,
        stage=stage,
        politicians=politicians,
        offices=offices,
        candidates=tuple(IDS[name] for name in row),
        people=tuple(who for who in PEOPLE if who not in placed),
        seniority=tuple(seniority),
        lists=secret,
        siberia=tuple(IDS[name] for name in siberia),
        wall=walled,
        earlier=((),) * seats,
    )


def sheet(text: str) -> Sheet:
    """Orders as people write them, separated by semicolons or lines."""
    return tuple(order(line) for line in text.replace(";", "\n").splitlines() if line.strip())


def order(line: str) -> Order:
    found = LANGUAGE.read_order(line.strip())
    assert isinstance(found, Order), line
    return found


def turn(state: State, *orders: str, **rolls: int | Sequence[int]) -> Told:
    """Play a turn: the orders of Minsk, Odessa, Riga and so on, and the dice that matter."""
    table = Dice(**rolls)
    after = rules.resolve(state, {seat: sheet(text) for seat, text in enumerate(orders)}, table)
    return Told(after, table)


def problems(state: State, text: str, seat: int = 0) -> tuple[Problem, ...]:
    """What is wrong with a sheet."""
    return TITLE.check(TITLE.mask(state, seat), seat, sheet(text))


def written(problem: Problem) -> str | None:
    """A fix as a line."""
    return LANGUAGE.write(problem.fix, "en") if problem.fix else None


def whole_game(seed: int, seats: int, options: Options | None = None) -> tuple[State, ...]:
    """The positions of a whole game between random players."""
    full = complete(TITLE, options or {}, seats)
    return play(TITLE, full, seats, game_seed(seed, seats), [TITLE.bots["random"]] * seats).states


def somewhere(seed: int, seats: int, options: Options | None = None) -> tuple[State, int]:
    """A position in the midst of a game, and a seat."""
    random = Random(seed)
    return random.choice(whole_game(seed, seats, options)[1:-1]), random.randrange(seats)
