"""Answers with a one-time code: they confirm a held mail, or a resignation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered
from postspiel.play import notices, services
from postspiel.play.errors import PlayError
from postspiel.play.inbox import letterbox
from postspiel.play.inbox.letterbox import Mail
from postspiel.play.mails import codes
from postspiel.play.models import Seat

Verdict = Incoming.Verdict

VALID = timedelta(days=14)


def confirm(seat: Seat, mail: Mail) -> Answered | None:
    """Do what the codes in a mail's new text confirm; None if there is none that still confirms anything.

    Who has a code has read the registered mailbox, so the sender's address does not matter.
    """
    written = codes.found(mail.text)
    for asked in _questions(seat) if written else ():
        if code_of(asked) in written:
            answered = _resign(seat) if asked.kind == "resign-confirm" else _carry_out_held(seat, asked)
            if answered is not None:
                return answered
    return None


def code_of(asked: Outgoing) -> str:
    """Return the code that a question asks for."""
    if asked.kind == "resign-confirm":
        return codes.code("resign", asked.event)
    return codes.code("held", asked.data["incoming"])


def _questions(seat: Seat) -> Iterator[Outgoing]:
    rows = Outgoing.objects.filter(kind__in=("held", "resign-confirm"), object_id=seat.pk, recipient=seat.player)
    yield from rows.filter(created__gt=timezone.now() - VALID).order_by("-pk").defer("raw")


def _carry_out_held(seat: Seat, asked: Outgoing) -> Answered | None:
    held = Incoming.objects.filter(pk=asked.data["incoming"], verdict=Incoming.Verdict.HELD)
    incoming = held.first()
    if incoming is None or not held.update(verdict=Verdict.ACCEPTED, reason="confirmed"):
        return None
    mail = Mail(
        incoming=incoming,
        sender=asked.data["sender"],
        text=asked.data["text"],
        ignored=asked.data["ignored"],
        turn_number=asked.data["turn"],
    )
    answered = letterbox.carry_out(seat, mail)
    Incoming.objects.filter(pk=incoming.pk).update(verdict=answered.verdict, reason="confirmed by code")
    return Answered(Verdict.ACCEPTED, f"It confirms mail {incoming.pk}.")


def _resign(seat: Seat) -> Answered | None:
    player = seat.player
    if player is None:
        return None
    try:
        services.resign(seat=seat, who=player)
    except PlayError:
        return None
    mail_services.queue(
        event=f"resigned:{seat.pk}:{player.pk}",
        kind="resigned",
        recipient=player,
        object_id=seat.pk,
        thread=notices.thread(seat.game),
    )
    return Answered(Verdict.ACCEPTED, "It confirms the resignation.")
