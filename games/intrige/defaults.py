"""What the rules do where orders are silent (section 4, "Missed")."""

from __future__ import annotations

from games.intrige.orders import Reading
from games.intrige.state import Bribe, Group, State, current_groups, free_areas


def complete(state: State, reading: Reading | None) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """All winners and areas of this turn: the orders', then the rules' (section 4, "Missed")."""
    winners = dict(reading.winners) if reading else {}
    areas = dict(reading.areas) if reading else {}
    to_seat: list[tuple[int, int]] = []
    for place, group in enumerate(current_groups(state), state.stage):
        if group.kind != "free":
            winners.setdefault(place, highest_bidder(state, group))
        if group.kind != "internal":
            chosen = range(len(group.members)) if group.kind == "free" else [winners[place]]
            to_seat += [(place, member) for member in chosen if (place, member) not in areas]
    used = set(areas.values())
    left = [area for area in free_areas(state.courts[state.active]) if area not in used]
    to_seat.sort(key=lambda one: -paid(state, state.groups[one[0]], one[1]))
    areas.update(zip(to_seat, left, strict=False))
    return winners, areas


def highest_bidder(state: State, group: Group) -> int:
    """The place of the highest bribe among a group's members; on equality the incumbent, then the earlier."""
    return max(range(len(group.members)), key=lambda member: (paid(state, group, member), -member))


def paid(state: State, group: Group, member: int) -> int:
    """What a member of a group bribed in this admission (hidden or not yet paid: the least there is)."""
    amounts = [bribe.amount for bribe in state.bribes if _is_of(group, member, bribe)]
    same = [place for place, one in enumerate(group.members[:member]) if _alike(group, place, member)]
    amount = amounts[len(same)] if len(same) < len(amounts) else None
    return 0 if amount is None else amount


def _is_of(group: Group, member: int, bribe: Bribe) -> bool:
    defends = group.kind == "internal" and member == 0
    return bribe.scholar == group.members[member] and bribe.defends == defends


def _alike(group: Group, one: int, other: int) -> bool:
    if group.kind == "internal" and 0 in (one, other):
        return False
    return group.members[one] == group.members[other]
