"""What must always hold (section 3), as sentences about what does not."""

from __future__ import annotations

from collections.abc import Iterator

from games.intrige.state import CASH, CRAFTS, ROUNDS, UNIT, Scholar, State


def invariants(state: State) -> Iterator[str]:
    """One sentence for each invariant that the state breaks."""
    yield from _money(state)
    yield from _scholars(state)
    yield from _courts(state)
    yield from _course(state)


def _money(state: State) -> Iterator[str]:
    known = [purse for purse in state.cash if purse is not None]
    for purse in known:
        if purse < 0 or purse % UNIT:
            yield f"A purse holds {purse}."
    if len(known) == state.seats and sum(known) != CASH * state.seats + state.banked:
        yield f"There are {sum(known)} ducats instead of {CASH * state.seats + state.banked}."


def _scholars(state: State) -> Iterator[str]:
    everywhere = [one for court in state.courts for one in court if one is not None]
    everywhere += [one for row in state.waiting for one in row]
    everywhere += state.island
    everywhere += [Scholar(seat, craft) for seat, home in enumerate(state.home) for craft in home]
    for seat in range(state.seats):
        for craft in CRAFTS:
            count = everywhere.count(Scholar(seat, craft))
            if count != 2:
                yield f"Seat {seat} has {count} scholars {craft}."
    if len(everywhere) != 8 * state.seats:
        yield f"There are {len(everywhere)} scholars."


def _courts(state: State) -> Iterator[str]:
    for host, court in enumerate(state.courts):
        crafts = [one.craft for one in court if one is not None]
        if len(set(crafts)) < len(crafts):
            yield f"Court {host} seats one craft twice."
        guests = [one for one in (*court, *state.waiting[host]) if one is not None]
        if any(one.seat == host for one in guests):
            yield f"Seat {host} has a scholar at its own court."


def _course(state: State) -> Iterator[str]:
    if len(state.groups) > len(CRAFTS):
        yield f"An admission has {len(state.groups)} groups."
    if not 1 <= state.round <= ROUNDS:
        yield f"It is round {state.round}."
    if state.round == ROUNDS and state.home[state.active]:
        yield "Somebody has scholars at home in the last round."
    if state.phase == "over" and any(state.waiting):
        yield "Somebody is left waiting at the end."
    for seat, home in enumerate(state.home):
        turns = state.round - ((seat - state.first) % state.seats >= (state.active - state.first) % state.seats)
        if len(home) != max(0, 8 - 2 * turns):
            yield f"Seat {seat} has {len(home)} scholars at home after {turns} turns."
