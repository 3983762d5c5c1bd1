"""The title's texts, filled in, and the names of things in a reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.engine.contract import LOCALES, Locale
from games.engine.texts import read_texts
from games.intrige.state import SEATS, Scholar
from games.intrige.words import NAMES

TEXTS: Mapping[Locale, Mapping[str, str]] = {locale: read_texts("games.intrige", locale) for locale in LOCALES}


def say(locale: Locale, key: str, **data: str | int) -> str:
    """A text of the title, filled in."""
    return TEXTS[locale][key].format(**data)


def name(locale: Locale, word: str) -> str:
    """The canonical name of a seat, an area or a scholar's letter."""
    return NAMES[word][locale][0]


def seat_name(locale: Locale, seat: int) -> str:
    """The name of a seat."""
    return name(locale, SEATS[seat])


def scholar_name(locale: Locale, scholar: Scholar) -> str:
    """A scholar in short: "Green A"."""
    return f"{seat_name(locale, scholar.seat)} {scholar.craft}"


def join(locale: Locale, parts: Iterable[str]) -> str:
    """A list in words: "Red, Green and Blue"."""
    *some, last = list(parts) or [say(locale, "word.none")]
    return f"{', '.join(some)} {say(locale, 'word.and')} {last}" if some else last
