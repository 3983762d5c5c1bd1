"""Whole games without people: random play, mess for the fuzzer, and figures over many games.

Random play knows nothing of a title: it takes what the asks allow. The mess mixes legal orders with impossible ones,
stale ones and none, as mails do; no title may break on it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from games.engine.contract import (
    Ask,
    Bot,
    Domain,
    Options,
    Order,
    Outcome,
    Sheet,
    Slot,
    Stats,
    Title,
    Value,
    Verb,
)
from games.engine.records import Record, TurnRecord, sealed, turn_record
from games.engine.rolls import bot_random, commitment
from games.engine.sheets import alternatives, replace, usual
from games.engine.turns import Step, advance, start

MOST_TURNS = 2000
"""A game that takes more turns than this does not end."""

_TRIES = 4
_TEXTS = ("10000", "peace", "a # b", 'say "no"', "ÄÖÜ ß", "when then")

type Report = dict[str, str | int | float | Stats | dict[str, list[int]]]


class Played(Struct, frozen=True):
    """A whole game: its states (the set-up first), how it ended, its decisions (orders of accepted sheets), its turns.

    ``outcome`` is None if it did not end within MOST_TURNS. ``record`` is there if it was asked for.
    """

    states: tuple[Any, ...]
    outcome: Outcome | None
    decisions: int
    turns: int
    record: Record | None = None


# --- single sheets ----------------------------------------------------------------------------------------------------


def random_sheet(title: Title[Any], seen: Any, seat: int, rng: Random) -> Sheet:
    """Return a sheet that the title accepts, made at random from its asks alone.

    Owed asks are answered, others half of the time; of alternatives one is chosen. What the title refuses is mended as
    it proposes, or tried anew a few times, and then left out.
    """
    verbs = {verb.name: verb for verb in title.verbs}
    asks = title.asks(seen, seat)
    if not asks:
        return ()
    wanted = [group for group in alternatives(verbs, asks) if group[0].must or rng.random() < 0.5]
    sheet = [random_order(verbs, rng.choice(group), rng) for group in wanted]
    for _ in range(_TRIES + len(sheet)):
        refused = {problem.order: problem.fix for problem in title.check(seen, seat, tuple(sheet)) if problem.refuses}
        if not refused:
            return tuple(sheet)
        for at, fix in refused.items():
            sheet[at] = fix or random_order(verbs, rng.choice(wanted[at]), rng)
    return replace(title, seen, seat, tuple(sheet)).sheet


def random_order(verbs: Mapping[str, Verb], ask: Ask, rng: Random) -> Order:
    """Return an order within an ask's domains; what need not be said (see ``usual``) is given one time in four."""
    verb = verbs[ask.verb]
    args: dict[str, Value] = {}
    for slot in verb.slots:
        domain = ask.domains.get(slot.name)
        if domain is not None and (usual(slot) or rng.random() < 0.25):
            args[slot.name] = random_value(slot, domain, rng)
    return Order(verb.name, args, standing=verb.standing == "must")


