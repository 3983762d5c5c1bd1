"""Whole games by random bots: they end, keep every invariant, and come out as section 3 of the rules says."""

from __future__ import annotations

from statistics import mean

import pytest

from games.intrige import TITLE
from tests.intrige.playing import FLAGS, play


@pytest.mark.parametrize(("seats", "wanted"), ((3, 111_600), (4, 108_500), (5, 107_000)))
def test_random_play_ends_with_the_cash_that_the_rules_page_names(seats: int, wanted: int) -> None:
    finals = [play(seed, seats)[-1] for seed in range(150)]
    assert mean(purse or 0 for state in finals for purse in state.cash) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("flags", range(16))
@pytest.mark.parametrize("seats", (3, 4, 5))
def test_every_position_of_a_game_keeps_the_invariants(seats: int, flags: int) -> None:
    options = {name: bool(flags & 1 << at) for at, name in enumerate(FLAGS)}
    for seed in range(3):
        states = play(seed, seats, options)
        assert [list(TITLE.invariants(state)) for state in states] == [[]] * len(states)
        assert options["staged"] or len(states) - 1 <= 10 * seats - 3
