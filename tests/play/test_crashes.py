"""Workers that die, and workers that come at once: every turn is resolved once, and mailed once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import environment

ROOT = Path(__file__).resolve().parents[2]


type Found = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What `killed.py` found, on a database of its own."""
    with environment(tmp_path_factory.mktemp("server")) as variables:
        ran = subprocess.run(
            [sys.executable, "-m", "tests.play.killed"],
            cwd=ROOT,
            env=variables | {"PYTHONPATH": f"{ROOT}/platform"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    answer: Found = json.loads(ran.stdout)
    return answer


@pytest.mark.whole
@pytest.mark.parametrize(("act", "turns"), (("start", 1), ("advance", 2)))
def test_a_worker_killed_after_any_statement_leaves_nothing_half_done(act: str, turns: int, found: Found) -> None:
    """diplicity-react#1221: one phase resolved twice, two successors, two mails. The process really dies (SIGKILL)."""
    *broken, whole = found[act]
    assert [one["killed"] for one in found[act]] == [True] * len(broken) + [False]
    assert len(broken) >= 25  # one more on SQLite, where BEGIN is a statement like others
    rows = [[number, "done"] for number in range(turns)] + [[turns, "open"]]
    for one in found[act]:
        assert one["turns"] == rows, one
        assert one | {"statement": 0, "killed": False} == whole | {"statement": 0, "killed": False}
    assert whole["mails"] == 2 * turns
    assert whole["last_turn_mails"] == 2
    assert whole["sheets"] == 2 * turns


@pytest.mark.whole
def test_a_sweep_between_any_two_statements_of_a_start_finds_nothing_to_do(found: Found) -> None:
    """diplicity-react PR 556: nobody was unready with zero seats, and turn 1 was resolved in 50 ms."""
    [swept] = found["between"]

    assert swept["sweeps"] > 10
    assert swept["turns"] == [[0, "done"], [1, "open"]]
    assert (swept["sheets"], swept["mails"]) == (2, 2)


@pytest.mark.whole
def test_workers_that_come_at_once_do_everything_once(found: Found) -> None:
    """diplicity-react#1221, 1033, 1035: five resolve one turn, five sweeps remind, five sheets race a turn."""
    [raced] = found["race"]

    assert sorted(raced["advanced"]) == [False] * 4 + [True]
    assert raced["after"]["turns"] == [[0, "done"], [1, "done"], [2, "open"]]
    assert (raced["after"]["sheets"], raced["after"]["mails"], raced["after"]["last_turn_mails"]) == (4, 4, 2)
    assert raced["reminded"] == ["bert@example.org"]

    for race in raced["sheets"]:
        assert race["left"] == [], "a sheet came onto the next turn"
        assert (race["on_file"] is None) == ("accepted" not in race["verdicts"])
        if race["on_file"] is not None:
            assert race["counted"] == race["on_file"]
