"""The course of a game: setting up, the turns of a year, and which of them are left out (sections 1, 3 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from games.engine.contract import Options, Order, Sheet, Table
from games.kreml import checks, contest, data, desk, events, lists
from games.kreml.data import NESTOR, PEOPLE
from games.kreml.ending import end
from games.kreml.phases import autumn, commission, cures, health, purges, replacements, spy
from games.kreml.state import (
    CHIEF,
    FIRST_YEAR,
    LAST_PARADE,
    LAST_YEAR,
    LEVELS,
    OFFICES,
    ROW,
    SEATS,
    WAVES,
    Politician,
    Setting,
    Stage,
    State,
)
from games.kreml.world import World

SETTINGS = Setting.__struct_fields__
NESTOR_AGE, NESTOR_MARKS = 80, 1
BEFORE: Mapping[Stage, frozenset[str]] = {"trial": frozenset({"banish"}), "election": frozenset({"nominate"})}
"""What a turn still takes from the orders of the turn before."""


def setup(options: Options, seats: int, table: Table) -> State:
    """Nestor in office, aged and ill; the other offices, the candidates and the seniority of the players are drawn."""
    setting = msgspec.convert({name: options[name] for name in SETTINGS if name in options}, Setting)
    people = data.roster(setting.roster).people
    pool = [who for who in PEOPLE if who != NESTOR]
    offices = {CHIEF: NESTOR}
    for office in OFFICES[1:]:
        offices[office] = _drawn(table, office, pool)
    candidates = tuple(_drawn(table, "candidate", pool) for _ in range(ROW))
    left = list(range(seats))
    seniority = tuple(left.pop(table.roll("seniority", len(left)) - 1) for _ in range(seats))
    start = events.Start(SEATS[:seats], tuple(SEATS[seat] for seat in seniority), tuple(offices.values()), candidates)
    events.tell(table, start)
    politicians = {who: Politician(people[who].age, declared=(0,) * seats) for who in PEOPLE}
    politicians[NESTOR] = replace(politicians[NESTOR], age=NESTOR_AGE, marks=NESTOR_MARKS)
    return State(
        setting=setting,
        year=FIRST_YEAR,
        stage="ranking",
        politicians=politicians,
        offices=offices,
        candidates=candidates,
        people=tuple(pool),
        seniority=seniority,
        lists=(None,) * seats,
        earlier=((),) * seats,
    )


def _drawn(table: Table, what: str, pool: list[str]) -> str:
    return pool.pop(table.roll(what, len(pool)) - 1)


def resolve(state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
    """Play the turn; what is missing, refused or impossible is left undone, as the rules have it."""
    if state.stage == "over":
        return state
    given = {seat: sheet for seat, sheet in sorted(sheets.items()) if 0 <= seat < state.seats}
    sound = {seat: checks.sound(state, seat, sheet) for seat, sheet in given.items() if sheet}
    world = World(state, {seat: desk.read(sheet) for seat, sheet in sound.items()}, table)
    world.counts["turns"] += 1
    if state.stage == "ranking":
        lists.seal(world, given)
        world.stage = "purges"
    else:
        _take_earlier(world)
        contest.at_start(world)
        TURNS[state.stage](world)
    _leave_out(world)
    _remember(world, sound)
    after = world.frozen()
    for seat, sheet in given.items():
        table.keep(seat, kept(after, seat, sheet, world.begun))
    return after


def _take_earlier(world: World) -> None:
    """Put what still counts of the turn before behind the orders of this one."""
    for seat, sheet in enumerate(world.earlier):
        if sheet:
            world.desk(seat).lines += [desk.line(order) for order in sheet]
    world.earlier = ((),) * len(world.lists)


def _remember(world: World, sound: Mapping[int, Sheet]) -> None:
    """Keep the orders that count in the next turn too."""
    verbs = BEFORE.get(world.stage, frozenset())
    if verbs:
        world.earlier = tuple(
            tuple(order for order in sound.get(seat, ()) if order.verb in verbs) for seat in range(len(world.lists))
        )


def kept(after: State, seat: int, sheet: Sheet, begun: set[int]) -> Sheet:
    """What is in force for the next turn: standing orders, and bids that wait for a phase that has not begun."""
    if after.stage == "over":
        return ()
    return checks.sound(after, seat, tuple(order for order in sheet if order.standing or _waits(order, begun)))


def _waits(order: Order, begun: set[int]) -> bool:
    return order.when is not None and order.when.verb == "phase" and order.when.args.get("number") not in begun


def _leave_out(world: World) -> None:
    """Play the turns in which nobody could act, whoever controlled him."""
    while world.stage != "over" and not could_act(world):
        world.desks = {}
        TURNS[world.stage](world)


def could_act(world: World) -> bool:
    """Whether anybody could act or vote in the turn to come, if he followed somebody who wanted it."""
    members, targets = world.members(), world.rows["candidates"]
    match world.stage:
        case "purges":
            ill = any(world.people[who].marks for who in members)
            return ill or (bool(members) and len(members) + len(targets) > 1)
        case "spy":
            return bool(spy.minister(world)) and len(members) + len(targets) > 1
        case "nomination" | "commission":
            return bool(world.present()) and len(members) > 1
        case "election" | "rebels":
            return world.poll is not None and bool(commission.voters(world, world.poll))
        case "autumn":
            return bool(world.present())
        case _:
            return True


# --- the turns of a year ----------------------------------------------------------------------------------------------


def _play_purges(world: World) -> None:
    cures.play(world)
    purges.play(world)
    world.stage = "spy"


def _play_spy(world: World) -> None:
    spy.open_files(world)
    if world.trial and world.setting.pace == "classic":
        world.stage = "trial"
        return
    _play_trial(world)


def _play_trial(world: World) -> None:
    world.phase = 3
    spy.try_accused(world)
    spy.banish(world, spy.minister(world))
    health.play(world)
    if world.chief:
        _go_to_autumn(world)
    else:
        world.stage = "nomination" if world.setting.pace == "classic" else "commission"


def _play_nomination(world: World) -> None:
    commission.nominate(world)
    _after_commission(world, "election")


def _play_election(world: World) -> None:
    world.phase = 5
    commission.vote(world)
    _after_commission(world, "rebels")


def _play_commission(world: World) -> None:
    commission.nominate(world)
    while world.poll:
        commission.vote(world)
    _after_commission(world, "commission")


def _after_commission(world: World, stage: Stage) -> None:
    if world.poll:
        world.stage = stage
        return
    world.end_phase()
    _go_to_autumn(world)


def _go_to_autumn(world: World) -> None:
    """Phase 5 is over, or was not needed."""
    world.stage = "autumn"
    if world.year == LAST_YEAR:
        end(world, "1961" if world.chief else "draw", world.chief)


def _play_autumn(world: World) -> None:
    replacements.play(world)
    if _died_out(world):
        end(world, "draw")
        return
    autumn.rehabilitate(world)
    chief = world.chief
    waved = autumn.parade(world)
    world.end_phase()
    if waved and world.people[chief].waves == WAVES:
        end(world, "three_waves", chief)
    elif waved and world.year == LAST_PARADE:
        end(world, "1960", chief)
    else:
        world.year += 1
        world.stage = "purges"


def _died_out(world: World) -> bool:
    gaps = any(office not in world.offices for office in OFFICES if LEVELS[office])
    return gaps and not world.rows["candidates"] and not world.rows["people"]


TURNS: Mapping[Stage, Callable[[World], None]] = {
    "purges": _play_purges,
    "spy": _play_spy,
    "trial": _play_trial,
    "nomination": _play_nomination,
    "election": _play_election,
    "rebels": _play_election,
    "commission": _play_commission,
    "autumn": _play_autumn,
}


def mask(state: State, viewer: int | None) -> State:
    """Blank the lists of others, and their orders that still count; nothing else is secret."""
    if state.stage == "over":
        return state

    lists = [mine if seat == viewer else None for seat, mine in enumerate(state.lists)]
    earlier = [mine if seat == viewer else None for seat, mine in enumerate(state.earlier)]
    return replace(state, lists=tuple(lists), earlier=tuple(earlier))
