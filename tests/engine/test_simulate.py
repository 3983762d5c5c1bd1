"""`manage.py simulate`: figures as JSON, mistakes in the command line told in a sentence."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine import registry
from tests.engine.toy import TOY, State, Toy


def simulate(*args: str) -> dict[str, Any]:
    out = StringIO()
    call_command("simulate", *args, "--json", stdout=out)
    (line,) = out.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_it_prints_one_json_object_with_the_figures_of_all_games() -> None:
    report = simulate("intrige", "--games", "4", "--seats", "3", "--seed", "7")
    assert " ".join(report) == (
        "title games seats errors decisions us_per_decision ms_per_game mean_score places stats"
    )
    assert (report["title"], report["games"], report["seats"], report["errors"]) == ("intrige", 4, 3, 0)
    assert report["decisions"] > 100
    assert sum(report["places"]["random"]) == 12
    timeless = {name: value for name, value in report.items() if "per" not in name}
    again = simulate("intrige", "--games", "4", "--seats", "3", "--seed", "7")
    assert timeless == {name: value for name, value in again.items() if "per" not in name}
    assert timeless != simulate("intrige", "--games", "4", "--seats", "3", "--seed", "8")


def test_options_are_written_as_name_and_value() -> None:
    plain = simulate("intrige", "--games", "2", "--seats", "3")
    staged = simulate("intrige", "--games", "2", "--seats", "3", "--option", "staged=yes")
    assert plain["mean_score"] != staged["mean_score"]


@pytest.mark.parametrize(
    ("args", "told"),
    (
        (("chess",), "There is no title called “chess”"),
        (("intrige", "--bots", "random,genius"), "no bot “genius”"),
        (("intrige", "--seats", "9"), "is played by 3, 4, 5"),
        (("intrige", "--games", "0"), "at least 1"),
        (("intrige", "--games", "x"), "“x” is not a whole number"),
        (("intrige", "--option", "staged=maybe"), "option staged cannot have this value"),
        (("intrige", "--option", "pace=fast"), "no option pace"),
        (("intrige", "--option", "sealed=1", "--option", "open_cash=1"), "do not go together"),
    ),
)
def test_a_wrong_command_line_is_told_in_a_sentence(args: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("simulate", *args)


def test_games_that_fail_are_told_counted_and_fail_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unsound(Toy):
        def invariants(self, state: State) -> list[str]:
            return ["A number is out of range."] if state.round > 1 else []

    out, err = StringIO(), StringIO()
    for title, fails in ((TOY, False), (Unsound(), True)):
        monkeypatch.setattr(registry, "title", lambda slug, title=title: title)
        command = ("simulate", "toy", "--games", "2", "--seats", "2", "--bots", "five", "--json")
        if not fails:
            call_command(*command, stdout=out, stderr=err)
            continue
        with pytest.raises(CommandError, match="2 of 2 games failed"):
            call_command(*command, stdout=out, stderr=err)
    assert "game 0: AssertionError: A number is out of range." in err.getvalue()
    assert [json.loads(line)["errors"] for line in out.getvalue().splitlines()] == [0, 2]
