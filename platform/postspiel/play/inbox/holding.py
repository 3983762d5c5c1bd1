"""Mail that is not carried out: held until its player confirms it, or refused because the seat is nobody's."""

from __future__ import annotations

from typing import Literal

from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered, Received
from postspiel.mail.reading.judging import DOUBTS, Doubt
from postspiel.play import notices, selectors
from postspiel.play.inbox.letterbox import A_DAY, AN_HOUR, DAY, HOUR, Mail
from postspiel.play.models import Seat

Verdict = Incoming.Verdict

type Reason = Literal["unknown-sender", "other-player", "sender-check", "no-token"] | Doubt

WORDS: dict[str, str] = {
    "unknown-sender": "The sender's address is not one of the player's.",
    "other-player": "The sender is another player of this game.",
    "sender-check": "The sender's address may be false.",
    "no-token": "It did not come to the seat's own address.",
    **DOUBTS,
}


def hold(seat: Seat, mail: Mail, reason: Reason, *, his: bool = False, other: Seat | None = None) -> Answered:
    """Keep a mail without carrying it out, and ask the registered address whether it counts.

    Asked once a day, and once more in the last 24 hours of a turn, as anybody could send such mails; about each mail
    that is ``his``, the player's own by token and address. A mail from another player also renews the address, which
    that player knows now, and the organiser is told.
    """
    if other is not None:
        _renew(seat, mail, other)
    if not his:
        _ask(seat, mail, reason, _once(seat))
    elif asks(mail.incoming, "held", seat.pk, seat.player):
        _ask(seat, mail, reason, f"held:mail:{mail.incoming.pk}")
    return Answered(Verdict.HELD, WORDS[reason])


def _ask(seat: Seat, mail: Mail, reason: Reason, event: str) -> None:
    mail_services.queue(
        event=event,
        kind="held",
        recipient=seat.player,
        object_id=seat.pk,
        data={
            "incoming": mail.incoming.pk,
            "reason": reason,
            "sender": mail.sender,
            "text": mail.text,
            "ignored": mail.ignored,
            "turn": mail.turn_number,
        },
        thread=notices.thread(seat.game),
        address=mail_services.address_for("seat", seat.pk),
        priority=2,
    )


def asks(incoming: Incoming, kind: str, about: int, reader: User | None) -> bool:
    """Whether its writer is asked about one more mail: no repeated body, and no more questions than other answers.

    ``kind`` is that of the question, ``about`` the id of the seat or the game.
    """
    now = timezone.now()
    same = Incoming.objects.filter(address=incoming.address_id, digest=incoming.digest, verdict=Verdict.HELD)
    if same.filter(received__gt=now - HOUR).exists():
        return False
    asked = Outgoing.objects.filter(kind=kind, object_id=about, recipient=reader)
    in_an_hour, in_a_day = (asked.filter(created__gt=now - time).count() for time in (HOUR, DAY))
    return in_an_hour < AN_HOUR and in_a_day < A_DAY


def refuse(seat: Seat, received: Received) -> Answered:
    """Refuse mail for a seat that nobody holds. A writer whom we know is told once, and sees nothing of the game."""
    if received.user is None:
        return Answered(Verdict.DROPPED, "Nobody holds this seat, and the sender is unknown.")
    mail_services.queue(
        event=f"refused:{seat.pk}:{received.user.pk}",
        kind="refused",
        recipient=received.user,
        object_id=seat.pk,
        in_reply_to=received.incoming.answerable_id,
    )
    return Answered(Verdict.REJECTED, "Nobody holds this seat any more.")


def _once(seat: Seat) -> str:
    now = timezone.now()
    turn = selectors.open_turn(seat.game)
    if turn is not None and turn.deadline is not None and now > turn.deadline - DAY:
        return f"held:{seat.pk}:last:{turn.pk}"
    return f"held:{seat.pk}:{now:%Y-%m-%d}"


def _renew(seat: Seat, mail: Mail, other: Seat) -> None:
    mail_services.renew(mail.incoming.address or mail_services.address_for("seat", seat.pk))
    notices.wrong_sender(seat, other, mail.incoming)
