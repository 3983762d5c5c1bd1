"""Bribes: which may be given, how a line is read, and how a group's bribes are carried out (sections 2.2 and 4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from games.engine.contract import Event, Order, Table, Value
from games.intrige.bidders import VERB_OF, Key
from games.intrige.orders import (
    Bid,
    Line,
    Reading,
    Wrong,
    changed,
    craft_of,
    number,
    scholar_data,
    seat_of,
    text,
    with_value,
)
from games.intrige.state import SEATS, UNIT, Bribe, Entry, Group, State, current_groups, distance

CONDITION = frozenset({"raise", "max", "else"})
WISH_LENGTH = 200
RICHEST = 1_000_000
"""More than anybody can ever own: all areas of five courts pay half a million in five rounds."""


# --- reading ----------------------------------------------------------------------------------------------------------


def read_bid(reading: Reading, index: int, order: Order) -> None:
    """Take a line ``bribe`` or ``defend`` into the reading; Wrong if it cannot stand."""
    bid = figures(order, sealed=reading.state.setting.sealed)
    if order.standing:
        _read_standing(reading, order, bid)
        return
    key = _target(reading, order)
    lines = reading.bids.setdefault(key, [])
    if len(lines) >= reading.open[key]:
        raise Wrong("bid_twice", scholar=key.craft, court=SEATS[key.court])
    lines.append(Line(index, order, bid))


def _read_standing(reading: Reading, order: Order, bid: Bid) -> None:
    if "scholar" in order.args or "court" in order.args:
        raise Wrong("standing_general", changed(order, drop=("scholar", "court")))
    if not bid.amount:
        raise Wrong("thousands", changed(order, amount=UNIT), amount=bid.amount)
    if order.verb in reading.standing:
        raise Wrong("standing_twice")
    reading.standing[order.verb] = bid
    reading.always.append(order)


def figures(order: Order, *, sealed: bool) -> Bid:
    """The figures of a bid line: fixed, or conditional with a limit."""
    amount = number(order, "amount")
    wish = _wish(order) if "wish" in order.args else ""
    if CONDITION.isdisjoint(order.args):
        if amount is None:
            raise Wrong("amount_missing", changed(order, amount=UNIT))
        return Bid(_thousands(order, "amount", amount, low=0), wish=wish)
    step, top, other = (number(order, name) for name in ("raise", "max", "else"))
    if step is None:
        raise Wrong("max_without_raise", changed(order, amount=amount or UNIT, drop=("max", "else")))
    if sealed:
        plain = _nearest(other or UNIT)
        raise Wrong("sealed_condition", changed(order, drop=("raise", "max", "else"), amount=plain))
    return _conditional(order, wish, amount, step, top, other)


def _conditional(order: Order, wish: str, amount: int | None, step: int, top: int | None, other: int | None) -> Bid:
    if amount is not None:
        raise Wrong("amount_and_raise", changed(order, drop=("amount",), max=top or 5 * UNIT))
    if top is None:
        raise Wrong("max_missing", changed(order, max=5 * UNIT))
    _thousands(order, "raise", step)
    _thousands(order, "max", top)
    return Bid(UNIT if other is None else _thousands(order, "else", other), step, top, wish)


def _thousands(order: Order, name: str, value: int, low: int = UNIT) -> int:
    if value > RICHEST:
        raise Wrong("too_rich", with_value(order, name, RICHEST), amount=value)
    if value < low or value % UNIT:
        raise Wrong("thousands", with_value(order, name, _nearest(value)), amount=value)
    return value


def _nearest(value: int) -> int:
    return max(UNIT, (value + UNIT // 2) // UNIT * UNIT)


def _wish(order: Order) -> str:
    wish = " ".join((text(order, "wish") or "").split())
    if len(wish) > WISH_LENGTH:
        raise Wrong("wish_long", changed(order, wish=wish[:WISH_LENGTH].rstrip()), length=WISH_LENGTH)
    return wish


def _target(reading: Reading, order: Order) -> Key:
    state, craft, defends = reading.state, craft_of(order), order.verb == "defend"
    named = seat_of(order, "court", state.seats)
    court = state.active if named is None else named
    if craft is None:
        raise Wrong("scholar_missing", _any_open(reading, order))
    key = Key(court, craft, defends)
    if key in reading.open:
        return key
    raise _misplaced(reading, order, key, named)


def _misplaced(reading: Reading, order: Order, key: Key, named: int | None) -> Wrong:
    court = SEATS[key.court]
    if Key(key.court, key.craft, not key.defends) in reading.open:
        verb = VERB_OF[not key.defends]
        return Wrong(f"use_{verb}", changed(order, verb=verb), scholar=key.craft, court=court)
    elsewhere = [one.court for one in reading.open if (one.craft, one.defends) == (key.craft, key.defends)]
    if elsewhere and named is None:
        there = SEATS[elsewhere[0]]
        return Wrong("elsewhere", changed(order, court=there), scholar=key.craft, court=there)
    if key.court == reading.seat:
        return Wrong("own_court", _any_open(reading, order), scholar=key.craft)
    code = "not_attacked" if key.defends else "not_waiting"
    return Wrong(code, _any_open(reading, order), scholar=key.craft, court=court)


def _any_open(reading: Reading, order: Order) -> Order | None:
    """The order for the bid still open that is most like it: the same scholar, the same verb, the nearest court."""

    def unlike(key: Key) -> tuple[bool, bool, int]:
        return key.craft != craft_of(order), VERB_OF[key.defends] != order.verb, distance(reading.state, key.court + 1)

    left = [key for key, count in reading.open.items() if len(reading.bids.get(key, ())) < count]
    if not left:
        return None
    key = min(left, key=unlike)
    return at_court(changed(order, verb=VERB_OF[key.defends], scholar=key.craft), key.court, reading.state.active)


def at_court(order: Order, court: int, active: int) -> Order:
    """The same bid, naming its court only where it is not the active one."""
    if court == active:
        return changed(order, drop=("court",)) if "court" in order.args else order
    return changed(order, court=SEATS[court])


# --- carrying out -----------------------------------------------------------------------------------------------------


def carry_out(state: State, readings: Mapping[int, Reading], table: Table) -> State:
    """Let the bribes of this turn be paid, one after the other, group by group."""
    purses = list(state.cash)
    paid: list[Bribe] = []
    for group in current_groups(state):
        paid += _carry_out_group(state, group, readings, purses)
    for bribe in paid:
        _announce(state, bribe, table)
    book = tuple(Entry(state.round, state.active, bribe) for bribe in paid) if state.setting.sealed else ()
    return replace(state, cash=tuple(purses), bribes=state.bribes + tuple(paid), book=state.book + book)


def _carry_out_group(
    state: State, group: Group, readings: Mapping[int, Reading], purses: list[int | None]
) -> list[Bribe]:
    highest: int | None = None
    paid: list[Bribe] = []
    for place, member in enumerate(group.members):
        defends = group.kind == "internal" and place == 0
        bid = _bid_for(readings.get(member.seat), Key(state.active, member.craft, defends))
        amount = _payable(bid.figure(highest), purses[member.seat])
        highest = amount if highest is None else max(highest, amount)
        _move(purses, member.seat, state.active, amount)
        paid.append(Bribe(member, amount, bid.wish, defends))
    return paid


def _bid_for(reading: Reading | None, key: Key) -> Bid:
    if reading is None:
        return Bid(UNIT)
    lines = reading.bids.get(key)
    if lines:
        return lines.pop(0).bid
    return reading.standing.get(VERB_OF[key.defends], Bid(UNIT))


def _payable(wanted: int, purse: int | None) -> int:
    wanted = max(UNIT, wanted)
    return wanted if purse is None else min(wanted, purse)


def _move(purses: list[int | None], payer: int, host: int, amount: int) -> None:
    for seat, change in ((payer, -amount), (host, amount)):
        purse = purses[seat]
        if purse is not None:
            purses[seat] = purse + change


def _announce(state: State, bribe: Bribe, table: Table) -> None:
    data = bribe_data(state.active, bribe)
    if not state.setting.sealed:
        table.tell(Event("bribe", data))
        return
    table.tell(Event("amount", data, both_of(bribe.scholar.seat, state.active)))
    table.tell(Event("bribe", {name: value for name, value in data.items() if name != "amount"}))


def bribe_data(court: int, bribe: Bribe) -> dict[str, Value]:
    """A bribe as data of an event."""
    data = {"court": SEATS[court], **scholar_data(bribe.scholar), "wish": bribe.wish, "defends": int(bribe.defends)}
    return data if bribe.amount is None else {**data, "amount": bribe.amount}


def entry_data(entry: Entry) -> dict[str, Value]:
    """A bribe in the book of a sealed game as data of an event."""
    return {"round": entry.round, **bribe_data(entry.court, entry.bribe)}


@cache
def both_of(payer: int, host: int) -> frozenset[int]:
    """The two who know the amount of a sealed bribe."""
    return frozenset((payer, host))
