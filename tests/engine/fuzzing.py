"""Whole games in which seats hand in legal, illegal, stale, garbled and empty sheets: what every title's fuzzer shares.

Nothing may raise, every invariant must hold, and every door (asks, check, merge, preview, show, story, text and back,
stored state) is walked through with whatever comes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from random import Random
from typing import Any, ClassVar

from games.engine.contract import LOCALES, Options, Order, Sheet, Title
from games.engine.language import Unwritable, language
from games.engine.sheets import merge, missing
from games.engine.turns import Step, advance, encode_state, heard, preview, start

NO_SEAT = 77
FIXES = 8
"""So many fixes, one of the other, must lead to an order that stands."""


class Fuzz(ABC):
    """One game being fuzzed; a title's own class says what it promises and what its players may hand in."""

    title: ClassVar[Title[Any]]

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed.to_bytes(16)
        self.seats = self.random.choice(self.title.about.sizes)
        self.options = self.choose()
        self.language = language(self.title, {})
        self.kept: dict[int, Sheet] = {}
        self.old: list[Order] = []
        self.count: Counter[str] = Counter(games=1)

    @abstractmethod
    def choose(self) -> Options:
        """Return options for the game."""

    @abstractmethod
    def most_turns(self) -> int:
        """Return how many turns the game may take."""

    @abstractmethod
    def complaints(self, before: Any, after: Any) -> list[str]:
        """Return which promises two positions break, each by itself and one after the other."""

    @abstractmethod
    def garbage(self) -> Order:
        """Return an order of verbs, arguments and values that need not fit together."""

    @abstractmethod
    def more(self, seen: Any, seat: int) -> Sheet:
        """Return what a title's player might add to a legal sheet."""

    def play(self) -> None:
        """Play to the end; every broken promise is an AssertionError."""
        step = start(self.title, self.options, self.seats, self.seed, "fuzz")
        turn = 0
        while step.outcome is None:
            self.look(step)
            turn += 1
            before = step.state
            step = advance(self.title, before, self.sheets(step), self.seed, "fuzz", turn)
            self.kept = step.kept
            assert not (found := self.complaints(before, step.state)), found
            assert turn <= self.most_turns()
        self.look(step)
        self.count["turns"] += turn

    def look(self, step: Step) -> None:
        """Walk through what people see."""
        state = step.state
        assert encode_state(self.title.load(encode_state(state), self.title.about.rules)) == encode_state(state)
        if self.random.random() < 0.1:
            viewer = self.random.choice((None, *range(self.seats)))
            locale = self.random.choice(LOCALES)
            assert self.title.show(self.title.mask(state, viewer), viewer, locale).blocks
            assert self.title.story(self.options, heard(step.events, viewer), locale)

    def sheets(self, step: Step) -> dict[int, Sheet]:
        """What all seats hand in, and at times somebody who has no seat."""
        sheets = {seat: self.handed(step, seat) for seat in range(self.seats)}
        self.count["orders"] += sum(map(len, sheets.values()))
        self.old = [order for sheet in sheets.values() for order in sheet] + self.old[:40]
        return sheets if self.random.random() < 0.95 else {**sheets, NO_SEAT: (self.garbage(),)}

    def handed(self, step: Step, seat: int) -> Sheet:
        """A seat's sheet, merged into what is in force as the platform would, or as if nobody had checked it."""
        seen = self.title.mask(step.state, seat)
        wanted = self.sheet(seen, seat)
        if self.random.random() < 0.3:
            return wanted
        self.title.check(seen, seat, wanted)
        merged = merge(self.title, seen, seat, self.kept.get(seat, ()), self.accepted(wanted))
        self.count["refused"] += len(merged.refused)
        if self.random.random() < 0.3:
            self.fixes(seen, seat, wanted)
            self.write(merged.sheet)
        missing(self.title, seen, seat, merged.sheet)
        if self.random.random() < 0.1:
            preview(self.title, step.state, seat, merged.sheet)
        return merged.sheet

    def sheet(self, seen: Any, seat: int) -> Sheet:
        """A sheet of some kind."""
        legal = self.title.bots["random"](seen, seat, self.random)
        match self.random.randrange(6):
            case 0:
                return legal
            case 1:
                return (*legal[: self.random.randrange(3)], *self.mess())
            case 2:
                return tuple(self.random.sample(self.old, min(4, len(self.old))))
            case 3:
                return (*self.mess(), *legal)
            case 4:
                return ()
            case _:
                return (*legal, *self.more(seen, seat))

    def mess(self) -> Sheet:
        """Some orders that need not make sense."""
        return tuple(self.garbage() for _ in range(self.random.randrange(1, 5)))

    def fixes(self, seen: Any, seat: int, wanted: Sheet) -> None:
        """Follow fixes one after the other: each can be written, and they lead to an order that stands, or to none."""
        for order in self.accepted(wanted):
            sheet: Sheet = (order,)
            for _ in range(FIXES):
                problems = [problem for problem in self.title.check(seen, seat, sheet) if problem.refuses]
                fix = problems[0].fix if problems else None
                if fix is None:
                    break
                assert self.language.accept(fix) == fix, problems
                self.count["fixes"] += 1
                sheet = (fix,)
            else:
                raise AssertionError(f"The fixes of {order} lead nowhere: {sheet}")

    def write(self, sheet: Sheet) -> None:
        """Every order that was accepted can be written and read again, in both languages."""
        for order in sheet:
            for locale in LOCALES:
                line = self.language.write(order, locale)
                assert self.language.read_order(line) == self.language.accept(order), line

    def accepted(self, sheet: Sheet) -> Sheet:
        """The orders that the language knows, as it knows them: what a form or a mail lets through."""
        return tuple(order for order in map(self._known, sheet) if order is not None)

    def _known(self, order: Order) -> Order | None:
        try:
            return self.language.accept(order)
        except Unwritable:
            return None


def run(kind: type[Fuzz], games: int, first: int = 0) -> Counter[str]:
    """Fuzz so many games; what was seen, counted."""
    total: Counter[str] = Counter()
    for seed in range(first, first + games):
        fuzz = kind(seed)
        try:
            fuzz.play()
        except Exception as error:
            error.add_note(f"fuzzed game {seed}, {fuzz.seats} seats, {fuzz.options}")
            raise
        total += fuzz.count
    return total
