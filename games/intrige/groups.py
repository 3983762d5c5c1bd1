"""The groups of an admission: who is settled with whom, and in which order (section 2.2)."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine.contract import Event, Table
from games.intrige.state import CHEAP_FIRST, CRAFTS, SEATS, Group, Kind, Scholar, State, area_of, distance
from games.intrige.words import AREAS


def form_groups(state: State) -> tuple[Group, ...]:
    """The applicants before the active court, by profession and conflict, in the order in which they are settled."""
    waiting = state.waiting[state.active]
    court = state.courts[state.active]
    crafts = [craft for craft in CRAFTS if any(scholar.craft == craft for scholar in waiting)]
    alone: list[Scholar] = []
    external: list[Group] = []
    internal: dict[int, Group] = {}
    for craft in crafts:
        rivals = in_order(state, [scholar for scholar in waiting if scholar.craft == craft])
        area = area_of(court, craft)
        incumbent = court[area] if area >= 0 else None
        if incumbent is not None:
            internal[area] = Group("internal", area, (incumbent, *rivals))
        elif len(rivals) > 1:
            external.append(Group("external", -1, rivals))
        else:
            alone += rivals
    free = [Group("free", -1, in_order(state, alone))] if alone else []
    return (*free, *external, *(internal[area] for area in CHEAP_FIRST if area in internal))


def in_order(state: State, scholars: list[Scholar]) -> tuple[Scholar, ...]:
    """Scholars in bribing order: clockwise from the host's left, one player's by craft."""
    return tuple(sorted(scholars, key=lambda one: (distance(state, one.seat), CRAFTS.index(one.craft))))


def announce_groups(state: State, table: Table) -> None:
    """Tell everybody who applies, and in which kind of conflict."""
    for group in state.groups:
        area = {} if group.area < 0 else {"area": AREAS[group.area]}
        who = tuple(f"{SEATS[one.seat]}:{one.craft}" for one in group.members)
        table.tell(Event("group", {"court": SEATS[state.active], "kind": group.kind, "who": who, **area}))


def count(state: State) -> State:
    """Count the new admission's conflicts and attacks into the tally."""
    kinds: dict[Kind, int] = {"free": 0, "external": 0, "internal": 0}
    attacks = own = 0
    for group in state.groups:
        kinds[group.kind] += 1
        if group.kind == "internal":
            attacks += len(group.members) - 1
            own += sum(one.seat == group.members[0].seat for one in group.members[1:])
    old = state.tally
    return replace(
        state,
        tally=replace(
            old,
            free=old.free + kinds["free"],
            external=old.external + kinds["external"],
            internal=old.internal + kinds["internal"],
            attacks=old.attacks + attacks,
            own_attacks=old.own_attacks + own,
        ),
    )
