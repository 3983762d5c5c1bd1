"""The title's texts, filled in and varied, and the names of people and places in a reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

from games.engine.contract import LOCALES, Locale, Words
from games.engine.texts import read_texts
from games.kreml.words import names

TEXTS: Mapping[Locale, Mapping[str, str]] = {
    locale: {**read_texts("games.kreml", locale), **read_texts("games.kreml.problems", locale)} for locale in LOCALES
}
"""All texts of the title; those of problems are beside the checks."""
VARIANTS: Mapping[Locale, Mapping[str, Sequence[str]]] = {
    locale: {key: text.strip().splitlines() for key, text in texts.items()} for locale, texts in TEXTS.items()
}
"""The phrasings of each text, one a line."""


def say(locale: Locale, key: str, **data: str | int) -> str:
    """A text of the title, filled in."""
    return TEXTS[locale][key].format(**data)


class Wording:
    """Speaks a language, under one roster of politicians."""

    def __init__(self, locale: Locale, roster: str) -> None:
        self.locale = locale
        self.names: Mapping[str, Words] = names(roster)
        self.printed: dict[str, int] = {}

    def say(self, key: str, **data: str | int) -> str:
        """A text of the title, filled in."""
        return say(self.locale, key, **data)

    def vary(self, key: str, seed: object, **data: str | int) -> str:
        """One of a text's phrasings, filled in: chosen by ``seed`` (what is told), never the one just printed."""
        phrasings = VARIANTS[self.locale][key]
        at = crc32(repr(seed).encode()) % len(phrasings)
        if self.printed.get(key) == at:
            at = (at + 1) % len(phrasings)
        self.printed[key] = at
        return capital(phrasings[at].format(**data))

    def name(self, word: str) -> str:
        """The name of a politician (his surname), an office, a seat or a vote; "" stays empty."""
        return self.names[word][self.locale][0] if word else ""

    def place(self, place: str) -> str:
        """What a place is called: an office, or "candidate", "people" and so on."""
        return self.name(place) if place in self.names else self.say(f"place.{place}")

    def join(self, parts: Iterable[str]) -> str:
        """A list in words: "Satin, Rubelow and Parolina"."""
        *some, last = list(parts) or [self.say("word.none")]
        return f"{', '.join(some)} {self.say('word.and')} {last}" if some else last

    def people(self, who: Iterable[str]) -> str:
        """Several names in words."""
        return self.join(map(self.name, who))

    def marks(self, marks: int) -> str:
        """Sickness marks as they are written, or "healthy"."""
        return "+" * marks or self.say("word.healthy")


def capital(sentence: str) -> str:
    """A sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]
