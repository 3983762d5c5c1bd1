"""Orders that a mail program broke into several lines, put together again.

Programs that send hard lines break what is longer than 65 to 78 signs, and the beginning of a list of names may be an
order of its own. A break was a program's if the next word would not have fitted: no line of the text is that long.
"""

from games.engine.language import Language
from postspiel.mail.reading.newtext import IsOrder

SHORTEST = 50
"""No program breaks shorter lines."""

PIECES = 6


def joined(text: str, spoken: Language, means: IsOrder) -> str:
    """A text in which orders stand each on one line; `means` knows a line that means anything to the language."""
    lines = text.split("\n")
    width = max(map(len, lines))
    if width < SHORTEST:
        return text
    kept: list[str] = []
    at = 0
    while at < len(lines):
        count = _pieces(lines[at : at + PIECES], width, spoken, means)
        kept.append(" ".join(line.strip() for line in lines[at : at + count]) if count > 1 else lines[at])
        at += count
    return "\n".join(kept)


def _pieces(lines: list[str], width: int, spoken: Language, means: IsOrder) -> int:
    """How many of these lines, from the first on, are one order."""
    may_be = 1
    while may_be < len(lines) and _full(lines[may_be - 1], lines[may_be], width):
        may_be += 1
    if may_be == 1 or not means(lines[0]):
        return 1
    own = next((at for at in range(1, may_be) if means(lines[at])), may_be)
    return next((count for count in range(own, 1, -1) if _is_order(" ".join(lines[:count]), spoken)), 1)


def _full(line: str, following: str, width: int) -> bool:
    """Whether the word that begins the next line would not have fitted into this one."""
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) >= SHORTEST and len(line) + 1 + len(word[0]) > width


def _is_order(line: str, spoken: Language) -> bool:
    reading = spoken.read(line)
    return len(reading.orders) == 1 and not reading.problems
