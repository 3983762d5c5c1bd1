"""The fuzzer's short form; ``make fuzz-intrige`` plays 10,000 games."""

from __future__ import annotations

import pytest

from tests.engine.fuzzing import run
from tests.intrige.fuzzing import Fuzz


@pytest.mark.parametrize("first", range(1_000_000, 1_000_150, 30))
def test_whole_games_survive_any_sheets(first: int) -> None:
    seen = run(Fuzz, 30, first)
    assert seen["games"] == 30
    assert min(seen["orders"], seen["refused"], seen["fixes"]) > 100, "the mess was a mess"
