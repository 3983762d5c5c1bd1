"""An ascending auction, one point at a time: an independent model of a contest for ``test_contests``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def auction(
    controller: int, defence: int, bids: Mapping[int, int], declared: Sequence[int], seniority: Sequence[int]
) -> tuple[int, tuple[int, ...]]:
    """Who has him in the end (-1: nobody), and what everybody has shown.

    The clock stands at what the controller shows. Whoever would go beyond it stays in the room. It rises by one;
    whoever cannot follow leaves and shows his all. When one is left, he need only show more than the best of the rest,
    and as much as he if he had the politician already. If all leave at once, the controller stays, then the senior.
    """
    shown = list(declared)
    price = shown[controller] if controller >= 0 else 0
    limits = {seat: limit for seat, limit in bids.items() if limit > price}
    if not limits:
        return controller, tuple(shown)
    if controller >= 0:
        limits[controller] = max(price, defence)
    room, best = set(limits), 0
    while len(room) > 1:
        leaving = {seat for seat in room if limits[seat] <= price}
        if leaving == room:
            leaving = room - {controller if controller in room else min(room, key=seniority.index)}
        for seat in leaving:
            shown[seat] = max(shown[seat], limits[seat])
            best = max(best, limits[seat])
        room -= leaving
        price += 1
    (winner,) = room
    if winner == controller:
        shown[winner] = max(shown[winner], best)
    else:
        while shown[winner] <= best and shown[winner] < limits[winner]:
            shown[winner] += 1
    return winner, tuple(shown)