def random_value(slot: Slot, domain: Domain, rng: Random) -> Value:
    """Return something that a domain allows."""
    if slot.kind == "text":
        return rng.choice(_TEXTS)
    if slot.kind == "number":
        return domain.low + domain.step * int(rng.random() * ((domain.high - domain.low) // domain.step + 1))
    if slot.kind == "name":
        return domain.names[int(rng.random() * len(domain.names))]
    return tuple(rng.sample(domain.names, rng.randint(1, min(domain.many, len(domain.names)))))


def random_bot(title: Title[Any]) -> Bot[Any]:
    """Return a bot that plays at random, for any title."""
    return lambda seen, seat, rng: random_sheet(title, seen, seat, rng)


def mess(title: Title[Any], names: Sequence[str], seen: Any, seat: int, rng: Random, stale: Sheet = ()) -> Sheet:
    """Return orders as bad as the language allows: legal, illegal and stale ones in any number and sequence.

    ``names`` are all ids of the title; ``stale`` are orders of earlier turns or other seats.
    """
    verbs = [verb for verb in title.verbs if verb.role != "trigger"]
    legal = random_sheet(title, seen, seat, rng)
    wild = [wild_order(title, rng.choice(verbs), names, rng) for _ in range(rng.choice((0, 0, 1, 2, 6)))]
    old = rng.sample(stale, rng.randint(0, min(3, len(stale))))
    orders = [*(order for order in legal if rng.random() < 0.8), *wild, *old]
    orders += [order for order in orders if rng.random() < 0.1]
    if rng.random() < 0.3:
        rng.shuffle(orders)
    return tuple(orders)


def wild_order(title: Title[Any], verb: Verb, names: Sequence[str], rng: Random) -> Order:
    """Return an order that the language can write, with arguments that need make no sense."""
    triggers = [one for one in title.verbs if one.role == "trigger"]
    when = _wild(rng.choice(triggers), names, rng) if triggers and rng.random() < 0.3 else None
    others = [one for one in title.verbs if one.role != "trigger"]
    then = (_wild(rng.choice(others), names, rng),) if when and rng.random() < 0.5 else ()
    standing = verb.standing == "must" or (verb.standing == "may" and rng.random() < 0.5)
    return Order(verb.name, _wild(verb, names, rng).args, when, then, standing)


def _wild(verb: Verb, names: Sequence[str], rng: Random) -> Order:
    return Order(
        verb.name, {s.name: _wild_value(s, names, rng) for s in verb.slots if not s.optional or rng.random() < 0.5}
    )


def _wild_value(slot: Slot, names: Sequence[str], rng: Random) -> Value:
    ids = slot.among or names
    if slot.kind == "text":
        return rng.choice(_TEXTS)
    if slot.kind == "name":
        return rng.choice(ids)
    if slot.kind == "names":
        return tuple(rng.choices(ids, k=rng.randint(1, 4)))
    number = rng.choice((0, 1, 500, 999, 1000, 1000 * rng.randint(0, 40), rng.randint(0, 60), 10**14))
    return number if slot.sign or rng.random() < 0.9 else -number


# --- whole games ------------------------------------------------------------------------------------------------------


def play(
    title: Title[Any], options: Options, seats: int, seed: bytes, bots: Sequence[Bot[Any]], *, recorded: bool = False
) -> Played:
    """Play a whole game between bots, one a seat; what the title refuses of their sheets does not count."""
    table = _Table(title, options, seats, seed, recorded=recorded)
    rngs = [bot_random(seed, table.key, 0, seat) for seat in range(seats)]
    while table.going():
        sheets: dict[int, Sheet] = {}
        for seat, bot in enumerate(bots):
            seen = title.mask(table.state, seat)
            sheets[seat] = accepted(title, seen, seat, table.kept.get(seat, ()), bot(seen, seat, rngs[seat]))
        table.turn(sheets)
    return table.played()


def accepted(title: Title[Any], seen: Any, seat: int, kept: Sheet, new: Sheet) -> Sheet:
    """Return what counts of a new sheet beside the orders already in force."""
    whole = new if not kept else (*(order for order in kept if order not in new), *new)
    if not whole or not any(problem.refuses for problem in title.check(seen, seat, whole)):
        return whole
    return replace(title, seen, seat, whole).sheet


def fuzz(title: Title[Any], options: Options, seats: int, seed: bytes, *, recorded: bool = False) -> Played:
    """Play a whole game of messy sheets, some of which reach the rules unchecked, and some not at all.

    Raises whatever the title raises; AssertionError names the first invariant that a state breaks.
    """
    table = _Table(title, options, seats, seed, recorded=recorded)
    rng = bot_random(seed, table.key, 0, seats)
    names = tuple(title.names(options))
    stale: Sheet = ()
    while table.going():
        sheets: dict[int, Sheet] = {}
        for seat in range(seats):
            if rng.random() < 0.9:
                sheets[seat] = _messy(title, names, table, seat, rng, stale)
        stale = (*stale, *(order for sheet in sheets.values() for order in sheet))[-12:]
        table.turn(sheets)
        assert_sound(title, table.state)
    return table.played()


def assert_sound(title: Title[Any], state: Any) -> None:
    """Raise AssertionError with the first invariant that a state breaks."""
    for broken in title.invariants(state):
        raise AssertionError(broken)


def _messy(title: Title[Any], names: Sequence[str], table: _Table, seat: int, rng: Random, stale: Sheet) -> Sheet:
    seen = title.mask(table.state, seat)
    sheet = mess(title, names, seen, seat, rng, stale)
    return sheet if rng.random() < 0.2 else accepted(title, seen, seat, table.kept.get(seat, ()), sheet)


class _Table:
    """One game being played."""

    def __init__(self, title: Title[Any], options: Options, seats: int, seed: bytes, *, recorded: bool) -> None:
        self.title, self.options, self.seats, self.seed = title, options, seats, seed
        self.key = "play"
        self.decisions = 0
        self.turns: list[TurnRecord] | None = [] if recorded else None
        self.states: list[Any] = []
        self._seat(start(title, options, seats, seed, self.key), {})

    @property
    def state(self) -> Any:
        return self.states[-1]

    def going(self) -> bool:
        return self.outcome is None and len(self.states) <= MOST_TURNS

    def turn(self, sheets: dict[int, Sheet]) -> None:
        self.decisions += sum(map(len, sheets.values()))
        self._seat(advance(self.title, self.state, sheets, self.seed, self.key, len(self.states)), sheets)

    def played(self) -> Played:
        return Played(tuple(self.states), self.outcome, self.decisions, len(self.states) - 1, self._record())

    def _seat(self, step: Step, sheets: dict[int, Sheet]) -> None:
        if self.turns is not None:
            number = len(self.states)
            self.turns.append(turn_record(self.title, number, step, sheets, self.seed, self.key))
        self.states.append(step.state)
        self.kept, self.outcome = step.kept, step.outcome

    def _record(self) -> Record | None:
        if self.turns is None:
            return None
        about = self.title.about
        options = dict(self.options)
        turns = tuple(self.turns)
        promise = commitment(self.seed)
        return sealed(Record(about.slug, about.rules, options, self.seats, self.key, promise, turns, self.seed.hex()))


# --- many games -------------------------------------------------------------------------------------------------------


def simulate(  # noqa: PLR0913 - what a run of games depends on, no less
    title: Title[Any],
    games: int,
    seats: int,
    seed: int,
    bots: Sequence[str],
    options: Options,
    *,
    clock: Callable[[], int],
    on_error: Callable[[int, str], None] = lambda game, what: None,
) -> Report:
    """Play many games and return their figures as one JSON-able object.

    ``bots`` are names of the title's bots, one a seat; fewer are dealt out in turn. ``clock`` counts nanoseconds (the
    engine reads no clock). ``errors`` counts games that raised, did not end, or broke an invariant; ``on_error`` is
    told which and why. ``places`` counts, for each bot, how often it came first, second and so on.
    """
    names = [bots[seat % len(bots)] for seat in range(seats)]
    players = [title.bots[name] for name in names]
    tally = _Tally(names)
    for game in range(games):
        began = clock()
        try:
            played = play(title, options, seats, game_seed(seed, game), players)
            tally.nanoseconds += clock() - began
            if played.outcome is None:
                raise AssertionError("The game does not end.")  # noqa: TRY301 - counted like any other mistake
            for state in played.states:
                assert_sound(title, state)
        except Exception as wrong:
            tally.errors += 1
            on_error(game, f"{type(wrong).__name__}: {wrong}")
        else:
            tally.add(played, played.outcome)
    return tally.report(title, games, seats)


def game_seed(seed: int, game: int) -> bytes:
    """Return the seed of one of many games."""
    return hashlib.sha256(f"{seed}/{game}".encode()).digest()


class _Tally:
    """Figures over many games."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.errors = self.decisions = self.nanoseconds = 0
        self.scores: list[int] = []
        self.places: dict[str, Counter[int]] = {name: Counter() for name in names}
        self.finals: list[Any] = []

    def add(self, played: Played, outcome: Outcome) -> None:
        self.decisions += played.decisions
        self.scores += outcome.scores
        self.finals.append(played.states[-1])
        for name, place in zip(self.names, outcome.places, strict=True):
            self.places[name][place] += 1

    def report(self, title: Title[Any], games: int, seats: int) -> Report:
        return {
            "title": title.about.slug,
            "games": games,
            "seats": seats,
            "errors": self.errors,
            "decisions": self.decisions,
            "us_per_decision": round(self.nanoseconds / 1e3 / max(1, self.decisions), 2),
            "ms_per_game": round(self.nanoseconds / 1e6 / max(1, games), 3),
            "mean_score": round(sum(self.scores) / max(1, len(self.scores)), 1),
            "places": {name: [self.places[name][p] for p in range(1, seats + 1)] for name in self.places},
            "stats": title.stats(self.finals) if self.finals else {},
        }
