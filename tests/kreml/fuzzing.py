"""Whole games of Kreml with sheets of every kind (``make fuzz-kreml``); see ``tests.engine.fuzzing``."""

from __future__ import annotations

import sys

from games.engine.contract import Options, Order, Sheet, Value
from games.engine.playing import wild_order
from games.kreml.state import State
from games.kreml.title import TITLE
from games.kreml.words import WHO
from tests.engine import fuzzing
from tests.kreml.test_whole_games import complaints

NAMES = tuple(TITLE.about.names)
VERBS = [verb for verb in TITLE.verbs if verb.role != "trigger"]
ODD: tuple[Value, ...] = (0, -1, 7, 10**18, "", "X", "anybody", "all", ("p3",), ("p3", "p3", "kgb"), (), "p3", "chief")
ARGS = ("who", "on", "points", "to", "with", "by", "vote", "marks", "after", "age", "full", "r10", "nonsense")


class Fuzz(fuzzing.Fuzz):
    """One game of Kreml being fuzzed."""

    title = TITLE

    def choose(self) -> Options:
        return {
            "pace": self.random.choice(("classic", "brisk")),
            "per_mark": self.random.random() < 0.3,
            "nominee_votes": self.random.random() < 0.7,
        }

    def most_turns(self) -> int:
        return 1 + 11 * 7

    def complaints(self, before: State, after: State) -> list[str]:
        return complaints((before, after))

    def more(self, seen: State, seat: int) -> Sheet:
        """Bids of every form on whom the seat's list names, with consequences that fit and others."""
        mine = seen.lists[seat] or {}
        chosen = self.random.sample(list(mine.items()), min(3, len(mine)))
        return tuple(self.bid(who, points) for who, points in chosen)

    def bid(self, who: str, points: int) -> Order:
        when = self.trigger()
        act = wild_order(TITLE, self.random.choice(VERBS), NAMES, self.random)
        thens = ((), (Order("stop"),), (Order("vote", {"vote": "no"}),), (Order(act.verb, act.args),))
        then = self.random.choice(thens) if when else ()
        on = who if self.random.random() < 0.8 else self.random.choice((*WHO, "anybody"))
        args: dict[str, Value] = {"points": self.random.randint(1, points), "on": on}
        return Order("bid", args, when, then, standing=self.random.random() < 0.2)

    def trigger(self) -> Order | None:
        whens = (
            None,
            Order("acts"),
            Order("against", {"who": self.random.choice(WHO)}),
            Order("votes"),
            Order("votes", {"vote": self.random.choice(("yes", "no", "abstain"))}),
            Order("phase", {"number": self.random.randint(0, 9)}),
        )
        return self.random.choice(whens)

    def garbage(self) -> Order:
        """An order that the language can write, or one that it cannot."""
        if self.random.random() < 0.8:
            return wild_order(TITLE, self.random.choice(VERBS), NAMES, self.random)
        names = self.random.sample(ARGS, self.random.randrange(5))
        args: dict[str, Value] = {name: self.random.choice(ODD) for name in names}
        inner = Order("stop") if self.random.random() < 0.1 else None
        verb = self.random.choice(VERBS).name if self.random.random() < 0.97 else "dance"
        return Order(verb, args, when=inner, standing=self.random.random() < 0.2)


if __name__ == "__main__":
    print(dict(fuzzing.run(Fuzz, *map(int, sys.argv[1:]))))
