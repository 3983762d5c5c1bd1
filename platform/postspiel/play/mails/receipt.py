"""The receipt mail: gathers what was made of one submission, as its seat may know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from django.utils.translation import gettext as _

from games.engine import turns as engine
from games.engine.contract import Block, Locale, Order, Problem, Sheet
from games.engine.texts import roll_text
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import positions, receipts, times
from postspiel.play.mails import acts, frame, rows, turns
from postspiel.play.mails.acts import Act
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Game, Submission
from postspiel.play.receipts import Facts, Lacking
from postspiel.play.sheets import understood_of
from postspiel.play.understanding import Understood


def receipt(outgoing: Outgoing) -> Letter:
    """The answer to an order mail."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    one = Submission.objects.select_related("turn__game", "seat__game").get(pk=outgoing.data["submission"])
    facts = _Facts(one, reader).gathered(outgoing.data.get("acts", []))
    what = {
        "accepted": _("receipt"),
        "partial": _("receipt with questions"),
        "rejected": _("not taken"),
        "empty": _("no orders found"),
    }[facts.verdict]
    subject = frame.turn_subject(one.turn, what) if one.turn else frame.subject(seat.game, what)
    return frame.seat_letter(subject, receipts.pieces(facts), seat, reader.locale)


class _Facts:
    """One submission, told to its writer."""

    def __init__(self, submission: Submission, reader: Reader) -> None:
        self.submission = submission
        self.reader = reader
        self.locale: Locale = reader.locale
        self.game: Game = submission.seat.game
        self.title = positions.title_of(self.game)
        self.options = positions.options_of(self.game)
        self.language = frame.language_of(self.game)
        self.understood: Understood = understood_of(submission)

    def gathered(self, done: list[Act]) -> Facts:
        known, turn = self.understood, self.submission.turn
        counts = not known.reason
        foreseen, roll = self._foreseen()
        new = known.accepted if known.verdict != "rejected" else ()
        return Facts(
            heading=frame.turn_heading(turn) if turn else self.game.name,
            deadline=times.deadline(turn, self.reader.zone, self.locale) if turn else "",
            verdict="empty" if known.reason == "empty" else known.verdict,
            late=self._late(),
            wrong=receipts.wrong_lines(known, self) if counts else (),
            new=self._lines(new),
            old=self._lines(_without(known.sheet, new)),
            gone=tuple(self._gone()),
            hints=tuple(self._of_line(hint) for hint in known.hints),
            said=acts.told(done, self.game, self.locale),
            failed=acts.failed(done),
            lacking=tuple(self._lacking()),
            state=self._state() if turn else "",
            foreseen=foreseen,
            roll=roll,
            digest=known.digest,
            how=self._how() if turn else (),
            ignored=tuple(self.submission.ignored.splitlines()),
        )

    def _lines(self, orders: Sheet) -> tuple[str, ...]:
        return tuple(self.language.write(order, self.locale) for order in orders)

    def _late(self) -> str:
        known = self.understood
        numbers = {"named": known.named, "open": known.open}
        if known.reason == "wrong-turn":
            return (
                _(
                    "Your mail answers turn %(named)d, but turn %(open)d is open now, so nothing was changed. Please "
                    "answer the mail of turn %(open)d."
                )
                % numbers
            )
        if known.reason == "late":
            return _("Your mail came after the deadline of turn %(open)d, so nothing was changed.") % numbers
        if known.reason in {"not-running", "not-yours"}:
            return _("No turn of this game is open for your orders, so nothing was changed.")
        return ""

    def _of_line(self, problem: Problem) -> str:
        line = self.understood.reading.orders[problem.order]
        parts = {"line": line.line, "text": line.text, "reason": receipts.reason(problem, self)}
        return _("Line %(line)d, “%(text)s”: %(reason)s") % parts

    def _gone(self) -> Iterator[str]:
        yield from self._lines(self.understood.cancelled)
        for order, problem in zip(self.understood.gone, self.understood.lapsed, strict=True):
            yield f"{self.language.write(order, self.locale)}: {receipts.reason(problem, self)}"

    def _lacking(self) -> Iterator[Lacking]:
        """Tell what is asked and not answered, the asks of one verb together."""
        due = self.understood.owed
        for (verb, owed), group in groupby(self.understood.missing, key=lambda ask: (ask.verb, ask in due)):
            asks = list(group)
            what = self.title.about.texts[self.locale].get(f"verb.{verb}", verb)
            examples = self.language.examples(asks, self.locale)
            yield Lacking(what=what, examples=examples, owed=owed, count=len(asks))

    def _state(self) -> str:
        known = self.understood
        words = {"done": frame.control("done", self.locale), "nothing": frame.control("nothing", self.locale)}
        if known.held_back == "refused" and known.words & {"done", "always done"}:
            return (
                _(
                    "You wrote “%(done)s”, but your orders are not final yet, because lines of your mail were not "
                    "taken. Send them mended, and “%(done)s” again."
                )
                % words
                + self._counts()
            )
        if known.held_back == "missing" and known.words & {"done", "always done"}:
            return (
                _(
                    "You wrote “%(done)s”, but your orders are not final yet, because you still owe some. Send them, "
                    "or “%(nothing)s” if you want to give none, and “%(done)s” again."
                )
                % words
                + self._counts()
            )
        return turns.state_of(known.status, self.locale)

    def _counts(self) -> str:
        return " " + turns.state_of(self.understood.status, self.locale)

    def _foreseen(self) -> tuple[tuple[Block, ...], str]:
        """Return what would happen if nobody else ordered anything, and the roll that it stops at, if any."""
        turn, known = self.submission.turn, self.understood
        if turn is None or known.verdict == "rejected" or not known.sheet:
            return (), ""
        seat = self.submission.seat.index
        preview = engine.preview(self.title, positions.state_of(turn), seat, known.sheet)
        story = self.title.story(self.options, preview.events, self.locale)
        stop = preview.stopped_at
        return tuple(story), roll_text(self.title, self.options, stop, self.locale) if stop else ""

    def _how(self) -> tuple[str, ...]:
        words = {"cancel": frame.control("cancel", self.locale), "help": frame.control("help", self.locale)}
        return (
            _(
                "Answer this mail. A line about the same thing replaces the old one, “%(cancel)s” with an order behind "
                "it takes that order out, and “%(help)s” sends you the whole order language."
            )
            % words,
        )


def _without(sheet: Sheet, new: Sheet) -> Sheet:
    """Return the orders of a sheet that are not new, each as often as it stands there."""
    fresh = Counter(map(repr, new))
    left: list[Order] = []
    for order in sheet:
        if fresh[repr(order)]:
            fresh[repr(order)] -= 1
        else:
            left.append(order)
    return tuple(left)
