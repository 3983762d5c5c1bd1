"""Phase 1: cures."""

from __future__ import annotations

from games.kreml import contest, events
from games.kreml.acting import announced, may_act
from games.kreml.desk import Act, Desk
from games.kreml.world import World

TREATMENTS = ("cure", "recall")


def play(world: World) -> None:
    """The healthy return, the sick are sent, left or fetched; then sickness and the chief's office make older."""
    world.begin(1)
    contest.at_phase(world, 1)
    for who in world.members():
        if world.people[who].cure and not world.people[who].marks:
            world.people[who].cure = False
            world.tell(events.Returned(who))
    for who in world.members():
        if world.people[who].marks:
            _treat(world, who)
    _stress(world)
    world.end_phase()


def _treat(world: World, who: str) -> None:
    """Send one sick member, leave him, or fetch him, as his controller says."""
    while may_act(world, who):
        desk = world.desk(world.controller(who))
        act = _wish(world, desk, who)
        if act is None:
            return
        if announced(world, who, act):
            cure = act.verb == "cure"
            world.people[who].cure = cure
            world.tell(events.Cured(who) if cure else events.Recalled(who))
            return


def _wish(world: World, desk: Desk, who: str) -> Act | None:
    """What a desk wants for a sick member, if it changes anything: a consequence, the last line, or the rule."""
    one = world.people[who]
    mine = [line for line in desk.lines if line.verb in TREATMENTS and who in map(world.person, line.names)]
    if mine:
        verb = next((line.verb for line in mine if line.only), mine[-1].verb)
        return Act(verb, who) if (verb == "cure") != one.cure else None
    if desk.cure_from and one.marks >= desk.cure_from and not one.cure:
        return Act("cure", who)
    return None


def _stress(world: World) -> None:
    for who in world.members():
        one = world.people[who]
        if one.marks and not one.cure:
            years = one.marks if world.setting.per_mark else 1
            world.tell(events.Aged(who, "sick", *world.age(who, years)))
    if world.chief:
        world.tell(events.Aged(world.chief, "chief", *world.age(world.chief, 1)))
