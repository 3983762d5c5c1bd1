"""What a mail means to an order language, and whether that is clear. One judgement for real mail and `mail explain`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from games.engine.contract import Order
from games.engine.language import Language, reading_of
from postspiel.mail.reading import broken, charsets
from postspiel.mail.reading.mime import File, Mail
from postspiel.mail.reading.newtext import STRETCH, IsOrder, NewText, new_text
from postspiel.mail.reading.plain import tidy

type Others = Callable[[], tuple[str, ...]]
type Doubt = Literal["", "list", "edited-quote", "forwarded", "bodies-differ", "attachment", "garbled"]
type Unreadable = Literal["", "encrypted", "raw"]

DOUBTS: dict[str, str] = {
    "list": "The mail came through a mailing list.",
    "edited-quote": "Orders in the quotation were changed in place.",
    "forwarded": "The mail passes on another one.",
    "bodies-differ": "The text and the HTML form have different orders.",
    "attachment": "An attached file has orders that the mail itself has not.",
    "garbled": "An order was garbled on its way.",
}
UNREADABLE: dict[str, str] = {
    "encrypted": "The mail is encrypted.",
    "raw": "The mail's parts could not be told apart.",
}

_PASSED_ON = re.compile(r"\s*(?:fwd?|wg|tr)\s*:", re.IGNORECASE)
_RAW = re.compile(r"content-(?:type: *(?:text|multipart|message)/|transfer-encoding: *\w)", re.IGNORECASE)
_LEFTOVER = re.compile(r"=[0-9A-F]{2}|\w= \w|=$|\ufffd")
"""What is left of quoted-printable that was broken on its way, or of bytes that no charset knows."""

_TEXT_FILE = (".txt", ".text", ".asc", ".md")


@dataclass(frozen=True, slots=True)
class Judged:
    """`text` is what is carried out, at once or, with a `doubt`, when its writer confirms it.

    An `unreadable` mail has no text to carry out.
    """

    new: NewText
    text: str
    doubt: Doubt = ""
    unreadable: Unreadable = ""


def means_something(spoken: Language | None) -> IsOrder:
    """Whether a line means anything to an order language: an order, right or wrong, or a control word.

    The language is asked once about each line, and never about a quoted one, which most lines of most mails are.
    """
    if spoken is None:
        return lambda _line: False
    known: dict[str, bool] = {}

    def means(line: str) -> bool:
        if line[:1] == ">":
            return False
        found = known.get(line)
        if found is None:
            found = known[line] = spoken.means(line)
        return found

    return means


def judge(mail: Mail, sent: Sequence[str], spoken: Language | None, others: Others = tuple) -> Judged:
    """Find a mail's new text and say why it may not be meant so. Without a language no line counts as an order.

    `others` are texts of ours beside those `sent` that it most likely quotes. They are looked at if something is left
    that may be a copy of them.
    """
    reader = _Reader(sent, spoken, means_something(spoken), others)
    new = reader.new_text(mail.text)
    unreadable = _unreadable(mail, new)
    if unreadable:
        return Judged(new, "", unreadable=unreadable)
    attached = list(_attached(mail.files, reader))
    text = "\n".join(filter(None, (new.text, *new.edited_quote)))
    if attached and not reader.orders(text):
        text = "\n".join(attached)
    return Judged(new, text, _doubt(mail, reader, new, attached))


class _Reader(NamedTuple):
    """What the texts of one mail are read by."""

    sent: Sequence[str]
    spoken: Language | None
    means: IsOrder
    others: Others

    def new_text(self, text: str) -> NewText:
        """The new text, with the orders in it put together again that the writer's program broke."""
        new = new_text(text, self.sent, self.means)
        if self._may_copy(new) and (more := self.others()):
            new = new_text(text, (*self.sent, *more), self.means)
        return replace(new, text=broken.joined(new.text, self.spoken, self.means)) if self.spoken else new

    def _may_copy(self, new: NewText) -> bool:
        """Whether there is as much prose as makes a copy of a mail of ours, or a quotation that seems to be changed."""
        prose = sum(bool(line.strip()) and not self.means(line) for line in new.text.split("\n"))
        return prose >= STRETCH or bool(new.edited_quote)

    def orders(self, text: str) -> list[Order]:
        return [line.order for line in reading_of(text, self.spoken).orders] if self.spoken else []


def _unreadable(mail: Mail, new: NewText) -> Unreadable:
    if mail.encrypted or new.text.lstrip().startswith("-----BEGIN PGP MESSAGE-----"):
        return "encrypted"
    return "raw" if any(_RAW.match(line) for line in new.text.split("\n")) else ""


def _doubt(mail: Mail, reader: _Reader, new: NewText, attached: Sequence[str]) -> Doubt:
    said = reader.orders(new.text)
    doubts: dict[Doubt, bool] = {
        "list": mail.through_list,
        "edited-quote": bool(new.edited_quote),
        "forwarded": new.forwarded or (bool(new.ignored) and bool(_PASSED_ON.match(mail.subject))),
        "bodies-differ": bool(mail.other) and reader.orders(reader.new_text(mail.other).text) != said,
        "attachment": any(order not in said for text in attached for order in reader.orders(text)),
        "garbled": any(_LEFTOVER.search(line) and reader.means(line) for line in new.text.split("\n")),
    }
    return next((doubt for doubt, holds in doubts.items() if holds), "")


def _attached(files: Sequence[File], reader: _Reader) -> Iterator[str]:
    """The texts of attached files that have orders in them."""
    for file in files:
        if file.mimetype == "text/plain" or file.name.lower().endswith(_TEXT_FILE):
            text = tidy(charsets.decode(file.content))
            if reader.orders(text):
                yield text
