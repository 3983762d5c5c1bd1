"""What the letters of `tests/mail/cases` and `tests/post/letters` are answered, as files to read and to compare.

Each file in `answered/` holds one answer, in English and in German, and names the letters that get it. What an answer
repeats of a letter (lines behind a bar) stands for each letter in `answered/lines.txt`. `make answers` writes the files
anew; whoever runs it reads what has changed as the player who gets it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from games.engine.contract import Locale
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing

FOLDER = Path(__file__).parent / "answered"
LINES = FOLDER / "lines.txt"
LOCALES: tuple[Locale, ...] = ("en", "de")
NOTHING = "No mail is sent.\n"
_LETTERS = "Letters: "
_REPEATED = re.compile(r"(?<=:\n)(?:^\|.*\n)+", re.MULTILINE)
_SECRETS = (
    (re.compile(r"^[A-Z2-7]{4}-[A-Z2-7]{4}$", re.MULTILINE), "CODE-CODE"),
    (re.compile(r"(/confirm/)\S+"), r"\1LINK"),
    (re.compile(r"\b[a-z2-7]{26}\b"), "TOKEN"),
)


class Answer(NamedTuple):
    """The mails that a letter brings about, in each language, and the lines of the letter that they repeat."""

    texts: dict[Locale, str]
    lines: str = ""


def kept() -> dict[str, Answer]:
    """What each letter must be answered, by its name: in English, and for one letter of each answer in German too."""
    found: dict[str, Answer] = {}
    lines = _kept_lines()
    for path in sorted(FOLDER.glob("[0-9]*.txt")):
        letters, english, german = path.read_text(encoding="utf-8").split("\n\n##########\n\n")
        names = re.split(r",\s+", letters.removeprefix(_LETTERS))
        found |= {name: Answer({"en": english}, lines.get(name, "")) for name in names}
        found[names[0]].texts["de"] = german
    return found


def keep(found: Mapping[str, Answer]) -> None:
    """Write the files anew from what each letter is answered; a file is called after the first letter that gets it."""
    for path in FOLDER.glob("*.txt"):
        path.unlink()

    def texts(name: str) -> list[str]:
        return list(found[name].texts.values())

    in_order = sorted(found, key=number)
    for both, group in groupby(sorted(in_order, key=texts), texts):
        names = list(group)
        parts = (_LETTERS + ",\n".join(names), *both)
        (FOLDER / f"{names[0]}.txt").write_text("\n\n##########\n\n".join(parts), encoding="utf-8")
    sections = (f"{name}\n{found[name].lines}" for name in in_order if found[name].lines)
    LINES.write_text("\n".join(sections), encoding="utf-8")


def number(name: str) -> tuple[int, str]:
    """The number of a letter's case, by which letters are sorted, and its name."""
    return int(name.partition("-")[0]), name


def told(mails: Sequence[Outgoing]) -> tuple[str, str]:
    """Mails as their readers get them, without what differs every time, and the lines that they repeat."""
    text = "\n".join(map(_told, mails)) or NOTHING
    return _REPEATED.sub("| ...\n", text), "".join(_REPEATED.findall(text))


def _told(mail: Outgoing) -> str:
    assert mail.recipient is not None
    letter = outbox.render(mail)
    text = f"To {mail.recipient.display_name} ({mail.kind})\n{letter.subject}\n\n{letter.text.strip()}\n"
    for pattern, word in _SECRETS:
        text = pattern.sub(word, text)
    return text


def _kept_lines() -> dict[str, str]:
    sections = LINES.read_text(encoding="utf-8").split("\n\n") if LINES.exists() else []
    parts = (section.partition("\n") for section in sections)
    return {name: f"{lines.strip()}\n" for name, _line, lines in parts}
