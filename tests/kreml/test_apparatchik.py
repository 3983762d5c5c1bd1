"""The playing bot: legal in every turn, and it wins."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.options import complete
from games.engine.playing import game_seed, play
from games.kreml.state import State
from games.kreml.title import TITLE
from tests.kreml.playing import board
from tests.kreml.reading import Game

APPARATCHIK, RANDOM = TITLE.bots["apparatchik"], TITLE.bots["random"]


def test_apparatchik_wins_alone_against_four_random_players() -> None:
    wins = 0
    options = complete(TITLE, {}, 5)
    for seed in range(300):
        seat = seed % 5
        bots = [APPARATCHIK if at == seat else RANDOM for at in range(5)]
        end = TITLE.outcome(play(TITLE, options, 5, game_seed(seed, 5), bots).states[-1])
        assert end is not None
        wins += end.decided and end.places[seat] == 1
    assert wins >= 0.55 * 300, "35 % are asked for"


@pytest.mark.parametrize("pace", ("classic", "brisk"))
@pytest.mark.parametrize("seats", (3, 6))
def test_apparatchiks_give_legal_orders_in_every_turn(seats: int, pace: str) -> None:
    def all_legal(state: State) -> None:
        for seat in range(seats):
            seen = TITLE.mask(state, seat)
            sheet = APPARATCHIK(seen, seat, Random(1))
            refused = [problem for problem in TITLE.check(seen, seat, sheet) if problem.refuses]
            assert not refused, (refused, sheet)

    for state in Game(seats, seats, {"pace": pace}, [APPARATCHIK] * seats).states:
        all_legal(state)


def test_it_serves_its_list() -> None:
    lists = {0: {"satin": 10, "rubelow": 9, "parolina": 1}}
    follow = {"satin": "minsk 3", "rubelow": "minsk 2"}
    state = board(lists=lists, follow=follow, people={"rubelow": {"marks": 1}, "tundrow": {"declared": (0, 9, 0)}})
    orders = {order.verb: order for order in APPARATCHIK(TITLE.mask(state, 0), 0, Random(1))}
    assert orders["cure"].args["who"] == ("p9",)
    victims = orders["purge"].args["who"]
    assert isinstance(victims, tuple)
    assert "p5" in victims, "he is dear to Odessa"
    assert "p9" not in victims
    assert orders["bid"].args["on"] == "p8"
    assert orders["hold"].args["who"] == "all"
