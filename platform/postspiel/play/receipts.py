"""The receipt: what became of an order mail, so that its writer knows what is in force and how to mend the rest.

`Facts` are plain values in the reader's language; `pieces` puts them in order. Nothing here reads the database, so that
what a receipt says can be tested alone; `postspiel.play.mails.receipt` gathers the facts of one submission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import controls
from games.engine.contract import Block, Copy, Heading, Items, Locale, Options, Problem, Text, Title
from games.engine.language import Language, line_problem_text
from games.engine.texts import problem_text
from postspiel.play.rendering import Folded, Piece
from postspiel.play.understanding import Understood

MOST_PROBLEMS = 20
MOST_IGNORED = 60
MOST_OPTIONAL = 6


class Words(Protocol):
    """In whose words a submission is told: a game's title, options and order language, and the reader's language."""

    @property
    def title(self) -> Title[Any]: ...
    @property
    def options(self) -> Options: ...
    @property
    def language(self) -> Language: ...
    @property
    def locale(self) -> Locale: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A line that was not taken: its number (0: unknown) and text, why, what was understood, a right line near it."""

    line: int
    text: str
    reason: str
    understood: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """Something that is asked and not ordered yet: in words, how often, with example lines; owed or not."""

    what: str
    examples: tuple[str, ...]
    owed: bool
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a receipt tells. Order lines are canonical, in the reader's language.

    ``verdict`` is a sentence. ``new`` and ``old`` together are what is in force; ``gone`` was taken out. ``said`` are
    sentences about control words and press. ``state`` tells whether the sheet is none, on file or final. ``foreseen``
    is the preview up to ``roll``.
    """

    heading: str
    deadline: str
    verdict: str
    wrong: tuple[Wrong, ...] = ()
    new: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    lacking: tuple[Lacking, ...] = ()
    state: str = ""
    foreseen: tuple[Block, ...] = ()
    roll: str = ""
    digest: str = ""
    how: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def verdict(understood: Understood, *, failed: bool = False, unreadable: bool = False) -> str:
    """Say in one sentence what became of a submission, whatever its door was.

    ``failed``: something beside its orders could not be done. ``unreadable``: there was no text to read.
    """
    if understood.reason:
        return _("What you sent could not be read, so nothing has changed.") if unreadable else _refusal(understood)
    if understood.verdict == "accepted":
        return _accepted(failed=failed, outranked=bool(understood.outranked))
    if understood.verdict == "rejected":
        return _("Nothing of what you sent could be taken, so nothing has changed.")
    count = len(understood.reading.problems) + len(understood.refused)
    return (
        ngettext(
            "One of your lines could not be taken, the others were.",
            "%(count)d of your lines could not be taken, the others were.",
            count,
        )
        % {"count": count}
        if count
        else _("What you sent was taken, but your orders are not final yet.")
    )


def _accepted(*, failed: bool, outranked: bool) -> str:
    if failed:
        return _("What you sent was read, but not all of it could be done.")
    if outranked:
        return _("What you sent was read, but where you said otherwise later, that counts.")
    return _("All you sent was taken.")


def _refusal(understood: Understood) -> str:
    numbers = {"named": understood.named, "open": understood.open}
    if understood.reason == "empty":
        return _("There were no orders in what you sent, so nothing has changed.")
    if understood.reason == "late":
        return _("What you sent came after the deadline of turn %(open)d, so nothing was changed.") % numbers
    if understood.reason == "wrong-turn":
        return (
            _("What you sent was for turn %(named)d, but turn %(open)d is open now, so nothing was changed.") % numbers
        )
    return _("No turn of this game is open for your orders, so nothing was changed.")


def held_back(understood: Understood, locale: Locale) -> str:
    """Say why orders are not final though their writer said that they are; "" if nothing holds them back."""
    words = {word: controls.written(controls.Control(word), locale) for word in ("done", "nothing")}
    if understood.held_back == "refused":
        return (
            _(
                "You wrote “%(done)s”, but your orders are not final yet, because lines were not taken. Send them "
                "mended, and “%(done)s” again."
            )
            % words
        )
    if understood.held_back == "missing":
        return (
            _(
                "You wrote “%(done)s”, but your orders are not final yet, because you still owe some. Send them, or "
                "“%(nothing)s” if you want to give none, and “%(done)s” again."
            )
            % words
        )
    return ""


def wrong_lines(understood: Understood, words: Words) -> tuple[Wrong, ...]:
    """Return the lines of a submission that were not taken, in their order: unreadable ones and refused orders."""
    found = [
        Wrong(
            line=problem.line,
            text=problem.text,
            reason=line_problem_text(problem, words.locale),
            understood=problem.understood,
            suggestion=problem.suggestion or "",
        )
        for problem in understood.reading.problems
    ]
    found += [_refused(problem, understood, words) for problem in understood.refused]
    return tuple(sorted(found, key=lambda one: one.line))


def reason(problem: Problem, words: Words) -> str:
    """Return what is the matter with an order."""
    return problem_text(words.title, words.options, problem, words.locale)


def _refused(problem: Problem, understood: Understood, words: Words) -> Wrong:
    line = understood.reading.orders[problem.order]
    fix = words.language.write(problem.fix, words.locale) if problem.fix else ""
    return Wrong(line=line.line, text=line.text, reason=reason(problem, words), suggestion=fix)


def pieces(facts: Facts) -> Iterator[Piece]:
    """Put a receipt together: what became of the mail, what is wrong, in force, missing, and what follows."""
    yield Heading(facts.heading)
    yield Text(facts.verdict, tone="strong")
    if facts.said:
        yield Items(facts.said)
    yield from _wrong(facts.wrong)
    yield from _in_force(facts)
    yield from _lacking(facts.lacking)
    if facts.state:
        yield Text(facts.state)
    if facts.deadline:
        yield Text(_("Deadline: %(deadline)s.") % {"deadline": facts.deadline})
    yield from _foreseen(facts)
    yield from _change(facts)
    yield from _ignored(facts.ignored)


def _wrong(wrong: tuple[Wrong, ...]) -> Iterator[Piece]:
    if not wrong:
        return
    yield Heading(_("What was not taken"), 3)
    yield Items(tuple(map(_told, wrong[:MOST_PROBLEMS])))
    if len(wrong) > MOST_PROBLEMS:
        more = {"count": len(wrong) - MOST_PROBLEMS}
        yield Text(_("%(count)d more lines could not be taken; they are not listed here.") % more)
    suggestions = tuple(dict.fromkeys(one.suggestion for one in wrong[:MOST_PROBLEMS] if one.suggestion))
    if suggestions:
        yield Text(_("Perhaps you meant the following; send back what fits:"))
        yield Copy(suggestions)


def _told(one: Wrong) -> str:
    reason = one.reason if one.reason.endswith((".", "!", "?")) else f"{one.reason}."
    parts = {"line": one.line, "text": one.text, "reason": reason}
    told = (_("Line %(line)d, “%(text)s”: %(reason)s") if one.line else _("“%(text)s”: %(reason)s")) % parts
    if one.understood:
        told += " " + _("Understood so far: %(understood)s.") % {"understood": one.understood}
    if one.suggestion:
        told += " " + _("Perhaps: %(suggestion)s") % {"suggestion": one.suggestion}
    return told


def _in_force(facts: Facts) -> Iterator[Piece]:
    yield Heading(_("Your orders in force"), 3)
    if not facts.new and not facts.old:
        yield Text(_("You have no orders in force."))
    if facts.new:
        yield Text(_("New with this mail:"))
        yield Copy(facts.new)
    if facts.old:
        yield Text(_("As before:") if facts.new else _("Unchanged:"))
        yield Copy(facts.old)
    if facts.gone:
        yield Text(_("No longer in force:"))
        yield Items(facts.gone)
    if facts.hints:
        yield Heading(_("Worth a second look"), 3)
        yield Items(facts.hints)


def _lacking(lacking: tuple[Lacking, ...]) -> Iterator[Piece]:
    owed = [one for one in lacking if one.owed]
    if owed:
        yield Heading(_("What you still owe"), 3)
        yield Items(tuple(map(_example, owed)))
    free = [one for one in lacking if not one.owed]
    if free:
        yield Heading(_("What you may still order"), 3)
        yield Items(tuple(map(_example, free[:MOST_OPTIONAL])))


def _example(one: Lacking) -> str:
    examples = ", ".join(_("“%(order)s”") % {"order": example} for example in one.examples)
    return ngettext(
        "%(what)s For example: %(examples)s",
        "%(what)s %(count)d of these, for example: %(examples)s",
        one.count,
    ) % {"what": one.what, "count": one.count, "examples": examples}


def _foreseen(facts: Facts) -> Iterator[Piece]:
    if not facts.foreseen:
        return
    yield Heading(_("If only your orders were carried out"), 3)
    yield from facts.foreseen
    if facts.roll:
        yield Text(_("What follows depends on chance (%(roll)s).") % {"roll": facts.roll}, tone="quiet")
    yield Text(_("What the others order may change all of this."), tone="quiet")


def _change(facts: Facts) -> Iterator[Piece]:
    if facts.how:
        yield Heading(_("How to change this"), 3)
        yield from map(Text, facts.how)
    if facts.digest:
        yield Text(
            _("Seal of these orders: %(digest)s. It is checked by everybody when the game is over.")
            % {"digest": facts.digest},
            tone="quiet",
        )


def _ignored(ignored: tuple[str, ...]) -> Iterator[Piece]:
    if not ignored:
        return
    shown = ignored[:MOST_IGNORED]
    if len(shown) < len(ignored):
        shown = (*shown, _("… and %(count)d more lines") % {"count": len(ignored) - len(shown)})
    yield Folded(_("These lines of your mail were not read as orders:"), shown)
