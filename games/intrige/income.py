"""Income: what the scholars at foreign courts earn (rules, sections 1 and 2.1)."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine.contract import Event, Table
from games.intrige.state import PAYS, SEATS, State, put


def earned(state: State, seat: int) -> list[tuple[int, int]]:
    """The (court, area) pairs where that seat's scholars sit."""
    return [
        (host, place)
        for host, court in enumerate(state.courts)
        for place, scholar in enumerate(court)
        if scholar is not None and scholar.seat == seat
    ]


def pay(state: State, seat: int, table: Table) -> State:
    """Pay one seat the income of all its areas and tell everybody."""
    posts = earned(state, seat)
    amount = sum(PAYS[place] for _, place in posts)
    if not amount:
        return state
    table.tell(Event("income", {"seat": SEATS[seat], "amount": amount, "posts": describe(posts)}))
    purse = state.cash[seat]
    cash = state.cash if purse is None else put(state.cash, seat, purse + amount)
    return replace(state, cash=cash, banked=state.banked + amount)


def describe(posts: list[tuple[int, int]]) -> tuple[str, ...]:
    """Posts as event data: "green:6000"."""
    return tuple(f"{SEATS[host]}:{PAYS[place]}" for host, place in posts)
