"""The bytes of a mail read with `email.policy.compat32` and accessors that never raise (DESIGN section 5).

`policy.default` raises for headers that real programs write, even while parsing, and is several times slower.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses
from functools import lru_cache
from typing import NamedTuple

from postspiel.mail.reading import caps, charsets, markup
from postspiel.mail.reading.flowed import unflow
from postspiel.mail.reading.plain import tidy

type Part = Message[str, str]

_MESSAGE_ID = re.compile(r"<[^<>\s,]{1,500}>")
_HEAD_MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?(\S{1,998})", re.IGNORECASE | re.MULTILINE)
_GAP = re.compile(rb"\r?\n\r?\n")
_PARTS = re.compile(rb"multipart/|message/", re.IGNORECASE)
_RETURN_PATH = re.compile(rb"^return-path:[ \t]*<([^<>\s]{0,320})>", re.IGNORECASE | re.MULTILINE)
_BARE_ADDRESS = re.compile(r"<([^<>\s@\"()]{1,64}@[^<>\s@\"()]{1,255})>")
_CHARSET = re.compile(r"charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?\"?([\w.:+-]{1,60})", re.IGNORECASE)
_FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
_DELSP = re.compile(r"delsp\s*=\s*\"?yes", re.IGNORECASE)
_SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted"})
_LIST = ("list-id", "list-post", "x-mailman-version", "mailing-list")
_NO_TEXTS = frozenset({"text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/rfc822-headers"})
_NAMED = re.compile(r"(?:file)?name\*?(?:\d\*?)?\s*=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Body:
    """What a mail says: `text` is read, `other` is the HTML form of the same where a mail has both."""

    text: str = ""
    other: str = ""


class File(NamedTuple):
    """A part that is not the body."""

    name: str
    mimetype: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail, read. `sender` is the one bare address in From, or "" where it names none or several.

    `named` are the first values of its headers as they were written, by the names in lower case.
    """

    headers: Part
    sender: str
    subject: str
    message_id: str
    refers: tuple[str, ...]
    body: Body
    types: frozenset[str] = frozenset()
    files: tuple[File, ...] = field(default=())
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text that is read."""
        return self.body.text or self.body.other

    @property
    def other(self) -> str:
        """The text of the HTML form, if the mail has a plain one too."""
        return self.body.other if self.body.text else ""

    @property
    def encrypted(self) -> bool:
        """Whether only its writer's friends can read it: encrypted, or signed so that it looks like that."""
        sealed = not _SEALED.isdisjoint(self.types)
        return sealed and (kind_of(self.headers) in _SEALED or not self.text.strip())

    @property
    def sender_names(self) -> tuple[str, ...]:
        """What the writer's mail program calls him; nothing if it does not."""
        try:
            names = [decoded(name) for name, _ in getaddresses([self.header("from")])]
        except (RecursionError, ValueError, IndexError):
            names = []
        return tuple(name for name in names if name.strip())

    @property
    def through_list(self) -> bool:
        """Whether a mailing list passed it on."""
        return any(self.header(name) for name in _LIST) or self.header("precedence").lower() == "list"

    def header(self, name: str) -> str:
        """A header's value on one line, not decoded; "" without it."""
        return _one_line(self.named.get(name, ""))


def message_id(raw: bytes) -> str:
    """The Message-ID as it stands in the head, without parsing the mail; "" without one."""
    found = _HEAD_MESSAGE_ID.search(caps.head(raw))
    return found[1].decode("utf-8", "replace").replace("\0", "") if found else ""


def return_path(raw: bytes) -> str:
    """The envelope's sender as the last mail server wrote it into the head; "unknown" if it did not."""
    found = _RETURN_PATH.search(caps.head(raw))
    return found[1].decode("utf-8", "replace") if found else "unknown"


def read(raw: bytes, *, ours: bool = False) -> Mail:
    """Read a mail. Raises `caps.TooMuch` for one that would cost too much (unless it is `ours`), and nothing else."""
    if not ours:
        caps.check(raw)
    try:
        return _read(parsed(raw))
    except RecursionError:
        raise caps.TooMuch("Message nested too deeply") from None


