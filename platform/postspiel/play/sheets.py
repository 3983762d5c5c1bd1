"""Handing in: what a player sends becomes part of his sheet, in one transaction, and is kept word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace as changed

from games.engine import rolls
from games.engine.contract import Ask, Problem
from games.engine.contract import Sheet as Orders
from games.engine.controls import Control
from games.engine.language import Reading
from postspiel import rows
from postspiel.accounts.models import User
from postspiel.mail.models import Incoming
from postspiel.play import notices, positions, storable, turns
from postspiel.play.models import Game, Seat, Sheet, Submission, Turn
from postspiel.play.understanding import Desk, Later, Reason, Understood, beneath, read_orders, read_text, understand

_OF_MAIL = rows.Select(Submission, "WHERE this.incoming_id = %s")
_LATER = rows.Select(
    Submission,
    "WHERE this.turn_id = %s AND this.seat_id = %s AND this.applied AND this.received > %s"
    " ORDER BY this.received, this.id",
    only=("door", "reading"),
)
_OF_TURN = rows.Select(Sheet, "WHERE this.turn_id = %s", "seat")

REPLACING = frozenset({Submission.Door.FORM, Submission.Door.API})
"""Doors that show the whole sheet, and hand in another in its place."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What became of something that a player sent. ``turn`` and ``sheet`` are None if the game does not run.

    ``again``: it had been handed in before, and nothing has changed.
    """

    submission: Submission
    turn: Turn | None
    sheet: Sheet | None
    understood: Understood
    again: bool = False

    @property
    def verdict(self) -> str:
        """Whether it was accepted, accepted in part, or rejected."""
        return self.understood.verdict

    @property
    def reading(self) -> Reading:
        """What was read, line by line."""
        return self.understood.reading

    @property
    def refused(self) -> tuple[Problem, ...]:
        """The orders that the rules refuse; ``order`` counts in ``reading.orders``."""
        return self.understood.refused

    @property
    def hints(self) -> tuple[Problem, ...]:
        """Remarks on orders that stand."""
        return self.understood.hints

    @property
    def controls(self) -> tuple[Control, ...]:
        """The control words; those about the sheet have been carried out."""
        return self.understood.reading.controls

    @property
    def missing(self) -> tuple[Ask, ...]:
        """What is asked and not answered yet."""
        return self.understood.missing


@dataclass(frozen=True, slots=True)
class Sent:
    """What a player sent: a text, or orders with `done` beside them, through which door, and what it was meant for."""

    seat: Seat
    text: str
    door: str
    writer: User | None
    received: datetime
    turn_number: int | None
    incoming: Incoming | None
    replace: bool
    orders: Orders | None
    done: bool
    ignored: str


def hand_in(  # noqa: PLR0913 - a door says by name what it knows
    *,
    seat: Seat,
    text: str,
    door: str,
    writer: User | None,
    received: datetime,
    turn_number: int | None = None,
    incoming: Incoming | None = None,
    replace: bool = False,
    orders: Orders | None = None,
    done: bool = False,
    ignored: str = "",
) -> HandedIn:
    """Read what a player sent for his seat, put it on his sheet, keep it, and queue the receipt if it was a mail.

    ``text`` is the order language; or ``orders`` are given as values, by a form or a program, with ``done`` for making
    the sheet final. A mail merges; ``replace`` puts it in the place of the whole sheet. ``turn_number`` is the turn it
    is meant for: a later one that is open meanwhile does not get it. ``received`` decides whether it is in time.
    ``ignored`` is what was left out of the text before.

    Raises nothing for what a person can mend: `HandedIn` says what was refused and why, and then nothing has changed.
    An ``incoming`` that has a verdict gives the answer that it had. Raises `IntegrityError` if one without was handed
    in before; that cannot be, as the verdict is written in the same transaction.
    """
    sent = Sent(
        seat, storable.text(text), door, writer, received, turn_number, incoming, replace, orders, done, ignored
    )
    with transaction.atomic(savepoint=False):
        turn = turns.claim(seat.game_id)
        known = _OF_MAIL.first(incoming.pk) if incoming and incoming.verdict else None
        if known is not None:
            return _again(known)
        return _keep(sent, turn)


def understood_of(submission: Submission) -> Understood:
    """Return what was made of a submission."""
    return msgspec.convert(submission.reading, Understood)


def _again(submission: Submission) -> HandedIn:
    sheet = Sheet.objects.filter(turn=submission.turn, seat=submission.seat).first()
    return HandedIn(submission, submission.turn, sheet, understood_of(submission), again=True)


def _keep(sent: Sent, turn: Turn | None) -> HandedIn:
    sheets = _OF_TURN.all(turn.pk) if turn else []
    sheet = next((one for one in sheets if one.seat_id == sent.seat.pk), None)
    seat = sheet.seat if sheet else Seat.objects.get(pk=sent.seat.pk)
    seat.game = turn.game if turn else Game.objects.get(pk=sent.seat.game_id)
    if sent.writer is not None and seat.player_id == sent.writer.pk:
        seat.player = sent.writer
    reason = _refusal(sent, seat, turn)
    understood = _understood(sent, seat, turn, sheet, reason)
    if sheet is not None and turn is not None and understood.verdict != "rejected":
        understood = _apply(sent, turn, sheet, sheets, understood)
    return HandedIn(_submission(sent, seat, turn, understood), turn, sheet, understood)


def _refusal(sent: Sent, seat: Seat, turn: Turn | None) -> Reason:
    """Return why nothing of it can count, whatever it says; "" if it can."""
    if turn is None:
        return "not-running"
    if sent.writer is None or (seat.player_id != sent.writer.pk and sent.door != Submission.Door.ORGANISER):
        return "not-yours"
    if sent.turn_number is not None and sent.turn_number != turn.number:
        return "wrong-turn"
    return "late" if turns.is_late(turn, sent.received) else ""


def _understood(sent: Sent, seat: Seat, turn: Turn | None, sheet: Sheet | None, reason: Reason) -> Understood:
    number = turn.number if turn else None
    if turn is None or sheet is None:
        return Understood("rejected", reason, named=sent.turn_number, open=number)
    on_file = positions.sheet_of(sheet)
    title, options = positions.title_of(turn.game), positions.options_of(turn.game)
    desk = Desk(title, options, positions.seen(turn, seat.index), seat.index, on_file)
    reading = _reading(sent, desk)
    if reason:
        refused = Understood("rejected", reason, reading, sheet=on_file, named=sent.turn_number, open=number)
        return changed(refused, status=sheet.status, digest=sheet.digest)
    empty = sheet.status != Sheet.Status.NONE and all(order.standing for order in on_file)
    understood = understand(desk, reading, replace=sent.replace, empty=empty)
    if understood.verdict == "rejected":
        understood = changed(understood, sheet=on_file, cancelled=(), lapsed=(), gone=())
    else:
        understood = beneath(desk, understood, _later(sent, sheet))
    return changed(understood, named=sent.turn_number, open=number, status=sheet.status, digest=sheet.digest)


def _later(sent: Sent, sheet: Sheet) -> list[Later]:
    """Return what counts for this sheet already and was accepted after this: held mail is read when it is confirmed."""
    if sheet.updated is None or sheet.updated <= sent.received:
        return []
    found = _LATER.values(sheet.turn_id, sheet.seat_id, sent.received)
    return [Later(msgspec.convert(read, Understood).reading, door in REPLACING) for _key, door, read in found]


def _reading(sent: Sent, desk: Desk) -> Reading:
    locale = positions.locale_or(sent.writer.locale if sent.writer else None, None)
    reading = read_text(desk, sent.text, locale) if sent.orders is None else read_orders(desk, sent.orders, locale)
    said = (Control("done"),) if sent.done else ()
    return changed(reading, controls=(*reading.controls, *said))


def _apply(sent: Sent, turn: Turn, sheet: Sheet, sheets: Sequence[Sheet], understood: Understood) -> Understood:
    """Write the seat and the sheet, one of the turn's, as far as they are meant. Returns what now stands."""
    _heed_always(sheet.seat, understood)
    return _write(sent, turn, sheet, sheets, understood) if understood.touched else understood


