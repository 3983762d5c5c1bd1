"""Who may bid where: the scholars that apply or are attacked, at the active court and ahead at others (section 4)."""

from __future__ import annotations

from typing import NamedTuple

from games.intrige.state import Group, State

VERB_OF = {False: "bribe", True: "defend"}


class Key(NamedTuple):
    """Which scholar a bid is for: the court, his craft, and whether he defends a seat there or applies for one."""

    court: int
    craft: str
    defends: bool


def open_bids(state: State, seat: int) -> dict[Key, int]:
    """The bids that a seat may give: for the running admission, and ahead for scholars waiting elsewhere."""
    found: dict[Key, int] = {}
    for court, waiting in enumerate(state.waiting):
        if waiting and court != seat:
            for craft, defends in _bidders(state, seat, court):
                key = Key(court, craft, defends)
                found[key] = found.get(key, 0) + 1
    return found


def _bidders(state: State, seat: int, court: int) -> list[tuple[str, bool]]:
    if court == state.active:
        return running_bidders(_groups_to_come(state), seat)
    waiting = state.waiting[court]
    applying = [(one.craft, False) for one in waiting if one.seat == seat]
    crafts = {scholar.craft for scholar in waiting}
    return [
        (one.craft, True) for one in state.courts[court] if one and one.seat == seat and one.craft in crafts
    ] + applying


def _groups_to_come(state: State) -> tuple[Group, ...]:
    if state.phase == "bribes":
        return state.groups[state.stage :]
    return state.groups[state.stage + 1 :] if state.setting.staged else ()


def running_bidders(groups: tuple[Group, ...], seat: int) -> list[tuple[str, bool]]:
    """A seat's scholars in these groups, as (craft, defends)."""
    return [
        (member.craft, group.kind == "internal" and place == 0)
        for group in groups
        for place, member in enumerate(group.members)
        if member.seat == seat
    ]
