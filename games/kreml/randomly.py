"""The player ``random``: any legal orders made of what is asked, and random bids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.engine.contract import Order, Sheet
from games.kreml.data import NESTOR
from games.kreml.lists import ELIGIBLE
from games.kreml.state import LEVELS, RANKS, State
from games.kreml.view import View
from games.kreml.words import VOTES

BIDS = 0.25
"""How often it bids in a turn."""


def random_bot(seen: State, seat: int, random: Random) -> Sheet:
    """Orders for whatever politicians it controls, and now and then a bid."""
    if seen.stage == "over":
        return ()
    if seen.stage == "ranking":
        return (_list(random),)
    view = View(seen, seat)
    return (*_acts(view, random), *_bids(view, random))


def _list(random: Random) -> Order:
    chosen = random.sample(ELIGIBLE, RANKS)
    return Order("rank", {f"r{rank}": who for rank, who in zip(range(RANKS, 0, -1), chosen, strict=True)})


def _bids(view: View, random: Random) -> Iterator[Order]:
    if not view.mine or random.random() > BIDS:
        return
    open_to = [who for who in view.mine if not view.gone(who) and view.one(who).controller != view.seat]
    if open_to:
        who = random.choice(open_to)
        yield Order("bid", {"points": random.randint(1, view.mine[who]), "on": who})


def _acts(view: View, random: Random) -> Iterator[Order]:
    actor = view.actor
    acts = bool(actor) and view.one(actor).controller == view.seat
    match view.stage:
        case "purges":
            yield from _cures(view, random)
            if acts:
                yield from _some("purge", [*view.members, *view.seen.candidates], 2, random)
        case "spy" if acts:
            yield from _files(view, random)
        case "nomination" | "commission" if acts:
            yield from _some("nominate", [who for who in view.members if who != actor], 3, random)
        case "autumn":
            yield from _autumn(view, random, acts=acts)
        case _:
            pass
    if "vote" in view.verbs:
        mine = [who for who in view.voters if view.one(who).controller == view.seat]
        yield from (Order("vote", {"vote": random.choice(VOTES), "with": who}) for who in mine)


def _some(verb: str, names: Sequence[str], most: int, random: Random) -> Iterator[Order]:
    """An order for up to so many of these people, or none."""
    count = min(int(random.random() * (most + 1)), len(names))
    if count:
        yield Order(verb, {"who": tuple(random.sample(names, count))})


def _cures(view: View, random: Random) -> Iterator[Order]:
    for who in view.members:
        one = view.one(who)
        if one.marks and one.controller == view.seat and random.random() < 0.5:
            yield Order("recall" if one.cure else "cure", {"who": (who,)})


def _files(view: View, random: Random) -> Iterator[Order]:
    files = [who for who in view.members if view.one(who).opened]
    old = [who for who in files if view.one(who).opened < view.seen.year]
    yield from _some("investigate", [who for who in view.members if who not in files], 2, random)
    if old and random.random() < 0.5:
        yield Order("accuse", {"who": random.choice(old)})
    if random.random() < 0.25:
        yield from _some("banish", view.seen.candidates, 1, random)


def _autumn(view: View, random: Random, *, acts: bool) -> Iterator[Order]:
    if acts and random.random() < 0.7:
        yield _move(view, random)
    mine = [who for who in view.members if view.one(who).controller == view.seat]
    if mine and view.seen.people and random.random() < 0.3:
        yield Order("promote", {"who": random.choice(view.seen.people), "by": random.choice(mine)})
    if mine and view.seen.siberia and random.random() < 0.1:
        yield Order("rehabilitate", {"who": (random.choice(view.seen.siberia),), "by": random.choice(mine)})


def _move(view: View, random: Random) -> Order:
    movable = [who for who, place in view.places.items() if LEVELS.get(place, 0) and who != NESTOR]
    who = random.choice(movable)
    near = [one for one in movable if one != who and abs(LEVELS[view.places[one]] - LEVELS[view.places[who]]) < 2]
    if near and random.random() < 0.7:
        return Order("swap", {"who": who, "with": random.choice(near)})
    return Order(random.choice(("promote", "demote")), {"who": who})
