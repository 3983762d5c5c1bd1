"""Whole games in which seats hand in legal, illegal, stale, garbled and empty sheets (``make fuzz-kreml``).

Nothing may raise, every invariant must hold, and every door (asks, check, merge, preview, show, story, text and back,
stored state) is walked through with whatever comes.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from games.engine.contract import LOCALES, Order, Sheet, Value
from games.engine.language import Unwritable, language
from games.engine.playing import wild_order
from games.engine.sheets import merge, missing
from games.engine.turns import Step, advance, encode_state, heard, preview, start
from games.kreml.state import State
from games.kreml.title import TITLE
from games.kreml.words import WHO
from tests.kreml.test_whole_games import complaints

LANGUAGE = language(TITLE, {})
NAMES = tuple(TITLE.about.names)
VERBS = [verb for verb in TITLE.verbs if verb.role != "trigger"]
ODD: tuple[Value, ...] = (0, -1, 7, 10**18, "", "X", "anybody", "all", ("p3",), ("p3", "p3", "kgb"), (), "p3", "chief")
ARGS = ("who", "on", "points", "to", "with", "by", "vote", "marks", "after", "age", "full", "r10", "nonsense")


class Fuzz:
    """One game being fuzzed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed.to_bytes(16)
        self.seats = self.random.choice((3, 4, 5, 6))
        self.options = {
            "pace": self.random.choice(("classic", "brisk")),
            "per_mark": self.random.random() < 0.3,
            "nominee_votes": self.random.random() < 0.7,
        }
        self.kept: dict[int, Sheet] = {}
        self.old: list[Order] = []
        self.count: Counter[str] = Counter(games=1)

    def play(self) -> State:
        """Play to the end; every broken promise is an AssertionError."""
        step = start(TITLE, self.options, self.seats, self.seed, "fuzz")
        before: State = step.state
        turn = 0
        while step.outcome is None:
            self.look(step)
            turn += 1
            step = advance(TITLE, step.state, self.sheets(step), self.seed, "fuzz", turn)
            self.kept = step.kept
            assert not complaints((before, step.state)), complaints((before, step.state))
            before = step.state
            assert turn <= 1 + 11 * 7
        self.look(step)
        self.count["turns"] += turn
        return before

    def look(self, step: Step) -> None:
        """Walk through what people see."""
        state: State = step.state
        assert encode_state(TITLE.load(encode_state(state), 1)) == encode_state(state)
        if self.random.random() < 0.1:
            viewer = self.random.choice((None, *range(self.seats)))
            locale = self.random.choice(LOCALES)
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
            if self.random.random() < 0.2:
                self.fixes(seen, seat, wanted)
                self.write(merged.sheet)
            missing(TITLE, seen, seat, merged.sheet)
            if self.random.random() < 0.1:
                preview(TITLE, step.state, seat, merged.sheet)
            sheets[seat] = merged.sheet
        self.old = [order for sheet in sheets.values() for order in sheet] + self.old[:40]
        return sheets if self.random.random() < 0.95 else {**sheets, 77: (Order("purge"),)}

    def fixes(self, seen: State, seat: int, wanted: Sheet) -> None:
        """Follow fixes one after the other: each can be written, and they lead to an order that stands, or to none."""
        for order in accepted(wanted):
            sheet: Sheet = (order,)
            for _ in range(8):
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
                return (*legal[: self.random.randrange(3)], *self.some())
            case 2:
                return tuple(self.random.sample(self.old, min(4, len(self.old))))
            case 3:
                return (*self.some(), *legal)
            case 4:
                return ()
            case _:
                return (*legal, *self.bids(seen, seat))

    def bids(self, seen: State, seat: int) -> Sheet:
        """Bids of every form on whom the seat's list names, with consequences that fit and others."""
        mine = seen.lists[seat] or {}
        whens = (
            None,
            Order("acts"),
            Order("against", {"who": self.random.choice(WHO)}),
            Order("votes"),
            Order("votes", {"vote": self.random.choice(("yes", "no", "abstain"))}),
            Order("phase", {"number": self.random.randint(0, 9)}),
        )
        found = []
        for who, points in self.random.sample(list(mine.items()), min(3, len(mine))):
            when = self.random.choice(whens)
            act = wild_order(TITLE, self.random.choice(VERBS), NAMES, self.random)
            thens = ((), (Order("stop"),), (Order("vote", {"vote": "no"}),), (Order(act.verb, act.args),))
            then = self.random.choice(thens) if when else ()
            standing = self.random.random() < 0.2
            on = who if self.random.random() < 0.8 else self.random.choice((*WHO, "anybody"))
            found.append(Order("bid", {"points": self.random.randint(1, points), "on": on}, when, then, standing))
        return tuple(found)

    def some(self) -> Sheet:
        """Some garbage: orders that the language can write, and others that it cannot."""
        count = self.random.randrange(1, 5)
        wild = [wild_order(TITLE, self.random.choice(VERBS), NAMES, self.random) for _ in range(count)]
        return (*wild, *(self.garbage() for _ in range(self.random.randrange(2))))

    def garbage(self) -> Order:
        names = self.random.sample(ARGS, self.random.randrange(5))
        args: dict[str, Value] = {name: self.random.choice(ODD) for name in names}
        inner = Order("stop") if self.random.random() < 0.1 else None
        verb = self.random.choice(VERBS).name if self.random.random() < 0.97 else "dance"
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
