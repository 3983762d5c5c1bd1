"""Players that are functions of what their seat sees: ``random``, which only keeps to the rules, and ``courtier``."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.engine.contract import Order, Sheet
from games.intrige.bidders import VERB_OF, running_bidders
from games.intrige.sending import courts_left, home_left
from games.intrige.state import SEATS, UNIT, Group, State, current_groups, free_areas, sends_now
from games.intrige.words import AREAS

RANDOM_TOP = 6
"""The random bot bribes 1000 to 6000."""


def random_bot(seen: State, seat: int, random: Random) -> Sheet:
    """Any legal orders: small bribes, any decisions, any sendings."""
    if seen.phase == "bribes" and seat != seen.active:
        return tuple(_random_bribes(seen, seat, random))
    if seen.phase == "decision" and seat == seen.active:
        return (*_random_decisions(seen, random), *_random_sends(seen, random))
    return ()


def _random_bribes(seen: State, seat: int, random: Random) -> Iterator[Order]:
    left = seen.cash[seat] or 0
    for craft, defends in running_bidders(current_groups(seen), seat):
        amount = min(UNIT * (1 + int(random.random() * RANDOM_TOP)), left)
        left -= amount
        yield Order(VERB_OF[defends], {"scholar": craft, "amount": amount})


def _random_decisions(seen: State, random: Random) -> Iterator[Order]:
    areas = free_areas(seen.courts[seen.active])
    random.shuffle(areas)
    for group in current_groups(seen):
        if group.kind == "free":
            for member in group.members:
                yield admit(member.craft, member.seat, areas.pop())
            continue
        winner = int(random.random() * len(group.members))
        yield choose(group, winner, areas.pop() if group.kind == "external" else group.area)


def admit(craft: str, seat: int, area: int) -> Order:
    """The order that seats an applicant."""
    return Order("admit", {"scholar": craft, "seat": SEATS[seat], "area": AREAS[area]})


def choose(group: Group, winner: int, area: int) -> Order:
    """The order that settles a conflict in favour of one of the group."""
    one = group.members[winner]
    if group.kind == "external":
        return admit(one.craft, one.seat, area)
    return Order("replace" if winner else "keep", {"scholar": one.craft, "seat": SEATS[one.seat]})


def _random_sends(seen: State, random: Random) -> Iterator[Order]:
    sends: list[tuple[str, int]] = []
    for _ in range(sends_now(seen)):
        send = random.choice(home_left(seen, sends)), random.choice(courts_left(seen, sends))
        sends.append(send)
        yield Order("send", {"scholar": send[0], "court": SEATS[send[1]]})
