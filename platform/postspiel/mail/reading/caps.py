"""What is too much is refused before anything parses it: all checks are single passes over the bytes."""

import re

SIZE = 5 * 1024 * 1024
HEAD = 64 * 1024
PARTS = 100
BOUNDARIES = 30
NESTED = 20
RAW_LINES = 200_000
TEXT = 250_000
"""Signs of a part's text that are read; more than any mail of a person with all its quotations."""
LINES = 5000
"""Lines of text that are read; what stands below counts as ignored."""
LINE = 2000
"""Signs of one line that are looked at by patterns."""

_BOUNDARY = re.compile(rb'boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))', re.IGNORECASE)
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")


class TooMuch(ValueError):  # noqa: N818 - it says what is wrong
    """A mail that is refused unread. Its text says why, in a form fit for an SMTP answer."""


def head(raw: bytes) -> bytes:
    """The header block, or as much of it as is ever looked at."""
    end = _HEAD_ENDS.search(raw, 0, HEAD + 1)
    return raw[: end.start() if end else HEAD + 1]


def check(raw: bytes) -> None:
    """Raise `TooMuch` for a mail that would cost too much to read."""
    if len(raw) > SIZE:
        raise TooMuch(f"Message larger than {SIZE // 1024 // 1024} MB")
    if len(head(raw)) > HEAD:
        raise TooMuch("Message header too long")
    if raw.count(b"\n") > RAW_LINES:
        raise TooMuch("Message has too many lines")
    lower = raw.lower()
    boundaries = {quoted or bare for quoted, bare in _BOUNDARY.findall(raw)} if b"boundary" in lower else set()
    if len(boundaries) > BOUNDARIES or lower.count(b"message/rfc822") > NESTED:
        raise TooMuch("Message nested too deeply")
    if raw.count(b"\n--") > PARTS and sum(raw.count(b"\n--" + one) for one in boundaries) > PARTS + len(boundaries):
        raise TooMuch("Message has too many parts")
