"""What the tests of Intrige share: a table without secrets, positions made by hand, whole random games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from games.engine.contract import Bot, Event, Options, Sheet
from games.engine.language import language
from games.intrige import TITLE
from games.intrige.groups import form_groups
from games.intrige.state import CRAFTS, HOME, PAYS, SEATS, Phase, Scholar, Setting, State

LANGUAGE = language(TITLE, {})
FLAGS = ("staged", "sealed", "open_cash", "same_court")


class FreeTable:
    """A table whose rolls come from a seeded source, and which writes everything down."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.events: list[Event] = []
        self.kept: dict[int, Sheet] = {}

    def roll(self, label: str, sides: int) -> int:
        assert label
        return self.random.randint(1, sides)

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def keep(self, seat: int, sheet: Sheet) -> None:
        self.kept[seat] = sheet

    def told(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event.kind in kinds]


def scholar(word: str) -> Scholar:
    """ "green A" as a value."""
    seat, craft = word.split()
    return Scholar(SEATS.index(seat), craft)


def position(
    cash: Sequence[int],
    active: str,
    courts: Mapping[str, Mapping[int, str]] | None = None,
    waiting: Mapping[str, Sequence[str]] | None = None,
    *,
    turn_round: int = 3,
    phase: Phase = "bribes",
    setting: Mapping[str, bool] | None = None,
) -> State:
    """A position by hand: cash in thousands, courts as {"green": {6000: "blue A"}}, waiting as {"green": ["red S"]}.

    Whoever is not named is at home; that is enough for all rules but counting who was sent when.
    """
    seats = len(cash)
    rows = tuple(
        tuple(scholar(word) if (word := (courts or {}).get(SEATS[seat], {}).get(pay)) else None for pay in PAYS)
        for seat in range(seats)
    )
    queues = tuple(tuple(scholar(word) for word in (waiting or {}).get(SEATS[seat], ())) for seat in range(seats))
    out = [one for row in (*rows, *queues) for one in row if one]
    home = tuple(
        "".join(craft * (HOME.count(craft) - out.count(Scholar(seat, craft))) for craft in CRAFTS)
        for seat in range(seats)
    )
    state = State(
        setting=Setting(**(setting or {})),
        first=0,
        round=turn_round,
        active=SEATS.index(active),
        phase="decision",
        cash=tuple(1000 * amount for amount in cash),
        courts=rows,
        waiting=queues,
        home=home,
    )
    return replace(state, groups=form_groups(state), phase=phase)


def play(
    seed: int,
    seats: int,
    options: Options | None = None,
    bots: Sequence[Bot[State]] | None = None,
    table: FreeTable | None = None,
) -> list[State]:
    """A whole game between bots: every position, the last of them ended. Refused orders fail."""
    random, table = Random(seed), table or FreeTable(seed)
    states = [TITLE.setup(options or {}, seats, table)]
    players = bots or [TITLE.bots["random"]] * seats
    while TITLE.outcome(states[-1]) is None:
        states.append(TITLE.resolve(states[-1], bot_sheets(states[-1], players, random), table))
    return states


def bot_sheets(state: State, bots: Sequence[Bot[State]], random: Random) -> dict[int, Sheet]:
    """What the bots hand in, checked."""
    sheets = {}
    for seat, bot in enumerate(bots):
        seen = TITLE.mask(state, seat)
        if TITLE.asks(seen, seat):
            sheets[seat] = bot(seen, seat, random)
            refused = [problem for problem in TITLE.check(seen, seat, sheets[seat]) if problem.refuses]
            assert not refused, (refused, sheets[seat])
    return sheets


def sheet(text: str) -> Sheet:
    """Orders as a player writes them, one a line; every line must be readable."""
    orders = [LANGUAGE.read_order(line) for line in text.splitlines()]
    assert None not in orders, (text, orders)
    return tuple(order for order in orders if order is not None)


def codes(state: State, seat: int, text: str, *, hints: bool = False) -> list[str]:
    """The codes of what is wrong with these lines, as the seat is told."""
    problems = TITLE.check(TITLE.mask(state, seat), seat, sheet(text))
    return [problem.code for problem in problems if hints or problem.refuses]


def by_name(name: str) -> int:
    """The index of a seat."""
    return SEATS.index(name)


def purses(state: State) -> list[int]:
    """All cash in thousands."""
    return [(purse or 0) // 1000 for purse in state.cash]
