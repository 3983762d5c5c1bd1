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
    done: list[Act] = outgoing.data.get("acts", [])
    what = _what(understood_of(one), unreadable=acts.unreadable(done))
    subject = frame.turn_subject(one.turn, what) if one.turn else frame.subject(seat.game, what)
    return frame.seat_letter(subject, receipts.pieces(_Facts(one, reader).gathered(done)), seat, reader.locale)


def _what(understood: Understood, *, unreadable: bool) -> str:
    if understood.reason == "empty" and not unreadable:
        return _("no orders found")
    return {"accepted": _("receipt"), "partial": _("receipt with questions"), "rejected": _("not taken")}[
        understood.verdict
    ]


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
        counts, late = not known.reason, known.reason == "late"
        foreseen, roll = self._foreseen()
        new = known.accepted if known.verdict != "rejected" else ()
        return Facts(
            heading=frame.turn_heading(turn) if turn else self.game.name,
            deadline=times.deadline(turn, self.reader.zone, self.locale) if turn else "",
            verdict=self._verdict(done),
            wrong=receipts.wrong_lines(known, self) if counts else (),
            new=self._lines(new),
            old=self._lines(_without(known.sheet, new)),
            gone=tuple(self._gone()),
            hints=tuple(self._of_line(hint) for hint in known.hints),
            said=acts.told(done, self.game, self.locale),
            lacking=tuple(self._lacking()),
            state=self._state() if turn and not late else "",
            foreseen=foreseen,
            roll=roll,
            digest=known.digest,
            how=self._how() if turn and not late else (),
            ignored=tuple(self.submission.ignored.splitlines()),
        )

    def _lines(self, orders: Sheet) -> tuple[str, ...]:
        return tuple(self.language.write(order, self.locale) for order in orders)

    def _verdict(self, done: list[Act]) -> str:
        known = self.understood
        said = receipts.verdict(known, failed=acts.failed(done), unreadable=acts.unreadable(done))
        if known.reason == "wrong-turn":
            said += " " + _("Please answer the mail of turn %(open)d.") % {"open": known.open}
        return said

    def _of_line(self, problem: Problem) -> str:
        line = self.understood.reading.orders[problem.order]
        parts = {"line": line.line, "text": line.text, "reason": receipts.reason(problem, self)}
        return _("Line %(line)d, “%(text)s”: %(reason)s") % parts

    def _gone(self) -> Iterator[str]:
        yield from self._lines(self.understood.cancelled)
        for line in self._lines(self.understood.outranked):
            yield _("%(order)s: you said otherwise later.") % {"order": line}
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
        status = turns.state_of(self.understood.status, self.locale)
        return " ".join(filter(None, (receipts.held_back(self.understood, self.locale), status)))

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
