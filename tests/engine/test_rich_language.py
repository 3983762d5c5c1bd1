"""A language much richer than the toy's: bids with triggers and consequences, offices, votes, rules, rankings.

Its lines are those that a game of intrigue among politicians needs; what stands on the right is how they are written.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine.contract import LOCALES, Locale, Options, Order, Slot, Verb, Words
from games.engine.language import Language
from tests.engine.strategies import orders
from tests.engine.toy import OPTIONS, Toy

PEOPLE = ("Osip Satin", "Arkadi Rubelow", "Grigori Samowarow", "Fjodor Eisbärski", "Wladlen Tundrow")
OFFICES: dict[str, Words] = {
    "chief": {"en": ("party chief", "chief"), "de": ("Parteichef",)},
    "kgb": {"en": ("KGB head", "KGB"), "de": ("KGB-Chef",)},
    "foreign": {"en": ("foreign minister", "foreign"), "de": ("Außenminister",)},
    "sport": {"en": ("sport minister", "sport"), "de": ("Sportminister",)},
}
VOTES: dict[str, Words] = {
    "yes": {"en": ("yes",), "de": ("ja",)},
    "no": {"en": ("no",), "de": ("nein",)},
    "abstain": {"en": ("abstain",), "de": ("enthaltung",)},
}
PERSONS: dict[str, Words] = {
    whole.split()[1].lower(): {loc: (whole.split()[1], whole) for loc in LOCALES} for whole in PEOPLE
}
RED: dict[str, Words] = {"red": {"en": ("Red",), "de": ("Rot",)}}
NAMES: dict[str, Words] = {**PERSONS, **OFFICES, **VOTES, **RED}
WHO = (*PERSONS, *OFFICES)


def words(english: str, *german: str) -> Words:
    return {"en": (english,), "de": german}


def of(name: str, english: str, german: str, *, among: tuple[str, ...] = WHO, number: bool = False) -> Slot:
    kind = "number" if number else "name"
    return Slot(name, kind, words(english, german), optional=True, among=() if number else among)  # type: ignore[arg-type]


RANKS = tuple(of(f"r{rank}", str(rank), str(rank), among=tuple(PERSONS)) for rank in range(10, 0, -1))
VERBS = (
    Verb("rank", words("rank", "rangliste"), RANKS),
    Verb("bid", words("bid", "biete"), (Slot("points", "number"), of("on", "on", "auf")), standing="may"),
    Verb("bid_all", words("bid all", "biete alle"), (of("on", "on", "auf"),), family="bid", standing="may"),
    Verb(
        "hold", words("hold", "halte"), (Slot("who", among=WHO), of("to", "up to", "bis", number=True)), standing="may"
    ),
    Verb("hold_all", words("hold all", "halte alle"), family="hold", standing="may"),
    Verb("cure", words("cure", "kur"), (Slot("who", among=WHO),)),
    Verb("cure_from", words("cure from", "kur ab"), (Slot("marks", "number"),), role="rule", standing="may"),
    Verb(
        "purge",
        words("purge", "säubere"),
        (
            Slot("who", "names", among=WHO),
            of("after", "stop after", "stopp nach", number=True),
            of("age", "stop at age", "stopp bei alter", number=True),
        ),
    ),
    Verb("accuse", words("accuse", "klage ... an", "anklage"), (Slot("who", among=WHO), of("else", "else", "sonst"))),
    Verb(
        "vote",
        words("vote", "stimme"),
        (Slot("vote", among=tuple(VOTES)), of("with", "with", "mit"), of("about", "on", "zu")),
    ),
    Verb(
        "promote",
        words("promote", "befördere"),
        (Slot("who", among=WHO), of("to", "to", "zu", among=tuple(OFFICES)), of("by", "by", "durch")),
    ),
    Verb("swap", words("swap", "tausche"), (Slot("a", among=WHO), Slot("b", words=words("with", "mit"), among=WHO))),
    Verb("stop", words("stop", "stopp")),
    Verb("protect", words("protect", "schütze"), (Slot("who", "names", among=WHO),), role="rule", standing="may"),
    Verb("acts", words("acts", "handelt"), role="trigger"),
    Verb("against", words("against", "gegen"), (Slot("who", among=WHO),), role="trigger"),
    Verb("votes", words("votes", "stimmt"), (Slot("vote", among=tuple(VOTES), optional=True),), role="trigger"),
    Verb("phase", words("phase", "phase"), (Slot("number", "number"),), role="trigger"),
)


class Rich(Toy):
    about = replace(Toy.about, names=NAMES, seats=("red",))
    verbs = VERBS

    def names(self, options: Options) -> Mapping[str, Words]:
        return NAMES


TALK = Language(Rich(), OPTIONS)


@pytest.mark.parametrize(
    ("line", "canonical"),
    (
        ("bid 7 on Satin", "bid 7 on Satin"),
        ("hold osip satin up to 9", "hold Satin up to 9"),
        ("halte alle", "hold all"),
        ("bid 5 on Samowarow when against Satin then stop", "bid 5 on Samowarow when against Satin then stop"),
        ("biete 7 auf Satin wenn gegen Sam dann stopp", "bid 7 on Satin when against Samowarow then stop"),
        ("immer biete alle auf Satin", "always bid all on Satin"),
        ("bid 3 on KGB when votes no then vote yes", "bid 3 on KGB head when votes no then vote yes"),
        ("bid 3 on KGB-Chef when votes", "bid 3 on KGB head when votes"),
        ("bid 3 on Satin when phase 4", "bid 3 on Satin when phase 4"),
        (
            "bid 2 on Satin when acts then purge Tundrow, Rubelow stop after 1",
            "bid 2 on Satin when acts then purge Tundrow, Rubelow stop after 1",
        ),
        ("cure Eisbaerski", "cure Eisbärski"),
        ("kur ab 1", "cure from 1"),
        ("purge Satin, KGB, Foreign Min stop at age 80", "purge Satin, KGB head, foreign minister stop at age 80"),
        ("säubere Satin und Rubelow stopp bei alter 80", "purge Satin, Rubelow stop at age 80"),
        ("klage Satin an sonst Rubelow", "accuse Satin else Rubelow"),
        ("anklage Satin sonst Rubelow", "accuse Satin else Rubelow"),
        ("stimme nein mit Satin zu Rubelow", "vote no with Satin on Rubelow"),
        ("befoerdere Satin zu Aussenmin durch Rubelow", "promote Satin to foreign minister by Rubelow"),
        ("tausche Satin mit dem", ""),
        ("swap Satin with KGB head", "swap Satin with KGB head"),
        ("rank 10 Satin, 9 Rubelow, 8 Tundrow", "rank 10 Satin 9 Rubelow 8 Tundrow"),
        ("rangliste 10 Satin, 8 Tundrow", "rank 10 Satin 8 Tundrow"),
        ("vote maybe", ""),
        ("bid 3 on Satin when purge Rubelow", ""),
    ),
)
def test_lines_of_a_rich_language_are_read(line: str, canonical: str) -> None:
    reading = TALK.read(line)
    assert [TALK.write(found.order, "en") for found in reading.orders] == [canonical] * bool(canonical)
    assert bool(reading.problems) is not bool(canonical)


@given(order=orders(VERBS, NAMES), locale=st.sampled_from(LOCALES))
def test_every_order_of_a_rich_language_survives_being_written_and_read(order: Order, locale: Locale) -> None:
    assert [found.order for found in TALK.read(TALK.write(order, locale)).orders] == [order]
