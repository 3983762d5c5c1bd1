"""The engine's pages in docs/: every example is read, every program is run, every figure is compared."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from games.engine import registry
from games.engine.contract import LOCALES, Title
from games.engine.controls import SINGLE
from games.engine.language import language
from games.engine.options import complete
from games.engine.playing import assert_sound, fuzz, game_seed, play, simulate
from games.engine.records import encode, verify
from tests.engine.test_records import game_with_rolls
from tests.engine.test_rolls import KNOWN_DIGEST, KNOWN_SIX, KNOWN_TWENTY

DOCS = Path(__file__).resolve().parents[2] / "docs"
INTRIGE = language(registry.title("intrige"), {})


def blocks(page: str, kind: str) -> list[str]:
    """The fenced blocks of one kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


def lines(page: str, kind: str) -> list[str]:
    return [line for block in blocks(page, kind) for line in block.splitlines()]


# --- orders.md ---


@pytest.mark.parametrize("line", lines("orders.md", "orders"))
def test_every_example_is_an_order_or_a_word_of_the_platform(line: str) -> None:
    reading = INTRIGE.read(line)
    assert len(reading.orders) + len(reading.controls) == 1, reading
    for found in reading.orders:
        assert line in {INTRIGE.write(found.order, locale) for locale in LOCALES}


def test_what_is_called_the_same_order_is_the_same_order() -> None:
    for block in blocks("orders.md", "same"):
        reading = INTRIGE.read(block)
        assert len(reading.orders) == len(block.splitlines())
        assert len({INTRIGE.write(found.order, "en") for found in reading.orders}) == 1


@pytest.mark.parametrize("line", lines("orders.md", "refused"))
def test_what_is_called_wrong_is_wrong_and_mended_as_shown(line: str) -> None:
    wrong, _, mend = line.partition(" -> ")
    (problem,) = INTRIGE.read(wrong).problems
    assert problem.suggestion == mend


def test_every_word_of_the_platform_is_on_the_page() -> None:
    page = (DOCS / "orders.md").read_text("utf-8")
    assert [word for word in SINGLE if f"`{word}" not in page] == []


# --- rolls.md ---


def test_the_program_on_the_page_verifies_a_record_and_finds_a_wrong_roll(tmp_path: Path) -> None:
    (program,) = blocks("rolls.md", "python")
    (tmp_path / "verify.py").write_text(program, "utf-8")
    raw = json.loads(encode(game_with_rolls()))
    assert run(tmp_path, raw) == f"{sum(len(turn.get('rolls', [])) for turn in raw['turns'])} rolls are right\n"
    for change in ("value", "sides", "label"):
        wrong = json.loads(json.dumps(raw))
        roll = next(turn["rolls"][0] for turn in wrong["turns"][1:] if turn.get("rolls"))
        roll[change] = "other" if change == "label" else roll[change] % 6 + 1 if change == "value" else 5000
        assert "AssertionError" in run(tmp_path, wrong)


def run(folder: Path, record: Any) -> str:
    (folder / "record.json").write_text(json.dumps(record), "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "verify.py", "record.json"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_the_known_answers_on_the_page_are_those_of_the_tests() -> None:
    page = (DOCS / "rolls.md").read_text("utf-8")
    assert f"| {', '.join(map(str, KNOWN_SIX))} |" in page
    assert f"| {', '.join(map(str, KNOWN_TWENTY))} |" in page
    assert f"`{KNOWN_DIGEST}`" in page


# --- adding-a-title.md ---


@pytest.fixture
def auction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Title[Any]]:
    """The title of the page, written down file by file and found as if it stood in ``games``."""
    for block in (*blocks("adding-a-title.md", "python"), *blocks("adding-a-title.md", "toml")):
        name, _, content = block.partition("\n")
        file = tmp_path / name.removeprefix("# ")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "games")])
    yield importlib.import_module("games.auction").TITLE
    for module in [name for name in sys.modules if name.startswith("games.auction")]:
        del sys.modules[module]
    vars(games).pop("auction", None)


def test_the_title_on_the_page_plays_and_survives_mess(auction: Title[Any]) -> None:
    for seats in auction.about.sizes:
        for at in range(20):
            options = complete(auction, {"long": bool(at % 2)}, seats)
            assert fuzz(auction, options, seats, game_seed(at, seats)).outcome is not None


def test_the_title_on_the_page_keeps_its_promises(auction: Title[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "titles", lambda: {"auction": auction})
    options = complete(auction, {}, 3)
    words = language(auction, options)
    played = play(auction, options, 3, b"\x01" * 32, [auction.bots["random"]] * 3, recorded=True)
    assert played.record is not None
    assert verify(played.record).ok
    for state in played.states:
        assert_sound(auction, state)
        for locale in LOCALES:
            copied = [
                line for b in auction.show(auction.mask(state, 0), 0, locale).blocks for line in getattr(b, "lines", ())
            ]
            assert not words.read("\n".join(copied)).problems
            assert auction.show(auction.mask(state, None), None, locale).title
    for turn in played.record.turns[1:]:
        assert auction.story(options, turn.events, "de")
    english, german = (auction.about.texts[locale] for locale in LOCALES)
    assert set(english) == set(german)


def test_the_commands_on_the_page_are_right(auction: Title[Any]) -> None:
    ticks = iter(range(10**9))
    report = simulate(auction, 30, 3, 1, ["random"], complete(auction, {}, 3), clock=lambda: next(ticks))
    assert report["errors"] == 0
    assert set(auction.about.names) >= set(auction.about.seats)


def test_the_registry_finds_the_title_by_its_folder(auction: Title[Any]) -> None:
    registry.titles.cache_clear()
    try:
        assert registry.title("auction") is auction
    finally:
        registry.titles.cache_clear()
