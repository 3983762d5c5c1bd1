"""The organiser's words in a mail: extend, pause, resume, late, status, help. Pure: no row is read or written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from games.engine.wording import bare, fold, lines, normalise

type Word = Literal["extend", "pause", "resume", "late", "status", "help"]

LONGEST = 300

WRITTEN: dict[Word, tuple[str, str]] = {
    "extend": ("extend", "verlängere"),
    "pause": ("pause", "pause"),
    "resume": ("resume", "weiter"),
    "late": ("late", "säumig"),
    "status": ("status", "stand"),
    "help": ("help", "hilfe"),
}
"""How each word is written, in English and in German."""

_ALSO: dict[str, Word] = {"verlangern": "extend", "verlaengere": "extend", "verlaengern": "extend", "saeumige": "late"}
_BY_FORM: dict[str, Word] = {fold(form): word for word, forms in WRITTEN.items() for form in forms} | _ALSO
_WITH_REST = frozenset({"extend", "pause", "resume"})
ACTS = _WITH_REST
"""Words that change something; the others ask to see something."""

_FIRST = re.compile(r"([^\s:,.!]+)[\s:,.!]*(.*)")
_UNIT = "h|hours?|stunden?|std|d|days?|tagen?|tage|t"
_SPAN = re.compile(rf"(?:by |um )?(\d{{1,6}})\s*({_UNIT})?\b[\s:,.;-]*(.*)", re.IGNORECASE)


class Command(NamedTuple):
    """One line for the server: the word, hours (of `extend`; None: none that could be read), and the reason given."""

    word: Word
    hours: int | None = None
    why: str = ""


class Orders(NamedTuple):
    """What a mail of an organiser says: commands, and lines that are none."""

    commands: tuple[Command, ...]
    ignored: tuple[str, ...]


def read(text: str) -> Orders:
    """Read a mail's new text, line by line; a line that begins with no command is left out, and told."""
    commands: list[Command] = []
    ignored: list[str] = []
    for line in _plain(text):
        found = _command(line)
        if found is None:
            ignored.append(line)
        else:
            commands.append(found)
    return Orders(tuple(commands), tuple(ignored))


def _plain(text: str) -> Iterator[str]:
    for raw in lines(text):
        line = bare(normalise(raw[:LONGEST]))
        if line and not line.startswith(">"):
            yield line


def _command(line: str) -> Command | None:
    match = _FIRST.match(line)
    word = _BY_FORM.get(fold(match[1])) if match else None
    if match is None or word is None or (match[2] and word not in _WITH_REST):
        return None
    return Command(word, *_span(match[2])) if word == "extend" else Command(word, None, match[2].strip())


def _span(rest: str) -> tuple[int | None, str]:
    """Read "24 reason", "2 days: reason"; hours unless days are named."""
    match = _SPAN.match(rest)
    if match is None:
        return None, rest
    hours = int(match[1]) * (24 if (match[2] or "h")[0].lower() in "dt" else 1)
    return hours, match[3].strip()
