"""Text in one form: one kind of line end, ordinary spaces, nothing invisible; and a fold by which lines compare.

What players wrote to each other goes through here too: it keeps its dashes, quotes and emoji. For comparing, and for
reading orders, the engine's stricter form is used.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from games.engine import wording

_LINE_END, _SPACE = r"\r\v\f\x1c-\x1e\x85\u2028\u2029", r"\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
# Soft hyphen, zero-width signs, direction marks, BOM; not the joiner that holds emoji together.
_INVISIBLE = (
    r"\u00ad\u034f\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff"
)
_CONTROL = r"\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"

MARKS = 8
"""Combining marks that a sign keeps; no language needs more."""


def _marks(first: int, last: int) -> str:
    """Combining marks as ranges of a pattern's set."""
    codes = [code for code in range(first, last) if unicodedata.combining(chr(code))]
    runs = [list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)


LINE = 120
"""Signs of a line that is worth remembering: most are shorter."""

_MARK = _marks(0x300, 0x10000)
_LINE_ENDS, _SPACES = re.compile(f"\r\n|[{_LINE_END}]"), re.compile(f"[{_SPACE}]")
_NOTHING = re.compile(f"[{_INVISIBLE}{_CONTROL}]")
_PILE = re.compile(f"([{_MARK}]{{{MARKS}}})[{_MARK}]+")
# From U+20000 on no sign combines (ideographs, tags, private use), and to look there costs every process 0.1 s.
_RARE_PILE = re.compile("([{0}]{{{1}}})[{0}]+".format(_MARK + _marks(0x10000, 0x20000), MARKS))
_ODD = re.compile(f"[{_LINE_END}{_SPACE}{_INVISIBLE}{_CONTROL}{_MARK}\U00010000-\U0010ffff]")
_RARE = re.compile("[\U00010000-\U0010ffff]")


def tidy(text: str) -> str:
    """The text as people meant it: lines end with a newline, odd spaces are spaces, nothing invisible is left."""
    if not _ODD.search(text):
        return text
    return _without_piles(_NOTHING.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text))))


def _without_piles(text: str) -> str:
    """At most a few combining marks on one sign: putting piles of them in order takes quadratic time."""
    if text.isascii():
        return text
    # A set with signs beyond the first 65536 is looked through one by one.
    return (_RARE_PILE if _RARE.search(text) else _PILE).sub(r"\1", text)


def lines_of(text: str) -> list[str]:
    """The lines of a tidy text. The one splitter: `str.splitlines` splits at signs that others do not."""
    found = text.split("\n")
    return [line.rstrip(" ") for line in found] if " \n" in text or text.endswith(" ") else found


def fold(text: str) -> str:
    """What two texts share that a reader takes for the same: for comparing only."""
    return _folded(text) if len(text) <= LINE else _fold(text)


def _fold(text: str) -> str:
    return wording.fold(wording.normalise(text))


_folded = lru_cache(4096)(_fold)
"""Most lines of a mail are looked at twice and more: they repeat ours, or what stands in all of ours."""
