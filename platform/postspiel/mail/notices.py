"""Mails that the mail app itself writes: answers to mail that no handler sees. They go to confirmed people only."""

from datetime import datetime
from textwrap import fill

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from postspiel.mail import outbox
from postspiel.mail.letters import Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered, mime

Verdict = Incoming.Verdict

_MOMENT = {"en": "j F Y, H:i", "de": r"j. F Y, H:i \U\h\r"}
_WIDTH = 72


def tell_stuck(incoming: Incoming) -> None:
    """Tell a mail's writer that this server could not read it and that somebody will look."""
    _tell(incoming, kind="stuck", event=f"stuck:{incoming.pk}")


def tell_revoked(incoming: Incoming) -> Answered:
    """Answer a mail to an address that is no longer in force; once a day for each address."""
    return _refuse(incoming, "revoked", incoming.address_id, "The address is no longer in force.")


def tell_astray(incoming: Incoming) -> Answered:
    """Answer a mail to the server's own address, which reads no orders; once a day for each writer."""
    return _refuse(incoming, "astray", incoming.writer_id, "No game is known by this address.")


def stuck(outgoing: Outgoing) -> Letter:
    """Render kind "stuck"."""
    text = _(
        "Your mail “%(subject)s” of %(when)s has arrived and is kept.\n\n"
        "This server failed to read it, through no fault of yours. Somebody will look at it.\n"
        "If your orders are urgent, please enter them on the game's page."
    )
    return _letter(_("Your mail has arrived but could not be read"), text, outgoing)


def revoked(outgoing: Outgoing) -> Letter:
    """Render kind "revoked"."""
    text = _(
        "Your mail “%(subject)s” of %(when)s went to an address that is no longer in use.\n"
        "Nothing in it was carried out.\n\n"
        "Please answer the newest mail that you have of the game, or use the game's page."
    )
    return _letter(_("This address is no longer in use"), text, outgoing)


def astray(outgoing: Outgoing) -> Letter:
    """Render kind "astray"."""
    text = _(
        "Your mail “%(subject)s” of %(when)s went to this server's own address, which belongs to no game.\n"
        "Nothing in it was carried out.\n\n"
        "To give orders, please answer the mail of the turn, or use the game's page."
    )
    return _letter(_("This address takes no orders"), text, outgoing)


def _letter(subject: str, text: str, outgoing: Outgoing) -> Letter:
    lines = (text % _named(outgoing)).split("\n")
    return Letter(subject, "\n".join(fill(line, _WIDTH, break_long_words=False) for line in lines))


def _refuse(incoming: Incoming, kind: str, about: int | None, why: str) -> Answered:
    _tell(incoming, kind=kind, event=f"{kind}:{about}:{timezone.now():%Y-%m-%d}")
    return Answered(Verdict.REJECTED if incoming.writer else Verdict.DROPPED, why)


def _tell(incoming: Incoming, *, kind: str, event: str) -> None:
    if incoming.writer is not None:
        data = {"subject": _subject(incoming), "received": incoming.received.isoformat()}
        outbox.queue(event=event, kind=kind, recipient=incoming.writer, data=data, in_reply_to=incoming.answerable_id)


def _subject(incoming: Incoming) -> str:
    try:
        return mime.read(bytes(incoming.raw)).subject[:200]
    except Exception:
        return ""


def _named(outgoing: Outgoing) -> dict[str, str]:
    when = timezone.localtime(datetime.fromisoformat(outgoing.data["received"]))
    shown = f"{date_format(when, _MOMENT['de' if get_language() == 'de' else 'en'])} ({when.tzinfo})"
    return {"subject": outgoing.data["subject"] or "?", "when": shown}
