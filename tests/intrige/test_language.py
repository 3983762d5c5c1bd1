"""Intrige's orders as text: order -> text -> order in both languages, and the examples of the rules page."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from games.engine.contract import LOCALES, Locale, Order, Value
from games.engine.language import Unwritable
from games.engine.playing import wild_order
from games.intrige import TITLE
from games.intrige.state import CRAFTS, SEATS
from games.intrige.words import AREAS, NAMES
from tests.intrige.playing import LANGUAGE, bot_sheets, play

THOUSANDS = st.integers(0, 40).map(lambda count: 1000 * count)
WISHES = st.text(max_size=60).map(lambda text: " ".join(text.split())).filter(bool)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Any order of the language, possible in a game or not."""
    verb = draw(st.sampled_from(("bribe", "defend", "admit", "keep", "replace", "send")))
    craft, seat = draw(st.sampled_from(CRAFTS)), draw(st.sampled_from(SEATS))
    if verb not in {"bribe", "defend"}:
        place = "court" if verb == "send" else "seat"
        args: dict[str, Value] = {"scholar": craft, place: seat}
        return Order(verb, args | ({"area": draw(st.sampled_from(AREAS))} if verb == "admit" else {}))
    standing = draw(st.booleans())
    args = {} if standing else {"scholar": craft}
    if draw(st.booleans()):
        args["amount"] = draw(THOUSANDS)
    else:
        args |= {"raise": draw(THOUSANDS), "max": draw(THOUSANDS), "else": draw(THOUSANDS)}
    args |= {"court": seat} if draw(st.booleans()) and not standing else {}
    args |= {"wish": draw(WISHES)} if draw(st.booleans()) else {}
    return Order(verb, args, standing=standing)


@settings(max_examples=400, deadline=None)
@given(order=orders(), locale=st.sampled_from(LOCALES))
def test_every_order_survives_text_and_back(order: Order, locale: Locale) -> None:
    try:
        known = LANGUAGE.accept(order)
    except Unwritable:
        reject()  # a wish of nothing but signs
    assert LANGUAGE.read_order(LANGUAGE.write(known, locale)) == known


@pytest.mark.parametrize("locale", LOCALES)
def test_every_order_of_whole_games_survives_text_and_back(locale: Locale) -> None:
    count = 0
    for bot in ("random", "courtier"):
        random = Random(5)
        for state in play(5, 5)[:-1]:
            for sheet in bot_sheets(state, [TITLE.bots[bot]] * 5, random).values():
                for order in sheet:
                    assert LANGUAGE.read_order(LANGUAGE.write(order, locale)) == order
                    count += 1
    assert count > 200


def test_even_wild_orders_that_the_language_accepts_survive() -> None:
    random = Random(1)
    for _ in range(500):
        order = wild_order(TITLE, random.choice(TITLE.verbs), tuple(NAMES), random)
        for locale in LOCALES:
            assert LANGUAGE.read_order(LANGUAGE.write(LANGUAGE.accept(order), locale)) == order


@pytest.mark.parametrize(
    ("english", "german"),
    (
        ("bribe A 4000 wish 10000", "biete A 4000 wunsch 10000"),
        ("bribe P +1000 max 8000 else 2000", "biete P +1000 max 8000 sonst 2000"),
        ("defend S 3000", "verteidige S 3000"),
        ("bribe A 4000 at Green", "biete A 4000 bei Grün"),
        ("admit A Green 10000", "nimm A Grün 10000"),
        ("keep S Yellow", "behalte S Gelb"),
        ("replace S Blue", "ersetze S Blau"),
        ("send P White", "entsende P Weiß"),
        ("always defend 2000", "immer verteidige 2000"),
        ("always bribe +1000 max 5000 else 1000", "immer biete +1000 max 5000 sonst 1000"),
        ("always admit highest", "immer nimm höchste"),
    ),
)
def test_both_languages_say_the_same(english: str, german: str) -> None:
    order = LANGUAGE.read_order(english)
    assert order is not None
    assert LANGUAGE.read_order(german) == order
    assert (LANGUAGE.write(order, "en"), LANGUAGE.write(order, "de")) == (english, german)


@pytest.mark.parametrize(
    ("loose", "strict"),
    (
        ("BRIBE alchemist 4.000", "bribe A 4000"),
        ("biete Alchimist 4 000 bei gruen", "bribe A 4000 at Green"),
        ("admit doctor Blue 10,000", "admit D Blue 10000"),
        ("nimm Priester Weiss 3000", "admit P White 3000"),
        ("send A to Green", "send A Green"),
        ("entsende A nach Grün", "send A Green"),
        ("admit A from Green 10,000", "admit A Green 10000"),
        ("ersetze S durch Weiß", "replace S White"),
        ("send scribe y", "send S Yellow"),
        ("send scribe w", "send S White"),
        ("send scribe yel", "send S Yellow"),
        ("immer nimm hoechste", "always admit highest"),
        ("defend S 3k", "defend S 3000"),
    ),
)
def test_words_of_both_languages_abbreviated_and_spelt_loosely(loose: str, strict: str) -> None:
    assert LANGUAGE.read_order(loose) == LANGUAGE.read_order(strict) is not None
