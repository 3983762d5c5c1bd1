"""Sending: reading the orders, completing them by the rules, and setting the scholars out (sections 2.3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from games.engine.contract import Event, Order, Table
from games.intrige.orders import Reading, Wrong, changed, craft_of, seat_of
from games.intrige.state import CRAFTS, SEATS, Scholar, State, area_of, distance, put, sends_now

type Send = tuple[str, int]
type Rank = tuple[int, int, int, list[int], list[int]]


def read_send(reading: Reading, index: int, order: Order) -> None:
    """Take a line ``send`` into the reading; Wrong if it cannot stand."""
    state = reading.state
    owed = sends_now(state) if reading.seat == state.active else 0
    if not owed:
        raise Wrong("not_sending")
    if order.standing:
        raise Wrong("never_standing", replace(order, standing=False))
    if len(reading.sends) >= owed:
        raise Wrong("sent_enough", count=owed)
    craft = _craft(reading, order)
    court = _court(reading, order)
    if attacks_own(state, (craft, court)):
        reading.own_attacks.append(index)
    reading.sends.append((craft, court))


def _craft(reading: Reading, order: Order) -> str:
    left = home_left(reading.state, reading.sends)
    craft = craft_of(order)
    if craft is None or craft not in left:
        fix = changed(order, scholar=left[0])
        raise Wrong("scholar_missing", fix) if craft is None else Wrong("not_home", fix, scholar=craft)
    return craft


def _court(reading: Reading, order: Order) -> int:
    state = reading.state
    court = seat_of(order, "court", state.seats)
    allowed = courts_left(state, reading.sends)
    fix = changed(order, court=SEATS[allowed[0]])
    if court is None:
        raise Wrong("court_missing", fix)
    if court == state.active:
        raise Wrong("own_court_send", fix)
    if court not in allowed:
        raise Wrong("court_twice", fix, court=SEATS[court])
    return court


def home_left(state: State, sends: list[Send]) -> str:
    """The active player's scholars still at home after these sendings."""
    left = state.home[state.active]
    for craft, _ in sends:
        left = left.replace(craft, "", 1)
    return left


def courts_left(state: State, sends: list[Send]) -> list[int]:
    """The courts to which the active player may still send, the nearest first."""
    used = set() if state.setting.same_court else {court for _, court in sends}
    around = ((state.active + step) % state.seats for step in range(1, state.seats))
    return [court for court in around if court not in used]


def attacks_own(state: State, send: Send) -> bool:
    """Whether the sending attacks a seated scholar of the sender."""
    craft, court = send
    return Scholar(state.active, craft) in state.courts[court]


def complete_sends(state: State, sends: list[Send]) -> list[Send]:
    """The sendings of this turn: the ordered ones, and the best legal ones for those that were not ordered."""
    wanted = sends_now(state)
    if len(sends) >= wanted:
        return sends[:wanted]

    def rank(choice: tuple[Send, ...]) -> Rank:
        return _rank(state, choice)

    best = min(_choices(state, sends, wanted), key=rank)
    return list(best)


def _choices(state: State, sends: list[Send], wanted: int) -> Iterator[tuple[Send, ...]]:
    """Yield every legal set of sendings that holds the ordered ones, each with the nearer court first."""
    home = state.home[state.active]
    single = [(craft, court) for court in courts_left(state, []) for craft in CRAFTS if craft in home]
    more = wanted - len(sends)
    for extra in combinations([one for one in single for _ in range(more)], more):
        choice = [*sends, *extra]
        if _fits(state, choice):
            yield tuple(sorted(choice, key=lambda send: (distance(state, send[1]), CRAFTS.index(send[0]))))


def _fits(state: State, choice: list[Send]) -> bool:
    home = state.home[state.active]
    crafts = [craft for craft, _ in choice]
    courts = {court for _, court in choice}
    stocked = all(crafts.count(craft) <= home.count(craft) for craft in crafts)
    return stocked and (state.setting.same_court or len(courts) == len(choice))


def _rank(state: State, choice: tuple[Send, ...]) -> Rank:
    seated = [area_of(state.courts[court], craft) >= 0 for craft, court in choice]
    own = sum(attacks_own(state, send) for send in choice)
    external = sum(
        not inside and (_waits(state, send) or choice.count(send) > 1)
        for inside, send in zip(seated, choice, strict=True)
    )
    far = [distance(state, court) for _, court in choice]
    return own, sum(seated), external, far, [CRAFTS.index(craft) for craft, _ in choice]


def _waits(state: State, send: Send) -> bool:
    craft, court = send
    return any(scholar.craft == craft for scholar in state.waiting[court])


def dispatch(state: State, sends: list[Send], table: Table) -> State:
    """Set the scholars out before the foreign courts, in the order written."""
    home, waiting = state.home, state.waiting
    for craft, court in sends:
        scholar = Scholar(state.active, craft)
        home = put(home, state.active, home[state.active].replace(craft, "", 1))
        waiting = put(waiting, court, (*waiting[court], scholar))
        table.tell(Event("sent", {"seat": SEATS[state.active], "scholar": craft, "court": SEATS[court]}))
    return replace(state, home=home, waiting=waiting)
