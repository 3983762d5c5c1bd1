"""Settling an admission: seats given, scholars banished (section 2.2)."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine.contract import Event, Table
from games.intrige.defaults import complete
from games.intrige.orders import Reading, scholar_data
from games.intrige.state import SEATS, Group, Scholar, State, current_groups, put
from games.intrige.words import AREAS


def settle(state: State, reading: Reading | None, table: Table) -> State:
    """Seat and banish what this turn decides, by the host's orders and, where they are silent, by the rules."""
    winners, areas = complete(state, reading)
    court = list(state.courts[state.active])
    gone: list[Scholar] = []
    lost = 0
    for place, group in enumerate(current_groups(state), state.stage):
        chosen = range(len(group.members)) if group.kind == "free" else (winners[place],)
        for member in chosen:
            area = group.area if group.kind == "internal" else areas[place, member]
            _seat(state, group, member, area, table)
            court[area] = group.members[member]
        losers = [one for member, one in enumerate(group.members) if member not in chosen]
        _banish(state, losers, table)
        gone += losers
        lost += group.kind == "internal" and winners[place] != 0
    return replace(
        state,
        courts=put(state.courts, state.active, tuple(court)),
        waiting=put(state.waiting, state.active, _still_waiting(state)),
        island=state.island + tuple(gone),
        tally=replace(state.tally, lost_seats=state.tally.lost_seats + lost),
    )


def _banish(state: State, losers: list[Scholar], table: Table) -> None:
    for one in losers:
        table.tell(Event("banished", {"court": SEATS[state.active], **scholar_data(one)}))


def _still_waiting(state: State) -> tuple[Scholar, ...]:
    if not state.setting.staged:
        return ()
    settled = {member.craft for group in current_groups(state) for member in group.members}
    return tuple(one for one in state.waiting[state.active] if one.craft not in settled)


def _seat(state: State, group: Group, member: int, area: int, table: Table) -> None:
    scholar = group.members[member]
    data = {"court": SEATS[state.active], **scholar_data(scholar), "area": AREAS[area]}
    if group.kind != "internal":
        table.tell(Event("seated", {**data, "kind": group.kind}))
    elif member == 0:
        table.tell(Event("kept", data))
    else:
        table.tell(Event("replaced", {**data, "before": SEATS[group.members[0].seat]}))
