"""How a game ends, and who wins (section 4)."""

from __future__ import annotations

from games.engine.contract import Outcome
from games.kreml import events
from games.kreml.data import NESTOR
from games.kreml.state import SEATS, Ending, Reason, State
from games.kreml.world import World


def end(world: World, reason: Reason, who: str = "") -> None:
    """End the game: all lists are opened, and everybody gets a place."""
    world.ending = Ending(reason, who)
    world.stage = "over"
    world.tell(events.Ended(reason, who, int(who == NESTOR)))
    for seat, mine in enumerate(world.lists):
        if mine is not None:
            world.tell(events.Opened(SEATS[seat], entries(mine)))
    result = outcome(world.frozen())
    for seat, (place, points) in enumerate(zip(result.places, result.scores, strict=True) if result else ()):
        world.tell(events.Final(SEATS[seat], place, points))


def entries(mine: dict[str, int]) -> tuple[str, ...]:
    """A list as an event tells it: "10:p11" and so on, the highest first."""
    return tuple(f"{points}:{who}" for who, points in sorted(mine.items(), key=lambda pair: -pair[1]))


def outcome(state: State) -> Outcome | None:
    """Most secret points on who decides; of those tied, who does not control him; None while the game runs."""
    lists = [mine for mine in state.lists if mine is not None]
    if state.ending is None or len(lists) < state.seats:
        return None
    who = state.ending.who
    points = tuple(mine.get(who, 0) for mine in lists)
    best = max(points)
    if not best or who == NESTOR:
        return Outcome((1,) * state.seats, points, decided=False)
    tied = [seat for seat, mine in enumerate(points) if mine == best]
    others = [seat for seat in tied if seat != state.politicians[who].controller]
    ranks = [(mine, seat in (others or tied)) for seat, mine in enumerate(points)]
    return Outcome(tuple(1 + sum(other > rank for other in ranks) for rank in ranks), points)
