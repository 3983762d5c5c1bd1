"""Mail that no person wrote: it is kept and never answered, so that two machines cannot talk to each other for ever."""

import re

from postspiel.mail.letters import LOOP_HEADER
from postspiel.mail.reading.mime import Mail

_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
_AWAY = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply-from",
    "x-mail-autoreply",
    "x-failed-recipients",
)
_TYPES = {
    "text/vnd.google.email-reaction+json": "a reaction",
    "text/calendar": "a calendar answer",
    "message/delivery-status": "a delivery report",
    "message/disposition-notification": "a read receipt",
    "multipart/report": "a report",
}
_DAEMONS = re.compile(r"(?:mailer-daemon|postmaster|no-?reply|bounces?)(?:[+-][^@]*)?@")


def why_automatic(mail: Mail, *, envelope_sender: str) -> str:
    """What shows that a machine wrote this mail, as a few words; "" if a person may have written it.

    `X-Auto-Response-Suppress` says nothing about the mail that carries it (Exchange puts it on ordinary mail).
    """
    submitted = mail.header("auto-submitted").lower().partition(";")[0].strip()
    if mail.header(LOOP_HEADER.lower()):
        return "our own mail came back"
    if submitted and submitted != "no":
        return "Auto-Submitted"
    if mail.header("precedence").lower() in _BULK:
        return "Precedence"
    if any(mail.header(name) for name in _AWAY):
        return "an autoresponder"
    if not envelope_sender or _DAEMONS.match(envelope_sender.lower()) or _DAEMONS.match(mail.sender):
        return "a bounce"
    return next((words for kind, words in _TYPES.items() if kind in mail.types), "")
