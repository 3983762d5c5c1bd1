"""Django's mail backend that writes into the outbox: its and allauth's mails go the same way as all others."""

import uuid
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from postspiel.mail import outbox
from postspiel.mail.letters import Attachment, Letter
from postspiel.mail.models import Outgoing
from postspiel.mail.people import owner_of

CODES_FIRST = 0


class OutboxBackend(BaseEmailBackend):
    """`MAILERS["default"]`: each recipient of each message becomes a row of kind "django", sent before everything else.

    Such a mail may hold a sign-in code: its body is erased once it is sent.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        with transaction.atomic():
            for message in email_messages:
                message.message()  # raises for a header that would break the mail, as Django's own backends do
                _queue(message)
        return len(email_messages)


def letter(outgoing: Outgoing) -> Letter:
    """Render kind "django": the message that was kept in the row."""
    kept = outgoing.data
    attachments = tuple(Attachment(name, b64decode(content), kind) for name, content, kind in kept["attachments"])
    return Letter(subject=kept["subject"], text=kept["text"], html=kept["html"], attachments=attachments)


def _queue(message: EmailMessage) -> None:
    event, data = f"django:{uuid.uuid4().hex}", _kept(message)
    for to in dict.fromkeys(message.recipients()):
        outbox.queue(event=event, kind="django", to=to, recipient=owner_of(to), data=data, priority=CODES_FIRST)


def _kept(message: EmailMessage) -> dict[str, Any]:
    alternatives = message.alternatives if isinstance(message, EmailMultiAlternatives) else []
    html = [str(content) for content, kind in alternatives if kind == "text/html"]
    files = [(name, content, kind) for name, content, kind in message.attachments]
    return {
        "subject": str(message.subject),
        "text": str(message.body),
        "html": html[0] if html else "",
        "attachments": [
            (name or "", b64encode(content.encode() if isinstance(content, str) else content).decode(), kind)
            for name, content, kind in files
        ],
    }
