"""Phase 6: replacements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.kreml import contest, events
from games.kreml.acting import lines, perform, succeeded
from games.kreml.desk import MOVES, Act, Desk, Line
from games.kreml.state import LEVEL_1, LEVEL_2, LEVELS, OFFICES, ROW
from games.kreml.world import World

MOVE = 1
"""Years that each move and each promotion costs."""


def play(world: World) -> None:
    """The chief's moves, gaps filled by age and by promotions in turn, and the row of candidates."""
    world.begin(6)
    contest.at_phase(world, 6)
    _chief_moves(world)
    _fill(world, LEVEL_1)
    _promotions(world, LEVEL_1, (3, 4))
    _fill(world, LEVEL_2)
    _promotions(world, LEVEL_2, (4,))
    _fill_row(world)
    world.end_phase()


# --- (a) --------------------------------------------------------------------------------------------------------------


def _chief_moves(world: World) -> None:
    chief = world.chief
    if not chief or world.people[chief].cure:
        return
    places = {who: world.place(who) for who in world.by_standing()}
    began = {who: LEVELS[place] for who, place in places.items() if LEVELS.get(place, 0)}
    perform(world, chief, lambda desk: _move_plan(world, desk, began), lambda act: _move(world, chief, act))


def _move_plan(world: World, desk: Desk, began: dict[str, int]) -> Act | None:
    """The next possible move, in the order written; impossible ones are skipped, promotions left to others."""
    for line in [one for one in lines(world, desk, world.chief, MOVES) if not one.passed]:
        act = _act(world, line, began)
        if act is not None:
            return act
        if line.verb == "promote" and not line.only:
            line.passed = True
        else:
            line.names.clear()
    return None


def _act(world: World, line: Line, began: dict[str, int]) -> Act | None:
    """A move as it can be made now, or None."""
    who = world.person(line.names[0])
    if who not in began:
        return None
    if line.verb == "swap":
        other = world.person(line.other)
        return Act("swap", who, other, line) if other in began and _can_swap(world, who, other, began) else None
    level = LEVELS[world.place(who)] + {"promote": -1, "demote": 1}.get(line.verb, 0)
    target = free_place(world, level, line.to)
    if not target or abs(level - began[who]) > 1 or (line.verb == "move" and level > 2):
        return None
    return Act(line.verb, who, target, line)


def _can_swap(world: World, who: str, other: str, began: dict[str, int]) -> bool:
    mine, its = LEVELS[world.place(who)], LEVELS[world.place(other)]
    return who != other and (mine, its) != (4, 4) and abs(its - began[who]) <= 1 and abs(mine - began[other]) <= 1


def free_place(world: World, level: int, wanted: str = "") -> str:
    """A free place of a level: the office that is wanted, the leftmost, the row of candidates, the people; or ""."""
    if level in (1, 2):
        free = [office for office in OFFICES if LEVELS[office] == level and office not in world.offices]
        return (wanted if wanted in free else "") if wanted else next(iter(free), "")
    if wanted:
        return ""
    if level == 3:
        return "candidates" if len(world.rows["candidates"]) < ROW else ""
    return "people" if level == 4 else ""


def _move(world: World, chief: str, act: Act) -> bool:
    source, other = world.place(act.who), ""
    if act.verb == "swap":
        other, target = act.detail, world.place(act.detail)
        _swap(world, act.who, other)
    else:
        target = act.detail
        world.go(act.who, target)
    world.tell(events.Moved(chief, act.verb, act.who, other, source, target, *world.age(chief, MOVE)))
    succeeded(world.desk(world.controller(chief)), act)
    return True


def _swap(world: World, one: str, two: str) -> None:
    """Let two people change places, each exactly into the other's."""
    places = world.place(one), world.place(two)
    at = [
        world.rows[place].index(who) if place in world.rows else -1
        for who, place in zip((one, two), places, strict=True)
    ]
    for who, place, index in ((two, places[0], at[0]), (one, places[1], at[1])):
        if place in OFFICES:
            world.offices[place] = who
        else:
            world.rows[place][index] = who
            world.people[who].cure = False


# --- (b) to (f) -------------------------------------------------------------------------------------------------------


def _fill(world: World, offices: Sequence[str]) -> None:
    """Fill the gaps of a level from left to right with the oldest of the next level that is not empty."""
    for office in offices:
        if office in world.offices:
            continue
        below = [] if offices is LEVEL_2 else [who for who in world.members() if world.office(who) in LEVEL_2]
        choice = below or world.rows["candidates"] or world.rows["people"]
        if choice:
            _rise(world, world.oldest(choice), office)


def _rise(world: World, who: str, target: str) -> None:
    source = world.place(who)
    world.go(who, target)
    world.tell(events.Filled(who, source, target))


def _promotions(world: World, offices: Iterable[str], levels: tuple[int, ...]) -> None:
    """Let each of these officers in turn promote people of these levels into gaps."""
    for office in offices:
        actor = world.offices.get(office, "")
        if actor and not world.people[actor].cure:
            _promote_by(world, actor, levels)


def _promote_by(world: World, actor: str, levels: tuple[int, ...]) -> None:
    raised: set[str] = set()

    def plan(desk: Desk) -> Act | None:
        for line in lines(world, desk, actor, ("promote",)):
            who = world.person(line.names[0])
            level = LEVELS.get(world.place(who), 0) if who else 0
            target = free_place(world, level - 1, line.to) if level in levels and who not in raised else ""
            if target:
                return Act("promote", who, target, line)
        return None

    def do(act: Act) -> bool:
        raised.add(act.who)
        return _move(world, actor, act)

    perform(world, actor, plan, do)


def _fill_row(world: World) -> None:
    while len(world.rows["candidates"]) < ROW and world.rows["people"]:
        _rise(world, world.oldest(world.rows["people"]), "candidates")
