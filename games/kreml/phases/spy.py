"""Phase 3: the imperialist spy. In the classic pace the votes of a trial, and what follows them, are another turn."""

from __future__ import annotations

from games.kreml import contest, events
from games.kreml.acting import first, lines, perform, poll, succeeded
from games.kreml.desk import Act, Desk, Line
from games.kreml.phases.purges import tell_power
from games.kreml.state import Trial
from games.kreml.world import World

MINISTERS = ("defence", "foreign", "kgb", "chief", "industry")
OPENING, UNDER_SUSPICION, ACQUITTAL, BANISHMENT = 1, 1, 3, 2
"""Years that it costs: to open an investigation, to be under one, to lose a trial, to banish a candidate."""

SAVED_BY = 2
"""So many NO acquit."""


def open_files(world: World) -> None:
    """(a) to (c): investigations closed and opened, suspicion, and at most one accusation (``world.trial``)."""
    world.begin(3)
    contest.at_phase(world, 3)
    office, actor = world.in_line(MINISTERS)
    tell_power(world, "spy", office, actor, MINISTERS[0])
    world.trial = None
    if actor:
        perform(world, actor, lambda desk: _file_plan(world, desk, actor), lambda act: _file(world, actor, act))
    for who in world.members():
        if world.people[who].opened:
            world.tell(events.Aged(who, "investigated", *world.age(who, UNDER_SUSPICION)))
    if actor:
        perform(world, actor, lambda desk: _charge_plan(world, desk, actor), lambda act: _accuse(world, actor, act))


def try_accused(world: World) -> None:
    """The votes of a trial, and what comes of them."""
    trial, world.trial = world.trial, None
    if trial is None:
        return
    count = poll(world, "trial", trial.accused, world.present(), closed_at=SAVED_BY)
    if count.no < SAVED_BY:
        world.tell(events.Convicted(trial.accused, trial.accuser, world.place(trial.accused), **count.told()))
        world.go(trial.accused, "siberia")
    else:
        world.people[trial.accused].opened = 0
        ages = world.age(trial.accuser, ACQUITTAL)
        world.tell(events.Acquitted(trial.accused, trial.accuser, **count.told(), before=ages[0], after=ages[1]))


def banish(world: World, actor: str) -> None:
    """(d): at most one candidate goes straight to Siberia; then the phase is over."""
    if actor:
        perform(world, actor, lambda desk: _banish_plan(world, desk, actor), lambda act: _banish(world, actor, act))
    world.end_phase()


def minister(world: World) -> str:
    """Who has the power of this phase, or ""."""
    return world.in_line(MINISTERS)[1]


def _file_plan(world: World, desk: Desk, actor: str) -> Act | None:
    def fits(line: Line, who: str) -> bool:
        opened = world.people[who].opened
        if line.verb == "close":
            return bool(opened and world.office(who))
        return not opened and who != actor and bool(world.office(who))

    return first(world, lines(world, desk, actor, ("close", "investigate")), fits)


def _file(world: World, actor: str, act: Act) -> bool:
    one = world.people[act.who]
    if act.verb == "close":
        world.tell(events.Closed(actor, act.who, one.opened))
        one.opened = 0
        return True
    one.opened = world.year
    world.tell(events.Investigated(actor, act.who, *world.age(actor, OPENING)))
    succeeded(world.desk(world.controller(actor)), act)
    return True


def _charge_plan(world: World, desk: Desk, actor: str) -> Act | None:
    def fits(_: Line, who: str) -> bool:
        return who != actor and bool(world.office(who)) and 0 < world.people[who].opened < world.year

    return first(world, lines(world, desk, actor, ("accuse",)), fits)


def _accuse(world: World, actor: str, act: Act) -> bool:
    world.trial = Trial(actor, act.who)
    world.tell(events.Accused(actor, act.who, world.people[act.who].opened))
    succeeded(world.desk(world.controller(actor)), act)
    return False


def _banish_plan(world: World, desk: Desk, actor: str) -> Act | None:
    return first(world, lines(world, desk, actor, ("banish",)), lambda _, who: who in world.rows["candidates"])


def _banish(world: World, actor: str, act: Act) -> bool:
    world.go(act.who, "siberia")
    world.tell(events.Banished(actor, act.who, *world.age(actor, BANISHMENT)))
    succeeded(world.desk(world.controller(actor)), act)
    return False
