"""A small title with everything in it: secrets, rolls, standing orders, triggers with a consequence, texts, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec
from msgspec import Struct

from games.engine.contract import (
    About,
    Ask,
    Block,
    Bot,
    Copy,
    Domain,
    Event,
    Grid,
    Heading,
    Items,
    Locale,
    Option,
    Options,
    Order,
    Outcome,
    Page,
    Problem,
    Sheet,
    Slot,
    Stats,
    Table,
    Title,
    Verb,
    Words,
)

SEATS = ("ann", "bob", "cid", "dora")
PETS = ("A", "B", "big cat", "10000")

NAMES: Mapping[str, Words] = {
    "ann": {"en": ("Ann",), "de": ("Änne", "Anna")},
    "bob": {"en": ("Bob",), "de": ("Bobo",)},
    "cid": {"en": ("Cid",), "de": ("Zid",)},
    "dora": {"en": ("Dora Long-Name", "Dora"), "de": ("Dora Längli", "Dora")},
    "A": {"en": ("ape",), "de": ("Affe",)},
    "B": {"en": ("bear",), "de": ("Bär",)},
    "big cat": {"en": ("big cat", "lion"), "de": ("große Katze", "Löwe")},
}

VERBS = (
    Verb("set", {"en": ("set",), "de": ("setze",)}, (Slot("number", "number"),), family="number", standing="may"),
    Verb(
        "lift",
        {"en": ("lift",), "de": ("hebe ... an",)},
        (
            Slot("by", "number", sign="+"),
            Slot("max", "number", {"en": ("max",), "de": ("höchstens", "max")}, optional=True),
            Slot("else", "number", {"en": ("else",), "de": ("sonst",)}, optional=True),
        ),
        family="number",
    ),
    Verb(
        "guess",
        {"en": ("guess",), "de": ("rate",)},
        (
            Slot("seat", among=SEATS),
            Slot("number", "number"),
            Slot("with", words={"en": ("with",), "de": ("mit",)}, among=PETS, optional=True),
            Slot("note", "text", {"en": ("note",), "de": ("notiz",)}, optional=True),
        ),
        key=("seat",),
        standing="may",
        conditional=True,
    ),
    Verb("feed", {"en": ("feed",), "de": ("füttere",)}, (Slot("pets", "names", among=PETS),)),
    Verb("feed_all", {"en": ("feed all",), "de": ("füttere alle",)}, family="feed", role="rule", standing="must"),
    Verb("say", {"en": ("say",), "de": ("sage",)}, (Slot("text", "text"),)),
    Verb("hit", {"en": ("hit by",), "de": ("getroffen von",)}, (Slot("seat", among=SEATS),), role="trigger"),
    Verb("round", {"en": ("round",), "de": ("runde",)}, (Slot("number", "number"),), role="trigger"),
)

_TEXTS_EN = {
    "title": "Toy",
    "tagline": "Guess the number",
    "option.rounds": "Rounds",
    "option.rounds.help": "How long it lasts",
    "problem.range": "{number} is not from 0 to {high}.",
    "problem.self": "{seat} cannot guess himself.",
    "problem.clash": "Only one number a turn.",
    "hint.zero": "Zero is weak.",
    "problem.zero": "Zero is weak.",
    "verb.set": "your secret number",
}


class State(Struct, frozen=True):
    """``numbers`` are secret; a masked one is None."""

    round: int
    rounds: int
    numbers: tuple[int | None, ...]
    points: tuple[int, ...]


class Toy:
    """Everybody sets a secret number and guesses others' of the last round; a right guess wins a roll of points."""

    about = About(
        slug="toy",
        rules=1,
        sizes=(2, 3, 4),
        seats=SEATS,
        options=(
            Option("rounds", 3, low=1, high=9),
            Option("mood", "calm", choices=("calm", "wild")),
            Option("open", False),
        ),
        names=NAMES,
        texts={"en": _TEXTS_EN, "de": {**_TEXTS_EN, "title": "Spielzeug"}},
    )
    verbs: tuple[Verb, ...] = VERBS

    @property
    def bots(self) -> Mapping[str, Bot[State]]:
        return {"five": lambda seen, seat, rng: (Order("set", {"number": rng.randint(4, 6)}),)}

    def names(self, options: Options) -> Mapping[str, Words]:
        return self.about.names

    def refuse(self, options: Options, seats: int) -> str | None:
        return "refuse.wild" if options["mood"] == "wild" and options["open"] else None

    def setup(self, options: Options, seats: int, table: Table) -> State:
        numbers = tuple(table.roll(f"number of {SEATS[seat]}", 10) - 1 for seat in range(seats))
        for seat, number in enumerate(numbers):
            table.tell(Event("dealt", {"number": number}, frozenset({seat})))
        return State(1, int(options["rounds"]), numbers, (0,) * seats)

    def mask(self, state: State, viewer: int | None) -> State:
        seen = tuple(number if seat == viewer else None for seat, number in enumerate(state.numbers))
        return State(state.round, state.rounds, seen, state.points)

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        if seen.round > seen.rounds:
            return ()
        others = tuple(s for s in range(len(seen.points)) if s != seat)
        number = Domain(low=0, high=9)
        return (
            Ask("set", {"number": number}, must=True),
            Ask("lift", {"by": Domain(low=1, high=3), "max": number, "else": number}, must=True),
            *(
                Ask("guess", {"seat": Domain((SEATS[s],)), "number": number, "with": Domain(PETS), "note": Domain()})
                for s in others
            ),
        )

    def check(self, seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
        problems: list[Problem] = []
        numbered = 0
        for at, order in enumerate(sheet):
            number = order.args.get("number", 0)
            if not isinstance(number, int) or not 0 <= number <= 9:
                fix = Order(order.verb, {**order.args, "number": 9}, standing=order.standing)
                problems.append(Problem(at, "range", {"number": number, "high": 9}, fix))
            elif order.verb == "guess" and order.args["seat"] == SEATS[seat]:
                problems.append(Problem(at, "self", {"seat": SEATS[seat]}))
            elif order.verb in {"set", "lift"} and not order.standing:
                numbered += 1
                if numbered > 1:
                    problems.append(Problem(at, "clash"))
                elif order.args.get("number") == 0:
                    problems.append(Problem(at, "zero", refuses=False))
        return tuple(problems)

    def resolve(self, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        numbers, points = list(state.numbers), list(state.points)
        for seat in range(len(points)):
            sheet = sheets.get(seat, ())
            table.keep(seat, tuple(order for order in sheet if order.standing))
            for order in self._legal(state, seat, sheet):
                if order.verb == "guess":
                    self._guess(state, seat, order, points, table)
                elif order.verb in {"set", "lift"}:
                    numbers[seat] = self._number(numbers[seat] or 0, order)
        table.tell(Event("round", {"round": state.round}))
        return State(state.round + 1, state.rounds, tuple(numbers), tuple(points))

    def _legal(self, state: State, seat: int, sheet: Sheet) -> Sheet:
        wrong = {problem.order for problem in self.check(state, seat, sheet) if problem.refuses}
        return tuple(order for at, order in enumerate(sheet) if at not in wrong)

    def _number(self, old: int, order: Order) -> int:
        value = order.args.get("number")
        if isinstance(value, int):
            return value
        by = order.args["by"]
        return min(9, old + by) if isinstance(by, int) else old

    def _guess(self, state: State, seat: int, order: Order, points: list[int], table: Table) -> None:
        aim = SEATS.index(str(order.args["seat"]))
        if aim < len(points) and state.numbers[aim] == order.args["number"]:
            won = table.roll("points", 6)
            points[seat] += won
            table.tell(Event("hit", {"seat": SEATS[seat], "aim": SEATS[aim], "points": won}))

    def show(self, seen: State, seat: int | None, locale: Locale) -> Page:
        rows = tuple((NAMES[SEATS[s]][locale][0], str(p)) for s, p in enumerate(seen.points))
        return Page("Toy", (Heading("Points"), Grid("Points", ("who", "points"), rows, (1,)), Copy(("set 5", "done"))))

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
        return (Items(tuple(event.kind for event in events)),)

    def outcome(self, state: State) -> Outcome | None:
        if state.round <= state.rounds:
            return None
        places = tuple(1 + sum(p > mine for p in state.points) for mine in state.points)
        return Outcome(places, state.points)

    def load(self, raw: bytes, rules: int) -> State:
        return msgspec.json.decode(raw, type=State)

    def invariants(self, state: State) -> Iterable[str]:
        if any(number is not None and not 0 <= number <= 9 for number in state.numbers):
            yield "A number is out of range."

    def stats(self, finals: Sequence[State]) -> Stats:
        return {"points": sum(sum(final.points) for final in finals) / len(finals)}


TOY: Title[State] = Toy()
OPTIONS: Options = {"rounds": 3, "mood": "calm", "open": False}


def random_bot(seen: State, seat: int, rng: Random) -> Sheet:
    return (Order("set", {"number": rng.randint(0, 9)}),)
