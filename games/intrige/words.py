"""How Intrige is written: verbs, slots and the names of things, in English and German."""

from __future__ import annotations

from games.engine.contract import Slot, Verb, Words
from games.intrige.state import CRAFTS, PAYS, SEATS

AREAS = tuple(str(pay) for pay in PAYS)
HIGHEST = "highest"


def _seat(english: str, *german: str) -> Words:
    """A seat's names, also as they stand in a sentence: "send A to Green", "nimm A von Grün"."""
    return {
        "en": (english, f"to {english}", f"from {english}"),
        "de": (*german, *(f"{word} {one}" for word in ("an", "nach", "von", "durch") for one in german)),
    }


NAMES: dict[str, Words] = {
    "red": _seat("Red", "Rot"),
    "yellow": _seat("Yellow", "Gelb"),
    "green": _seat("Green", "Grün", "Gruen"),
    "blue": _seat("Blue", "Blau"),
    "white": _seat("White", "Weiß", "Weiss"),
    "A": {"en": ("A", "alchemist"), "de": ("A", "Alchimist", "Alchimisten")},
    "P": {"en": ("P", "priest"), "de": ("P", "Priester")},
    "S": {"en": ("S", "scribe"), "de": ("S", "Schreiber")},
    "D": {"en": ("D", "doctor"), "de": ("D", "Doktor")},
    **{area: {"en": (area,), "de": (area,)} for area in AREAS},
    HIGHEST: {"en": ("highest",), "de": ("höchste", "hoechste", "höchsten", "höchstes")},
}

SCHOLAR = Slot("scholar", among=CRAFTS)
BIDDER = Slot("scholar", among=CRAFTS, optional=True)
BID = (
    BIDDER,
    Slot("amount", kind="number", optional=True),
    Slot("raise", kind="number", sign="+", optional=True),
    Slot("max", kind="number", words={"en": ("max",), "de": ("max", "höchstens")}, optional=True),
    Slot("else", kind="number", words={"en": ("else",), "de": ("sonst",)}, optional=True),
    Slot("court", words={"en": ("at",), "de": ("bei",)}, among=SEATS, optional=True),
    Slot("wish", kind="text", words={"en": ("wish",), "de": ("wunsch",)}, optional=True),
)
VERBS = (
    Verb("bribe", {"en": ("bribe",), "de": ("biete", "bestich")}, BID, key=("scholar", "court"), standing="may"),
    Verb("defend", {"en": ("defend",), "de": ("verteidige",)}, BID, key=("scholar", "court"), standing="may"),
    Verb(
        "admit",
        {"en": ("admit",), "de": ("nimm",)},
        (
            BIDDER,
            Slot("seat", among=SEATS, optional=True),
            Slot("area", among=AREAS, optional=True),
            Slot("by", among=(HIGHEST,), optional=True),
        ),
        key=("scholar",),
        family="decide",
        standing="may",
    ),
    Verb(
        "keep",
        {"en": ("keep",), "de": ("behalte",)},
        (SCHOLAR, Slot("seat", among=SEATS, optional=True)),
        key=("scholar",),
        family="decide",
    ),
    Verb(
        "replace",
        {"en": ("replace",), "de": ("ersetze",)},
        (SCHOLAR, Slot("seat", among=SEATS)),
        key=("scholar",),
        family="decide",
    ),
    Verb(
        "send",
        {"en": ("send",), "de": ("entsende", "sende")},
        (SCHOLAR, Slot("court", among=SEATS)),
        key=("court",),
    ),
)
