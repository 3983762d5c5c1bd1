"""Whole games of Intrige with sheets of every kind (``make fuzz-intrige``); see ``tests.engine.fuzzing``."""

from __future__ import annotations

import sys

from games.engine.contract import Options, Order, Sheet, Value
from games.intrige import TITLE
from games.intrige.state import SEATS, State
from tests.engine import fuzzing
from tests.intrige.playing import FLAGS

VERBS = tuple(verb.name for verb in TITLE.verbs)
WORDS = ("A", "P", "S", "D", *SEATS, "1000", "6000", "10000", "3000", "highest", "", "X", "wish", "violet")
NUMBERS = (0, 1, 500, 999, 1000, 1500, 2000, 4000, 6000, 32000, 10**6, -1000, 10**18)
ARGS = ("scholar", "seat", "court", "area", "amount", "raise", "max", "else", "wish", "by", "nonsense")


class Fuzz(fuzzing.Fuzz):
    """One game of Intrige being fuzzed."""

    title = TITLE

    def choose(self) -> Options:
        options = {name: self.random.random() < 0.3 for name in FLAGS}
        return options | {"open_cash": False} if TITLE.refuse(options, self.seats) else options

    def most_turns(self) -> int:
        return 25 * self.seats if self.options["staged"] else 10 * self.seats - 3

    def complaints(self, before: State, after: State) -> list[str]:
        return [*TITLE.invariants(before), *TITLE.invariants(after)]

    def more(self, seen: State, seat: int) -> Sheet:
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

    def garbage(self) -> Order:
        names = self.random.sample(ARGS, self.random.randrange(5))
        args: dict[str, Value] = {
            name: self.random.choice((self.random.choice(WORDS), self.random.choice(NUMBERS), ("A", "P")))
            for name in names
        }
        inner = Order("send") if self.random.random() < 0.03 else None
        verb = self.random.choice(VERBS) if self.random.random() < 0.97 else "dance"
        return Order(verb, args, when=inner, standing=self.random.random() < 0.2)


if __name__ == "__main__":
    print(dict(fuzzing.run(Fuzz, *map(int, sys.argv[1:]))))
