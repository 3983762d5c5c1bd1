"""Pages, stories and texts: complete in both languages, and true."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import games.intrige
from games.engine.contract import LOCALES, Block, Copy, Grid, Heading, Items, Locale, Picture, Text
from games.engine.sheets import missing
from games.engine.turns import heard
from games.intrige import TITLE
from games.intrige.state import State
from games.intrige.wording import TEXTS
from tests.intrige.playing import FLAGS, LANGUAGE, FreeTable, play, position, sheet

SOURCE = Path(games.intrige.__file__).parent


def words(blocks: Iterable[Block]) -> str:
    """All that a page says, as one text."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Heading() | Text():
                found.append(block.text)
            case Items():
                found += block.items
            case Grid():
                found += [block.caption, *block.head, *(cell for row in block.rows for cell in row)]
            case Picture():
                found += [block.alt, block.twin]
            case Copy():
                found += block.lines
    return "\n".join(found)


# --- texts ------------------------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_texts_with_the_same_fields() -> None:
    assert TEXTS["en"].keys() == TEXTS["de"].keys()
    for key, english in TEXTS["en"].items():
        german = TEXTS["de"][key]
        assert fields(english) == fields(german), key
        assert english
        assert german


def fields(form: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(form) if field}


def test_every_problem_option_and_verb_has_its_text_and_no_text_lies_about() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCE.glob("*.py"))
    raised = set(re.findall(r'(?:Wrong|Problem)\(\s*(?:line\.at, |index, )?"(\w+)"', code))
    raised |= {"cash", "cash_ahead", "use_bribe", "use_defend", "not_attacked", "not_waiting"}
    assert raised == {key.removeprefix("problem.") for key in TEXTS["en"] if key.startswith("problem.")}
    for flag in FLAGS:
        assert {f"option.{flag}", f"option.{flag}.help"} <= TEXTS["en"].keys()
    assert {f"verb.{verb.name}" for verb in TITLE.verbs} <= TEXTS["en"].keys()
    assert {"title", "tagline"} <= TEXTS["en"].keys()


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", range(0, 16, 5))
@pytest.mark.parametrize("locale", LOCALES)
def test_every_page_of_a_game_is_whole_and_its_orders_stand(locale: Locale, flags: int) -> None:
    options = {name: bool(flags & 1 << at) for at, name in enumerate(FLAGS)}
    for seats in (3, 4, 5):
        for state in play(seats, seats, options):
            for viewer in (None, *range(seats)):
                seen = TITLE.mask(state, viewer)
                page = TITLE.show(seen, viewer, locale)
                assert "{" not in page.title + words(page.blocks)
                assert "None" not in words(page.blocks)
                look_at_orders(seen, viewer, page.blocks)


def look_at_orders(seen: State, viewer: int | None, blocks: tuple[Block, ...]) -> None:
    """Orders to copy stand there exactly where something is owed; they are legal, and nothing is missing then."""
    copies = [block for block in blocks if isinstance(block, Copy)]
    if viewer is None or not any(ask.must for ask in TITLE.asks(seen, viewer)):
        assert not copies
        return
    orders = tuple(order for line in copies[0].lines if (order := LANGUAGE.read_order(line)))
    assert len(orders) == len(copies[0].lines)
    assert not [problem for problem in TITLE.check(seen, viewer, orders) if problem.refuses]
    assert not [ask for ask in missing(TITLE, seen, viewer, orders) if ask.must]


def besieged() -> State:
    courts = {"green": {1000: "red P"}}
    return position([9, 9, 20, 0], "green", courts, {"green": ["red S", "blue A", "yellow P"]}, turn_round=2)


@pytest.mark.parametrize(
    ("locale", "title", "asked", "line"),
    (
        ("en", "Round 2, Green's court: bribes", "You have 9000 ducats", "defend P 1000"),
        ("de", "Runde 2, Hof von Grün: Bestechung", "Du hast 9000 Dukaten", "verteidige P 1000"),
    ),
)
def test_a_seat_reads_what_it_is_asked(locale: Locale, title: str, asked: str, line: str) -> None:
    page = TITLE.show(TITLE.mask(besieged(), 0), 0, locale)
    assert page.title == title
    assert asked in words(page.blocks[:1])
    assert line in words(page.blocks)
    assert "20000" not in words(page.blocks), "others' cash"
    assert "20000" in words(TITLE.show(TITLE.mask(besieged(), 2), 2, locale).blocks)


