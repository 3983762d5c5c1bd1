"""What mails say is there in both languages, and says it with the same words to be filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
PLAY = ROOT / "platform/postspiel/play"


def sentences() -> Iterator[tuple[str, ...]]:
    """Every text to be translated in the modules that write mails; with its plural, if it has one."""
    for folder in (PLAY / "mails", PLAY / "inbox"):
        for _file, _line, message, _comments, _context in extract_from_dir(
            folder, [("**.py", "python")], keywords=KEYWORDS
        ):
            yield message if isinstance(message, tuple) else (message,)
    for _file, _line, message, _comments, _context in extract_from_dir(
        PLAY, [("receipts.py", "python")], keywords=KEYWORDS
    ):
        yield message if isinstance(message, tuple) else (message,)


def fields(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))


def test_every_sentence_has_a_german_one_with_the_same_fields() -> None:
    with (ROOT / "locale/de/LC_MESSAGES/django.po").open("rb") as file:
        german = read_po(file, locale="de")
    said = set(sentences())
    assert ("Open the game",) in said
    assert len(said) > 130
    for forms in said:
        found: Message | None = german[forms[0]]
        assert found is not None, forms[0]
        assert not found.fuzzy
        translated = found.string if isinstance(found.string, (list, tuple)) else [found.string]
        assert all(translated), forms[0]
        assert fields(" ".join(map(str, translated))) == fields(" ".join(forms)), forms[0]
