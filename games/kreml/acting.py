"""How a politician acts: he announces, bids may fire, and only then it is done (section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from games.engine.contract import Order
from games.kreml import contest, events
from games.kreml.contest import NOBODY
from games.kreml.desk import COSTLY, Act, Desk, Line, line
from games.kreml.state import MORTAL
from games.kreml.words import VOTES
from games.kreml.world import World

PHASE_OF = {
    "cure": 1,
    "recall": 1,
    "purge": 2,
    "close": 3,
    "investigate": 3,
    "accuse": 3,
    "banish": 3,
    "nominate": 5,
    **dict.fromkeys(("swap", "promote", "demote", "move"), 6),
    "rehabilitate": 7,
}
"""The phase in which an act has its moment; a consequence that does not fit it falls away."""

type Plan = Callable[[Desk], Act | None]


def perform(world: World, actor: str, plan: Plan, do: Callable[[Act], bool]) -> None:
    """Let somebody act until his controller's orders are used up.

    ``plan`` gives the next act that a desk has for him, ``do`` carries one out and says whether he may go on.
    """
    while may_act(world, actor):
        desk = world.desk(world.controller(actor))
        act = plan(desk)
        if act is None:
            return
        if announced(world, actor, act):
            if act.line is not None:
                act.line.names.pop(0)
            if not do(act):
                return


def may_act(world: World, actor: str) -> bool:
    """Whether somebody may begin an act: he follows somebody, was not called off, and is not 96 yet."""
    return world.controller(actor) != NOBODY and actor not in world.stopped and world.people[actor].age < MORTAL


def announced(world: World, actor: str, act: Act) -> bool:
    """Announce an act and let bids fire; False if it is cancelled, as he follows somebody else now."""
    taken = contest.over(world, actor, act)
    if taken is None:
        return True
    world.tell(events.Cancelled(actor, act.verb, act.who, act.detail))
    follow(world, actor, taken)
    return False


def follow(world: World, actor: str, taken: contest.Takeover) -> None:
    """Put a consequence before the new controller's own orders."""
    if taken.then is None:
        return
    if taken.then.verb == "stop":
        world.stopped.add(actor)
    elif PHASE_OF.get(taken.then.verb) == world.phase:
        world.desk(taken.seat).lines.insert(0, line(taken.then, only=actor))


def lines(world: World, desk: Desk, actor: str, verbs: Iterable[str]) -> Iterator[Line]:
    """A desk's lines of some verbs for somebody, as far as they have not ended."""
    age = world.people[actor].age
    for one in desk.lines:
        if one.verb not in verbs or not one.names or one.ended(age):
            continue
        if one.verb in COSTLY and desk.ended(age):
            continue
        if not one.only or world.person(one.only) == actor:
            yield one


def first(world: World, found: Iterable[Line], fits: Callable[[Line, str], bool]) -> Act | None:
    """The first name in these lines that fits now; those before it are skipped at no cost."""
    for one in found:
        while one.names:
            who = world.person(one.names[0])
            if who and fits(one, who):
                return Act(one.verb, who, line=one)
            one.names.pop(0)
    return None


def succeeded(desk: Desk, act: Act) -> None:
    """Count a success for ``stop after``."""
    if act.line is not None:
        act.line.done += 1
    if act.verb in COSTLY:
        desk.done += 1


# --- votes ------------------------------------------------------------------------------------------------------------


class Count:
    """Who voted how."""

    def __init__(self) -> None:
        self.votes: dict[str, list[str]] = {vote: [] for vote in VOTES}

    @property
    def no(self) -> int:
        """How many said NO."""
        return len(self.votes["no"])

    def told(self) -> dict[str, tuple[str, ...]]:
        """The voters by vote, for an event."""
        return {vote: tuple(who) for vote, who in self.votes.items()}


def poll(world: World, name: str, on: str, voters: Iterable[str], closed_at: int = 99) -> Count:
    """Take the votes in rank order; once there are ``closed_at`` NO, no bid fires on any more votes."""
    count = Count()
    for who in voters:
        vote = _vote(world, name, on, who, contested=count.no < closed_at)
        count.votes[vote].append(who)
        world.tell(events.Voted(who, vote, on, name, int(world.controller(who) != NOBODY)))
    return count


def _vote(world: World, name: str, on: str, who: str, *, contested: bool) -> str:
    vote = intended(world, name, on, who)
    while contested:
        taken = contest.over(world, who, Act("vote", on, vote))
        if taken is None:
            break
        world.tell(events.Cancelled(who, "vote", on, vote))
        vote = _instead(world, taken.then, who) or intended(world, name, on, who)
    return vote


def _instead(world: World, then: Order | None, who: str) -> str:
    """What a consequence makes of a vote; "" if it says nothing about it."""
    if then is not None and then.verb == "stop":
        world.stopped.add(who)
    return str(then.args["vote"]) if then is not None and then.verb == "vote" else ""


def intended(world: World, name: str, on: str, who: str) -> str:
    """How somebody votes by his controller's orders: the most particular counts, of equals the later."""
    seat = world.controller(who)
    if seat == NOBODY or who in world.stopped:
        return "abstain"
    desk = world.desk(seat)
    best, rank = "", -1
    for ballot in desk.ballots:
        fits = (not ballot.voter or world.person(ballot.voter) == who) and (
            not ballot.on or world.person(ballot.on) == on
        )
        mine = 2 * bool(ballot.voter) + bool(ballot.on)
        if fits and mine >= rank:
            best, rank = ballot.vote, mine
    rule = desk.protected if name == "trial" else desk.opposed
    return best or ("no" if on in map(world.person, rule) else "abstain")
