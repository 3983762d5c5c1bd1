"""Written text made comparable: lines, Unicode, words and numbers, as people and mail programs write them.

Everything here takes time linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

LONGEST_LINE = 2000
"""No order is longer; of what is, only the beginning is looked at."""

_GONE = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_SIGNS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\u301f\uff02", '"')
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u0060\u2039\u203a\uff07", "'")
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe"})
_SIGN, _UMLAUT = (re.compile(f"[{''.join(map(chr, signs))}]") for signs in (_SIGNS, _UMLAUTS))
_ENDS = re.compile("\r\n|[\n\r\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029]")
_BULLET = re.compile(
    r"[-*•·◦▪+→➜➤►▶✓✔✅\U0001f449] +|[-*•·◦▪](?=[^\W\d])|\[[ xX]?\] +"
    r"|\d{1,2}[.):] +|\(\d{1,2}\) +|\(?[a-zA-Z]\) +"
)
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3})([^*_ ].*[^*_ ]|[^*_ ])\1")
_TOKEN = re.compile(
    r"[+-]?\d{1,3}(?:[.,']\d{3})+(?!\w|[.,]\d)|[+-]?\d{1,3}(?:[.,']\d{3})*[.,]\d+[kK]?(?!\w)|,|[^\s,=]+"
)
_NUMBER = re.compile(
    r"([+-]?)(?:(\d{1,15})([kK]?)|(\d{1,3}(?:([.,'])\d{3})(?:\5\d{3}){0,3})|(\d{1,6})[.,](\d{1,2})[kK])"
)
_TRAILING = ".,;:!?"
_AROUND = "\"'*_"
"""What stands around a word that is stressed: Gmail writes bold words as *words*."""


class Token(Struct, frozen=True):
    """A word of a line: as written, where it begins and ends, and its ``key`` for comparing."""

    text: str
    start: int
    end: int
    key: str


def lines(text: str) -> list[str]:
    """Split a text at every kind of line end. Line numbers (from 1) count in this list."""
    return _ENDS.split(text)


def normalise(line: str) -> str:
    """Return a line in NFKC with plain spaces, dashes and quotes, and without invisible characters.

    Applying it twice changes nothing more.
    """
    if line.isascii() and line.isprintable():
        return " ".join(line.replace("`", "'").split())
    line = unicodedata.normalize("NFKC", _plain(line))
    return " ".join(_plain(line).split())


def _plain(line: str) -> str:
    """Return a line without invisible characters, with plain dashes and quotes."""
    return _translated(_GONE.sub("", line), _SIGN, _SIGNS)


def _translated(text: str, signs: re.Pattern[str], into: Mapping[int, str]) -> str:
    # `str.translate` asks about every character of a text that is not ASCII, and few are meant.
    return signs.sub(lambda found: into[ord(found[0])], text)


def fold(text: str) -> str:
    """Return what two spellings of a word share: no case, no accents; ä, ö, ü, ß as ae, oe, ue, ss."""
    if text.isascii():
        return text.lower()
    text = _translated(unicodedata.normalize("NFC", text).casefold(), _UMLAUT, _UMLAUTS)
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def tokens(line: str) -> tuple[Token, ...]:
    """Cut a normalised line into words, numbers and commas; other punctuation that stands alone is left out."""
    return tuple(each_token(line))


def each_token(line: str) -> Iterator[Token]:
    """Yield the tokens of a line one by one: most lines are no orders, which their first word shows."""
    for found in _TOKEN.finditer(line):
        word = found[0]
        if word.isalnum() and word.isascii():
            yield Token(word, found.start(), found.end(), word.lower())
        elif word == "," or word.rstrip(_TRAILING):
            yield Token(word, found.start(), found.end(), fold(word.rstrip(_TRAILING).strip(_AROUND)))


def words(text: str) -> tuple[str, ...]:
    """Return the keys of the words of a text."""
    return tuple(token.key for token in tokens(normalise(text)) if token.key)


def number(parts: Sequence[Token], at: int, *, grouped: bool = True) -> tuple[str, int, int] | None:
    """Read a whole number at a word: its sign ("+", "-", ""), its value, and the index behind it; None if it is none.

    4000, 4.000, 4,000, 4'000, 4k, 4.5k and, if ``grouped``, 4 000.
    """
    sign = ""
    if parts[at].text in {"+", "-"} and at + 1 < len(parts):
        sign, at = parts[at].text, at + 1
    match = _NUMBER.fullmatch(parts[at].text.rstrip(_TRAILING).strip(_AROUND))
    if match is None or (sign and match[1]):
        return None
    value, after = _value(match), at + 1
    if grouped and match[2] and not match[3] and len(match[2]) <= 3 and match[2][0] != "0":
        value, after = _groups(parts, after, value)
    sign = sign or match[1]
    return sign, -value if sign == "-" else value, after


def bare(line: str) -> str:
    """Strip a normalised line of a list bullet or numbering, of emphasis, and of a comment."""
    bullet = None if _EMPHASIS.fullmatch(line) else _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    if emphasis := _EMPHASIS.fullmatch(line):
        line = emphasis[2]
    return without_comment(line).strip()


def without_comment(line: str) -> str:
    """Cut a comment: it begins with a ``#`` at the start or behind a space, outside of double quotes."""
    if "#" not in line:
        return line
    quotable = line.count('"') % 2 == 0
    quotes = 0
    for at, sign in enumerate(line):
        if sign == '"':
            quotes += 1
        elif sign == "#" and (at == 0 or line[at - 1] == " ") and not (quotable and quotes % 2):
            return line[:at]
    return line


def _value(match: re.Match[str]) -> int:
    if match[2]:
        return int(match[2]) * (1000 if match[3] else 1)
    if match[4]:
        return int(match[4].replace(match[5], ""))
    return int(match[6]) * 1000 + int(match[7].ljust(3, "0"))


def _groups(parts: Sequence[Token], at: int, value: int) -> tuple[int, int]:
    """Read on through groups of three digits."""
    while at < len(parts) and value < 10**12:
        digits = parts[at].text.rstrip(_TRAILING)
        if len(digits) != 3 or not (digits.isascii() and digits.isdecimal()):
            break
        value, at = value * 1000 + int(digits), at + 1
    return value, at
