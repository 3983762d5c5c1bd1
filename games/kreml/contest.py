"""Contests for control: a proxy auction with points (section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from games.engine.contract import Order
from games.kreml import events
from games.kreml.desk import AIMED, Act, Bid
from games.kreml.words import ALL, ANYBODY
from games.kreml.world import World, seat_id

NOBODY = -1


class Settled(NamedTuple):
    """How a contest ends: who controls now, and the points that everybody has declared."""

    winner: int
    declared: tuple[int, ...]


def settle(
    controller: int, defence: int, bids: Mapping[int, int], declared: Sequence[int], seniority: Sequence[int]
) -> Settled:
    """Settle one contest.

    ``defence`` is the most that the controller goes to, ``bids`` the maxima of others with a fired bid; those that do
    not exceed what the controller has declared do not count. ``seniority`` are the seats, the most senior first.
    """
    shown = declared[controller] if controller != NOBODY else 0
    caps = {seat: most for seat, most in bids.items() if most > shown and seat != controller}
    if not caps:
        return Settled(controller, tuple(declared))
    if controller != NOBODY:
        caps[controller] = max(shown, defence)
    winner = min(caps, key=lambda seat: (-caps[seat], seat != controller, seniority.index(seat)))
    second = max((most for seat, most in caps.items() if seat != winner), default=0)
    after = list(declared)
    for seat, most in caps.items():
        after[seat] = max(declared[seat], most)
    if winner == controller:
        after[winner] = max(shown, second)
    else:
        after[winner] = min(caps[winner], max(declared[winner], second + 1))
    return Settled(winner, tuple(after))


class Takeover(NamedTuple):
    """Somebody has changed hands; ``then`` is what his new controller wants him to do instead."""

    seat: int
    then: Order | None


def at_start(world: World) -> None:
    """Fire the bids without trigger, at the start of a turn."""
    _sweep(world, lambda bid: bid.when is None)


def at_phase(world: World, phase: int) -> None:
    """Fire the bids that wait for this phase."""
    _sweep(world, lambda bid: bid.when is not None and bid.when.verb == "phase" and bid.when.args["number"] == phase)


def over(world: World, who: str, act: Act) -> Takeover | None:
    """Fire the bids that wait for what somebody has announced; None if he still follows whom he followed."""
    return _contest(world, who, lambda bid: bid.when is not None and _pulls(world, bid.when, act))


def _sweep(world: World, fires: Callable[[Bid], bool]) -> None:
    aimed = {world.person(bid.on) for desk in world.desks.values() for bid in desk.bids if fires(bid)}
    for who in world.by_standing() if aimed else ():
        if who in aimed:
            _contest(world, who, fires)


def _pulls(world: World, when: Order, act: Act) -> bool:
    """Whether a trigger is pulled by an announced act."""
    match when.verb:
        case "acts":
            return act.verb != "vote"
        case "votes":
            return act.verb == "vote" and when.args.get("vote", act.detail) == act.detail
        case "against":
            aimed = (act.who, act.detail) if act.verb == "swap" else (act.who,)
            return act.verb in AIMED and world.person(str(when.args["who"])) in aimed
        case _:
            return False


def _contest(world: World, who: str, fires: Callable[[Bid], bool]) -> Takeover | None:
    one = world.people[who]
    fired = {seat: best for seat in world.desks if seat != one.controller and (best := _best(world, seat, who, fires))}
    if not fired:
        return None
    bids = {seat: most for seat, (most, _) in fired.items()}
    defence = _defence(world, one.controller, who) if one.controller != NOBODY else 0
    end = settle(one.controller, defence, bids, one.declared, world.before.seniority)
    if end.declared == one.declared:
        return None
    world.counts["contests"] += 1
    before, one.controller = one.controller, end.winner
    _show(world, who, end)
    if before == end.winner:
        return None
    world.counts["takeovers"] += 1
    world.tell(events.Controlled(who, seat_id(end.winner), seat_id(before)))
    return Takeover(end.winner, fired[end.winner][1].then)


def _best(world: World, seat: int, who: str, fires: Callable[[Bid], bool]) -> tuple[int, Bid] | None:
    """A seat's fired bid on somebody with the highest maximum, the first written of equals."""
    best: tuple[int, Bid] | None = None
    for bid in world.desks[seat].bids:
        if (bid.on == ANYBODY or world.person(bid.on) == who) and fires(bid):
            most = min(bid.points, world.points(seat, who))
            if best is None or most > best[0]:
                best = most, bid
    return best


def _defence(world: World, seat: int, who: str) -> int:
    """The most that a controller goes to: his hold (a named one before "hold all") or his bid without trigger."""
    desk = world.desks.get(seat)
    if desk is None:
        return 0
    named = [most for name, most in desk.holds.items() if name != ALL and world.person(name) == who]
    most = named[-1] if named else desk.holds.get(ALL, 0)
    plain = [bid.points for bid in desk.bids if bid.when is None and world.person(bid.on) == who]
    return min(max([most, *plain]), world.points(seat, who))


def _show(world: World, who: str, end: Settled) -> None:
    """Show the new points, the winner's last."""
    one = world.people[who]
    for seat in sorted(range(len(end.declared)), key=lambda seat: (seat == end.winner, seat)):
        if end.declared[seat] != one.declared[seat]:
            world.tell(events.Declared(who, seat_id(seat), one.declared[seat], end.declared[seat]))
    one.declared = end.declared