def test_the_penniless_the_host_the_idle_and_the_watcher_are_told_so() -> None:
    state = besieged()
    seats: tuple[int | None, ...] = (None, 2, 3)
    texts = {seat: words(TITLE.show(TITLE.mask(state, seat), seat, "en").blocks[:1]) for seat in seats}
    assert "no ducats" in texts[3]
    assert "bribing you" in texts[2]
    assert "bribe Green" in texts[None]
    idle = position([9, 9, 9, 9], "green", {}, {"green": ["red S"]})
    assert "nothing to do" in words(TITLE.show(TITLE.mask(idle, 1), 1, "en").blocks[:1])


def test_bids_ahead_are_offered_by_name() -> None:
    state = position([9] * 4, "green", {}, {"green": ["red S"], "blue": ["red A"]})
    assert "A at Blue" in words(TITLE.show(TITLE.mask(state, 0), 0, "en").blocks[:4])
    ahead = [ask for ask in TITLE.asks(TITLE.mask(state, 0), 0) if ask.early]
    assert [(ask.verb, ask.domains["court"].names) for ask in ahead] == [("bribe", ("blue",))]


def test_the_board_is_a_picture_without_script_style_or_reference() -> None:
    for seats in (3, 4, 5):
        for state in play(3, seats)[::7]:
            picture = next(b for b in TITLE.show(state, None, "de").blocks if isinstance(b, Picture))
            root = ET.fromstring(picture.svg)  # noqa: S314 - our own
            assert {re.sub("{.*}", "", one.tag) for one in root.iter()} <= {"svg", "title", "g", "rect", "text"}
            assert not re.search(r"style=|href|url\(|script", picture.svg)
            seated = sum(one is not None for court in state.courts for one in court)
            shown = seated * 2 + sum(map(len, state.waiting)) + len(state.island)
            letters = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
            assert len(letters) == shown + seats * (2 + 4) + 1
            assert "Insel" in letters
            assert picture.twin.startswith("Im Uhrzeigersinn: Rot, Gelb, Grün")


# --- stories ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("flags", (0, 2, 9))
def test_public_events_tell_the_whole_game(locale: Locale, flags: int) -> None:
    table = FreeTable(8)
    options = {name: bool(flags & 1 << at) for at, name in enumerate(FLAGS)}
    end = play(8, 4, options, table=table)[-1]
    blocks = TITLE.story(options, heard(table.events, None), locale)
    told = words(blocks)
    assert "{" not in told
    lines = next(block for block in blocks if isinstance(block, Items)).items
    silent = {"final", "opened"} if options["sealed"] else {"final"}
    assert len(lines) == len([event for event in heard(table.events, None) if event.kind not in silent])
    final = blocks[-1]
    assert isinstance(final, Grid)
    assert [row[2] for row in final.rows] == [str(purse) for purse in sorted(end.cash, key=lambda p: -(p or 0))]
    assert any(isinstance(b, Grid) and len(b.rows) > 30 for b in blocks) is options["sealed"]


def test_a_story_tells_bribes_wishes_decisions_and_the_island() -> None:
    table = FreeTable()
    state = TITLE.resolve(besieged(), {0: sheet("defend P 2000\nbribe S 3000 wish the 10000, please")}, table)
    TITLE.resolve(state, {2: sheet("admit S Red 10000\nadmit A Blue 3000\nkeep P Red\nsend A Red\nsend D Blue")}, table)
    told = words(TITLE.story({}, table.events, "en"))
    for line in (
        "Red slips Green 3000 ducats for the scribe (S), with the wish “the 10000, please”.",
        "Red pays Green 2000 ducats so that the priest (P) may stay.",
        "Blue is penniless and offers Green nothing but a smile for the alchemist (A).",
        "Green seats Red's scribe (S) in the 10000 area.",
        "Green keeps Red's priest (P) in the 1000 area.",
        "Yellow's priest (P) is rowed to the island.",
        "Green sends an alchemist (A) to Red's court.",
    ):
        assert line in told
    german = words(TITLE.story({}, table.events, "de"))
    assert "Rot steckt Grün 3000 Dukaten für den Schreiber (S) zu, mit dem Wunsch „the 10000, please“." in german
    assert "Der Priester (P) von Gelb wird auf die Insel gerudert." in german


def test_in_a_sealed_game_payer_and_host_read_the_amount_and_others_a_sealed_purse() -> None:
    table = FreeTable()
    state = position([9, 9, 9], "green", {}, {"green": ["red S"]}, setting={"sealed": True})
    TITLE.resolve(state, {0: sheet("bribe S 3000")}, table)
    for viewer in (0, 2):
        assert "3000" in words(TITLE.story({}, heard(table.events, viewer), "en"))
    for other in (1, None):
        told = words(TITLE.story({}, heard(table.events, other), "en"))
        assert "sealed purse" in told
        assert "3000" not in told
