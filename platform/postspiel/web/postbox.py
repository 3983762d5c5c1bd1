"""The postbox: it answers a mail as its reader's mail program would, by SMTP to this server's own door."""

import smtplib
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parsedate_to_datetime

from django.conf import settings

from postspiel.mail.models import Outgoing
from postspiel.mail.selectors import OpenedMail

PATIENCE = 10


class DoorClosed(Exception):  # noqa: N818 - says what is the matter
    """The listener does not answer, or it refused the mail; the text says what it said."""


def reply(mail: OpenedMail, reader: str, text: str, now: datetime) -> EmailMessage:
    """The answer to a mail: addressed, threaded and quoted as mail programs do it."""
    heads = dict(mail.headers)
    answer = EmailMessage()
    answer["From"] = reader
    answer["To"] = heads.get("Reply-To") or heads.get("From", "")
    subject = heads.get("Subject", "")
    answer["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    answer["Date"] = format_datetime(now)
    answer["Message-ID"] = make_msgid(domain=reader.rpartition("@")[2])
    answer["In-Reply-To"] = heads.get("Message-ID", "")
    answer["References"] = " ".join(filter(None, (heads.get("References"), heads.get("Message-ID"))))
    answer.set_content(f"{text.rstrip()}\n\n{_attribution(heads)}\n{_quoted(mail.text)}\n", cte="quoted-printable")
    return answer


def post(answer: EmailMessage) -> None:
    """Hand an answer to the listener. DoorClosed if it does not take it."""
    host, _colon, port = settings.POSTSPIEL_MAIL_LISTEN.rpartition(":")
    try:
        with smtplib.SMTP(host, int(port), timeout=PATIENCE) as smtp:
            smtp.send_message(answer)
    except (OSError, smtplib.SMTPException) as error:
        raise DoorClosed(str(error)) from error


def can_be_answered(outgoing: Outgoing) -> bool:
    """Whether somebody reads an answer to this mail."""
    return bool(outgoing.raw) and outgoing.address_id is not None


def _attribution(heads: dict[str, str]) -> str:
    when = parsedate_to_datetime(heads["Date"]).strftime("%Y-%m-%d %H:%M %z") if "Date" in heads else "?"
    return f"On {when}, {heads.get('From', '?')} wrote:"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