def _write(sent: Sent, turn: Turn, sheet: Sheet, sheets: Sequence[Sheet], understood: Understood) -> Understood:
    now = timezone.now()
    game, index = turn.game, sent.seat.index
    sheet.status = _status(sent, sheet, understood)
    sheet.orders = positions.write_orders(understood.sheet)
    sheet.digest = rolls.sheet_digest(bytes(game.seed), game.key, turn.number, index, understood.sheet)
    sheet.automatic = False
    sheet.updated = now
    rows.update(sheet, "orders", "status", "digest", "automatic", "updated")
    turns.reckon(turn, now, sheets)
    return changed(understood, status=sheet.status, digest=sheet.digest)


def _heed_always(seat: Seat, understood: Understood) -> None:
    always = "always done" in understood.words
    if always or "wait" in understood.words:
        seat.always_done = always
        seat.save(update_fields=["always_done"])


def _status(sent: Sent, sheet: Sheet, understood: Understood) -> Sheet.Status:
    """Return the sheet's new status: final by `done`, on file by `wait` or by a form without it, else as before."""
    none = sheet.status == Sheet.Status.NONE or sheet.automatic
    if "wait" in understood.words:
        return Sheet.Status.NONE if none and not understood.accepted else Sheet.Status.ON_FILE
    stays = sheet.status == Sheet.Status.FINAL and not sent.replace
    return Sheet.Status.FINAL if understood.done or stays else Sheet.Status.ON_FILE


def _submission(sent: Sent, seat: Seat, turn: Turn | None, understood: Understood) -> Submission:
    lines = "\n".join(line.text for line in understood.reading.orders)
    submission = rows.insert(
        Submission,
        seat=seat,
        turn=turn,
        door=sent.door,
        writer=sent.writer,
        incoming=sent.incoming,
        text=sent.text or lines,
        ignored="\n".join(filter(None, (*(text for _line, text in understood.reading.ignored), sent.ignored))),
        reading=storable.storable(msgspec.to_builtins(understood)),
        applied=understood.verdict != "rejected",
        received=sent.received,
    )
    notices.answered(submission)
    return submission
