"""Answers with a one-time code: they confirm a held mail, or a resignation."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone, translation

from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered
from postspiel.play import notices, questions, services
from postspiel.play.errors import PlayError
from postspiel.play.inbox import letterbox, organising
from postspiel.play.inbox.letterbox import Mail
from postspiel.play.mails import codes
from postspiel.play.models import Game, Press, Seat

Verdict = Incoming.Verdict


def confirm(seat: Seat, mail: Mail) -> Answered | None:
    """Do what the codes in a mail's new text confirm; None if there is none that still confirms anything.

    Who has a code has read the registered mailbox, so the sender's address does not matter.
    """
    written = codes.found(mail.text)
    for asked in _questions(seat) if written else ():
        if code_of(asked) in written:
            answered = do(seat, asked)
            if answered is not None:
                return answered
    return None


def has_code(seat: Seat, text: str) -> bool:
    """Whether a text has a code that a seat's player was sent lately, used or not; "good idea" only looks like one."""
    written = codes.found(text)
    return bool(written) and any(code_of(asked) in written for asked in _questions(seat))


def do(seat: Seat, asked: Outgoing) -> Answered | None:
    """Do what a question asks about; None if that cannot be done any more. A second time does nothing."""
    acts = {"held": _carry_out_held, "resign-confirm": _resign, "press-held": _release_press}
    return acts[asked.kind](seat, asked)


def answer(asked: Outgoing) -> bool:
    """Do what a question asks about, because its reader said so on the page; whether it was done."""
    if asked.kind == organising.HELD:
        return organising.answer(asked)
    seat = _asked_for(asked)
    if seat is None or seat.player is None or asked.created < timezone.now() - questions.VALID:
        return False
    with transaction.atomic(), translation.override(seat.player.locale):
        return do(seat, asked) is not None


def is_open(asked: Outgoing) -> bool:
    """Whether a question still waits for an answer."""
    if asked.kind == organising.HELD:
        return organising.is_open(asked)
    seat = _asked_for(asked)
    if seat is None or asked.created < timezone.now() - questions.VALID:
        return False
    if asked.kind == "held":
        return Incoming.objects.filter(pk=asked.data["incoming"], verdict=Verdict.HELD).exists()
    if asked.kind == "press-held":
        return Press.objects.filter(pk=asked.data["press"], held=True).exists()
    return seat.game.status == Game.Status.RUNNING


def shown(asked: Outgoing) -> dict[str, object]:
    """Return what the page shows of a question: the game, and the text that waits, which its mail brought too."""
    if asked.kind == organising.HELD:
        game = Game.objects.get(pk=asked.object_id or 0)
        return {"game": game, "text": asked.data["text"], "sender": asked.data["sender"]}
    seat = Seat.objects.select_related("game").get(pk=asked.object_id or 0)
    press = Press.objects.filter(pk=asked.data.get("press")).first() if _asked_for(asked) else None
    text = press.text if press else asked.data.get("text", "") if _asked_for(asked) else ""
    return {"game": seat.game, "seat": seat, "text": text, "sender": asked.data.get("sender", "")}


def _asked_for(asked: Outgoing) -> Seat | None:
    """Return the seat that a question is about, while it is still its reader's."""
    seats = Seat.objects.select_related("game", "player")
    return seats.filter(pk=asked.object_id or 0, player=asked.recipient).first() if asked.recipient_id else None


def code_of(asked: Outgoing) -> str:
    """Return the code that a question asks for."""
    if asked.kind == "resign-confirm":
        return codes.code("resign", asked.event)
    if asked.kind == "press-held":
        return codes.code("press", asked.data["press"])
    return codes.code("held", asked.data["incoming"])


def _questions(seat: Seat) -> Iterator[Outgoing]:
    kinds = [kind for kind in questions.KINDS if kind != organising.HELD]
    rows = Outgoing.objects.filter(kind__in=kinds, object_id=seat.pk, recipient=seat.player)
    yield from rows.filter(created__gt=timezone.now() - questions.VALID).order_by("-pk").defer("raw", "texts")


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


def _release_press(seat: Seat, asked: Outgoing) -> Answered | None:
    press = Press.objects.filter(pk=asked.data["press"], seat=seat).first()
    if press is None:
        return None
    try:
        services.release_press(press=press, seat=seat)
    except PlayError:
        return None
    return Answered(Verdict.ACCEPTED, "It confirms a press.")


def _resign(seat: Seat, _asked: Outgoing) -> Answered | None:
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
