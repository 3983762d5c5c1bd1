"""``apparatchik``: a player that serves its list. It bids for everybody who counts, lifts and cures its favourites, and
gets rid of those who are dear to others.

It is a function of what its seat sees: its own list, and the points that others have declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from games.engine.contract import Order, Sheet
from games.kreml.data import NESTOR
from games.kreml.lists import ELIGIBLE
from games.kreml.state import CHIEF, LEVELS, RANKS, State
from games.kreml.view import View
from games.kreml.words import ALL

FAVOURITE = 5
"""From so many own points on somebody is worth protecting."""

GUESS = 3.0
"""What others are reckoned to have on somebody on whom they have shown nothing yet."""

RESERVE = 6
"""With fewer candidates and people than that it exiles nobody but chiefs."""

LONG_LIFE = 85
"""From this age on a favourite does nothing that costs years."""


def apparatchik_bot(seen: State, seat: int, random: Random) -> Sheet:
    """Orders by reckoning; chance decides about the secret list only."""
    return (ranking(seen, random.random),) if seen.stage == "ranking" else reckoned(seen, seat)


def reckoned(seen: State, seat: int) -> Sheet:
    """Orders for every turn but the first."""
    if seen.stage == "over":
        return ()
    mind = Mind(seen, seat)
    return (*mind.orders(), *mind.bids())


def ranking(seen: State, mix: Callable[[], float]) -> Order:
    """A list of those who are near to power and not too old, mixed so that nobody guesses it."""
    places = {who: LEVELS[office] for office, who in seen.offices.items()} | dict.fromkeys(seen.candidates, 3)

    def promise(who: str) -> float:
        return -6 * places.get(who, 4) - abs(seen.politicians[who].age - 62) / 2 + 14 * mix()

    order = sorted(((promise(who), who) for who in ELIGIBLE), reverse=True)
    return Order("rank", {f"r{RANKS - at}": who for at, (_, who) in enumerate(order[:RANKS])})


class Mind(View):
    """What the apparatchik thinks of a position."""

    def points(self, who: str) -> int:
        """The own secret points on somebody."""
        return (self.mine or {}).get(who, 0)

    def mine_is(self, who: str) -> bool:
        """Whether somebody follows this seat."""
        return self.one(who).controller == self.seat

    def gain(self, who: str) -> float:
        """What it is worth that he becomes chief: the own points beyond those that the strongest rival may have."""
        if who == NESTOR:
            return -GUESS / 2
        shown = [points for seat, points in enumerate(self.one(who).declared) if seat != self.seat]
        return self.points(who) - max(GUESS, *(points + GUESS / 2 for points in shown if points), 0)

    def best(self, who: Iterable[str]) -> list[str]:
        """The dearest first."""
        return sorted(who, key=lambda one: (-self.gain(one), self.one(one).age, one))

    def menace(self, who: str) -> float:
        """How much is won if somebody goes: his gain, turned, weighed by how near he is to deciding the game."""
        weight = {0: 3 + self.one(who).waves, 1: 1.6, 2: 1.0, 3: 0.5}.get(LEVELS.get(self.places[who], 4), 0.2)
        return -self.gain(who) * weight

    @property
    def thin(self) -> bool:
        """Whether so few are left that one more exile may end the game in a draw."""
        return len(self.seen.candidates) + len(self.seen.people) < RESERVE

    def spare(self, who: str) -> bool:
        """Whether somebody's years are too precious to be spent."""
        return self.gain(who) > 0 and self.one(who).age >= LONG_LIFE

    # --- orders ---

    def orders(self) -> Iterator[Order]:
        """What its politicians are to do in this turn."""
        actor = self.actor
        acts = bool(actor) and self.mine_is(actor)
        match self.stage:
            case "purges":
                yield from self._cures()
                if acts:
                    yield from self._purges(actor)
            case "spy":
                if acts:
                    yield from self._files(actor)
            case "nomination" | "commission" if acts:
                yield Order("nominate", {"who": tuple(self.best(one for one in self.members if one != actor)[:9])})
            case "autumn":
                yield from self._autumn(acts=acts)
            case _:
                pass
        if "vote" in self.verbs:
            yield from self._votes()

    def bids(self) -> Iterator[Order]:
        """Everybody near power whom it has points on is bid for, and everybody who follows it is held."""
        if any(self.mine_is(who) for who in self.mine or {}):
            yield Order("hold", {"who": ALL})
        for who, points in sorted((self.mine or {}).items(), key=lambda pair: -pair[1]):
            near = LEVELS.get(self.places[who], 5) < 4
            if near and not self.mine_is(who) and who != NESTOR and points > max(self.one(who).declared, default=0):
                yield Order("bid", {"points": points, "on": who})

    def _cures(self) -> Iterator[Order]:
        """Favourites and useful holders of office get well; somebody else's favourite may work himself to death."""
        ill = [who for who in self.members if self.one(who).marks and self.mine_is(who)]
        rest = tuple(who for who in ill if self.points(who) >= FAVOURITE - 1 and not self.one(who).cure)
        work = tuple(who for who in ill if who not in rest and self.gain(who) < -2 and self.one(who).cure)
        if rest:
            yield Order("cure", {"who": rest})
        if work:
            yield Order("recall", {"who": work})

    def _purges(self, actor: str) -> Iterator[Order]:
        chance = {0: 0.15, 1: 0.35, 2: 0.55, 3: 0.75}

        def value(who: str) -> float:
            level = LEVELS[self.places[who]]
            likely = chance[level] + 0.15 * self.one(who).cure
            return self.menace(who) * likely - 0.5 * (1 - likely) * max(1.0, self.gain(actor))

        targets = [who for who in (*self.members, *self.seen.candidates) if who != actor and value(who) > 0]
        if targets and not self.thin and not self.spare(actor):
            yield Order("purge", {"who": tuple(sorted(targets, key=lambda who: -value(who))[:3]), "age": 92})

    def _files(self, actor: str) -> Iterator[Order]:
        files = [who for who in self.members if self.one(who).opened]
        close = tuple(who for who in files if self.gain(who) > 0)
        if close:
            yield Order("close", {"who": close})
        others = [who for who in self.members if who not in files and who != actor]
        hated = sorted((who for who in others if self.menace(who) > 1), key=lambda who: -self.menace(who))
        if hated and not self.spare(actor):
            yield Order("investigate", {"who": tuple(hated[:2]), "age": 92})
        old = [who for who in files if self.one(who).opened < self.seen.year and who != actor]
        worst = max(old, key=self.menace, default="")
        if worst and self.menace(worst) > 0 and not (self.thin and self.places[worst] != CHIEF):
            yield Order("accuse", {"who": worst})

    def _votes(self) -> Iterator[Order]:
        on = self.voted_on
        if not on:
            dear = tuple(who for who in self.best(self.members) if self.gain(who) > 0)
            yield Order("vote", {"vote": "yes"})
            if dear and "protect" in self.verbs:
                yield Order("protect", {"who": dear})
            hated = tuple(who for who in self.members if self.gain(who) < -1)
            if hated and "oppose" in self.verbs:
                yield Order("oppose", {"who": hated})
            return
        if not any(self.mine_is(who) for who in self.voters):
            return
        wanted = self.gain(on) < 0 if self.seen.trial else self._acceptable(on)
        yield Order("vote", {"vote": "yes" if wanted else "no"})

    def _acceptable(self, who: str) -> bool:
        """Whether a nominee is no worse than what else may come."""
        others = [self.gain(one) for one in self.members if one != who]
        return not others or self.gain(who) >= sum(others) / len(others)

    def _autumn(self, *, acts: bool) -> Iterator[Order]:
        chief = self.seen.offices.get(CHIEF, "")
        if acts and not self.spare(chief):
            yield from self._moves(limit=1 if self.gain(chief) > 0 else 3)
        yield from self._promotions()
        yield from self._mercy()

    def _moves(self, limit: int) -> Iterator[Order]:
        """The chief swaps favourites upwards with those above them whom it likes least."""
        level = {who: LEVELS[place] for who, place in self.places.items() if LEVELS.get(place, 0) > 0}
        moved: set[str] = set()
        for who in self.best(level):
            above = [one for one in level if level[one] == level[who] - 1 and one not in moved]
            worst = min(above, key=self.gain, default="")
            if self.gain(who) <= 0 or limit < 1:
                return
            if worst and self.gain(worst) < self.gain(who) - 1:
                moved |= {who, worst}
                limit -= 1
                yield Order("swap", {"who": who, "with": worst})

    def _promotions(self) -> Iterator[Order]:
        """Members of level 1 that follow it lift favourites from the bench, and those of level 2 from the people."""
        for rank, row in ((1, self.seen.candidates), (2, self.seen.people)):
            lifters = [who for who in self.members if self.mine_is(who) and LEVELS[self.places[who]] == rank]
            dear = [who for who in self.best(row) if self.points(who) >= FAVOURITE]
            lifters.sort(key=self.gain)
            for who, by in zip(dear[:2], lifters, strict=False):
                if not self.spare(by):
                    yield Order("promote", {"who": who, "by": by})

    def _mercy(self) -> Iterator[Order]:
        """The dearest exile comes back, if somebody cheap can pay for it."""
        exiles = [who for who in self.best(self.seen.siberia) if self.points(who) >= RANKS - 2]
        payers = [who for who in self.members if self.mine_is(who) and not self.one(who).cure and self.gain(who) <= 0]
        if exiles and payers:
            by = min(payers, key=lambda who: (self.gain(who), -self.one(who).age))
            yield Order("rehabilitate", {"who": (exiles[0],), "by": by})