def parsed(raw: bytes) -> Part:
    """A mail taken apart. Of one that is a single text only the head needs a parser: the rest is its payload."""
    parser = BytesParser(policy=compat32)
    gap = _GAP.search(raw)
    if gap is None or _PARTS.search(raw, 0, gap.start()):
        return parser.parsebytes(raw)
    message = parser.parsebytes(raw[: gap.end()])
    # The head may have ended above, at a line that is no header.
    if message.defects or payload_of(message) or not kind_of(message).startswith("text/"):
        return parser.parsebytes(raw)
    message.set_payload(raw[gap.end() :].decode("ascii", "surrogateescape"))
    return message


@lru_cache(256)
def texts(raw: bytes) -> tuple[str, ...]:
    """The texts of a mail that an answer may quote: plain and, since programs quote that, HTML as text."""
    body = read(raw, ours=True).body
    return tuple(filter(None, (body.text, body.other)))


def texts_of_ours(raw: bytes) -> tuple[str, ...]:
    """The same of a mail that this server wrote itself: its HTML is read by its templates."""
    message = BytesParser(policy=compat32).parsebytes(raw)
    return quotable(source(message, "text/plain"), source(message, "text/html"))


def quotable(plain: str, html: str) -> tuple[str, ...]:
    """What an answer may quote of a mail of ours whose parts are these; "" for a part that it has not."""
    return tuple(filter(None, (tidy(plain), tidy(markup.text_of_ours(html)))))


def _read(message: Part) -> Mail:
    named: dict[str, str] = {}
    for name, value in message.raw_items():
        named.setdefault(name.lower(), value)
    single = _is_one_text(message)
    return Mail(
        headers=message,
        sender=sender(_one_line(named.get("from", ""))),
        subject=decoded(_one_line(named.get("subject", ""))),
        message_id=_one_line(named.get("message-id", "")),
        refers=_refers(_one_line(named.get("in-reply-to", "")), _one_line(named.get("references", ""))),
        body=_text_body(message) if single else body(message),
        types=frozenset(map(kind_of, parts_of(message))),
        files=() if single else tuple(_files(message)),
        named=named,
    )


def header(part: Part, name: str) -> str:
    """A header's first value on one line, raw 8-bit signs read as UTF-8 or windows-1252; "" without it."""
    return next(_headers(part, name), "")


def headers(part: Part, name: str) -> list[str]:
    """All values of a header as `header` reads them, topmost first."""
    return list(_headers(part, name))


def _headers(part: Part, name: str) -> Iterator[str]:
    for key, value in part.raw_items():
        if key.lower() == name:
            yield _one_line(value)


def _one_line(value: str) -> str:
    """A header's raw value as `header` reads it."""
    value = str(value)
    return " ".join((value if value.isascii() else charsets.decode(value.encode("utf-8", "surrogateescape"))).split())


def decoded(value: str) -> str:
    """A header's value with its encoded words read; what cannot be read stays as it is."""
    try:
        pieces = decode_header(value)
    except (MessageError, ValueError):
        return tidy(value)
    return tidy(
        "".join(piece if isinstance(piece, str) else charsets.decode(piece, label or "") for piece, label in pieces)
    )


def sender(value: str) -> str:
    """The bare address in a raw From header; "" if there is none or more than one.

    Encoded words are not decoded before: `=?utf-8?q?=3Ca=40b=3E?= <c@d>` is from c@d, whatever the name says.
    """
    try:
        found = {address.lower() for _, address in getaddresses([value]) if "@" in address}
    except (RecursionError, ValueError, IndexError):
        found = set()
    found = found or {address.lower() for address in _BARE_ADDRESS.findall(value)}
    return found.pop() if len(found) == 1 else ""


def body(part: Part) -> Body:
    """The text of a part: inline texts in order; of alternatives the plain one, unless it is empty."""
    kind = kind_of(part)
    if kind == "multipart/alternative" and part.is_multipart():
        return _chosen([body(one) for one in _children(part)])
    if kind.startswith("multipart/") and part.is_multipart():
        return _joined([body(one) for one in _children(part)])
    if kind.startswith("message/") or not kind.startswith(("text/plain", "text/html", "multipart/")) or _is_file(part):
        return Body()
    return _text_body(part)


