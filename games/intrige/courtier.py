"""``courtier``: a player that reckons what a seat is worth, sends where least is at risk, and is hard on rich rivals.

It is a function of what its seat sees, so it remembers nobody's treason; it trusts no word and pays little.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from games.engine.contract import Order, Sheet
from games.intrige.bidders import VERB_OF
from games.intrige.bots import admit, choose
from games.intrige.defaults import paid
from games.intrige.income import earned
from games.intrige.sending import Send, attacks_own, courts_left, home_left
from games.intrige.state import (
    CASH,
    CHEAP_FIRST,
    PAYS,
    ROUNDS,
    SEATS,
    UNIT,
    Group,
    Scholar,
    State,
    area_of,
    current_groups,
    distance,
    free_areas,
    sends_now,
)

SHARE = 12
"""A contested seat is worth bidding one part in so many of what it will still pay."""

SPITE = 0.35
"""How much a rival's loss counts against one's own gain."""

THANKS = 0.5
"""How much a bribe in hand counts against what its payer will earn: enough that bribing this host pays."""


def courtier_bot(seen: State, seat: int, random: Random) -> Sheet:
    """Orders by reckoning; chance decides only between equals."""
    if seen.phase == "bribes" and seat != seen.active:
        return tuple(_bribes(seen, seat))
    if seen.phase == "decision" and seat == seen.active:
        return (*_decisions(seen), *_sends(seen, random))
    return ()


def payouts(seen: State, seat: int) -> int:
    """How often a seat at the active court will still pay that player."""
    turn_to_come = (seat - seen.first) % seen.seats > (seen.active - seen.first) % seen.seats
    return ROUNDS - seen.round + 1 + turn_to_come


def threat(seen: State, seat: int) -> int:
    """What a player is likely to own in the end: his cash, if it is known, and his present income to the end."""
    purse = seen.cash[seat]
    income = sum(PAYS[place] for _, place in earned(seen, seat))
    return (CASH if purse is None else purse) + income * payouts(seen, seat)


# --- bribes -----------------------------------------------------------------------------------------------------------


def _bribes(seen: State, seat: int) -> Iterator[Order]:
    left = seen.cash[seat] or 0
    mine = [(group, at) for group in current_groups(seen) for at, one in enumerate(group.members) if one.seat == seat]
    for still, (group, at) in zip(range(len(mine) - 1, -1, -1), mine, strict=True):
        most = min(_worth(seen, seat, group), left - UNIT * still)
        order = _bribe(seen, group, at, most, left)
        left -= min(left, max(most, UNIT))
        yield order


def _bribe(seen: State, group: Group, at: int, most: int, left: int) -> Order:
    verb = VERB_OF[group.kind == "internal" and at == 0]
    craft = group.members[at].craft
    if most <= UNIT or seen.setting.sealed or at == 0:
        return Order(verb, {"scholar": craft, "amount": min(UNIT, left)})
    return Order(verb, {"scholar": craft, "raise": UNIT, "max": most, "else": UNIT})


def _worth(seen: State, seat: int, group: Group) -> int:
    """The most a bid for a place in the group may be, in whole thousands."""
    if group.kind == "free":
        return UNIT
    areas = free_areas(seen.courts[seen.active])
    area = PAYS[group.area] if group.kind == "internal" else sum(PAYS[place] for place in areas) // len(areas)
    return area * payouts(seen, seat) // SHARE // UNIT * UNIT


# --- decisions --------------------------------------------------------------------------------------------------------


def _decisions(seen: State) -> Iterator[Order]:
    """Settle conflicts against the strongest, then give the cheapest areas away, the very cheapest to the strongest."""
    groups = current_groups(seen)
    winners = [(group, _winner(seen, group)) for group in groups if group.kind != "free"]
    to_seat = [(group, at) for group in groups if group.kind == "free" for at in range(len(group.members))]
    to_seat += [(group, at) for group, at in winners if group.kind == "external"]
    to_seat.sort(key=lambda one: -_grudge(seen, *one))
    court = seen.courts[seen.active]
    for (group, at), area in zip(to_seat, [place for place in CHEAP_FIRST if court[place] is None], strict=False):
        yield admit(group.members[at].craft, group.members[at].seat, area)
    for group, at in winners:
        if group.kind == "internal":
            yield choose(group, at, group.area)


def _winner(seen: State, group: Group) -> int:
    return min(range(len(group.members)), key=lambda at: _grudge(seen, group, at))


def _grudge(seen: State, group: Group, at: int) -> float:
    return threat(seen, group.members[at].seat) - THANKS * payouts(seen, seen.active) * paid(seen, group, at)


# --- sending ----------------------------------------------------------------------------------------------------------


def _sends(seen: State, random: Random) -> Iterator[Order]:
    chosen: list[Send] = []
    for _ in range(sends_now(seen)):
        choices = list(product(sorted(set(home_left(seen, chosen))), courts_left(seen, chosen)))
        random.shuffle(choices)
        chosen.append(max(choices, key=lambda send: _value(seen, send, chosen)))
        yield Order("send", {"scholar": chosen[-1][0], "court": SEATS[chosen[-1][1]]})


def _value(seen: State, send: Send, before: list[Send]) -> float:
    """What a sending may bring a round: the chance to be seated times the pay, and a rival's loss."""
    craft, host = send
    rivals = sum(one.craft == craft for one in seen.waiting[host]) + before.count(send)
    if attacks_own(seen, send) or Scholar(seen.active, craft) in seen.waiting[host] or before.count(send):
        return -PAYS[2]
    area = area_of(seen.courts[host], craft)
    if area < 0:
        return _free_pay(seen, host) / (1 + rivals)
    victim = seen.courts[host][area]
    spite = SPITE * PAYS[area] if victim is not None and victim.seat != host else 0.0
    return (PAYS[area] + spite) / (2 + rivals) - distance(seen, host)


def _free_pay(seen: State, host: int) -> float:
    """What an applicant without conflict may hope for: the mean of the free areas."""
    free = free_areas(seen.courts[host])
    return sum(PAYS[place] for place in free) / max(1, len(free))
