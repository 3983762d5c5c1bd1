"""Whole games in which seats hand in legal, illegal, stale, garbled and empty sheets (``make fuzz-intrige``).

Nothing may raise, every invariant must hold, and every door (asks, check, merge, preview, show, story, text and back,
stored state) is walked through with whatever comes.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from games.engine.contract import LOCALES, Order, Sheet, Value
from games.engine.language import Unwritable, language
from games.engine.sheets import merge, missing
from games.engine.turns import Step, advance, encode_state, heard, preview, start
from games.intrige import TITLE
from games.intrige.state import SEATS, State
from tests.intrige.playing import FLAGS

LANGUAGE = language(TITLE, {})
VERBS = tuple(verb.name for verb in TITLE.verbs)
WORDS = ("A", "P", "S", "D", *SEATS, "1000", "6000", "10000", "3000", "highest", "", "X", "wish", "violet")
NUMBERS = (0, 1, 500, 999, 1000, 1500, 2000, 4000, 6000, 32000, 10**6, -1000, 10**18)
ARGS = ("scholar", "seat", "court", "area", "amount", "raise", "max", "else", "wish", "by", "nonsense")


class Fuzz:
    """One game being fuzzed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed.to_bytes(16)
        self.seats = self.random.choice((3, 4, 5))
        self.options = {name: self.random.random() < 0.3 for name in FLAGS}
        if TITLE.refuse(self.options, self.seats):
            self.options["open_cash"] = False
        self.kept: dict[int, Sheet] = {}
        self.old: list[Order] = []
        self.count: Counter[str] = Counter(games=1)

    def play(self) -> State:
        """Play to the end; every broken promise is an AssertionError."""
        step = start(TITLE, self.options, self.seats, self.seed, "fuzz")
        turn = 0
        while step.outcome is None:
            self.look(step)
            turn += 1
            step = advance(TITLE, step.state, self.sheets(step), self.seed, "fuzz", turn)
            self.kept = step.kept
            assert turn <= 25 * self.seats
        self.look(step)
        assert self.options["staged"] or turn <= 10 * self.seats - 3
        self.count["turns"] += turn
        state: State = step.state
        return state

    def look(self, step: Step) -> None:
        """Walk through what people see."""
        state: State = step.state
        assert not list(TITLE.invariants(state))
        assert encode_state(TITLE.load(encode_state(state), 1)) == encode_state(state)
        viewer = self.random.choice((None, *range(self.seats)))
        locale = self.random.choice(LOCALES)
        if self.random.random() < 0.1:
            assert TITLE.show(TITLE.mask(state, viewer), viewer, locale).blocks
            assert TITLE.story(self.options, heard(step.events, viewer), locale)

    def sheets(self, step: Step) -> dict[int, Sheet]:
        """What all seats hand in, each merged into what is still in force as the platform would; some are not."""
        sheets = {}
        for seat in range(self.seats):
            seen = TITLE.mask(step.state, seat)
            wanted = self.sheet(seen, seat)
            self.count["orders"] += len(wanted)
            if self.random.random() < 0.3:
                sheets[seat] = wanted  # as if nobody had checked it
                continue
            TITLE.check(seen, seat, wanted)
            merged = merge(TITLE, seen, seat, self.kept.get(seat, ()), accepted(wanted))
            self.count["refused"] += len(merged.refused)
            if self.random.random() < 0.3:
                self.fixes(seen, seat, wanted)
                self.write(merged.sheet)
            missing(TITLE, seen, seat, merged.sheet)
            if self.random.random() < 0.1:
                preview(TITLE, step.state, seat, merged.sheet)
            sheets[seat] = merged.sheet
        self.old = [order for sheet in sheets.values() for order in sheet] + self.old[:40]
        return sheets if self.random.random() < 0.95 else {**sheets, 77: (Order("send"),)}

    def fixes(self, seen: State, seat: int, wanted: Sheet) -> None:
        """Follow fixes one after the other: each can be written, and they lead to an order that stands, or to none."""
        for order in accepted(wanted):
            sheet: Sheet = (order,)
            for _ in range(6):
                problems = [problem for problem in TITLE.check(seen, seat, sheet) if problem.refuses]
                fix = problems[0].fix if problems else None
                if fix is None:
                    break
                assert LANGUAGE.accept(fix) == fix, problems
                self.count["fixes"] += 1
                sheet = (fix,)
            else:
                raise AssertionError(f"The fixes of {order} lead nowhere: {sheet}")

    def write(self, sheet: Sheet) -> None:
        """Every order that was accepted can be written and read again, in both languages."""
        for order in sheet:
            for locale in LOCALES:
                line = LANGUAGE.write(order, locale)
                assert LANGUAGE.read_order(line) == LANGUAGE.accept(order), line

    def sheet(self, seen: State, seat: int) -> Sheet:
        """A sheet of some kind."""
        legal = TITLE.bots["random"](seen, seat, self.random)
        match self.random.randrange(6):
            case 0:
                return legal
            case 1:
                return (*legal[: self.random.randrange(3)], *self.some(seat))
            case 2:
                return tuple(self.random.sample(self.old, min(4, len(self.old))))
            case 3:
                return (*self.some(seat), *legal)
            case 4:
                return ()
            case _:
                return (*legal, *self.asked(seen, seat))

    def asked(self, seen: State, seat: int) -> Sheet:
        """Orders made of asks, each slot at random."""
        orders = []
        for ask in TITLE.asks(seen, seat):
            args: dict[str, Value] = {}
            for name, domain in ask.domains.items():
                if domain.names:
                    args[name] = self.random.choice(domain.names)
                elif domain.high and self.random.random() < 0.5:
                    args[name] = self.random.randrange(domain.low, min(domain.high, 9000) + 1, domain.step)
            orders.append(Order(ask.verb, args, standing=self.random.random() < 0.05))
        return tuple(orders)

    def some(self, seat: int) -> Sheet:
        """Some garbage: verbs, arguments and values that do not fit together."""
        return tuple(self.garbage() for _ in range(1 + seat % 3))

    def garbage(self) -> Order:
        names = self.random.sample(ARGS, self.random.randrange(5))
        args: dict[str, Value] = {
            name: self.random.choice((self.random.choice(WORDS), self.random.choice(NUMBERS), ("A", "P")))
            for name in names
        }
        inner = Order("send") if self.random.random() < 0.03 else None
        verb = self.random.choice(VERBS) if self.random.random() < 0.97 else "dance"
        return Order(verb, args, when=inner, standing=self.random.random() < 0.2)


def accepted(sheet: Sheet) -> Sheet:
    """The orders that the language knows, as it knows them: what a form or a mail lets through."""
    orders = []
    for order in sheet:
        try:
            orders.append(LANGUAGE.accept(order))
        except Unwritable:
            continue
    return tuple(orders)


def run(games: int, first: int = 0) -> Counter[str]:
    """Fuzz so many games; what was seen, counted."""
    total: Counter[str] = Counter()
    for seed in range(first, first + games):
        fuzz = Fuzz(seed)
        try:
            fuzz.play()
        except Exception as error:
            error.add_note(f"fuzzed game {seed}, {fuzz.seats} seats, {fuzz.options}")
            raise
        total += fuzz.count
    return total


if __name__ == "__main__":
    print(dict(run(*map(int, sys.argv[1:]))))
