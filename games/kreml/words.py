"""How Kreml is written: verbs, slots and the names of things, in English and German (section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from games.engine.contract import Slot, Verb, Words
from games.kreml.data import PEOPLE, roster
from games.kreml.state import OFFICES, RANKS

ALL = "all"
ANYBODY = "anybody"
VOTES = ("yes", "no", "abstain")
MARKS = ("1", "2")
WHO = (*PEOPLE, *OFFICES)
"""Whom an order may name: a politician, or an office (its holder when the order is carried out)."""


def _words(english: str | tuple[str, ...], german: str | tuple[str, ...]) -> Words:
    def row(written: str | tuple[str, ...]) -> tuple[str, ...]:
        return (written,) if isinstance(written, str) else written

    return {"en": row(english), "de": row(german)}


def _same(*forms: str) -> Words:
    return {"en": forms, "de": forms}


FIXED: Mapping[str, Words] = {
    "minsk": _same("Minsk"),
    "odessa": _same("Odessa"),
    "riga": _same("Riga"),
    "omsk": _same("Omsk"),
    "tula": _same("Tula"),
    "kasan": _words("Kazan", "Kasan"),
    "chief": _words(("party chief", "chief"), ("Parteichef", "Chef")),
    "kgb": _words(("KGB head", "KGB"), ("KGB-Chef", "KGB Chef", "KGB")),
    "foreign": _words(("foreign minister", "foreign"), ("Außenminister", "Aussenminister", "Äußeres")),
    "defence": _words(
        ("defence minister", "defense minister", "defence", "defense"), ("Verteidigungsminister", "Verteidigung")
    ),
    "ideologist": _words("ideologist", ("Ideologe", "Ideologen")),
    "industry": _words(("industry minister", "industry"), ("Industrieminister", "Industrie")),
    "agriculture": _words(("agriculture minister", "agriculture"), ("Landwirtschaftsminister", "Landwirtschaft")),
    "sport": _words(("sport minister", "sports minister", "sport"), ("Sportminister", "Sport")),
    ALL: _words("all", ("alle", "alles", "alle Punkte")),
    ANYBODY: _words(("anybody", "anyone"), ("irgendwer", "irgendwen", "irgendjemand")),
    "yes": _words("yes", "ja"),
    "no": _words("no", "nein"),
    "abstain": _words(("abstain", "abstention"), ("Enthaltung", "enthalte")),
    "1": _words(("1", "+"), ("1", "+")),
    "2": _words(("2", "++"), ("2", "++")),
}
"""The names of everything but the politicians."""


@cache
def names(of: str) -> Mapping[str, Words]:
    """All names under a roster: politicians are known by their surname, also with the given name before it."""
    people = {who: _same(one.surname, f"{one.given} {one.surname}") for who, one in roster(of).people.items()}
    return {**people, **FIXED}


def _one(name: str, english: str | tuple[str, ...] = "", german: str | tuple[str, ...] = "", **more: object) -> Slot:
    words = _words(english, german) if english else {}
    return Slot(name, words=words, **({"among": WHO} | more))  # type: ignore[arg-type]


def _number(name: str, english: str | tuple[str, ...], german: str | tuple[str, ...]) -> Slot:
    return Slot(name, "number", _words(english, german), optional=True)


TO = (("to", "as"), ("zu", "zum", "zur", "als"))
STOP_AFTER = _number("after", "stop after", "stopp nach")
STOP_AT = _number("age", "stop at age", ("stopp bei Alter", "stopp ab Alter"))
ENDS = (STOP_AFTER, STOP_AT)
"""What may close a line: so many successes, or nothing more from that age on."""

BY = _one("by", "by", "durch", optional=True)
OFFICE = _one("to", *TO, among=OFFICES, optional=True)
LIST = Slot("who", "names", among=WHO)
RANK_SLOTS = tuple(_one(f"r{rank}", str(rank), str(rank), among=PEOPLE, optional=True) for rank in range(RANKS, 0, -1))

VERBS = (
    Verb("rank", _words("rank", "rangliste"), RANK_SLOTS),
    Verb(
        "bid",
        _words("bid", "biete"),
        (
            Slot("points", "number", optional=True),
            Slot("full", among=(ALL,), optional=True),
            _one("on", "on", "auf", among=(*WHO, ANYBODY)),
        ),
        key=("on",),
        standing="may",
        conditional=True,
    ),
    Verb(
        "hold",
        _words("hold", "halte"),
        (_one("who", among=(*WHO, ALL)), _number("to", "up to", ("bis", "bis zu"))),
        key=("who",),
        standing="may",
    ),
    Verb("cure", _words("cure", "kur"), (LIST,), key=("who",), family="cure"),
    Verb("recall", _words("recall", "hole"), (LIST,), key=("who",), family="cure"),
    Verb(
        "cure_from",
        _words("cure from", "kur ab"),
        (Slot("marks", among=MARKS),),
        role="rule",
        standing="may",
    ),
    Verb("purge", _words("purge", "säubere"), (LIST, *ENDS)),
    Verb("close", _words("close", ("schließe", "schliesse")), (LIST,), key=("who",), family="file"),
    Verb("investigate", _words("investigate", "untersuche"), (LIST, *ENDS), key=("who",), family="file"),
    Verb(
        "accuse",
        _words("accuse", ("klage ... an", "anklage")),
        (_one("who"), _one("else", "else", "sonst", optional=True)),
    ),
    Verb("banish", _words("banish", "verbanne"), (LIST,)),
    Verb(
        "vote",
        _words("vote", "stimme"),
        (Slot("vote", among=VOTES), _one("with", "with", "mit", optional=True), _one("on", "on", "zu", optional=True)),
        key=("with", "on"),
        standing="may",
    ),
    Verb("protect", _words("protect", "schütze"), (LIST,), role="rule", standing="may"),
    Verb("oppose", _words("oppose", "bekämpfe"), (LIST,), role="rule", standing="may"),
    Verb("nominate", _words("nominate", "nominiere"), (LIST,)),
    Verb(
        "swap",
        _words("swap", "tausche"),
        (_one("who"), _one("with", "with", "mit")),
        key=("who",),
        family="move",
    ),
    Verb("promote", _words("promote", "befördere"), (_one("who"), OFFICE, BY), key=("who",), family="move"),
    Verb("demote", _words("demote", "degradiere"), (_one("who"), OFFICE), key=("who",), family="move"),
    Verb(
        "move",
        _words("move", "versetze"),
        (_one("who"), _one("to", *TO, among=OFFICES)),
        key=("who",),
        family="move",
    ),
    Verb(
        "rehabilitate",
        _words("rehabilitate", "rehabilitiere"),
        (LIST, _one("by", "by", "durch"), *ENDS),
        key=("by", "who"),
    ),
    Verb(
        "stop",
        _words("stop", "stopp"),
        (_number("after", "after", "nach"), _number("age", "at age", ("bei Alter", "ab Alter"))),
        role="rule",
        standing="may",
    ),
    Verb("halt", _words("halt", "halt"), (Slot("rest", "text", optional=True),), role="rule", standing="may"),
    Verb("acts", _words("acts", "handelt"), role="trigger"),
    Verb("against", _words("against", "gegen"), (_one("who"),), role="trigger"),
    Verb("votes", _words("votes", "stimmt"), (Slot("vote", among=VOTES, optional=True),), role="trigger"),
    Verb("phase", _words("phase", "phase"), (Slot("number", "number"),), role="trigger"),
)
"""``halt`` is no order: German readers may mean "stop" or "hold", so it is read, and refused with a question."""
