"""Turns: one reducer, a preview without secrets, options, the registry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import registry
from games.engine.contract import Order, Problem, Sheet
from games.engine.options import OptionError, complete
from games.engine.playing import random_sheet
from games.engine.rolls import bot_random
from games.engine.texts import problem_text
from games.engine.turns import advance, encode_state, preview, start, state_hash
from tests.engine.strategies import orders
from tests.engine.toy import NAMES, OPTIONS, TOY, VERBS, State

SEED = b"s" * 32
SHEETS = st.lists(orders(VERBS, NAMES), max_size=5).map(tuple)


def test_the_set_up_depends_on_seed_and_game_alone() -> None:
    one = start(TOY, OPTIONS, 3, SEED, "g")
    assert one == start(TOY, OPTIONS, 3, SEED, "g")
    assert one.state != start(TOY, OPTIONS, 3, b"t" * 32, "g").state
    assert [event.to for event in one.events] == [frozenset({0}), frozenset({1}), frozenset({2})]
    assert len(one.rolls) == 3


def test_a_turn_rolls_anew_if_any_sheet_changes() -> None:
    state = State(1, 3, (1, 2, 3), (0, 0, 0))
    hit = (Order("guess", {"seat": "bob", "number": 2}),)
    values = {
        advance(TOY, state, {0: hit, 1: (Order("set", {"number": n}),)}, SEED, "g", 1).rolls[0].value for n in range(10)
    }
    again = [advance(TOY, state, {1: (), 0: hit}, SEED, "g", 1) for _ in range(2)]
    assert again[0] == again[1]
    assert len(values) > 2


def test_kept_orders_and_the_outcome_come_with_the_step() -> None:
    standing = Order("set", {"number": 5}, standing=True)
    step = advance(TOY, State(3, 3, (1, 2), (4, 6)), {1: (standing,)}, SEED, "g", 3)
    assert step.kept == {0: (), 1: (standing,)}
    assert step.outcome is not None
    assert step.outcome.places == (2, 1)


@given(
    secrets=st.lists(st.integers(0, 9), min_size=2, max_size=2),
    others=st.lists(st.integers(0, 9), min_size=2, max_size=2),
    sheet=SHEETS,
)
def test_a_preview_says_the_same_whatever_others_hide(secrets: list[int], others: list[int], sheet: Sheet) -> None:
    one, other = (State(1, 3, (4, *hidden), (0, 0, 0)) for hidden in (secrets, others))
    assert preview(TOY, one, 0, sheet) == preview(TOY, other, 0, sheet)


def test_the_test_above_would_see_a_leak() -> None:
    class Leaky(type(TOY)):  # type: ignore[misc]
        def mask(self, state: State, viewer: int | None) -> State:
            return state

    guess = (Order("guess", {"seat": "bob", "number": 2}),)
    one, other = State(1, 3, (4, 2, 3), (0, 0, 0)), State(1, 3, (4, 1, 3), (0, 0, 0))
    assert preview(Leaky(), one, 0, guess) != preview(Leaky(), other, 0, guess)
    assert preview(Leaky(), one, 0, guess).stopped_at == "points"
    assert preview(TOY, one, 0, guess) == preview(TOY, other, 0, guess)


def test_a_preview_shows_what_comes_of_ones_own_sheet() -> None:
    seen = preview(TOY, State(1, 3, (1, 2, 3), (0, 0, 0)), 0, (Order("set", {"number": 7}),))
    assert seen.state == State(2, 3, (7, None, None), (0, 0, 0))
    assert seen.stopped_at is None


@given(seed=st.binary(min_size=32, max_size=32))
def test_a_state_survives_being_stored(seed: bytes) -> None:
    step = start(TOY, OPTIONS, 3, seed, "g")
    rng = bot_random(seed, "g", 1, 0)
    sheets = {seat: random_sheet(TOY, TOY.mask(step.state, seat), seat, rng) for seat in range(3)}
    after = advance(TOY, step.state, sheets, seed, "g", 1).state
    assert TOY.load(encode_state(after), 1) == after
    assert state_hash(TOY.load(encode_state(after), 1)) == state_hash(after)


@pytest.mark.parametrize(
    ("chosen", "seats", "key"),
    (
        ({"rounds": 0}, 3, "options.value"),
        ({"rounds": True}, 3, "options.value"),
        ({"rounds": "3"}, 3, "options.value"),
        ({"mood": "sad"}, 3, "options.value"),
        ({"open": 1}, 3, "options.value"),
        ({"speed": 1}, 3, "options.unknown"),
        ({}, 7, "options.seats"),
        ({"mood": "wild", "open": True}, 3, "refuse.wild"),
    ),
)
def test_options_that_cannot_be_played_are_refused(chosen: dict[str, int | str], seats: int, key: str) -> None:
    assert complete(TOY, {"rounds": 9, "mood": "wild"}, 3) == {"rounds": 9, "mood": "wild", "open": False}
    with pytest.raises(OptionError) as refused:
        complete(TOY, chosen, seats)
    assert refused.value.key == key


def test_a_problem_is_told_with_names_for_ids() -> None:
    problem = Problem(0, "self", {"seat": "ann"})
    assert problem_text(TOY, OPTIONS, problem, "de") == "Änne cannot guess himself."
    assert "(unheard)" in problem_text(TOY, OPTIONS, Problem(0, "unheard"), "en")


def test_an_unknown_title_is_refused_with_the_known_ones(toy_installed: None) -> None:
    assert registry.title("toy") is TOY
    with pytest.raises(registry.UnknownTitle, match=r"“chess”.*toy"):
        registry.title("chess")


def test_every_built_in_title_is_found_under_its_own_name() -> None:
    assert all(title.about.slug == slug for slug, title in registry.titles().items())
