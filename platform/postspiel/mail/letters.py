"""What a renderer returns, and how it becomes the bytes of a mail.

Built on `email.policy.compat32` and `email.header.Header`: the newer policies fold long address lines and encoded words
in ways that real servers break on. Bodies are UTF-8, quoted-printable: lines stay short whatever a player wrote.
"""

from dataclasses import dataclass
from datetime import datetime
from email.charset import QP, Charset
from email.encoders import encode_base64
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import compat32
from email.utils import format_datetime, quote
from typing import Any, NamedTuple

from django.utils.encoding import punycode

LOOP_HEADER = "Postspiel-Instance"
_POLICY = compat32.clone(linesep="\r\n", mangle_from_=False)
_UTF8 = Charset("utf-8")
_UTF8.body_encoding = QP


class Attachment(NamedTuple):
    """A file that goes with a letter."""

    name: str
    content: bytes
    mimetype: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Letter:
    """What a renderer writes; everything else in the head of a mail is the mail app's matter.

    `sender` is the name shown before the address ("" is the server's own), `word` what stands before the token in it.
    `inner` and `inner_html` are text and HTML without what stands around them in every mail: a digest is made of these.
    """

    subject: str
    text: str
    html: str = ""
    attachments: tuple[Attachment, ...] = ()
    list_unsubscribe: str = ""
    sender: str = ""
    word: str = "play"
    inner: str = ""
    inner_html: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the head of a mail says beside the letter itself. `answer_to` "" means that nobody reads an answer."""

    sender_name: str
    sender: str
    to: str
    message_id: str
    date: datetime
    instance: str
    answer_to: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()


def compose(letter: Letter, envelope: Envelope) -> bytes:
    """The bytes of a mail, with CRLF line ends."""
    message = _body(letter)
    for name, value in _head(letter, envelope):
        message[name] = value
    return message.as_bytes(policy=_POLICY)


def host_in_ascii(address: str) -> str:
    """An address with its domain in the form that every server takes."""
    local, _, host = address.rpartition("@")
    return f"{local}@{punycode(host)}"


def _head(letter: Letter, envelope: Envelope) -> list[tuple[str, str | Header]]:
    name = one_line(letter.sender) or envelope.sender_name
    answered = [("Reply-To", _mailbox(name, envelope.answer_to))] if envelope.answer_to else []
    unsubscribe = one_line(letter.list_unsubscribe)
    lines: list[tuple[str, str | Header]] = [
        ("From", _mailbox(name, envelope.sender)),
        ("To", host_in_ascii(envelope.to)),
        *answered,
        ("Subject", Header(one_line(letter.subject), "utf-8" if not letter.subject.isascii() else None, 76, "Subject")),
        ("Date", format_datetime(envelope.date)),
        ("Message-ID", envelope.message_id),
        ("In-Reply-To", envelope.in_reply_to),
        ("References", " ".join(envelope.references)),
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "OOF, AutoReply"),
        ("List-Unsubscribe", f"<{unsubscribe}>" if unsubscribe else ""),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click" if unsubscribe else ""),
        (LOOP_HEADER, envelope.instance),
    ]
    return [(name, value) for name, value in lines if value]


def _body(letter: Letter) -> "Message[Any, Any]":
    text = _part(letter.text, "plain")
    body: Message[Any, Any] = text
    if letter.html:
        body = MIMEMultipart("alternative", _subparts=[text, _part(letter.html, "html")])
    if letter.attachments:
        body = MIMEMultipart("mixed", _subparts=[body, *map(_attached, letter.attachments)])
    return body


def as_sent(text: str) -> str:
    """A part's text as it goes into the mail: one kind of line end, and one behind the last line."""
    return "\n".join(text.splitlines()) + "\n"


def _part(text: str, subtype: str) -> Message:
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    part.set_payload(as_sent(text), charset=_UTF8)
    return part


def _attached(attachment: Attachment) -> Message:
    part = MIMEBase(*attachment.mimetype.split("/", 1))
    part.set_payload(attachment.content)
    encode_base64(part)
    part.add_header("Content-Disposition", "attachment", filename=one_line(attachment.name))
    return part


def _mailbox(name: str, address: str) -> str:
    shown = f'"{quote(name)}"' if name.isascii() else Header(name, "utf-8", maxlinelen=1000).encode()
    return f"{shown} <{host_in_ascii(address)}>" if name else host_in_ascii(address)


def one_line(text: str) -> str:
    """Text without line breaks and control characters, so that no name or subject can add a line to the head."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
