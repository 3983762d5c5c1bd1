"""How games end, and who wins (section 4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.engine.contract import Outcome
from games.kreml import events
from games.kreml.data import NESTOR, PEOPLE
from games.kreml.state import Ending, State
from games.kreml.stats import stats
from games.kreml.title import TITLE
from tests.kreml.playing import IDS, board, turn


def ended(
    lists: dict[int, dict[str, int]], who: str = "satin", reason: str = "three_waves", **more: Any
) -> Outcome | None:
    state = replace(board("over", lists=lists, **more), ending=Ending(reason, IDS[who] if who else ""))  # type: ignore[arg-type]
    return TITLE.outcome(state)


def test_the_third_wave_ends_the_game_and_opens_the_lists() -> None:
    lists = {0: {"samowarow": 4, "satin": 9}, 1: {"samowarow": 7}, 2: {"satin": 10}}
    told = turn(board("autumn", lists=lists, people={"samowarow": {"waves": 2}}))
    assert told.one(events.Ended) == events.Ended("three_waves", IDS["samowarow"], 0)
    assert told.state.stage == "over"
    assert told.all(events.Opened)[0].entries == (f"9:{IDS['satin']}", f"4:{IDS['samowarow']}")
    assert [(one.place, one.points) for one in told.all(events.Final)] == [(2, 4), (1, 7), (3, 0)]
    assert TITLE.outcome(told.state) == Outcome((2, 1, 3), (4, 7, 0))


def test_a_second_wave_does_not_end_it() -> None:
    assert turn(board("autumn", people={"samowarow": {"waves": 1}})).state.stage == "purges"


@pytest.mark.parametrize(("roll", "stage"), ((8, "over"), (7, "purges")))
def test_a_wave_in_1960_ends_it(roll: int, stage: str) -> None:
    told = turn(board("autumn", year=1960, people={"samowarow": {"marks": 1}}), parade=roll)
    assert told.state.stage == stage
    assert [one.reason for one in told.all(events.Ended)] == (["1960"] if roll == 8 else [])


def test_the_chief_after_phase_5_of_1961_decides() -> None:
    told = turn(board("spy", year=1961))
    assert told.one(events.Ended) == events.Ended("1961", IDS["samowarow"], 0)
    told = turn(board("commission", year=1961, pace="brisk", seating={"chief": None}))
    assert told.one(events.Ended) == events.Ended("1961", IDS["tundrow"], 0)


def test_no_chief_after_phase_5_of_1961_is_a_draw() -> None:
    nobody = dict.fromkeys(("chief", "kgb", "foreign", "defence", "ideologist", "industry", "agriculture", "sport"))
    told = turn(board("commission", year=1961, pace="brisk", seating=nobody))
    assert told.one(events.Ended).reason == "draw"
    assert TITLE.outcome(told.state) == Outcome((1, 1, 1), (0, 0, 0), decided=False)


def test_an_empty_office_and_nobody_left_to_fill_it_is_a_draw() -> None:
    away = [name for name, who in IDS.items() if name not in ("nestor", "samowarow", "satin") and who in PEOPLE]
    seating = dict.fromkeys(("foreign", "defence", "ideologist", "industry", "agriculture", "sport"))
    away = [name for name in away if name != "aparatschik"]
    told = turn(board("autumn", seating=seating, row=(), away=away))
    assert told.one(events.Ended).reason == "draw"
    assert not told.all(events.Parade)
    told = turn(board("autumn", seating=seating, row=(), away=[name for name in away if name != "wanzenow"]))
    assert told.one(events.Ended).reason == "draw"  # one is not enough


def test_full_offices_without_candidates_and_people_are_no_draw() -> None:
    seats = {"samowarow", "satin", "rubelow", "tundrow", "permafrostin", "parolina", "datschin", "pelzmützin"}
    away = [name for name in IDS if name not in {*seats, "nestor", "aparatschik"}]
    assert turn(board("autumn", row=(), away=away)).state.stage == "purges"


def test_when_nestor_decides_everybody_loses() -> None:
    state = board("autumn", seating={"chief": "nestor"}, people={"nestor": {"waves": 2, "age": 80}})
    told = turn(state)
    assert told.one(events.Ended) == events.Ended("three_waves", NESTOR, 1)
    assert TITLE.outcome(told.state) == Outcome((1, 1, 1), (0, 0, 0), decided=False)


@pytest.mark.parametrize(
    ("points", "controller", "places"),
    (
        ((9, 5, 2), "", (1, 2, 3)),
        ((9, 5, 5), "minsk 1", (1, 2, 2)),
        ((9, 9, 2), "minsk 1", (2, 1, 3)),
        ((9, 9, 9), "riga 1", (1, 1, 3)),
        ((9, 9, 2), "riga 1", (1, 1, 3)),
        ((9, 9, 2), "", (1, 1, 3)),
        ((9, 8, 9), "riga 9", (1, 3, 2)),
    ),
)
def test_most_secret_points_win_and_a_tie_goes_to_who_does_not_control_him(
    points: tuple[int, ...], controller: str, places: tuple[int, ...]
) -> None:
    lists = {seat: {"satin": mine} for seat, mine in enumerate(points)}
    follow = {"satin": controller} if controller else None
    assert ended(lists, follow=follow) == Outcome(places, points)


def test_nobody_wins_if_nobody_has_points_on_him() -> None:
    assert ended({seat: {"rubelow": 3} for seat in range(3)}) == Outcome((1, 1, 1), (0, 0, 0), decided=False)


def test_a_running_game_has_no_outcome_and_an_ended_one_takes_no_orders() -> None:
    assert TITLE.outcome(board()) is None
    over = turn(board("spy", year=1961)).state
    assert turn(over, "purge Satin").state == over
    assert TITLE.asks(over, 0) == ()
    assert TITLE.mask(over, 1) == over


def test_figures_over_many_games() -> None:
    def game(reason: str, who: str = "satin", year: int = 1957) -> State:
        return replace(board("over", year=year), ending=Ending(reason, IDS[who] if who else ""))  # type: ignore[arg-type]

    games = [game("three_waves"), game("1960", year=1960), game("1961", "nestor", 1961), game("draw", "")]
    found = stats(games)
    assert found["ends"] == {"three_waves": 0.25, "1960": 0.25, "1961": 0.0, "nestor": 0.25, "draw": 0.25}
    assert found["years"] == 8.75
    assert stats([]) == {}
