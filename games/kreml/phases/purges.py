"""Phase 2: purges."""

from __future__ import annotations

from games.kreml import contest, events
from games.kreml.acting import first, lines, perform, succeeded
from games.kreml.desk import Act, Desk, Line
from games.kreml.state import LEVELS
from games.kreml.world import World

PURGERS = ("kgb", "ideologist", "chief", "industry")
NEEDED = (18, 14, 10, 6)
"""What a d20 must show against each level."""

EASIER_IN_CURE = 3
SUCCESS, FAILURE = 1, 3
"""Years that a purge costs the purger."""


def play(world: World) -> None:
    """The KGB head, or whoever stands in for him, purges until an attempt fails."""
    world.begin(2)
    contest.at_phase(world, 2)
    office, actor = world.in_line(PURGERS)
    tell_power(world, "purges", office, actor, PURGERS[0])
    if actor:
        perform(world, actor, lambda desk: _plan(world, desk, actor), lambda act: _purge(world, actor, act))
    world.end_phase()


def tell_power(world: World, power: str, office: str, actor: str, usual: str) -> None:
    """Say who has the power of a phase."""
    controlled = bool(actor) and world.controller(actor) >= 0
    world.tell(events.Power(power, office, actor, int(bool(actor) and office != usual), int(controlled)))


def _plan(world: World, desk: Desk, actor: str) -> Act | None:
    def fits(_: Line, who: str) -> bool:
        return who != actor and (bool(world.office(who)) or who in world.rows["candidates"])

    return first(world, lines(world, desk, actor, ("purge",)), fits)


def needed(world: World, who: str) -> int:
    """What the die must show against somebody."""
    return NEEDED[LEVELS[world.place(who)]] - EASIER_IN_CURE * world.people[who].cure


def _purge(world: World, actor: str, act: Act) -> bool:
    place, cure, least = world.place(act.who), world.people[act.who].cure, needed(world, act.who)
    roll = world.table.roll(f"purge of {world.name(act.who)}", 20)
    success = roll >= least
    ages = world.age(actor, SUCCESS if success else FAILURE)
    world.tell(events.Purged(actor, act.who, place, int(cure), roll, least, int(success), *ages))
    if success:
        succeeded(world.desk(world.controller(actor)), act)
        world.go(act.who, "siberia")
    return success
