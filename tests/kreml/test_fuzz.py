"""Whole games with sheets of every kind; ``make fuzz-kreml`` plays 20,000 of them."""

from __future__ import annotations

from tests.engine.fuzzing import run
from tests.kreml.fuzzing import Fuzz

GAMES = 25


def test_whole_games_survive_any_sheets() -> None:
    seen = run(Fuzz, GAMES)
    assert seen["games"] == GAMES
    assert min(seen["refused"], seen["fixes"], seen["orders"]) > GAMES
