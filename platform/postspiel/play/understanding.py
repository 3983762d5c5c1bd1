"""What a sheet becomes when its player sends something: the one path of every door. Pure.

Mail, form and API differ only in how they say it: a text, or orders; added to what is on file, or in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, structs

from games.engine import language as languages
from games.engine import sheets
from games.engine.contract import Ask, Locale, Options, Order, Problem, Sheet, Title
from games.engine.language import LineProblem, OrderLine, Reading

type Verdict = Literal["accepted", "partial", "rejected"]
type Reason = Literal["", "empty", "late", "wrong-turn", "not-running", "not-yours"]
type HeldBack = Literal["", "refused", "missing"]

_DONE = frozenset({"done", "always done"})
_TOUCHING = frozenset({"nothing", "wait"})
_SETTLING = _DONE | {"wait"}


class Desk(Struct, frozen=True):
    """Where a sheet is written: the title, the game's options, what the seat sees, and what is on file there."""

    title: Title[Any]
    options: Options
    seen: Any
    seat: int
    on_file: Sheet = ()


class Later(Struct, frozen=True):
    """What was read of something that was accepted later. ``replace``: it took the place of the whole sheet."""

    reading: Reading
    replace: bool


class Understood(Struct, frozen=True):
    """What was made of something that a player sent. Kept with it as JSON, and what a receipt is written from.

    ``reading``: what was read, line by line; ``order`` in ``refused`` and ``hints`` counts in its orders.
    ``accepted``: the new orders that stand; ``sheet``: all that is in force now; ``cancelled``: what was taken out;
    ``outranked``: new orders that do not stand, because something that was accepted later says otherwise.
    ``lapsed``: why orders on file are no longer possible, and ``gone``: those orders.
    ``missing``: what is asked and not answered yet.
    ``done``: the player says that he is done, and nothing holds that back; ``held_back``: what does.
    ``touched``: some of it concerns the sheet, whose ``status`` and salted ``digest`` these are.
    ``named`` and ``open``: numbers of the turn that was meant, and of the open one.
    """

    verdict: Verdict
    reason: Reason = ""
    reading: Reading = Reading()
    accepted: Sheet = ()
    sheet: Sheet = ()
    cancelled: Sheet = ()
    outranked: Sheet = ()
    refused: tuple[Problem, ...] = ()
    hints: tuple[Problem, ...] = ()
    lapsed: tuple[Problem, ...] = ()
    gone: Sheet = ()
    missing: tuple[Ask, ...] = ()
    held_back: HeldBack = ""
    touched: bool = False
    done: bool = False
    status: Literal["none", "on_file", "final"] = "none"
    digest: str = ""
    named: int | None = None
    open: int | None = None

    @property
    def words(self) -> frozenset[str]:
        """The control words that were read."""
        return frozenset(control.word for control in self.reading.controls)

    @property
    def owed(self) -> tuple[Ask, ...]:
        """What of ``missing`` is owed still: a final sheet leaves unused what one may leave."""
        final = self.status == "final"
        return tuple(ask for ask in self.missing if ask.must and not (ask.waivable and final))


def read_text(desk: Desk, text: str, locale: Locale) -> Reading:
    """Read what a player wrote; what he can be told of a wrong line, and nothing else, is made of what he may order."""
    spoken = languages.language(desk.title, desk.options)
    reading = languages.reading_of(text, spoken)
    return spoken.read(text, locale, desk.title.asks(desk.seen, desk.seat)) if reading.problems else reading


def read_orders(desk: Desk, orders: Iterable[Order], locale: Locale) -> Reading:
    """Read orders that a form or a program sent, as if they had been written one a line."""
    language = languages.language(desk.title, desk.options)
    lines: list[OrderLine] = []
    problems: list[LineProblem] = []
    for number, order in enumerate(orders, 1):
        try:
            clean = language.accept(order)
            lines.append(OrderLine(number, language.write(clean, locale), clean))
        except languages.Unwritable as error:
            problems.append(LineProblem(number, order.verb, error.code, error.data))
    return Reading(tuple(lines), tuple(problems))


