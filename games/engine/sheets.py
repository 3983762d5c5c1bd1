"""What a seat has handed in: merging orders into it, replacing, cancelling, and what it still lacks (DESIGN section 4).

A mail merges: its orders take the place of those on file with the same key. A form or a program replaces the sheet.
A refused line leaves its predecessor, and valid lines of a partly wrong sheet count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as changed

from games.engine.contract import Ask, Order, Problem, Sheet, Slot, Title, Value, Verb

type Key = tuple[str, tuple[Value | None, ...], bool, str]


class Merged(Struct, frozen=True):
    """The sheet after new orders came in, and what was said about them.

    ``order`` of a problem in ``refused`` and ``hints`` counts in the new orders. ``lapsed`` are orders that were on
    file and are no longer possible, with the reason (``order`` counts in the old sheet).
    """

    sheet: Sheet
    refused: tuple[Problem, ...] = ()
    hints: tuple[Problem, ...] = ()
    lapsed: tuple[Problem, ...] = ()


class Cancelled(Struct, frozen=True):
    """A sheet without some of its orders, and those."""

    sheet: Sheet
    removed: Sheet


def key(verbs: dict[str, Verb], order: Order) -> Key:
    """Return what two orders must share for the later to replace the earlier.

    Family, key arguments, standing and trigger: what waits for something else is another order.
    """
    verb = verbs[order.verb]
    trigger = "" if order.when is None else f"{order.when.verb} {sorted(order.when.args.items())}"
    return verb.family or verb.name, tuple(order.args.get(name) for name in verb.key), order.standing, trigger


def merge(title: Title[Any], seen: Any, seat: int, on_file: Sheet, new: Sheet) -> Merged:
    """Merge new orders into a sheet. ``seen`` is the state as the seat sees it.

    Orders of ``new`` take the place of those on file with the same key; several of one key within ``new`` stand beside
    each other, unless the title's check says that they clash.
    """
    verbs = {verb.name: verb for verb in title.verbs}
    keys = [key(verbs, order) for order in new]
    held, lapsed = _sound(title, seen, seat, on_file)
    taken = list(range(len(new)))
    refused: list[Problem] = []
    while True:
        replaced = {keys[i] for i in taken}
        old = [i for i in held if key(verbs, on_file[i]) not in replaced]
        sheet = (*(on_file[i] for i in old), *(new[i] for i in taken))
        problems = title.check(seen, seat, sheet)
        wrong, stale = _sort_out(problems, old, taken)
        if not wrong and not stale:
            hints = [changed(p, order=taken[p.order - len(old)]) for p in problems if p.order >= len(old)]
            return Merged(sheet, _by_order(refused), tuple(hints), _by_order(lapsed))
        refused += wrong
        taken = _without(taken, wrong)
        if not wrong:  # only then is an order on file to blame: of two that clash the later is refused
            lapsed += stale
            held = _without(held, stale)


def replace(title: Title[Any], seen: Any, seat: int, new: Sheet) -> Merged:
    """Put a whole new sheet (a form's or a program's) in the place of the old one."""
    return merge(title, seen, seat, (), new)


def cancel(sheet: Sheet, gone: Callable[[Order], bool]) -> Cancelled:
    """Take the orders out for which ``gone`` is true (``Language.matcher`` makes it from what a player wrote)."""
    return Cancelled(tuple(order for order in sheet if not gone(order)), tuple(order for order in sheet if gone(order)))


def owes(title: Title[Any], seen: Any, seat: int) -> bool:
    """Whether the seat must order something in this turn, so that silence is a missed turn."""
    return any(ask.must for ask in title.asks(seen, seat))


def usual(slot: Slot) -> bool:
    """Whether an order for an ask normally says this: what must be there, and plain things without key word or plus."""
    return not slot.optional or not (slot.words or slot.sign)


def missing(title: Title[Any], seen: Any, seat: int, sheet: Sheet) -> tuple[Ask, ...]:
    """Return the asks of this turn (early ones aside) that the sheet leaves unanswered, those that are owed first.

    Orders and asks are paired one to one as well as they can be. Asks of one family with the same key choices are
    alternatives (keep or replace): one order answers both. A standing order answers every ask of its family that its
    arguments fit.
    """
    verbs = {verb.name: verb for verb in title.verbs}
    asks = title.asks(seen, seat)
    groups = alternatives(verbs, asks)
    open_groups = [group for group in groups if not any(_answers(verbs, o, group, standing=True) for o in sheet)]
    fits = [[g for g, group in enumerate(open_groups) if _answers(verbs, o, group)] for o in sheet]
    answered = _pair(fits)
    left = [ask for g, group in enumerate(open_groups) if g not in answered for ask in group if not ask.early]
    return tuple(sorted(left, key=lambda ask: not ask.must))


def _sound(title: Title[Any], seen: Any, seat: int, on_file: Sheet) -> tuple[list[int], list[Problem]]:
    """Return the indexes of the orders on file that still hold, and the problems of the others."""
    held, lapsed = list(range(len(on_file))), []
    while wrong := _sort_out(title.check(seen, seat, tuple(on_file[i] for i in held)), held, [])[1] if held else []:
        lapsed += wrong
        held = _without(held, wrong)
    return held, lapsed


def _sort_out(
    problems: Iterable[Problem], old: Sequence[int], taken: Sequence[int]
) -> tuple[list[Problem], list[Problem]]:
    """Return the refusals of new orders and of old ones, each counted in its own list, one an order."""
    wrong: dict[int, Problem] = {}
    stale: dict[int, Problem] = {}
    for problem in problems:
        if problem.refuses:
            at = problem.order - len(old)
            where, index = (wrong, taken[at]) if at >= 0 else (stale, old[problem.order])
            where.setdefault(index, changed(problem, order=index))
    return list(wrong.values()), list(stale.values())


def _without(indexes: Sequence[int], problems: Iterable[Problem]) -> list[int]:
    gone = {problem.order for problem in problems}
    return [i for i in indexes if i not in gone]


def _by_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: problem.order))


def alternatives(verbs: dict[str, Verb], asks: Iterable[Ask]) -> list[list[Ask]]:
    """Group asks of different verbs, one family and the same key choices; asks of one verb stay apart."""
    groups: dict[object, list[Ask]] = {}
    count: dict[object, int] = {}
    for ask in asks:
        verb = verbs[ask.verb]
        same = (verb.family or verb.name, *[ask.domains.get(name) for name in verb.key])
        nth = count[same, verb.name] = count.get((same, verb.name), 0) + 1
        groups.setdefault((same, nth), []).append(ask)
    return list(groups.values())


def _answers(verbs: dict[str, Verb], order: Order, group: Iterable[Ask], *, standing: bool = False) -> bool:
    return order.standing is standing and any(_fits(verbs, order, ask) for ask in group)


def _fits(verbs: dict[str, Verb], order: Order, ask: Ask) -> bool:
    mine, asked = verbs[order.verb], verbs[ask.verb]
    if (mine.family or mine.name) != (asked.family or asked.name):
        return False
    for name in asked.key:
        value, domain = order.args.get(name), ask.domains.get(name)
        said = value if isinstance(value, tuple) else (value,)
        if value is not None and domain is not None and domain.names and not set(said) <= set(domain.names):
            return False
    return True


def _pair(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """Pair orders (by index) with groups so that as many groups as possible are answered: group -> order."""
    answered: dict[int, int] = {}

    def place(order: int, tried: set[int]) -> bool:
        for group in fits[order]:
            if group not in tried:
                tried.add(group)
                if group not in answered or place(answered[group], tried):
                    answered[group] = order
                    return True
        return False

    for order in range(len(fits)):
        place(order, set())
    return answered
