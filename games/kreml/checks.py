"""Checking a sheet: lines by what is public and by the seat's own list, then by each other (section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from games.engine.contract import Order, Problem, Sheet, Slot, Value
from games.kreml.data import NESTOR
from games.kreml.lists import ELIGIBLE, pairs
from games.kreml.phases.commission import PROPOSERS
from games.kreml.state import LEVELS, OFFICES, RANKS, State
from games.kreml.view import View
from games.kreml.words import ALL, ANYBODY, VERBS

SLOTS: Mapping[str, Mapping[str, Slot]] = {verb.name: {slot.name: slot for slot in verb.slots} for verb in VERBS}
NEEDED = {verb.name: tuple(slot.name for slot in verb.slots if not slot.optional) for verb in VERBS}
TRIGGERS = frozenset(verb.name for verb in VERBS if verb.role == "trigger")
STANDING = frozenset(verb.name for verb in VERBS if verb.standing == "may") - {"vote", "halt"}
RULES = frozenset({"protect", "oppose", "cure_from"})
ONCE = frozenset({"rank", "accuse", "banish", "nominate"})
ACTS = frozenset(
    {
        "cure",
        "recall",
        "purge",
        "close",
        "investigate",
        "accuse",
        "banish",
        "nominate",
        "swap",
        "promote",
        "demote",
        "move",
    }
)
"""What a consequence may be, beside "stop" and a vote."""

PHASES = 8
MOST = 99
"""The highest figure behind "stop after" and "stop at age"."""


class Wrong(Exception):  # noqa: N818 - says what is the matter with an order
    """One order cannot stand, or is hardly meant so (``refuses`` False): code, data, the nearest right order."""

    def __init__(self, code: str, fix: Order | None = None, /, *, refuses: bool = True, **data: Value) -> None:
        super().__init__(code)
        self.code, self.data, self.fix, self.refuses = code, data, fix, refuses


def check(seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
    """Everything that is wrong with a sheet, in its order; of two lines that clash the later is refused."""
    if not sheet:
        return ()
    view = View(seen, seat)
    problems: list[Problem] = []
    taken: set[tuple[str, str]] = set()
    for index, order in enumerate(sheet):
        try:
            _line(view, order)
            _clash(view, order, taken)
        except Wrong as wrong:
            problems.append(Problem(index, wrong.code, wrong.data, wrong.fix, wrong.refuses))
    return tuple(problems)


def sound(state: State, seat: int, sheet: Sheet) -> Sheet:
    """The orders of a sheet that stand."""
    wrong = {problem.order for problem in check(state, seat, sheet) if problem.refuses}
    return tuple(order for index, order in enumerate(sheet) if index not in wrong) if wrong else sheet


def _line(view: View, order: Order) -> None:
    verb = order.verb
    if verb == "halt":
        raise Wrong("halt")
    if verb in TRIGGERS or not well_formed(order):
        raise Wrong("malformed")
    if view.stage == "over":
        raise Wrong("over")
    if (order.when is not None or order.then) and verb != "bid":
        raise Wrong("only_bids", replace(order, when=None, then=()), verb=verb)
    if order.standing and verb not in STANDING:
        raise Wrong("always_vote" if verb == "vote" else "standing", replace(order, standing=False), verb=verb)
    if verb not in view.verbs and not order.standing:
        raise Wrong("not_now", replace(order, standing=True) if verb in RULES else None, verb=verb)
    judge = JUDGES.get(verb)
    if judge is not None:
        judge(view, order)


def well_formed(order: Order) -> bool:
    """Whether an order has the arguments of its verb, of the right kinds, and clauses without clauses."""
    slots = SLOTS.get(order.verb)
    if slots is None or any(name not in order.args for name in NEEDED[order.verb]):
        return False
    if any(name not in slots or not _of_kind(slots[name], value) for name, value in order.args.items()):
        return False
    clauses = (*order.then, *((order.when,) if order.when is not None else ()))
    if order.when is not None and order.when.verb not in TRIGGERS:
        return False
    return all(well_formed(one) and one.when is None and not one.then and not one.standing for one in clauses)


def _of_kind(slot: Slot, value: Value) -> bool:
    if slot.kind == "number":
        return type(value) is int
    if slot.kind == "names":
        return isinstance(value, tuple) and bool(value) and all(one in slot.among for one in value)
    return isinstance(value, str) and (slot.kind == "text" or value in slot.among)


def _clash(view: View, order: Order, taken: set[tuple[str, str]]) -> None:
    """Refuse what has been said before and can be said once only."""
    if order.verb in ONCE:
        if (order.verb, "") in taken:
            raise Wrong("twice", verb=order.verb)
        taken.add((order.verb, ""))
    if order.verb in {"cure", "recall"}:
        for who in map(view.person, names(order)):
            if ("cure", who) in taken:
                raise Wrong("cure_twice", _without(order, lambda name: ("cure", view.person(name)) in taken), who=who)
        taken |= {("cure", view.person(name)) for name in names(order)}


# --- arguments --------------------------------------------------------------------------------------------------------


def names(order: Order) -> tuple[str, ...]:
    """The names that an order lists."""
    value = order.args["who"]
    return value if isinstance(value, tuple) else (str(value),)


def _without(order: Order, bad: Callable[[str], bool]) -> Order | None:
    """The order without some of the names it lists; None if none is left."""
    left = tuple(name for name in names(order) if not bad(name))
    return replace(order, args=order.args | {"who": left}) if left else None


def _with(order: Order, **args: Value) -> Order:
    return replace(order, args=order.args | args)


def _minus(order: Order, *drop: str) -> Order:
    return replace(order, args={name: value for name, value in order.args.items() if name not in drop})


def _each(view: View, order: Order, code: str, fits: Callable[[str], bool]) -> None:
    """Refuse names for whom this makes no sense; the fix is the list without them."""

    def bad(name: str) -> bool:
        return not view.person(name) or not fits(view.person(name))

    wrong = next((name for name in names(order) if bad(name)), "")
    if wrong:
        _refuse_vacant(view, wrong, _without(order, bad))
        raise Wrong(code, _without(order, bad), who=view.person(wrong))


def _refuse_vacant(view: View, name: str, fix: Order | None = None) -> None:
    """Refuse an office that nobody holds."""
    if not view.person(name):
        raise Wrong("vacant", fix, office=name)


def _ends(order: Order) -> None:
    """Refuse "stop after 0" and the like, and figures that nobody could write."""
    for name in ("after", "age"):
        value = order.args.get(name)
        if isinstance(value, int) and not 1 <= value <= MOST:
            raise Wrong("stop_number", _minus(order, name) if order.verb != "stop" else None, number=value)


# --- phase 0 and bids -------------------------------------------------------------------------------------------------


def _rank(_: View, order: Order) -> None:
    listed = list(order.args.values())
    valid = pairs(order)
    fix = replace(order, args={f"r{rank}": who for who, rank in valid.items()}) if valid else None
    if not listed:
        raise Wrong("rank_empty")
    if any(who not in ELIGIBLE for who in listed):
        raise Wrong("nestor", fix, who=NESTOR)
    if len(set(listed)) < len(listed):
        raise Wrong("rank_twice", fix, who=next(str(who) for who in listed if listed.count(who) > 1))
    if len(listed) < RANKS:
        raise Wrong("rank_short", refuses=False, number=len(listed))


def _bid(view: View, order: Order) -> None:
    points, on = order.args.get("points"), str(order.args["on"])
    if ("full" in order.args) == (points is not None):
        raise Wrong("bid_points", _minus(order, "full") if points is not None else _with(order, full=ALL))
    if isinstance(points, int) and not 1 <= points <= RANKS:
        raise Wrong("points", _with(order, points=max(1, min(points, RANKS))), points=points)
    _trigger(order, on)
    _consequence(order)
    if on != ANYBODY:
        _claim(view, order, on, points, "points")
        _too_low(view, order, on, points)


def _trigger(order: Order, on: str) -> None:
    when = order.when
    if on == ANYBODY and (when is None or when.verb != "against"):
        raise Wrong("anybody")
    if when is not None and when.verb == "phase":
        number = when.args["number"]
        if not isinstance(number, int) or not 1 <= number <= PHASES:
            raise Wrong("phase_number", number=number)


def _consequence(order: Order) -> None:
    when, then = order.when, order.then
    if not then:
        return
    if when is None or when.verb == "phase":
        raise Wrong("no_then", replace(order, then=()))
    if len(then) > 1:
        raise Wrong("one_then", replace(order, then=then[:1]))
    verb = then[0].verb
    if verb == "stop":
        if then[0].args:
            raise Wrong("then_stop", replace(order, then=(Order("stop"),)))
    elif verb not in ACTS and verb != "vote":
        raise Wrong("then_verb", replace(order, then=()), verb=verb)
    elif (verb == "vote") != (when.verb == "votes"):
        raise Wrong("then_moment", replace(order, then=(Order("stop"),)), verb=verb)


def _hold(view: View, order: Order) -> None:
    limit, who = order.args.get("to"), str(order.args["who"])
    if isinstance(limit, int) and not 1 <= limit <= RANKS:
        raise Wrong("points", _with(order, to=max(1, min(limit, RANKS))), points=limit)
    if who != ALL:
        _claim(view, order, who, limit, "to")


def _claim(view: View, order: Order, name: str, points: Value | None, slot: str) -> None:
    """Refuse more points than the seat has secretly given. Who will hold an office later is not known now."""
    if name in OFFICES and (order.standing or order.when is not None):
        return
    _refuse_vacant(view, name)
    who = view.person(name)
    if view.gone(who):
        raise Wrong("gone", who=who)
    if who == NESTOR:
        raise Wrong("nestor", who=who)
    if view.mine is None:
        raise Wrong("no_list")
    secret = view.mine.get(who, 0)
    if not secret:
        raise Wrong("not_listed", who=who)
    if isinstance(points, int) and points > secret:
        raise Wrong("too_high", _with(order, **{slot: secret}), who=who, points=points, secret=secret)


def _too_low(view: View, order: Order, name: str, points: Value | None) -> None:
    """Hint at a bid that cannot succeed by what is shown already."""
    who = view.person(name)
    one = view.one(who) if who else None
    if one is None or one.controller in (-1, view.seat) or order.when is not None or order.standing:
        return
    most = points if isinstance(points, int) else (view.mine or {}).get(who, 0)
    if most <= one.declared[one.controller]:
        raise Wrong("bid_low", refuses=False, who=who, points=most, shown=one.declared[one.controller])


# --- acts and votes ---------------------------------------------------------------------------------------------------


def _treatment(view: View, order: Order) -> None:
    _each(view, order, "not_member", lambda who: view.places[who] in OFFICES)
    _each(view, order, "healthy", lambda who: view.one(who).marks > 0)


def _purge(view: View, order: Order) -> None:
    _ends(order)
    _each(view, order, "no_target", lambda who: LEVELS.get(view.places[who], 4) < 4)


def _close(view: View, order: Order) -> None:
    _each(view, order, "not_member", lambda who: view.places[who] in OFFICES)
    _each(view, order, "no_file", lambda who: view.one(who).opened > 0)


def _investigate(view: View, order: Order) -> None:
    _ends(order)
    _each(view, order, "not_member", lambda who: view.places[who] in OFFICES)
    _each(view, order, "has_file", lambda who: not view.one(who).opened)


def _accuse(view: View, order: Order) -> None:
    for slot in ("who", "else"):
        if slot not in order.args:
            continue
        name = str(order.args[slot])
        fix = _minus(order, "else") if slot == "else" else None
        _refuse_vacant(view, name, fix)
        who = view.person(name)
        if view.places[who] not in OFFICES:
            raise Wrong("not_member", fix, who=who)
        if not 0 < view.one(who).opened < view.seen.year:
            raise Wrong("no_old_file", fix, who=who)


def _banish(view: View, order: Order) -> None:
    _each(view, order, "not_candidate", lambda who: view.places[who] == "candidates")


def _vote(view: View, order: Order) -> None:
    if "with" in order.args:
        name = str(order.args["with"])
        _refuse_vacant(view, name, _minus(order, "with"))
        if view.person(name) not in view.voters:
            raise Wrong("no_voter", _minus(order, "with"), who=view.person(name))
    if "on" in order.args:
        name = str(order.args["on"])
        _refuse_vacant(view, name, _minus(order, "on"))
        if view.voted_on and view.person(name) != view.voted_on:
            fix = _with(order, on=view.voted_on)
            raise Wrong("not_up", fix, who=view.person(name), instead=view.voted_on)


def _rule(view: View, order: Order) -> None:
    def bad(name: str) -> bool:
        return name not in OFFICES and view.gone(name)

    wrong = next((name for name in names(order) if bad(name)), "")
    if wrong:
        raise Wrong("gone", _without(order, bad), who=wrong)


def _nominate(view: View, order: Order) -> None:
    _each(view, order, "not_member", lambda who: view.places[who] in OFFICES)
    proposer = view.in_line(PROPOSERS)
    _each(view, order, "self", lambda who: who != proposer)


def _stop(_: View, order: Order) -> None:
    if not order.args:
        raise Wrong("stop_what")
    _ends(order)


# --- phases 6 and 7 ---------------------------------------------------------------------------------------------------


def _move(view: View, order: Order) -> None:
    for slot in ("who", "with"):
        if slot in order.args:
            _movable(view, str(order.args[slot]))
    who, target = view.person(str(order.args["who"])), str(order.args.get("to", ""))
    if target == "chief":
        raise Wrong(
            "chief_stays", _minus(order, "to") if order.verb != "move" else None, who=view.seen.offices.get("chief", "")
        )
    if order.verb == "swap" and view.person(str(order.args["with"])) == who:
        raise Wrong("same", who=who)
    _hint(view, order, who, target)


def _movable(view: View, name: str) -> None:
    _refuse_vacant(view, name)
    who = view.person(name)
    if view.places[who] == "siberia":
        raise Wrong("siberia", who=who)
    if view.gone(who):
        raise Wrong("gone", who=who)
    if not LEVELS[view.places[who]]:
        raise Wrong("chief_stays", who=who)


def _hint(view: View, order: Order, who: str, target: str) -> None:
    """Say what cannot be done as things stand; earlier moves of anybody may change that, so it is not refused."""
    level = LEVELS[view.places[who]]
    wanted = LEVELS[target] if target else -1
    if order.verb == "swap":
        other = LEVELS[view.places[view.person(str(order.args["with"]))]]
        if abs(level - other) > 1:
            raise Wrong("too_far", refuses=False, who=who)
        if level == other == 4:
            raise Wrong("both_people", refuses=False, who=who)
        return
    reached = level + {"promote": -1, "demote": 1}.get(order.verb, 0)
    if not 1 <= reached <= 4 or (wanted >= 0 and wanted != reached):
        raise Wrong("wrong_level", refuses=False, who=who, place=view.places[who])


def _rehabilitate(view: View, order: Order) -> None:
    _ends(order)
    _each(view, order, "not_siberia", lambda who: view.places[who] == "siberia")
    by = str(order.args["by"])
    if by not in OFFICES and LEVELS.get(view.places[by], -1) < 0:
        raise Wrong("not_member", who=by)


JUDGES: Mapping[str, Callable[[View, Order], None]] = {
    "rank": _rank,
    "bid": _bid,
    "hold": _hold,
    "cure": _treatment,
    "recall": _treatment,
    "purge": _purge,
    "close": _close,
    "investigate": _investigate,
    "accuse": _accuse,
    "banish": _banish,
    "vote": _vote,
    "protect": _rule,
    "oppose": _rule,
    "nominate": _nominate,
    "swap": _move,
    "promote": _move,
    "demote": _move,
    "move": _move,
    "rehabilitate": _rehabilitate,
    "stop": _stop,
}
