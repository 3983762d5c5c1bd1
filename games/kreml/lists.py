"""Phase 0: secret lists (section 2), and a random one for whoever hands in nothing valid."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.contract import Order, Sheet, Table
from games.kreml import events
from games.kreml.data import NESTOR, PEOPLE
from games.kreml.ending import entries
from games.kreml.state import RANKS, SEATS
from games.kreml.world import World

ELIGIBLE = tuple(who for who in PEOPLE if who != NESTOR)


def seal(world: World, sheets: Mapping[int, Sheet]) -> None:
    """Take everybody's list; who has handed in is told before anything is drawn, so that a preview shows it."""
    found = [ranked(sheets.get(seat, ())) for seat in range(len(world.lists))]
    for seat, mine in enumerate(found):
        if mine:
            _tell(world, seat, mine, drawn=False)
    for seat, mine in enumerate(found):
        if not mine:
            found[seat] = draw(world.table, SEATS[seat])
            _tell(world, seat, found[seat], drawn=True)
    world.lists = tuple(found)
    world.tell(events.Sealed(world.year))


def _tell(world: World, seat: int, mine: dict[str, int], *, drawn: bool) -> None:
    world.tell(events.Listed(SEATS[seat], entries(mine), int(drawn)), to=seat)


def ranked(sheet: Sheet) -> dict[str, int]:
    """The valid entries of the last list in a sheet: everybody counts once, Nestor never."""
    found: dict[str, int] = {}
    for order in sheet:
        if order.verb == "rank":
            found = pairs(order)
    return found


def pairs(order: Order) -> dict[str, int]:
    """The valid entries of a list, the highest rank first."""
    found: dict[str, int] = {}
    for rank in range(RANKS, 0, -1):
        who = order.args.get(f"r{rank}")
        if isinstance(who, str) and who in ELIGIBLE:
            found.setdefault(who, rank)
    return found


def draw(table: Table, seat: str) -> dict[str, int]:
    """A random list."""
    pool = list(ELIGIBLE)
    return {pool.pop(table.roll(f"list of {seat}", len(pool)) - 1): rank for rank in range(RANKS, 0, -1)}
