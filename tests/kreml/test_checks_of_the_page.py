"""The checks that the rules page names (section 6), one by one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.contract import Outcome
from games.engine.turns import start
from games.kreml import data, events
from games.kreml.phases.health import diagnosis
from games.kreml.state import Ending
from games.kreml.title import TITLE
from tests.kreml.playing import IDS, board, turn

HEALTH = data.health("classic")


def test_phase_1_of_1951_takes_nestor_from_80_to_82() -> None:
    state = start(TITLE, {}, 5, b"seed", "game").state
    told = turn(turn(state).state)
    assert [(one.cause, one.before, one.after) for one in told.all(events.Aged)] == [
        ("sick", 80, 81),
        ("chief", 81, 82),
    ]


@pytest.mark.parametrize(("roll", "success"), ((15, 1), (14, 0)))
def test_purge_of_a_chief_in_cure(roll: int, success: int) -> None:
    state = board(follow={"satin": "minsk 1"}, people={"samowarow": {"cure": True, "marks": 1}})
    told = turn(state, "purge Samowarow", purge=roll)
    assert (told.one(events.Purged).needed, told.one(events.Purged).success) == (15, success)
    assert ("samowarow" in told.siberia()) == bool(success)


@pytest.mark.parametrize(("roll", "success"), ((6, 1), (5, 0)))
def test_purge_of_a_candidate(roll: int, success: int) -> None:
    told = turn(board(follow={"satin": "minsk 1"}), "purge Aktenjew", purge=roll)
    assert told.one(events.Purged).success == success


@pytest.mark.parametrize(("roll", "success"), ((11, 1), (10, 0)))
def test_purge_of_level_1_in_cure(roll: int, success: int) -> None:
    state = board(follow={"satin": "minsk 1"}, people={"rubelow": {"cure": True, "marks": 1}})
    assert turn(state, "purge Rubelow", purge=roll).one(events.Purged).success == success


@pytest.mark.parametrize(
    ("age", "roll", "cure", "result"),
    (
        (69, 1, False, "two"),
        (70, 1, False, "sudden"),
        (74, 19, False, "none"),
        (74, 20, False, "heals"),
        (50, 6, True, "heals"),
        (66, 1, True, "two"),
    ),
)
def test_health(age: int, roll: int, cure: bool, result: str) -> None:
    assert diagnosis(HEALTH, age, roll, cure=cure) == result


@pytest.mark.parametrize(("marks", "roll"), ((1, 2), (2, 7)))
def test_a_third_mark_kills(marks: int, roll: int) -> None:
    """A mark more than two is death: "+" and "two marks", "++" and "one mark"."""
    state = board("spy", people={"satin": {"marks": marks}})
    told = turn(state, health=[20, roll])
    assert {one.who: one.result for one in told.all(events.Examined)}[IDS["satin"]] == "died"
    assert IDS["satin"] in told.state.wall


@pytest.mark.parametrize("no", (1, 2))
def test_trial(no: int) -> None:
    follow = {"tundrow": "minsk 1", "satin": "odessa 1", "rubelow": "riga 1"}
    state = board("spy", pace="brisk", follow=follow, people={"parolina": {"opened": 1951}})
    odessa, riga = "vote no", "vote no" if no == 2 else "vote yes"
    told = turn(state, "accuse Parolina; vote yes", odessa, riga)
    assert ("parolina" in told.siberia()) == (no == 1)
    assert told.age("tundrow") == 72 + (3 if no == 2 else 0)


@pytest.mark.parametrize("no", (2, 3))
def test_nomination(no: int) -> None:
    follow = {"rubelow": "minsk 1", **dict.fromkeys(("satin", "tundrow", "permafrostin")[:no], "odessa 1")}
    state = board("commission", pace="brisk", seating={"chief": None}, follow=follow)
    told = turn(state, "nominate Satin", "vote no on Satin")
    assert bool(told.all(events.Rejected)) == (no == 3)
    assert told.one(events.Elected).how == ("vote" if no == 2 else "defence")
    assert (told.holder("chief") == "satin") == (no == 2)


def test_a_chief_of_95_waves_and_then_goes_to_the_honours_list() -> None:
    state = board("autumn", people={"samowarow": {"age": 95, "marks": 1, "waves": 1}})
    told = turn(state, parade=8)
    parade = told.one(events.Parade)
    assert (parade.roll, parade.needed, parade.waved, parade.waves, parade.after) == (8, 8, 1, 2, 96)
    assert IDS["samowarow"] in told.state.honours
    assert turn(state, parade=7).one(events.Parade).waved == 0


def test_a_tie_between_his_controller_and_another_is_won_by_the_other() -> None:
    lists = {0: {"satin": 10}, 1: {"satin": 10}, 2: {"satin": 3}}
    state = board("over", follow={"satin": "minsk 4"}, lists=lists)
    state = replace(state, ending=Ending("three_waves", IDS["satin"]))
    assert TITLE.outcome(state) == Outcome((2, 1, 3), (10, 10, 3))
