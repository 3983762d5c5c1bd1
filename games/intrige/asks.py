"""What a seat may order now, and which of it is owed (section 4)."""

from __future__ import annotations

from functools import cache

from games.engine.contract import Ask, Domain
from games.intrige.bidders import VERB_OF, open_bids, running_bidders
from games.intrige.bids import RICHEST
from games.intrige.sending import courts_left
from games.intrige.state import CRAFTS, SEATS, UNIT, Group, State, current_groups, free_areas, sends_now
from games.intrige.words import AREAS

TEXT = Domain()


def asks(seen: State, seat: int) -> tuple[Ask, ...]:
    """The asks of a seat: bids that are due, decisions and sendings, then bids that may be given ahead."""
    if seen.phase == "over":
        return ()
    if seat == seen.active:
        return _host_asks(seen) + _ahead(seen, seat)
    return _bid_asks(seen, seat) + _ahead(seen, seat)


def _bid_asks(seen: State, seat: int) -> tuple[Ask, ...]:
    if seen.phase != "bribes":
        return ()
    purse = seen.cash[seat]
    due = running_bidders(current_groups(seen), seat)
    figures = _figures(purse, seen.setting.sealed)
    return tuple(Ask(VERB_OF[defends], {"scholar": one(craft), **figures}, must=True) for craft, defends in due)


def _ahead(seen: State, seat: int) -> tuple[Ask, ...]:
    figures = _figures(None, seen.setting.sealed)
    due = running_bidders(current_groups(seen), seat) if seen.phase == "bribes" else []
    found: list[Ask] = []
    for key, count in open_bids(seen, seat).items():
        here = key.court == seen.active
        times = count - (due.count((key.craft, key.defends)) if here else 0)
        where = {} if here else {"court": one(SEATS[key.court])}
        found += [Ask(VERB_OF[key.defends], {"scholar": one(key.craft), **figures, **where}, early=True)] * times
    return tuple(found)


@cache
def _figures(purse: int | None, sealed: bool) -> dict[str, Domain]:
    """The domains of a bid's figures; nobody can order more than he has, and the penniless pay nothing."""
    most = RICHEST if purse is None else purse
    least = min(UNIT, most)
    amount = Domain(low=least, high=most, step=UNIT)
    if sealed or not most:
        return {"amount": amount, "wish": TEXT}
    step = Domain(low=UNIT, high=most, step=UNIT)
    return {"amount": amount, "raise": step, "max": amount, "else": amount, "wish": TEXT}


@cache
def one(name: str) -> Domain:
    """A settled slot."""
    return Domain(names=(name,))


def _host_asks(seen: State) -> tuple[Ask, ...]:
    if seen.phase != "decision":
        return ()
    decisions = [ask for group in current_groups(seen) for ask in _group_asks(seen, group)]
    return (*decisions, *_send_asks(seen))


def _group_asks(seen: State, group: Group) -> list[Ask]:
    if group.kind == "internal":
        incumbent, rivals = group.members[0], group.members[1:]
        craft = one(incumbent.craft)
        seats = Domain(names=tuple(dict.fromkeys(SEATS[rival.seat] for rival in rivals)))
        keep = Ask("keep", {"scholar": craft, "seat": one(SEATS[incumbent.seat])}, True)
        return [keep, Ask("replace", {"scholar": craft, "seat": seats}, True)]
    area = Domain(names=tuple(AREAS[place] for place in free_areas(seen.courts[seen.active])))
    if group.kind == "free":
        return [
            Ask("admit", {"scholar": one(m.craft), "seat": one(SEATS[m.seat]), "area": area}, True)
            for m in group.members
        ]
    seats = Domain(names=tuple(dict.fromkeys(SEATS[member.seat] for member in group.members)))
    return [Ask("admit", {"scholar": one(group.members[0].craft), "seat": seats, "area": area}, True)]


def _send_asks(seen: State) -> list[Ask]:
    home = seen.home[seen.active]
    crafts = Domain(names=tuple(craft for craft in CRAFTS if craft in home))
    courts = Domain(names=tuple(SEATS[court] for court in courts_left(seen, [])))
    return [Ask("send", {"scholar": crafts, "court": courts}, True)] * sends_now(seen)
