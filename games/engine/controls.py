"""Words of the platform that stand among the orders of every title: done, wait, cancel, press and the like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from games.engine.contract import Locale
from games.engine.grammar import ALWAYS, Lexicon
from games.engine.texts import text
from games.engine.wording import fold, tokens, words

EVERYTHING = frozenset({"all", "alle", "alles", "everything"})
EVERYBODY = frozenset({"all", "alle", "everybody", "everyone", "jeden"})


class Control(Struct, frozen=True):
    """A control word: ``word`` is one of the names below; ``arg`` what follows it.

    done, wait, nothing, always done, cancel (arg: what), help (arg: a verb or nothing), status, orders, history,
    away (arg: days), resign, propose (arg: end, pause, prolong or nothing), press (``to``: ids of seats, or ("*",) for
    everybody; ``text``).
    """

    word: str
    arg: str = ""
    line: int = 0
    to: tuple[str, ...] = ()
    text: str = ""


class PressHead(Struct, frozen=True):
    """The first line of a press block: to whom, and the first recipient that is not known."""

    to: tuple[str, ...]
    unknown: str = ""


_WRITTEN: Mapping[str, Mapping[Locale, tuple[str, ...]]] = {
    "done": {"en": ("done",), "de": ("fertig",)},
    "wait": {"en": ("wait",), "de": ("warte",)},
    "nothing": {"en": ("nothing",), "de": ("nichts",)},
    "always done": {"en": ("always done",), "de": ("immer fertig",)},
    "cancel": {"en": ("cancel",), "de": ("streiche",)},
    "help": {"en": ("help",), "de": ("hilfe",)},
    "status": {"en": ("status",), "de": ("status",)},
    "orders": {"en": ("orders",), "de": ("befehle",)},
    "history": {"en": ("history",), "de": ("verlauf",)},
    "away": {"en": ("away",), "de": ("abwesend",)},
    "propose end": {"en": ("propose end",), "de": ("schlage ende vor",)},
    "propose pause": {"en": ("propose pause",), "de": ("schlage pause vor",)},
    "propose prolong": {"en": ("propose prolong",), "de": ("schlage verlängerung vor", "schlage verlängern vor")},
    "propose nothing": {"en": ("propose nothing",), "de": ("schlage nichts vor",)},
    "resign": {"en": ("resign", "i resign"), "de": ("aufgeben", "gebe auf", "ich gebe auf")},
}
_WITH_ARG = frozenset({"cancel", "help", "away"})
_BY_KEY = {words(form): word for word, by in _WRITTEN.items() for forms in by.values() for form in forms}
_FIRST = frozenset(key[0] for key in _BY_KEY)
_PRESS = frozenset({"press", "depesche"})
_TO = frozenset({"to", "an"})
_ENDS = frozenset({("end", "press"), ("press", "end"), ("ende", "depesche"), ("depesche", "ende")})

SINGLE = tuple(key[0] for key in _BY_KEY if len(key) == 1)
"""Control words that stand alone, for near misses."""

RESERVED = frozenset({key[0] for key in _BY_KEY} - {"i", "ich"} - ALWAYS) | _PRESS | {"end", "ende"}
"""Words that no title may begin an order with."""


def read(line: str) -> Control | None:
    """Read a bare normalised line that is a control word, and nothing else but its argument."""
    if fold(line[:30].partition(" ")[0].strip("\"'.,;:!?")) not in _FIRST:
        return None
    keys = tuple(token.key for token in tokens(line[:200]) if token.key)
    word = _BY_KEY.get(keys)
    if word is not None:
        heading = word == "orders" and line.endswith(":")
        head, _, arg = word.partition(" ") if word.startswith("propose ") else (word, "", "")
        return None if heading else Control(head, arg)
    word = _BY_KEY.get(keys[:1])
    return Control(word, line.partition(" ")[2]) if word in _WITH_ARG and _takes(word, line, len(keys)) else None


def _takes(word: str, line: str, count: int) -> bool:
    """Whether a word with an argument is meant as one: people write "help" and "away" in sentences, too."""
    return word == "cancel" or (count < 4 if word == "help" else any(sign.isdigit() for sign in line))


def written(control: Control, locale: Locale) -> str:
    """Return how a control is written."""
    whole = f"{control.word} {control.arg}".strip()
    if whole in _WRITTEN:
        return _WRITTEN[whole][locale][0]
    return f"{_WRITTEN[control.word][locale][0]} {control.arg}".strip()


def help_lines(locale: Locale) -> Iterator[str]:
    """Yield one line of help for each control word."""
    for word, forms in _WRITTEN.items():
        arg = f" {text(locale, f'control.{word}.arg')}" if word in _WITH_ARG else ""
        yield f"{forms[locale][0]}{arg}: {text(locale, f'control.{word}')}"
    yield text(locale, "control.press")


def press_head(line: str, seats: Lexicon) -> PressHead | None:
    """Read the first line of a press block ("press to Red, Blue: ..."); None if it is none."""
    if line[:5].lower() not in {"press", "depes"}:
        return None
    parts = tokens(line[:400])
    if not parts or parts[0].key not in _PRESS:
        return None
    head, colon, _ = line.partition(":")
    addressed = len(parts) > 1 and parts[1].key in _TO
    if not addressed:
        return PressHead(()) if len(words(head)) == 1 and (colon or len(parts) == 1) else None
    return _recipients(tuple(word for word in words(head)[2:] if word not in {"and", "und", "&"}), seats)


def is_press_end(line: str) -> bool:
    """Whether a normalised line ends a press block."""
    return len(line) < 40 and words(line) in _ENDS


def _recipients(names: tuple[str, ...], seats: Lexicon) -> PressHead:
    if names and set(names) <= EVERYBODY:
        return PressHead(("*",))
    found: list[str] = []
    at = 0
    while at < len(names):
        one, at = _seat(names, at, seats)
        if one is None:
            return PressHead((), names[at])
        if one not in found:
            found.append(one)
    return PressHead(tuple(found))


def _seat(names: tuple[str, ...], at: int, seats: Lexicon) -> tuple[str | None, int]:
    """Read the longest seat's name at a word: its id and the index behind it."""
    for count in range(min(seats.longest, len(names) - at), 0, -1):
        form = fold(" ".join(names[at : at + count]))
        for found in (seats.find(form), seats.begin(form)):
            if len(found) == 1:
                return found[0], at + count
    return None, at
