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


def program(act: str, folder: Path) -> list[dict[str, Any]]:
    """What `killed.py` found, on a database of its own."""
    with environment(folder) as variables:
        ran = subprocess.run(
            [sys.executable, "-m", "tests.play.killed", act],
            cwd=ROOT,
            env=variables | {"PYTHONPATH": f"{ROOT}/platform"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


@pytest.mark.whole
@pytest.mark.parametrize(("act", "turns"), (("start", 1), ("advance", 2)))
def test_a_worker_killed_after_any_statement_leaves_nothing_half_done(act: str, turns: int, tmp_path: Path) -> None:
    """diplicity-react#1221: one phase resolved twice, two successors, two mails. The process really dies (SIGKILL)."""
    found = program(act, tmp_path)

    *broken, whole = found
    assert [one["killed"] for one in found] == [True] * len(broken) + [False]
    assert len(broken) >= 25  # one more on SQLite, where BEGIN is a statement like others
    rows = [[number, "done"] for number in range(turns)] + [[turns, "open"]]
    for one in found:
        assert one["turns"] == rows, one
        assert one | {"statement": 0, "killed": False} == whole | {"statement": 0, "killed": False}
    assert whole["mails"] == 2 * turns
    assert whole["last_turn_mails"] == 2
    assert whole["sheets"] == 2 * turns


@pytest.mark.whole
def test_a_sweep_between_any_two_statements_of_a_start_finds_nothing_to_do(tmp_path: Path) -> None:
    """diplicity-react PR 556: nobody was unready with zero seats, and turn 1 was resolved in 50 ms."""
    [found] = program("between", tmp_path)

    assert found["sweeps"] > 10
    assert found["turns"] == [[0, "done"], [1, "open"]]
    assert (found["sheets"], found["mails"]) == (2, 2)


@pytest.mark.whole
def test_workers_that_come_at_once_do_everything_once(tmp_path: Path) -> None:
    """diplicity-react#1221, 1033, 1035: five resolve one turn, five sweeps remind, five sheets race a turn."""
    [found] = program("race", tmp_path)

    assert sorted(found["advanced"]) == [False] * 4 + [True]
    assert found["after"]["turns"] == [[0, "done"], [1, "done"], [2, "open"]]
    assert (found["after"]["sheets"], found["after"]["mails"], found["after"]["last_turn_mails"]) == (4, 4, 2)
    assert found["reminded"] == ["bert@example.org"]

    for race in found["sheets"]:
        assert race["left"] == [], "a sheet came onto the next turn"
        assert (race["on_file"] is None) == ("accepted" not in race["verdicts"])
        if race["on_file"] is not None:
            assert race["counted"] == race["on_file"]
