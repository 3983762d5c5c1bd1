"""What a seat may order now, and which of it is owed (section 5). All are asked alike, whatever they control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from games.engine.contract import Ask, Domain
from games.kreml.data import NESTOR
from games.kreml.lists import ELIGIBLE
from games.kreml.state import CHIEF, LEVELS, OFFICES, RANKS, State
from games.kreml.view import View
from games.kreml.words import ALL, MARKS, VOTES

POINTS = Domain(low=1, high=RANKS)
TIMES = Domain(low=1, high=9)
AGES = Domain(low=50, high=95)
ENDS = {"after": TIMES, "age": AGES}
MINISTRIES = Domain(names=tuple(office for office in OFFICES if office != CHIEF))


def asks(seen: State, seat: int) -> tuple[Ask, ...]:
    """The asks of a seat. Only ``must`` depends on whom it controls, which is public; bids name whom its list names."""
    if seen.stage == "over":
        return ()
    if seen.stage == "ranking":
        return (Ask("rank", {f"r{rank}": Domain(names=ELIGIBLE) for rank in range(RANKS, 0, -1)}, must=True),)
    view = View(seen, seat)
    return (*_bids(view), *_acts(view), Ask("stop", ENDS))


def _acts(view: View) -> Iterator[Ask]:
    actor = view.actor
    owed = bool(actor) and view.one(actor).controller == view.seat
    match view.stage:
        case "purges":
            yield from _purges(view, owed)
        case "spy":
            yield from _spy(view, owed)
        case "nomination" | "commission":
            yield from _list("nominate", [who for who in view.members if who != actor], must=owed)
        case "autumn":
            yield from _autumn(view, owed)
        case _:
            pass
    if "vote" in view.verbs:
        yield from _votes(view)


def _list(verb: str, who: Iterable[str], more: Mapping[str, Domain] = {}, *, must: bool = False) -> Iterator[Ask]:
    """An ask for a list of people, if there are any. What an office may do, it may leave."""
    names = tuple(who)
    if names:
        yield Ask(verb, {"who": Domain(names=names, many=min(9, len(names))), **more}, must, must)


def _purges(view: View, owed: bool) -> Iterator[Ask]:
    ill = [who for who in view.members if view.one(who).marks]
    yield from _list("purge", [*view.members, *view.seen.candidates], ENDS, must=owed)
    yield from _list("cure", ill)
    yield from _list("recall", [who for who in ill if view.one(who).cure])
    yield Ask("cure_from", {"marks": Domain(names=MARKS)})


def _spy(view: View, owed: bool) -> Iterator[Ask]:
    files = [who for who in view.members if view.one(who).opened]
    old = tuple(who for who in files if view.one(who).opened < view.seen.year)
    clean = [who for who in view.members if who not in files]
    yield from _list("investigate", clean, ENDS, must=owed)
    yield from _list("close", files, must=owed and not clean)
    if old:
        yield Ask("accuse", {"who": Domain(names=old), "else": Domain(names=old)})
    yield from _list("banish", view.seen.candidates)


def _autumn(view: View, owed: bool) -> Iterator[Ask]:
    """Moves are alternatives of each other, so that one of them is all that is owed."""
    movable = Domain(names=tuple(who for who, place in view.places.items() if LEVELS.get(place, 0)))
    place = {"who": movable, "to": MINISTRIES}
    yield Ask("swap", {"who": movable, "with": movable}, owed, owed)
    yield Ask("promote", place | {"by": Domain(names=tuple(view.members))}, owed, owed)
    yield Ask("demote", place, owed, owed)
    yield Ask("move", place, owed, owed)
    yield from _list("rehabilitate", view.seen.siberia, {"by": Domain(names=OFFICES), **ENDS})


def _votes(view: View) -> Iterator[Ask]:
    who = (view.voted_on,) if view.voted_on else tuple(view.members)
    slots = {"vote": Domain(names=VOTES), "with": Domain(names=tuple(view.voters)), "on": Domain(names=who)}
    yield Ask("vote", slots, vote=bool(view.voted_on))
    yield from _list("protect" if "protect" in view.verbs else "oppose", view.members)


def _bids(view: View) -> Iterator[Ask]:
    listed = tuple(who for who in view.mine or {} if who != NESTOR and not view.gone(who))
    if listed:
        yield Ask("bid", {"points": POINTS, "on": Domain(names=listed)})
        yield Ask("hold", {"who": Domain(names=(*listed, ALL)), "to": POINTS})