def _is_one_text(message: Part) -> bool:
    """Whether a mail is nothing but a text, which is then its body even if it has a file's name.

    A kind of text that nobody knows is plain text (RFC 2046, 4.1.4).
    """
    kind = kind_of(message)
    attached = header(message, "content-disposition").lower().startswith("attachment")
    return kind.startswith("text/") and kind not in _NO_TEXTS and not attached


def _text_body(part: Part) -> Body:
    html = kind_of(part) == "text/html"
    return Body(other=tidy(markup.text_of(written(part)))) if html else Body(text=tidy(_plain(part)))


def source(message: Part, kind: str) -> str:
    """The first inline part of a kind ("text/plain", "text/html") as it was written; "" if there is none."""
    found = (part for part in message.walk() if kind_of(part) == kind and not _is_file(part))
    return next((written(part).replace("\r\n", "\n") for part in found), "")


def _chosen(bodies: list[Body]) -> Body:
    text = next((one.text for one in bodies if one.text.strip()), "")
    other = next((one.other for one in reversed(bodies) if one.other.strip()), "")
    return Body(text, tidy(other)) if text else Body("", tidy(other))


def _joined(bodies: list[Body]) -> Body:
    kept = [one for one in bodies if one.text.strip() or one.other.strip()]
    text = "\n".join(one.text if one.text.strip() else one.other for one in kept)
    other = "\n".join(one.other if one.other.strip() else one.text for one in kept)
    return Body(text, other if any(one.other.strip() for one in kept) else "")


def _plain(part: Part) -> str:
    text = written(part)[: caps.TEXT].replace("\r\n", "\n").replace("\r", "\n")
    kind = header(part, "content-type")
    return unflow(text, delsp=bool(_DELSP.search(kind))) if _FLOWED.search(kind) else text


def written(part: Part) -> str:
    """The text of a part as it was written, in the charset that it names."""
    label = _CHARSET.search(header(part, "content-type"))
    return charsets.decode(_content(part), label[1] if label else "")


def _content(part: Part) -> bytes:
    try:
        content = part.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError):
        content = str(payload_of(part)).encode("utf-8", "surrogateescape")
    return content if isinstance(content, bytes) else b""


def parts_of(part: Part) -> Iterator[Part]:
    """A part and all parts in it, but not those of a mail that is passed on in it."""
    yield part
    if kind_of(part).startswith("multipart/"):
        for child in _children(part):
            yield from parts_of(child)


def kind_of(part: Part) -> str:
    """What a part is, such as "text/plain"."""
    try:
        return part.get_content_type()
    except (ValueError, IndexError):
        return "text/plain"


def payload_of(part: Part) -> object:
    """What a part holds, as it came: its parts, or its text; "" if that asks for a codec that is no charset."""
    try:
        return part.get_payload()
    except ValueError:
        return ""


def _children(part: Part) -> list[Part]:
    children = payload_of(part)
    return [one for one in children if isinstance(one, Message)] if isinstance(children, list) else []


def _is_file(part: Part) -> bool:
    disposition = header(part, "content-disposition").lower()
    return disposition.startswith("attachment") or bool(_NAMED.search(disposition + header(part, "content-type")))


def _files(message: Part) -> Iterator[File]:
    for part in parts_of(message):
        if not _children(part) and (_is_file(part) or not kind_of(part).startswith(("text/", "multipart/"))):
            yield File(_file_name(part), kind_of(part), _content(part))


def _file_name(part: Part) -> str:
    try:
        return decoded(part.get_filename() or "")
    except (ValueError, IndexError, LookupError, TypeError):
        return ""


def _refers(answered: str, references: str) -> tuple[str, ...]:
    """Message-IDs that a mail answers, nearest first; some programs part them by commas."""
    nearest = reversed(_MESSAGE_ID.findall(references))
    return tuple(dict.fromkeys((*_MESSAGE_ID.findall(answered), *nearest)))[:50]
