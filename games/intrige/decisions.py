"""Reading the host's decisions: who is admitted, kept, replaced (sections 2.2 and 4)."""

from __future__ import annotations

from games.engine.contract import Order
from games.intrige.orders import Reading, Wrong, changed, craft_of, seat_of, text
from games.intrige.state import SEATS, Group, Scholar, State, current_groups, free_areas
from games.intrige.words import AREAS, HIGHEST


def read_decision(reading: Reading, order: Order) -> None:
    """Take a line ``admit``, ``keep`` or ``replace`` into the reading; Wrong if it cannot stand."""
    if "by" in order.args or order.standing:
        _read_highest(reading, order)
        return
    state = reading.state
    if reading.seat != state.active or state.phase != "decision" or not state.groups:
        raise Wrong("not_deciding")
    craft = craft_of(order)
    if craft is None:
        raise Wrong("scholar_missing")
    which = _group_of(state, craft)
    if state.groups[which].kind == "internal":
        _read_internal(reading, order, which)
    else:
        _read_admit(reading, order, which)


def _read_highest(reading: Reading, order: Order) -> None:
    if not order.standing or order.verb != "admit" or order.args != {"by": HIGHEST}:
        raise Wrong("standing_highest", Order("admit", {"by": HIGHEST}, standing=True))
    if any(one.verb == "admit" for one in reading.always):
        raise Wrong("standing_twice")
    reading.always.append(order)


def _group_of(state: State, craft: str) -> int:
    for place, group in enumerate(current_groups(state)):
        if any(member.craft == craft for member in group.members):
            return state.stage + place
    raise Wrong("no_applicant", scholar=craft)


def _read_internal(reading: Reading, order: Order, which: int) -> None:
    group = reading.state.groups[which]
    incumbent, rivals = group.members[0], group.members[1:]
    seat = seat_of(order, "seat", reading.state.seats)
    data = {"scholar": incumbent.craft, "seat": SEATS[incumbent.seat]}
    if order.verb == "admit":
        among_rivals = any(one.seat == seat for one in rivals)
        raise Wrong("seated_already", _internal_fix(group, seat if among_rivals else None), **data)
    if which in reading.winners:
        raise Wrong("decided_twice", scholar=incumbent.craft)
    if order.verb == "keep":
        if seat not in (None, incumbent.seat):
            raise Wrong("not_incumbent", _internal_fix(group, seat), **data)
        reading.winners[which] = 0
        return
    places = [place for place, one in enumerate(group.members) if place and one.seat == seat]
    if not places:
        raise Wrong("no_such_rival", _internal_fix(group, seat), **data)
    reading.winners[which] = places[0]


def _internal_fix(group: Group, seat: int | None) -> Order:
    craft = group.members[0].craft
    if any(one.seat == seat for one in group.members[1:]) and seat is not None:
        return Order("replace", {"scholar": craft, "seat": SEATS[seat]})
    return Order("keep", {"scholar": craft, "seat": SEATS[group.members[0].seat]})


def _read_admit(reading: Reading, order: Order, which: int) -> None:
    group, craft = reading.state.groups[which], craft_of(order)
    rivals = [(place, one) for place, one in enumerate(group.members) if one.craft == craft]
    if order.verb != "admit":
        raise Wrong("use_admit", _admit_fix(reading, order, rivals), scholar=craft or "")
    seat = seat_of(order, "seat", reading.state.seats)
    places = [place for place, one in rivals if one.seat == seat]
    if not places:
        raise Wrong("no_such_applicant", _admit_fix(reading, order, rivals), scholar=craft or "")
    if which in reading.winners or (which, places[0]) in reading.areas:
        raise Wrong("decided_twice", scholar=craft or "")
    area = _area(reading, order)
    reading.areas[which, places[0]] = area
    if group.kind == "external":
        reading.winners[which] = places[0]


def _area(reading: Reading, order: Order) -> int:
    word = text(order, "area")
    left = _areas_left(reading)
    fix = changed(order, area=AREAS[left[0]]) if left else None
    if word not in AREAS:
        raise Wrong("area_missing", fix)
    area = AREAS.index(word)
    if reading.state.courts[reading.seat][area] is not None:
        raise Wrong("area_taken", fix, area=word)
    if area not in left:
        raise Wrong("area_twice", fix, area=word)
    return area


def _areas_left(reading: Reading) -> list[int]:
    used = set(reading.areas.values())
    return [area for area in free_areas(reading.state.courts[reading.seat]) if area not in used]


def _admit_fix(reading: Reading, order: Order, rivals: list[tuple[int, Scholar]]) -> Order | None:
    left = _areas_left(reading)
    word = text(order, "area")
    area = AREAS.index(word) if word in AREAS and AREAS.index(word) in left else (left[0] if left else None)
    if area is None:
        return None
    named = text(order, "seat")
    seats = [SEATS[one.seat] for _, one in rivals]
    seat = named if named in seats else seats[0]
    return Order("admit", {"scholar": rivals[0][1].craft, "seat": seat, "area": AREAS[area]})
