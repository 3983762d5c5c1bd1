"""The course of a game: setting up, whose turn comes next, and resolving a turn (sections 1, 2 and 4)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from games.engine.contract import Event, Options, Order, Outcome, Sheet, Table
from games.intrige import admission, bids, groups, income, sending
from games.intrige.bidders import Key, open_bids
from games.intrige.checks import read
from games.intrige.orders import Reading
from games.intrige.state import CASH, HOME, PAYS, ROUNDS, SEATS, Bribe, Setting, State, sends_now


def setup(options: Options, seats: int, table: Table) -> State:
    """Everybody with 32000 ducats, eight scholars and an empty court; a roll draws the first player."""
    first = table.roll("first player", seats) - 1
    setting = Setting(**{name: bool(options.get(name)) for name in Setting.__struct_fields__})
    table.tell(Event("start", {"first": SEATS[first], "seats": SEATS[:seats]}))
    return begin(
        State(
            setting=setting,
            first=first,
            round=1,
            active=first,
            phase="decision",
            cash=(CASH,) * seats,
            courts=((None,) * len(PAYS),) * seats,
            waiting=((),) * seats,
            home=(HOME,) * seats,
        ),
        table,
    )


def begin(state: State, table: Table) -> State:
    """Begin the active player's turn, and go on to the first one in which anybody has something to do."""
    while True:
        state = income.pay(state, state.active, table)
        state = replace(state, phase="decision", groups=groups.form_groups(state), stage=0, bribes=())
        if state.groups:
            groups.announce_groups(state, table)
            return replace(groups.count(state), phase="bribes")
        if sends_now(state):
            return state
        state = _next_player(state, table)
        if state.phase == "over":
            return state


def _next_player(state: State, table: Table) -> State:
    active = (state.active + 1) % state.seats
    if active != state.first:
        return replace(state, active=active, groups=())
    if state.round == ROUNDS:
        return _finish(state, table)
    table.tell(Event("round", {"round": state.round + 1}))
    return replace(state, active=active, round=state.round + 1, groups=())


def _finish(state: State, table: Table) -> State:
    for step in range(state.seats):
        state = income.pay(state, (state.first + step) % state.seats, table)
    state = replace(state, phase="over", groups=(), stage=0, bribes=())
    for entry in state.book:
        if entry.bribe.amount is not None:
            table.tell(Event("opened", bids.entry_data(entry)))
    end = outcome(state)
    for seat, (score, place) in enumerate(zip(end.scores, end.places, strict=True) if end else ()):
        table.tell(Event("final", {"seat": SEATS[seat], "cash": score, "place": place}))
    return state


def resolve(state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
    """Play the turn; missing and impossible orders are replaced by the rules' defaults."""
    if state.phase == "over":
        return state
    given = {seat: sheet for seat, sheet in sheets.items() if sheet and 0 <= seat < state.seats}
    readings = {seat: read(state, seat, sheet)[0] for seat, sheet in given.items()}
    ahead = {seat: _lines(reading) for seat, reading in readings.items()}
    if state.phase == "bribes":
        after = replace(bids.carry_out(state, readings, table), phase="decision")
    else:
        after = _decide(state, readings.get(state.active), table)
    for seat, reading in readings.items():
        table.keep(seat, _in_force(after, seat, reading, ahead[seat]))
    return after


def _lines(reading: Reading) -> list[tuple[Key, Order]]:
    return [(key, line.order) for key, lines in reading.bids.items() for line in lines]


def _decide(state: State, reading: Reading | None, table: Table) -> State:
    sends = sending.complete_sends(state, reading.sends if reading else [])
    state = admission.settle(state, reading, table)
    if state.setting.staged and state.stage < len(state.groups) - 1:
        return replace(state, stage=state.stage + 1, phase="bribes")
    state = _next_player(sending.dispatch(state, sends, table), table)
    return state if state.phase == "over" else begin(state, table)


def _in_force(after: State, seat: int, reading: Reading, ahead: list[tuple[Key, Order]]) -> Sheet:
    """What of a sheet is in force for the next turn: standing orders, and bids for scholars that still wait."""
    if after.phase == "over":
        return ()
    still = open_bids(after, seat) if ahead else {}
    bids_left = [bids.at_court(order, key.court, after.active) for key, order in ahead if key in still]
    return (*reading.always, *bids_left)


def outcome(state: State) -> Outcome | None:
    """Most money wins, equal money shares the place; None while the game runs (or a purse is hidden)."""
    scores = tuple(purse for purse in state.cash if purse is not None)
    if state.phase != "over" or len(scores) < state.seats:
        return None
    return Outcome(tuple(1 + sum(other > score for other in scores) for score in scores), scores)


def mask(state: State, viewer: int | None) -> State:
    """Blank the cash of others (unless it is open) and sealed amounts between others; nothing else is secret."""
    if state.phase == "over":
        return state
    cash = state.cash
    if not state.setting.open_cash:
        cash = tuple(purse if seat == viewer else None for seat, purse in enumerate(cash))
    if not state.setting.sealed:
        return replace(state, cash=cash)
    bribes = tuple(_masked(bribe, state.active, viewer) for bribe in state.bribes)
    book = tuple(entry._replace(bribe=_masked(entry.bribe, entry.court, viewer)) for entry in state.book)
    return replace(state, cash=cash, bribes=bribes, book=book)


def _masked(bribe: Bribe, host: int, viewer: int | None) -> Bribe:
    return bribe if viewer in (bribe.scholar.seat, host) else bribe._replace(amount=None)
