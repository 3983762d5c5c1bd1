"""Random play and mess: whole games, sound at every turn, and the figures of many."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Sheet
from games.engine.language import language
from games.engine.playing import fuzz, mess, play, random_bot, random_sheet, simulate
from tests.engine.toy import NAMES, OPTIONS, TOY, State, Toy
from tests.engine.toy import random_bot as fixed_bot

SEEN = TOY.mask(State(1, 3, (1, 2, 3), (0, 0, 0)), 0)
TALK = language(TOY, OPTIONS)
FIGURES = "title games seats errors decisions us_per_decision ms_per_game mean_score places stats"


@given(seed=st.integers())
def test_a_random_sheet_is_legal_and_answers_what_is_owed(seed: int) -> None:
    sheet = random_sheet(TOY, SEEN, 0, Random(seed))
    assert not TOY.check(SEEN, 0, sheet) or all(not problem.refuses for problem in TOY.check(SEEN, 0, sheet))
    assert any(order.verb in {"set", "lift"} for order in sheet)


@given(seed=st.integers())
def test_a_mess_is_writable(seed: int) -> None:
    for order in mess(TOY, tuple(NAMES), SEEN, 0, Random(seed)):
        assert TALK.read_order(TALK.write(order, "de")) == order


def test_a_mess_is_a_mess() -> None:
    sheets = [mess(TOY, tuple(NAMES), SEEN, 0, Random(seed)) for seed in range(100)]
    refused = [sheet for sheet in sheets if any(p.refuses for p in TOY.check(SEEN, 0, sheet))]
    assert 20 < len(refused) < 95
    assert any(not sheet for sheet in sheets)


@given(seed=st.binary(min_size=4, max_size=8), seats=st.sampled_from([2, 3, 4]))
def test_a_messy_game_stays_sound_and_ends(seed: bytes, seats: int) -> None:
    played = fuzz(TOY, OPTIONS, seats, seed)
    assert played.outcome is not None
    assert played.turns == 3


def test_a_game_is_the_same_for_the_same_seed() -> None:
    bots = [random_bot(TOY)] * 3
    assert play(TOY, OPTIONS, 3, b"x", bots) == play(TOY, OPTIONS, 3, b"x", bots)
    assert play(TOY, OPTIONS, 3, b"x", bots) != play(TOY, OPTIONS, 3, b"y", bots)


def test_decisions_are_orders_of_accepted_sheets() -> None:
    def cheat(seen: State, seat: int, rng: Random) -> Sheet:
        return (*fixed_bot(seen, seat, rng), *fixed_bot(seen, seat, rng))

    assert play(TOY, OPTIONS, 2, b"x", [fixed_bot, cheat]).decisions == 3 * 2


def test_a_simulation_gives_the_figures_of_all_its_games() -> None:
    report = simulate(TOY, 20, 3, 1, ["five"], OPTIONS, clock=count(0, 1000).__next__)
    assert " ".join(report) == FIGURES
    assert (report["errors"], report["decisions"], report["games"]) == (0, 180, 20)
    assert report["us_per_decision"] == round(20 / 180, 2)
    places = report["places"]
    assert isinstance(places, dict)
    assert sum(places["five"]) == 60


@pytest.mark.parametrize("broken", ("raises", "unsound"))
def test_a_simulation_counts_and_tells_every_mistake_of_a_title(broken: str) -> None:
    class Broken(Toy):
        def outcome(self, state: State) -> None:
            if broken == "raises" and state.round > 2:
                raise KeyError("lost")

        def invariants(self, state: State) -> list[str]:
            return ["Something is wrong."]

    told: list[str] = []
    report = simulate(
        Broken(), 2, 2, 1, ["five"], OPTIONS, clock=count().__next__, on_error=lambda game, what: told.append(what)
    )
    assert report["errors"] == 2
    assert len(told) == 2
    assert ("lost" if broken == "raises" else "end") in told[0]