def understand(desk: Desk, reading: Reading, *, replace: bool, empty: bool) -> Understood:
    """Return what the sheet becomes. ``replace``: what was read takes the place of all that is on file.

    ``empty`` says that the seat has handed in a sheet without orders already, so that it owes nothing any more.
    """
    kept, cancelled = _cancel(desk, reading, replace=replace)
    new = tuple(line.order for line in reading.orders)
    merged = sheets.merge(desk.title, desk.seen, desk.seat, kept, new)
    refused = {problem.order for problem in merged.refused}
    accepted = tuple(order for index, order in enumerate(new) if index not in refused)
    missing = sheets.missing(desk.title, desk.seen, desk.seat, merged.sheet)
    words = {control.word for control in reading.controls}
    wrong = bool(refused or reading.problems)
    due = any(ask.must and not ask.waivable for ask in missing)
    owes = due and "nothing" not in words and not (empty and not accepted)
    held_back: HeldBack = "" if not words & _DONE else "refused" if wrong else "missing" if owes else ""
    done = bool(words & _DONE) and not held_back
    touched = bool(accepted or cancelled or done or words & _TOUCHING or (replace and not wrong))
    return Understood(
        verdict=_verdict(wrong=wrong or bool(held_back), said=touched or bool(words - {"done"})),
        reason="" if touched or words or wrong else "empty",
        reading=reading,
        accepted=accepted,
        sheet=merged.sheet,
        cancelled=cancelled,
        refused=merged.refused,
        hints=merged.hints,
        lapsed=merged.lapsed,
        gone=tuple(kept[problem.order] for problem in merged.lapsed),
        missing=missing,
        held_back=held_back,
        touched=touched,
        done=done,
    )


def beneath(desk: Desk, early: Understood, later: Iterable[Later]) -> Understood:
    """Return what ``early`` comes to, read after ``later`` though accepted before: they are put on top of it again."""
    for one in later:
        on_top = structs.replace(desk, on_file=early.sheet)
        early = _covered(early, one, understand(on_top, one.reading, replace=one.replace, empty=False))
    return early


def _covered(early: Understood, later: Later, after: Understood) -> Understood:
    """Take out of ``early`` what a later one said otherwise; whether the sheet is final is for that one to say."""
    lost = tuple(order for order in early.accepted if order not in after.sheet)
    settles = later.replace or bool(after.words & _SETTLING)
    controls = (one for one in early.reading.controls if not (settles and one.word in _SETTLING))
    return structs.replace(
        early,
        reading=structs.replace(early.reading, controls=tuple(controls)),
        accepted=tuple(order for order in early.accepted if order in after.sheet),
        sheet=after.sheet,
        cancelled=tuple(order for order in early.cancelled if order not in after.sheet),
        outranked=(*early.outranked, *lost),
        missing=after.missing,
        done=early.done and not settles,
    )


def _cancel(desk: Desk, reading: Reading, *, replace: bool) -> tuple[Sheet, Sheet]:
    """Return what stays of the orders on file, and what was cancelled by word."""
    if replace:
        return (), ()
    language = languages.language(desk.title, desk.options)
    sheet = desk.on_file
    removed: Sheet = ()
    for control in reading.controls:
        gone = language.matcher(control.arg) if control.word == "cancel" else None
        if control.word == "nothing":
            gone = _is_of_this_turn
        if gone is not None:
            cut = sheets.cancel(sheet, gone)
            sheet, removed = cut.sheet, (*removed, *cut.removed)
    return sheet, removed


def _is_of_this_turn(order: Order) -> bool:
    return not order.standing


def _verdict(*, wrong: bool, said: bool) -> Verdict:
    if wrong:
        return "partial" if said else "rejected"
    return "accepted" if said else "rejected"
