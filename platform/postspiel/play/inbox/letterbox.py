"""Carrying out a mail whose writer may act: orders, press, commands, and the answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from games.engine.controls import Control
from games.engine.language import Reading, reading_of
from postspiel import rows
from postspiel.accounts import services as accounts
from postspiel.mail import said
from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered
from postspiel.mail.reading.judging import Unreadable
from postspiel.play import days as spans
from postspiel.play import notices, positions, services
from postspiel.play.errors import PlayError
from postspiel.play.mails import frame
from postspiel.play.mails.acts import Act
from postspiel.play.models import Seat, Submission, Turn
from postspiel.play.sheets import HandedIn

Verdict = Incoming.Verdict

_TURN = rows.Select(Turn, "WHERE this.id = %s", only=("number",))
_OF_SUBMISSION = rows.Select(
    Turn, "JOIN play_submission AS its ON its.turn_id = this.id WHERE its.id = %s", only=("number",)
)

ANSWERS = ("help", "status", "orders", "history")
"""Control words that ask for a mail of the kind of that name."""

BESIDE = frozenset({"press", "propose", "away", "resign"})
"""Control words that do something beside orders."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
AN_HOUR, A_DAY = 10, 30
"""How many mails without an accepted order are answered: two machines must not talk to each other for ever."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it is carried out: its new text, what was ignored, and the turn of the mail that it answers.

    An `unreadable` mail has no text; the word says why. `known_as` finds what the writer's mail program calls him.
    """

    incoming: Incoming
    sender: str
    text: str
    ignored: str
    turn_number: int | None
    unreadable: Unreadable = ""
    known_as: Callable[[], tuple[str, ...]] = tuple


def carry_out(seat: Seat, mail: Mail) -> Answered:
    """Put a mail's orders on the seat's sheet, relay its press, heed its commands, and queue the answers."""
    reading = reading_of(mail.text, frame.language_of(seat.game))
    asked = [control for control in reading.controls if control.word in ANSWERS]
    if asked and _nothing_else(reading):
        return _answer_commands(seat, mail, asked)
    handed = _hand_in(seat, mail if not _only_press(reading) else replace(mail, turn_number=None))
    if handed.again:
        return Answered(Verdict(handed.verdict), "Read before.")
    fruitless = handed.verdict == "rejected"
    if fruitless and (_repeated(seat, mail, handed.turn) or _ends_in_silence(seat, reading)):
        _receipt(handed).update(state=Outgoing.State.CANCELLED, answer=said.TOO_MANY)
    else:
        acts = [*_acts(seat, reading, handed, mail), *(_warning(seat, mail) if fruitless else ())]
        if acts:
            _receipt(handed).update(data={"submission": handed.submission.pk, "acts": acts})
        _answer(seat, mail, asked)
    return Answered(Verdict(handed.verdict), handed.understood.reason)


def _receipt(handed: HandedIn) -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(event=f"receipt:{handed.submission.pk}")


def turn_answered(seat: Seat, answers: Sequence[Outgoing]) -> int | None:
    """Return the number of the turn whose mail is answered: of the nearest mail to this seat that names one."""
    answered = (row for row in answers if row.object_id == seat.pk)
    return next((number for row in answered if (number := _turn_of(row)) is not None), None)


def _turn_of(row: Outgoing) -> int | None:
    if row.kind == "held":
        return cast("int | None", row.data["turn"])
    if "number" in row.data:
        return cast("int", row.data["number"])
    asked, named = (_OF_SUBMISSION, "submission") if "submission" in row.data else (_TURN, "turn")
    return next((number for _key, number in asked.values(row.data.get(named))), None)


# --- orders -----------------------------------------------------------------------------------------------------------


def _hand_in(seat: Seat, mail: Mail) -> HandedIn:
    return services.hand_in(
        seat=seat,
        text=mail.text,
        door="mail",
        writer=seat.player,
        received=mail.incoming.received,
        turn_number=mail.turn_number,
        incoming=mail.incoming,
        ignored=mail.ignored,
    )


def _only_press(reading: Reading) -> bool:
    """Whether a mail is nothing but press, which belongs to no turn: it goes out whichever turn's mail it answers."""
    words = {control.word for control in reading.controls}
    return words == {"press"} and not reading.orders and not reading.problems


def _says_more(reading: Reading) -> bool:
    """Whether a mail says what has nothing to do with its orders, so that it is heeded though these are refused."""
    return any(control.word in BESIDE for control in reading.controls)


def _nothing_else(reading: Reading) -> bool:
    return not reading.orders and not reading.problems and all(one.word in ANSWERS for one in reading.controls)


# --- what is beside the orders ----------------------------------------------------------------------------------------


def _acts(seat: Seat, reading: Reading, handed: HandedIn, mail: Mail) -> Iterator[Act]:
    if mail.unreadable:
        yield {"what": mail.unreadable}
    for control in reading.controls:
        if control.word == "press":
            yield _press(seat, control, mail, failed=_failed_before(control.line, reading, handed))
        elif control.word == "propose":
            yield _propose(seat, control)
        elif control.word == "away":
            yield _away(seat, control)
        elif control.word == "resign":
            yield _ask_resignation(seat, mail)


