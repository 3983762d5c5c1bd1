"""Checking a sheet: each line by the rules, then the worst case of all bids of an admission against the cash."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.contract import Order, Problem, Sheet, Value
from games.intrige.bids import read_bid
from games.intrige.decisions import read_decision
from games.intrige.orders import Line, Reading, Wrong, changed, with_value
from games.intrige.sending import read_send
from games.intrige.state import UNIT, State
from games.intrige.words import VERBS

NOTHING: frozenset[str] = frozenset()
SLOTS = {verb.name: frozenset(slot.name for slot in verb.slots) for verb in VERBS}


def check(seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
    """Everything that is wrong with a sheet, in its order; of two lines that clash the later is refused."""
    reading, problems = read(seen, seat, sheet)
    problems += _money(reading)
    problems += _hints(reading, sheet)
    return tuple(sorted(problems, key=lambda problem: problem.order))


def read(state: State, seat: int, sheet: Sheet) -> tuple[Reading, list[Problem]]:
    """What a sheet comes to, and the lines that cannot stand (whatever the cash)."""
    reading = Reading(state, seat)
    problems: list[Problem] = []
    for index, order in enumerate(sheet):
        try:
            _read_line(reading, index, order)
        except Wrong as wrong:
            problems.append(Problem(index, wrong.code, wrong.data, wrong.fix))
    return reading, problems


def _read_line(reading: Reading, index: int, order: Order) -> None:
    if order.when is not None or order.then:
        raise Wrong("malformed")
    if not order.args.keys() <= SLOTS.get(order.verb, NOTHING):
        raise Wrong("malformed")
    if reading.state.phase == "over":
        raise Wrong("over")
    match order.verb:
        case "bribe" | "defend":
            read_bid(reading, index, order)
        case "admit" | "keep" | "replace":
            read_decision(reading, order)
        case "send":
            read_send(reading, index, order)
        case _:
            raise Wrong("malformed")


def _money(reading: Reading) -> Iterator[Problem]:
    purse = reading.state.cash[reading.seat]
    if purse is None:
        return
    for court in {key.court for key in reading.bids}:
        lines = sorted(line for key, found in reading.bids.items() if key.court == court for line in found)
        yield from _afford(reading, court, lines, purse)


def _afford(reading: Reading, court: int, lines: list[Line], purse: int) -> Iterator[Problem]:
    """Yield the lines that do not fit: refused at the active court, a hint elsewhere, as cash may come till then."""
    now = court == reading.state.active
    scholars = sum(count for key, count in reading.open.items() if key.court == court)
    left = purse
    for line in lines:
        if line.bid.amount == 0 and not line.bid.step and purse >= scholars * UNIT:
            yield Problem(line.at, "zero", {}, changed(line.order, amount=UNIT))
        elif line.bid.worst > left:
            data: dict[str, Value] = {"worst": line.bid.worst, "left": left, "cash": purse}
            fix = _cheaper(line, left, scholars * UNIT > purse)
            yield Problem(line.at, "cash" if now else "cash_ahead", data, fix if now else None, refuses=now)
            left -= 0 if now else min(left, line.bid.worst)
        else:
            left -= line.bid.worst


def _cheaper(line: Line, left: int, zero: bool) -> Order | None:
    if left < UNIT:
        return changed(line.order, drop=("raise", "max", "else"), amount=0) if zero else None
    if not line.bid.step:
        return changed(line.order, amount=left)
    return with_value(changed(line.order, max=min(left, line.bid.top)), "else", min(left, line.bid.amount))


def _hints(reading: Reading, sheet: Sheet) -> Iterator[Problem]:
    """Yield what is legal but seldom meant: an attack on one's own seated scholar."""
    for index in reading.own_attacks:
        order = sheet[index]
        yield Problem(index, "attacks_own", dict(order.args), refuses=False)
