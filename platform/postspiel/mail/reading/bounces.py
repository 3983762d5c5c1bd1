"""Delivery reports: whose mailbox failed, and whether for good. By their fields (RFC 3464), else by their words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32

from flufl.bounce import all_failures

from postspiel.mail.reading.mime import Mail, Part, header, kind_of, message_id, parts_of, payload_of

_REPORT = "message/delivery-status"
_GLOBAL = "message/global-delivery-status"
"""The same for addresses beyond ASCII (RFC 6533)."""
_EMPTY_LINE = re.compile(r"\r?\n[ \t]*\r?\n")

READ = 250_000
"""Bytes of a mail whose words are looked through; that takes time."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """One recipient's failure as a mail server reports it. `hard`: it will never succeed (5.x.x)."""

    address: str
    action: str
    status: str
    hard: bool


def bounces_in(mail: Mail) -> tuple[Bounce, ...]:
    """The failures that a delivery report tells of; none in any other mail, whatever it talks about."""
    if kind_of(mail.headers) != "multipart/report":
        return ()
    reports = (part for part in parts_of(mail.headers) if kind_of(part) in {_REPORT, _GLOBAL})
    return tuple(bounce for report in reports for bounce in _failures(report))


def bounces_told(mail: Mail, size: int) -> tuple[Bounce, ...]:
    """The failures for good that a machine's mail tells of in words, as many mail servers still do (GMX, qmail).

    Only for a mail from a machine to an address that nothing else comes to: people talk about bounces, too. ``size`` is
    that of the mail in bytes.
    """
    if size > READ:
        return ()
    try:
        _for_now, for_good = all_failures(mail.headers)
    except Exception:  # it looks for sentences of two dozen programs in whatever came
        return ()
    addresses = sorted(address.decode("utf-8", "replace").lower()[:320] for address in for_good)
    return tuple(Bounce(address, "failed", "", hard=True) for address in addresses)


def returned_ids(mail: Mail) -> list[str]:
    """The Message-IDs of the mails that a delivery report returns, whole or their heads alone."""
    if not bounces_in(mail):
        return []
    found = []
    for part in parts_of(mail.headers):
        payload = payload_of(part)
        if kind_of(part) == "message/rfc822" and isinstance(payload, list) and isinstance(payload[0], Message):
            found.append(header(payload[0], "message-id"))
        elif kind_of(part) == "text/rfc822-headers":
            found.append(message_id(str(payload).strip().encode("utf-8", "replace")))
    return [one for one in found if one]


def _failures(report: Part) -> Iterator[Bounce]:
    for block in _blocks(report):
        if header(block, "final-recipient") + header(block, "action"):
            yield _failure(block)


def _blocks(report: Part) -> Iterator[Part]:
    """The blocks of fields of a report. Of one for addresses beyond ASCII only the first is parsed already."""
    payload = payload_of(report)
    parsed = [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []
    yield from parsed
    if parsed and kind_of(report) == _GLOBAL:
        for text in _EMPTY_LINE.split(str(payload_of(parsed[0]))):
            yield HeaderParser(policy=compat32).parsestr(text.strip())


def _failure(block: Part) -> Bounce:
    written = header(block, "original-recipient") or header(block, "final-recipient")
    action = header(block, "action").lower()
    status = header(block, "status").partition(" ")[0]
    return Bounce(
        address=written.rpartition(";")[2].strip().strip("<>").lower()[:320],
        action=action[:40],
        status=status[:20],
        hard=action == "failed" and not status.startswith("4"),
    )
