"""Phases 7 and 8: rehabilitation and the October parade."""

from __future__ import annotations

from games.kreml import contest, events
from games.kreml.acting import first, lines, may_act, succeeded
from games.kreml.world import World

REHABILITATION = 5
STRAIN = (0, 1, 2)
NEEDED = (0, 8, 15)
"""Years that a parade costs a chief with so many marks, and what his die must show."""


def rehabilitate(world: World) -> None:
    """In rank order, each present member brings back whom his controller names; at once, no bid can stop it."""
    world.begin(7)
    contest.at_phase(world, 7)
    for actor in world.present():
        _bring_back(world, actor)
    world.end_phase()


def _bring_back(world: World, actor: str) -> None:
    while may_act(world, actor):
        desk = world.desk(world.controller(actor))
        found = lines(world, desk, actor, ("rehabilitate",))
        act = first(world, found, lambda _, who: who in world.rows["siberia"])
        if act is None or act.line is None:
            return
        act.line.names.pop(0)
        world.go(act.who, "people")
        world.tell(events.Rehabilitated(actor, act.who, *world.age(actor, REHABILITATION)))
        succeeded(desk, act)


def parade(world: World) -> bool:
    """The chief must wave; whether he did. The age check comes behind it."""
    world.begin(8)
    contest.at_phase(world, 8)
    chief = world.chief
    if not chief or world.people[chief].cure:
        world.tell(events.Unattended(world.year, chief))
        return False
    world.counts["parades"] += 1
    one = world.people[chief]
    ages = world.age(chief, STRAIN[one.marks])
    needed = NEEDED[one.marks]
    roll = world.table.roll(f"parade of {world.name(chief)}", 20) if needed else 0
    waved = roll >= needed
    one.waves += waved
    world.counts["passed"] += waved
    world.tell(events.Parade(chief, one.marks, roll, needed, int(waved), one.waves, *ages))
    return waved
