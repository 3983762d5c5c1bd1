"""The page of a position and the board: whole, true, legal to copy from, and silent about others' secrets."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from games.engine.contract import LOCALES, Block, Copy, Grid, Locale
from games.engine.language import language
from games.engine.sheets import missing
from games.kreml.board import picture
from games.kreml.data import PEOPLE
from games.kreml.state import State, alive
from games.kreml.title import TITLE
from games.kreml.wording import Wording
from tests.kreml.playing import IDS, board
from tests.kreml.reading import Game, words

LANGUAGE = language(TITLE, {})


@pytest.mark.parametrize("pace", ("classic", "brisk"))
@pytest.mark.parametrize("locale", LOCALES)
def test_every_page_of_a_game_is_whole_and_its_orders_stand(locale: Locale, pace: str) -> None:
    for seats in (3, 4, 6):
        game = Game(seats, seats, {"pace": pace})
        for state in game.states:
            for viewer in (None, 0, 1):
                seen = TITLE.mask(state, viewer)
                page = TITLE.show(seen, viewer, locale)
                text = page.title + words(page.blocks)
                assert not re.search(r"[{}]|None|\bp\d", text)
                look_at_orders(seen, viewer, page.blocks)


def look_at_orders(seen: State, viewer: int | None, blocks: tuple[Block, ...]) -> None:
    """What can be copied can be read, in full, and stands."""
    copied = [line for block in blocks if isinstance(block, Copy) for line in block.lines]
    if viewer is None or seen.stage == "over":
        assert not copied
        return
    reading = LANGUAGE.read("\n".join(copied))
    orders = tuple(line.order for line in reading.orders)
    assert len(orders) == len(copied)
    assert not [problem for problem in TITLE.check(seen, viewer, orders) if problem.refuses]
    assert not [ask for ask in missing(TITLE, seen, viewer, orders) if ask.must and not ask.waivable]


@pytest.mark.parametrize(
    ("locale", "title", "asked"),
    (
        ("en", "1952, phases 1 and 2: cures and purges", "Satin (KGB head) follows you and may purge"),
        ("de", "1952, Phasen 1 und 2: Kuren und Säuberungen", "Satin (KGB-Chef) folgt dir und darf"),
    ),
)
def test_a_seat_reads_what_is_its_own_to_do(locale: Locale, title: str, asked: str) -> None:
    state = board(follow={"satin": "minsk 3", "rubelow": "odessa 2"}, people={"rubelow": {"marks": 1}})
    page = TITLE.show(TITLE.mask(state, 0), 0, locale)
    assert page.title == title
    assert asked in words(page.blocks[:1])
    other = TITLE.show(TITLE.mask(state, 1), 1, locale)
    assert "Satin" not in words(other.blocks[:1])
    assert "Rubelow" in words(other.blocks[:1])


def test_who_controls_nobody_reads_one_line() -> None:
    state = board(follow={"satin": "minsk 3"})
    first, second = TITLE.show(TITLE.mask(state, 2), 2, "en").blocks[:2]
    assert "“done” suffices" in words([first])
    assert "always done" in words([first])
    assert "follows you" not in words([first, second])


def test_voters_are_told_whom_they_judge_and_choose() -> None:
    from games.kreml.state import Poll, Trial

    trial = replace(board("trial", follow={"parolina": "minsk 2"}), trial=Trial(IDS["tundrow"], IDS["satin"]))
    page = TITLE.show(TITLE.mask(trial, 0), 0, "en")
    assert page.title == "1952, phase 3: Satin on trial"
    assert "accused by Tundrow; two NO acquit. You vote with Parolina." in words(page.blocks[:1])
    vote = board("election", seating={"chief": None}, follow={"parolina": "minsk 2"})
    vote = replace(vote, poll=Poll(IDS["rubelow"], IDS["satin"]))
    asked = words(TITLE.show(TITLE.mask(vote, 0), 0, "de").blocks[:1])
    assert "Satin ist von Rubelow als Parteichef vorgeschlagen" in asked


def test_the_own_list_is_on_the_page_and_no_other_seat_s_list_changes_a_byte() -> None:
    state = board(lists={0: {"satin": 9, "rubelow": 4}, 1: {"tundrow": 8}}, follow={"satin": "minsk 3"})
    changed = replace(state, lists=(state.lists[0], {IDS["satin"]: 10}, {IDS["rubelow"]: 1}))
    for locale in LOCALES:
        mine = TITLE.show(TITLE.mask(state, 0), 0, locale)
        assert mine == TITLE.show(TITLE.mask(changed, 0), 0, locale)
        assert mine != TITLE.show(TITLE.mask(replace(state, lists=(changed.lists[1], *state.lists[1:])), 0), 0, locale)
        listed = next(block for block in mine.blocks if isinstance(block, Grid) and len(block.rows) == 2)
        assert listed.rows[0][:2] == ("9", "Satin")
        assert TITLE.show(TITLE.mask(state, None), None, locale) == TITLE.show(TITLE.mask(changed, None), None, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_table_has_everybody_with_age_marks_notes_and_influence(locale: Locale) -> None:
    state = board(
        follow={"satin": "riga 3"},
        people={"satin": {"marks": 2, "cure": True, "opened": 1951, "waves": 2}},
        siberia=("kaviarin",),
    )
    grid = next(block for block in TITLE.show(state, None, locale).blocks if isinstance(block, Grid))
    assert len(grid.rows) == len(alive(state))
    cure = {"en": "cure", "de": "Kur"}[locale]
    assert ("KGB", "Satin", "65", "++", f"{cure}, §1951, ★★", "Riga\N{NO-BREAK SPACE}3") in grid.rows
    assert {"en": "Siberia", "de": "Sibirien"}[locale] in {row[0] for row in grid.rows}


def test_the_board_is_a_picture_without_script_style_or_reference_and_shows_everybody() -> None:
    wording = Wording("de", "classic")
    for state in Game(5, 6, {}).states[::6]:
        drawn = picture(state, "de")
        root = ET.fromstring(drawn.svg)  # noqa: S314 - our own
        assert {re.sub("{.*}", "", one.tag) for one in root.iter()} <= {"svg", "title", "g", "rect", "text"}
        assert not re.search(r"style=|href|url\(|script", drawn.svg)
        texts = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]
        shown = " ".join(texts)
        assert all(wording.name(who) in shown for who in PEOPLE)
        for who in (*state.offices.values(), *state.candidates):
            one = state.politicians[who]
            assert str(one.age) in texts
            for points, seat in zip(one.declared, ("Mi", "Od", "Ri", "Om", "Tu", "Ka"), strict=False):
                assert not points or f"{seat}{points}" in texts
        assert str(state.year) in drawn.alt
        assert all(wording.name(who) in drawn.twin for who in state.offices.values())


def test_texts_of_the_board_stay_inside_of_it() -> None:
    for state in Game(2, 6, {}).states[::5]:
        root = ET.fromstring(picture(state, "en").svg)  # noqa: S314 - our own
        width, height = (float(side) for side in root.attrib["viewBox"].split()[2:])
        for box in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert float(box.get("x", "0")) + float(box.attrib["width"]) <= width
            assert float(box.get("y", "0")) + float(box.attrib["height"]) <= height
