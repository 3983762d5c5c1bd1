"""The playing bots: legal under all options, and ``courtier`` wins."""

from __future__ import annotations

import pytest

from games.intrige import TITLE
from tests.intrige.playing import FLAGS, play

COURTIER, RANDOM = TITLE.bots["courtier"], TITLE.bots["random"]


def test_courtier_wins_alone_against_three_random_players() -> None:
    wins = 0
    for seed in range(300):
        seat = seed % 4
        bots = [COURTIER if at == seat else RANDOM for at in range(4)]
        end = TITLE.outcome(play(seed, 4, bots=bots)[-1])
        assert end is not None
        wins += end.places[seat] == 1
    assert wins >= 0.6 * 300, "the rules ask for 45 %"


@pytest.mark.parametrize("flags", range(16))
@pytest.mark.parametrize("seats", (3, 5))
def test_courtiers_give_legal_orders_under_all_options(seats: int, flags: int) -> None:
    options = {name: bool(flags & 1 << at) for at, name in enumerate(FLAGS)}
    for seed in range(2):
        assert TITLE.outcome(play(seed, seats, options, [COURTIER] * seats)[-1]) is not None
