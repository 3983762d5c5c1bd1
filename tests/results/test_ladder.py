"""Ladders: what a title's results do to its players, once and only once."""

from __future__ import annotations

import pytest

from postspiel.play.models import Result
from tests.results.conftest import End, People
from tournaments import selectors, services
from tournaments.models import Ladder, RatingChange, Standing

pytestmark = pytest.mark.django_db


def ratings(title: str = "intrige") -> dict[str, float]:
    return {row.player.public_name: row.rating for row in Standing.objects.filter(ladder__title=title)}


def test_a_game_of_four_moves_the_ladder_as_calculated_by_hand(end: End) -> None:
    end("Ada", "Ben", "Cleo", "Dov")

    assert services.pull() == 1

    # Newcomers: K 60, three opponents of 1500 each, so every pair is worth 60/3 * (score - 0.5).
    assert ratings() == {"Ada": 1530, "Ben": 1510, "Cleo": 1490, "Dov": 1470}


def test_the_second_game_is_rated_from_the_ratings_of_the_first(end: End) -> None:
    end("Ada", "Ben", "Cleo", "Dov")
    services.pull()
    end("Dov", ("Ada", "Ben"), "Cleo")

    assert services.pull() == 1

    # By hand: expected(a, b) = 1 / (1 + 10 ** ((b - a) / 400)), from 1530, 1510, 1490, 1470; K 60, share 1/3.
    #   Ada  .528752 .557311 .585499  scores 0.5 1 0  -> 1530 + 20 * (1.5 - 1.671561) = 1526.568774
    #   Ben  .471248 .528752 .557311  scores 0.5 1 0  -> 1510 + 20 * (1.5 - 1.557311) = 1508.853772
    #   Cleo .442689 .471248 .528752  scores 0 0 0    -> 1490 + 20 * (0 - 1.442689)   = 1461.146228
    #   Dov  .414501 .442689 .471248  scores 1 1 1    -> 1470 + 20 * (3 - 1.328439)   = 1503.431226
    by_hand = {"Ada": 1526.568774, "Ben": 1508.853772, "Cleo": 1461.146228, "Dov": 1503.431226}
    assert ratings() == pytest.approx(by_hand, abs=5e-5)


def test_pulling_again_changes_nothing(end: End) -> None:
    end("Ada", "Ben")
    services.pull()
    before = ratings()

    assert services.pull() == 0
    assert ratings() == before
    assert RatingChange.objects.count() == 2


def test_of_two_workers_with_the_same_view_only_one_plays(end: End) -> None:
    end("Ada", "Ben")
    Ladder.objects.create(title="intrige")
    one, two = Ladder.objects.get(), Ladder.objects.get()

    assert (services._play(one, anew=False), services._play(two, anew=False)) == (1, 0)
    assert ratings() == {"Ada": 1530, "Ben": 1470}
    assert [row.games for row in Standing.objects.all()] == [1, 1]


def test_each_title_has_its_own_ladder(end: End) -> None:
    end("Ada", "Ben")
    end("Ben", "Ada", title="kreml")
    services.pull()

    assert ratings("intrige") == {"Ada": 1530, "Ben": 1470}
    assert ratings("kreml") == {"Ada": 1470, "Ben": 1530}


def test_bots_are_not_rated_and_no_opponents(end: End) -> None:
    end("Ada", bots=3)
    services.pull()
    assert ratings() == {}

    end("Ada", "Ben", bots=2)
    services.pull()
    assert ratings() == {"Ada": 1530, "Ben": 1470}


def test_who_is_beaten_by_a_bot_has_not_won(end: End) -> None:
    result = end("Ada", "Ben", bots=1)
    for entry in result.entries:
        entry["place"] = entry["seat"] + 2 if entry["user"] else 1
    result.save()

    services.pull()

    assert [(row.name, row.wins) for row in selectors.ladder("intrige")] == [("Ada", 0), ("Ben", 0)]


def test_an_annulled_result_is_left_out_as_if_it_had_never_been(end: End) -> None:
    first = end("Cleo", "Ada", "Ben")
    end("Ada", "Ben")
    services.pull()

    services.annul(first)
    assert ratings() == {"Ada": 1530, "Ben": 1470}

    services.annul(first, annulled=False)
    assert ratings()["Cleo"] == 1530


