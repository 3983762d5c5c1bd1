"""Text in one form: one kind of line end, ordinary spaces, nothing invisible; and a fold by which lines compare.

What players wrote to each other goes through here too: it keeps its dashes, quotes and emoji. For comparing, and for
reading orders, the engine's stricter form is used.
"""

import re
import sys
import unicodedata

from games.engine import wording

_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = re.compile(r"[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Soft hyphen, zero-width signs, direction marks, BOM; not the joiner that holds emoji together.
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")

MARKS = 8
"""Combining marks that a sign keeps; no language needs more."""

_MARK = "".join(sign for sign in map(chr, range(0x300, sys.maxunicode + 1)) if unicodedata.combining(sign))
_PILE = re.compile(f"([{_MARK}]{{{MARKS}}})[{_MARK}]+")


def tidy(text: str) -> str:
    """The text as people meant it: lines end with a newline, odd spaces are spaces, nothing invisible is left."""
    lines = _LINE_ENDS.sub("\n", text)
    return _without_piles(_CONTROLS.sub("", _INVISIBLE.sub("", _SPACES.sub(" ", lines))))


def _without_piles(text: str) -> str:
    """At most a few combining marks on one sign: putting piles of them in order takes quadratic time."""
    if text.isascii():
        return text
    return _PILE.sub(r"\1", text)


def lines_of(text: str) -> list[str]:
    """The lines of a tidy text. The one splitter: `str.splitlines` splits at signs that others do not."""
    return [line.rstrip(" ") for line in text.split("\n")]


def fold(text: str) -> str:
    """What two texts share that a reader takes for the same: for comparing only."""
    return wording.fold(wording.normalise(text))
