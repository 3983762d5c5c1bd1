"""Phase 5: the funeral commission, whose chairman becomes party chief. In the classic pace each vote is a turn."""

from __future__ import annotations

from collections.abc import Callable

from games.kreml import contest, events
from games.kreml.acting import Count, announced, lines, poll
from games.kreml.contest import NOBODY
from games.kreml.desk import Act, Desk
from games.kreml.phases.purges import tell_power
from games.kreml.state import CHIEF, LEVELS, Poll
from games.kreml.world import World

PROPOSERS = ("foreign", "ideologist", "kgb", "industry", "agriculture", "sport", "defence")
HELPERS = ("defence", "foreign", "kgb", "industry")
"""Who makes himself chief when both votes have failed, before the proposer does."""

FAILS_AT = 3
"""So many NO reject a nominee."""

REJECTION = 1
"""Years that it costs the proposer."""


def nominate(world: World) -> None:
    """Propose somebody (``world.poll``), unless the matter is settled without a vote."""
    world.begin(5)
    contest.at_phase(world, 5)
    members = world.members()
    office, proposer = world.in_line(PROPOSERS)
    if not members:
        world.tell(events.Headless(world.year))
        return
    tell_power(world, "commission", office, proposer, PROPOSERS[0])
    if not proposer:
        _enthrone(world, world.oldest(members), "oldest")
    elif len(members) == 1:
        _enthrone(world, proposer, "alone")
    else:
        _propose(world, proposer, eligible(world, proposer), second=False)


def eligible(world: World, proposer: str) -> list[str]:
    """Who may be proposed first: level 1 but for the proposer, or, if that is empty, level 2."""
    for level in (1, 2):
        found = [who for who in world.members() if LEVELS[world.office(who)] == level and who != proposer]
        if found:
            return found
    return []


def _propose(world: World, proposer: str, choice: list[str], *, second: bool) -> None:
    nominee = _choose(world, proposer, lambda who: who in choice)
    silent = not nominee
    nominee = nominee or world.oldest(choice)
    world.poll = Poll(proposer, nominee, second)
    world.tell(events.Nominated(proposer, nominee, "second" if second else "first", int(silent)))


def _choose(world: World, proposer: str, fits: Callable[[str], bool]) -> str:
    """Whom the proposer's controller wants, "" if he says nothing. Reaching 96 does not end the election in hand."""
    while world.controller(proposer) != NOBODY and proposer not in world.stopped:
        act = _plan(world, world.desk(world.controller(proposer)), proposer, fits)
        if act is None:
            break
        if announced(world, proposer, act):
            return act.who
    return ""


def _plan(world: World, desk: Desk, proposer: str, fits: Callable[[str], bool]) -> Act | None:
    """The first name that fits; names that do not are kept, since they may fit as rebels."""
    for line in lines(world, desk, proposer, ("nominate",)):
        for name in line.names:
            if fits(world.person(name)):
                return Act("nominate", world.person(name))
    return None


def vote(world: World) -> None:
    """Vote on the nominee; if he fails, a second nomination follows (``world.poll``), or a minister helps himself."""
    now, world.poll = world.poll, None
    if now is None:
        return
    count = poll(world, "second" if now.second else "first", now.nominee, voters(world, now))
    if count.no < FAILS_AT:
        _enthrone(world, now.nominee, "vote", count)
        return
    years = 0 if now.second else REJECTION
    name = "second" if now.second else "first"
    ages = world.age(now.proposer, years)
    world.tell(events.Rejected(now.nominee, now.proposer, name, **count.told(), before=ages[0], after=ages[1]))
    if now.second:
        _enthrone(world, world.in_line(HELPERS)[1] or now.proposer, "defence")
        return
    world.poll = now
    _propose(world, now.proposer, count.votes["no"], second=True)


def voters(world: World, now: Poll) -> list[str]:
    """Who votes on a nominee: all who are present but the proposer (and, by an option, the nominee)."""
    out = {now.proposer} if world.setting.nominee_votes else {now.proposer, now.nominee}
    return [who for who in world.present() if who not in out]


def _enthrone(world: World, who: str, how: str, count: Count | None = None) -> None:
    place = world.office(who)
    world.go(who, CHIEF)
    world.poll = None
    world.tell(events.Elected(who, how, place, **(count.told() if count else {})))