def test_an_annulment_by_hand_is_noticed_by_the_next_pull(end: End) -> None:
    first = end("Cleo", "Ada", "Ben")
    end("Ada", "Ben")
    services.pull()

    Result.objects.filter(pk=first.pk).update(annulled=True)
    services.pull()

    assert ratings() == {"Ada": 1530, "Ben": 1470}


def test_a_result_committed_late_takes_its_place_in_the_list(end: End) -> None:
    late, second = end("Cleo", "Ada"), end("Ada", "Ben")
    late_row = Result.objects.get(pk=late.pk)
    late.delete()
    services.pull()
    assert ratings() == {"Ada": 1530, "Ben": 1470}

    late_row.save(force_insert=True)
    services.pull()

    changes = RatingChange.objects.filter(result=second).order_by("player_id")
    assert [change.before for change in changes] == [1470, 1500]


def test_a_rebuild_gives_what_pulling_one_by_one_gave(end: End) -> None:
    for order in (("Ada", "Ben", "Cleo"), ("Cleo", "Ada"), (("Ben", "Dov"), "Ada", "Eva"), ("Eva", "Dov")):
        end(*order)
        services.pull()
    step_by_step = ratings()
    reasons = list(RatingChange.objects.order_by("result", "player").values_list("before", "after", "pairs"))

    assert services.rebuild("intrige") == 4

    assert ratings() == step_by_step
    assert list(RatingChange.objects.order_by("result", "player").values_list("before", "after", "pairs")) == reasons
    assert services.pull() == 0


# --- what is read -----------------------------------------------------------------------------------------------------


def test_the_ladder_is_ordered_and_equal_ratings_share_a_rank(end: End) -> None:
    end("Ada", ("Ben", "Cleo"), "Dov")
    services.pull()

    rows = selectors.ladder("intrige")

    assert [(row.rank, row.name, row.rating, row.games, row.wins) for row in rows] == [
        (1, "Ada", 1530, 1, 1),
        (2, "Ben", 1500, 1, 0),
        (2, "Cleo", 1500, 1, 0),
        (4, "Dov", 1470, 1, 0),
    ]
    assert all(row.provisional for row in rows)
    assert selectors.ladder("kreml") == []


def test_a_rating_is_provisional_for_fifteen_games(end: End) -> None:
    for _ in range(14):
        end("Ada", "Ben")
    services.pull()
    assert selectors.ladder("intrige")[0].provisional

    end("Ada", "Ben")
    services.pull()
    assert not selectors.ladder("intrige")[0].provisional


def test_the_changes_of_a_game_explain_themselves(end: End) -> None:
    result = end("Ada", "Ben", "Cleo")
    assert selectors.changes_of(result.game) == []
    services.pull()

    first, second, _ = selectors.changes_of(result.game)

    assert (first.name, first.before, first.after, first.k) == ("Ada", 1500, 1530, 60)
    assert (second.name, second.points) == ("Ben", 0)
    assert [(pair.name, pair.score, pair.expected, pair.points) for pair in second.pairs] == [
        ("Ada", 0, 0.5, -15),
        ("Cleo", 1, 0.5, 15),
    ]


def test_a_history_goes_from_game_to_game(end: End, people: People) -> None:
    end("Ada", "Ben")
    end("Cleo", "Dov")
    last = end("Ben", "Ada")
    services.pull()

    points = selectors.history(people["Ada"], "intrige")

    assert [(point.game, point.rating) for point in points] == [("game1", 1530), ("game3", 1495)]
    assert points[-1].ended == last.ended


def test_reading_a_ladder_takes_as_many_queries_for_five_as_for_two(
    end: End, django_assert_num_queries: object
) -> None:
    end("Ada", "Ben")
    services.pull()
    assert callable(django_assert_num_queries)
    with django_assert_num_queries(1):
        selectors.ladder("intrige")
    result = end("Ada", "Ben", "Cleo", "Dov", "Eva")
    services.pull()
    with django_assert_num_queries(1):
        selectors.ladder("intrige")
    with django_assert_num_queries(1):
        selectors.changes_of(result.game)
