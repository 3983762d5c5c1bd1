"""Phase 4: health."""

from __future__ import annotations

from games.kreml import contest, data, events
from games.kreml.world import World

YOUNG, STEP, DEADLY = 50, 4, 3
"""The age at which frailty begins, the years of each of its steps, and the marks that kill."""


def play(world: World) -> None:
    """Every member rolls, in rank order."""
    world.begin(4)
    contest.at_phase(world, 4)
    for who in world.members():
        _examine(world, who)
    world.end_phase()


def diagnosis(table: data.Health, age: int, roll: int, *, cure: bool) -> str:
    """What a roll does at an age: "sudden", "two", "one", "heals" or "none"."""
    limits = table.cure if cure else table.work
    b = max(0, min(data.FRAILEST, (age - YOUNG) // STEP))
    if roll <= limits.sudden[b]:
        return "sudden"
    if roll <= limits.two[b]:
        return "two"
    if roll <= limits.one[b]:
        return "one"
    return "heals" if roll >= limits.heals[b] else "none"


def _examine(world: World, who: str) -> None:
    one, place = world.people[who], world.place(who)
    roll = world.table.roll(f"health of {world.name(who)}", 20)
    result = diagnosis(data.health(world.setting.health), one.age, roll, cure=one.cure)
    before, cure = one.marks, int(one.cure)
    one.marks = max(0, before + {"two": 2, "one": 1, "heals": -1}.get(result, 0))
    if result == "heals" and not before:
        result = "none"
    if one.marks >= DEADLY:
        result = "died"
    if result in {"sudden", "died"}:
        one.marks = 0
        world.go(who, "wall")
    world.tell(events.Examined(who, place, one.age, cure, roll, result, before, one.marks))
