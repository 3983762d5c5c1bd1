"""Multi-player Elo: published vectors, invariants, and a second opinion."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from tournaments.ratings.elo import Played, Rules, Standing, explain, replay, result

FLAT = Rules(steps=(), settled=32.0)
OPEN = Rules(steps=(), settled=32.0, share="2/n")


def rate(ratings: Sequence[float], places: Sequence[int], rules: Rules) -> list[float]:
    """New ratings of one game between players of equal experience."""
    standings = {player: Standing(rating) for player, rating in enumerate(ratings)}
    list(replay([result(1, dict(enumerate(places)))], standings, rules))
    return [standings[player].rating for player in range(len(ratings))]


# --- vectors of others ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "ranks", "after"),
    (
        ((1200, 1000), (1, 2), (1207.68809835, 992.31190165)),
        ((900, 1000), (1, 2), (920.48207999, 979.51792001)),
        ((1200, 900, 1000), (1, 2, 3), (1208.34629612, 910.43382278, 981.21988111)),
        ((1200, 1000, 1100, 900), (1, 2, 3, 4), (1212.01868209, 1012.15595083, 1087.84404917, 887.98131791)),
        ((1200, 1000, 800), (1, 2, 2), (1207.06479284, 989.33333333, 803.60187383)),
        ((1200, 1000, 800), (1, 1, 2), (1196.39812617, 1010.66666667, 792.93520716)),
        ((1200, 1000, 800), (1, 1, 1), (1185.7314595, 1000, 814.2685405)),
    ),
)
def test_the_share_2_over_n_gives_what_is_published(
    before: tuple[float, ...], ranks: tuple[int, ...], after: tuple[float, ...]
) -> None:
    assert rate(before, ranks, OPEN) == pytest.approx(after, abs=5e-9)


@pytest.mark.parametrize(
    ("before", "ranks", "after"),
    (
        ((1600, 1500, 1500, 1400), (1, 2, 3, 4), (1610.2413, 1505.3333, 1494.6667, 1389.7587)),
        ((1600, 1500, 1500, 1400), (4, 3, 2, 1), (1578.2413, 1494.6667, 1505.3333, 1421.7587)),
        ((1600, 1500, 1500, 1400), (1, 2, 2, 4), (1610.2413, 1500, 1500, 1389.7587)),
    ),
)
def test_our_share_gives_what_is_published(
    before: tuple[float, ...], ranks: tuple[int, ...], after: tuple[float, ...]
) -> None:
    assert rate(before, ranks, FLAT) == pytest.approx(after, abs=5e-5)


@pytest.mark.parametrize(("players", "changes"), ((4, (10, 10 / 3, -10 / 3, -10)), (6, (10, 6, 2, -2, -6, -10))))
def test_equals_with_k_20_move_by_the_same_steps(players: int, changes: tuple[float, ...]) -> None:
    after = rate([1500] * players, range(1, players + 1), Rules(steps=()))

    assert [rating - 1500 for rating in after] == pytest.approx(changes)


def test_an_annulled_game_is_left_out_of_a_replay_never_subtracted() -> None:
    games = [
        result(number, {"ABCD".index(player): place for place, player in enumerate(order, start=1)})
        for number, order in enumerate(("ABCD", "BADC", "ACBD"))
    ]

    whole: dict[int, Standing] = {}
    first, *_ = replay(games, whole, FLAT)
    without: dict[int, Standing] = {}
    list(replay(games[1:], without, FLAT))

    right = [1521.006, 1509.686, 1490.314, 1478.994]
    assert [whole[player].rating for player in range(4)] == pytest.approx(
        [1535.109, 1514.389, 1485.611, 1464.891], abs=5e-4
    )
    assert [without[player].rating for player in range(4)] == pytest.approx(right, abs=5e-4)
    subtracted = [
        whole[player].rating - (after - before)
        for player, before, after in zip(first.result.players, first.before, first.after, strict=True)
    ]
    assert subtracted != pytest.approx(right, abs=0.05)


# --- provisional ratings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "k"), ((0, 60), (4, 60), (5, 40), (14, 40), (15, 20), (400, 20)))
def test_k_falls_with_the_games_behind_a_player(games: int, k: float) -> None:
    standings = {1: Standing(1500, games=games), 2: Standing(1500, games=400)}

    [played] = replay([result(1, {1: 1, 2: 2})], standings)

    assert played.k == [k, 20]
    assert standings[1].rating == 1500 + k / 2
    assert standings[2].rating == 1490
    assert Rules().provisional(games) is (games < 15)


def test_a_first_place_is_a_win_unless_nobody_won() -> None:
    standings: dict[int, Standing] = {}

    results = [
        result(1, {1: 1, 2: 1, 3: 3}),
        result(2, {1: 1, 2: 1, 3: 1}, decided=False),
    ]
    list(replay(results, standings))

    assert [(standings[player].games, standings[player].wins) for player in (1, 2, 3)] == [(2, 1), (2, 1), (2, 0)]


@pytest.mark.parametrize("places", ({}, {1: 1}))
def test_fewer_than_two_players_move_nothing(places: dict[int, int]) -> None:
    standings: dict[int, Standing] = {}

    assert list(replay([result(1, places)], standings)) == []
    assert standings == {}


# --- each change explains itself --------------------------------------------------------------------------------------


def test_the_pairs_of_a_change_add_up_to_it() -> None:
    standings = {1: Standing(1600, games=20), 2: Standing(1500), 3: Standing(1400, games=7)}

    [played] = replay([result(9, {3: 1, 1: 2, 2: 2})], standings)
    pairs = explain(played)

    assert [(pair.player, pair.rating, pair.score) for pair in pairs[1]] == [(2, 1500, 0.5), (3, 1400, 0.0)]
    assert pairs[1][0].expected == pytest.approx(1 / (1 + 10 ** (-100 / 400)))
    for player, before, after in zip(played.result.players, played.before, played.after, strict=True):
        assert sum(pair.points for pair in pairs[player]) == pytest.approx(after - before)


# --- what must always hold --------------------------------------------------------------------------------------------

ratings = st.lists(st.floats(400, 3000), min_size=2, max_size=6)


@st.composite
def games_of(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    before = draw(ratings)
    return before, draw(st.lists(st.integers(1, len(before)), min_size=len(before), max_size=len(before)))


@given(games_of())
def test_equal_k_makes_a_zero_sum(game: tuple[list[float], list[int]]) -> None:
    before, ranks = game

    assert sum(rate(before, ranks, FLAT)) == pytest.approx(sum(before))


@given(game=games_of(), data=st.data())
def test_the_order_of_players_reaches_not_even_the_last_bit(
    game: tuple[list[float], list[int]], data: st.DataObject
) -> None:
    entries = list(enumerate(game[1]))
    shuffled = data.draw(st.permutations(entries))

    outcomes: list[Played] = []
    for order in (entries, shuffled):
        outcomes += replay([result(1, dict(order))], {player: Standing(r) for player, r in enumerate(game[0])})

    assert outcomes[0] == outcomes[1]


@given(one=st.floats(400, 3000), two=st.floats(400, 3000), score=st.sampled_from((1.0, 0.5, 0.0)))
def test_two_players_are_chess(one: float, two: float, score: float) -> None:
    ranks = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[score]
    expected = 1 / (1 + 10 ** ((two - one) / 400))

    assert rate((one, two), ranks, FLAT)[0] == pytest.approx(one + 32 * (score - expected))


@given(games_of())
def test_equal_ranks_of_equal_ratings_change_equally(game: tuple[list[float], list[int]]) -> None:
    before, ranks = [*game[0], game[0][0]], [*game[1], game[1][0]]

    after = rate(before, ranks, FLAT)

    assert after[0] == pytest.approx(after[-1])


@given(before=ratings, data=st.data())
def test_a_win_never_lowers_and_the_last_place_never_lifts(before: list[float], data: st.DataObject) -> None:
    ranks = data.draw(st.permutations(range(1, len(before) + 1)))

    after = rate(before, ranks, FLAT)

    best, worst = ranks.index(1), ranks.index(len(ranks))
    assert after[best] >= before[best]
    assert after[worst] <= before[worst]


@given(games_of())
def test_one_game_moves_nobody_by_more_than_k(game: tuple[list[float], list[int]]) -> None:
    before, ranks = game

    assert all(abs(new - old) <= 32 + 1e-9 for old, new in zip(before, rate(before, ranks, FLAT), strict=True))


# --- a second opinion -------------------------------------------------------------------------------------------------


def bradley_terry(count: int, ranks: list[float]) -> list[float]:
    model = BradleyTerryFull()
    teams = [[model.rating()] for _ in range(count)]
    return [team[0].mu for team in model.rate(teams, ranks=ranks)]


def test_the_second_opinion_gives_its_own_vectors() -> None:
    assert bradley_terry(4, [1, 2, 3, 4]) == pytest.approx([32.9062, 27.6354, 22.3646, 17.0938], abs=5e-5)
    assert bradley_terry(4, [1, 2, 2, 4]) == pytest.approx([32.9062, 25, 25, 17.0938], abs=5e-5)


@given(st.integers(2, 6).flatmap(lambda count: st.lists(st.integers(1, count), min_size=count, max_size=count)))
def test_newcomers_stand_in_the_same_order_as_by_the_second_opinion(ranks: list[int]) -> None:
    ours = rate([1500] * len(ranks), ranks, FLAT)
    theirs = bradley_terry(len(ranks), [float(rank) for rank in ranks])

    def order(values: list[float]) -> list[int]:
        rounded = [round(value, 6) for value in values]
        return [sorted(set(rounded)).index(value) for value in rounded]

    assert order(ours) == order(theirs)