def _failed_before(line: int, reading: Reading, handed: HandedIn) -> bool:
    """Whether something above a line was not taken, or nothing was: then what follows may be meant otherwise.

    A mail for a turn that is over is no such failure: press does not belong to a turn.
    """
    if handed.understood.reason:
        return False
    wrong = {problem.line for problem in reading.problems}
    wrong |= {handed.reading.orders[problem.order].line for problem in handed.refused}
    return handed.verdict == "rejected" or any(one < line for one in wrong)


def _press(seat: Seat, control: Control, mail: Mail, *, failed: bool) -> Act:
    seats = positions.title_of(seat.game).about.seats
    to = None if control.to == ("*",) else [seats.index(one) for one in control.to]
    if failed:
        return {"what": "press-after-failure", "to": to}
    try:
        press = services.send_press(seat=seat, to=to, text=control.text, known_as=mail.known_as())
    except PlayError as error:
        return {"what": "press-refused", "to": to, "why": str(error)}
    if press.held:
        notices.press_held(press, f"{mail.incoming.pk}:{press.pk}")
    return {"what": "press-held" if press.held else "press", "to": press.to}


def _propose(seat: Seat, control: Control) -> Act:
    try:
        if control.arg != "nothing":
            services.propose(seat=seat, motion=control.arg)
            return {"what": f"{control.arg}-proposed"}
        for motion in services.MOTIONS:
            services.withdraw(seat=seat, motion=motion)
    except PlayError as error:
        return {"what": "proposal-refused", "why": str(error)}
    return {"what": "proposals-withdrawn"}


def _away(seat: Seat, control: Control) -> Act:
    """Note an absence, which is its player's in all his games."""
    assert seat.player is not None  # noqa: S101 - nobody writes for an open seat
    days = spans.span(control.arg, timezone.now().astimezone(seat.player.zone).date())
    if days is None:
        return {"what": "away-unread"}
    try:
        accounts.announce_absence(user=seat.player, first=days[0], last=days[1])
    except accounts.AbsenceError as error:
        return {"what": "away-refused", "why": str(error)}
    return {"what": "away", "days": (days[0].isoformat(), days[1].isoformat())}


def _ask_resignation(seat: Seat, mail: Mail) -> Act:
    try:
        services.ask_resignation(seat=seat, cause=f"mail:{mail.incoming.pk}")
    except PlayError as error:
        return {"what": "resign-refused", "why": str(error)}
    return {"what": "resign-asked"}


# --- answers ----------------------------------------------------------------------------------------------------------


def _answer_commands(seat: Seat, mail: Mail, asked: Sequence[Control]) -> Answered:
    if _repeated(seat, mail) or _quiet_time(seat) is not None:
        return Answered(Verdict.ACCEPTED, "Commands only; too many to answer.")
    _answer(seat, mail, asked)
    return Answered(Verdict.ACCEPTED, "Commands only.")


def _answer(seat: Seat, mail: Mail, asked: Sequence[Control]) -> None:
    for word in dict.fromkeys(control.word for control in asked):
        mail_services.queue(
            event=f"{word}:{mail.incoming.pk}",
            kind=word,
            recipient=seat.player,
            object_id=seat.pk,
            thread=notices.thread(seat.game),
            in_reply_to=mail.incoming.answerable_id,
            address=mail_services.address_for("seat", seat.pk),
            priority=2,
        )


def _warning(seat: Seat, mail: Mail) -> Iterator[Act]:
    """Say in the last receipt before the silence that it is the last, and tell the organiser.

    The mail itself is counted already. Answers to commands count, too, but cannot say it.
    """
    time = _quiet_time(seat)
    if time is not None and not _was_told(seat, time):
        notices.player_mail(seat, "silent", mail.incoming)
        yield {"what": "silent"}


def _ends_in_silence(seat: Seat, reading: Reading) -> bool:
    """Whether a mail without an accepted order, which is counted already, is one too many, and its writer knows it."""
    time = _quiet_time(seat, counted=1)
    return time is not None and not _says_more(reading) and _was_told(seat, time)


def _was_told(seat: Seat, time: timedelta) -> bool:
    rows = Outgoing.objects.filter(kind="receipt", object_id=seat.pk, created__gt=timezone.now() - time)
    return any(act["what"] == "silent" for data in rows.values_list("data", flat=True) for act in data.get("acts", ()))


def _repeated(seat: Seat, mail: Mail, turn: Turn | None = None) -> bool:
    """Whether the same text came lately. Who makes the same slip in another ``turn`` repeats nothing."""
    same = Incoming.objects.filter(address__object_id=seat.pk, address__kind="seat", digest=mail.incoming.digest)
    if turn is not None:
        same = same.filter(submission__turn=turn)
    return same.filter(received__gt=timezone.now() - HOUR).exclude(pk=mail.incoming.pk).exists()


def _quiet_time(seat: Seat, *, counted: int = 0) -> timedelta | None:
    """Return for how long no mails without an accepted order are answered, if there were too many; else None.

    ``counted`` is 1 if the mail that is asked about is among those that are counted already.
    """
    caps = ((A_DAY, DAY), (AN_HOUR, HOUR))
    return next((time for most, time in caps if _fruitless(seat, time) - counted >= most), None)


def _fruitless(seat: Seat, time: timedelta) -> int:
    """Count the mails of this seat that brought no accepted order and were answered, in the time before now."""
    since = timezone.now() - time
    refused = Submission.objects.filter(seat=seat, door="mail", applied=False, received__gt=since)
    answers = Outgoing.objects.filter(kind__in=ANSWERS, object_id=seat.pk, created__gt=since)
    return refused.count() + answers.count()
