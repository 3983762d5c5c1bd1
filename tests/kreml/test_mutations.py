"""The rules' tests notice when a rule is changed: each mutation of a number or a branch makes one of them fail."""

from __future__ import annotations
import __future__ as future

import inspect
import itertools
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from games.kreml import acting, checks, contest, desk, ending, lists, rules, world
from games.kreml.phases import autumn, commission, cures, health, purges, replacements, spy
from tests.kreml import test_checks_of_the_page, test_contests, test_ends, test_phases, test_sheets

CONSTANTS: tuple[tuple[ModuleType, str, object], ...] = (
    (purges, "NEEDED", (18, 14, 9, 6)),
    (purges, "EASIER_IN_CURE", 2),
    (purges, "SUCCESS", 2),
    (purges, "FAILURE", 2),
    (purges, "PURGERS", ("kgb", "chief", "ideologist", "industry")),
    (spy, "MINISTERS", ("defence", "kgb", "foreign", "chief", "industry")),
    (spy, "OPENING", 2),
    (spy, "UNDER_SUSPICION", 0),
    (spy, "ACQUITTAL", 2),
    (spy, "BANISHMENT", 1),
    (spy, "SAVED_BY", 3),
    (health, "YOUNG", 51),
    (health, "STEP", 5),
    (health, "DEADLY", 4),
    (commission, "PROPOSERS", ("foreign", "kgb", "ideologist", "industry", "agriculture", "sport", "defence")),
    (commission, "HELPERS", ("foreign", "defence", "kgb", "industry")),
    (commission, "FAILS_AT", 4),
    (commission, "REJECTION", 2),
    (replacements, "MOVE", 2),
    (replacements, "ROW", 6),
    (autumn, "REHABILITATION", 4),
    (autumn, "STRAIN", (0, 1, 1)),
    (autumn, "NEEDED", (0, 8, 14)),
    (rules, "WAVES", 2),
    (rules, "LAST_PARADE", 1959),
    (rules, "LAST_YEAR", 1962),
    (rules, "NESTOR_AGE", 81),
    (world, "MORTAL", 97),
    (acting, "MORTAL", 97),
    (desk, "AIMED", frozenset({"purge", "investigate", "accuse", "banish", "swap", "promote"})),
)
BRANCHES: tuple[tuple[Callable[..., Any], str, str], ...] = (
    (contest.settle, "most > shown", "most >= shown"),
    (contest.settle, "seat != controller, seniority.index(seat)", "seniority.index(seat)"),
    (contest.settle, "second + 1", "second"),
    (contest.settle, "max(shown, second)", "shown"),
    (contest.settle, "-caps[seat], seat", "caps[seat], seat"),
    (contest._defence, "bid.when is None and", ""),
    (contest._best, "most > best[0]", "most >= best[0]"),
    (contest._best, "min(bid.points, world.points(seat, who))", "bid.points"),
    (contest._pulls, 'act.verb != "vote"', "True"),
    (acting.perform, "if not do(act):", "if do(act) is None:"),
    (acting.poll, "count.no < closed_at", "True"),
    (acting.follow, "world.stopped.add(actor)", "pass"),
    (acting.intended, "2 * bool(ballot.voter) + bool(ballot.on)", "bool(ballot.voter) + 2 * bool(ballot.on)"),
    (acting.intended, "mine >= rank", "mine > rank"),
    (acting.may_act, "actor not in world.stopped", "True"),
    (cures.play, "not world.people[who].marks", "world.people[who].marks"),
    (cures._stress, "and not one.cure", ""),
    (cures._wish, "one.marks >= desk.cure_from", "one.marks > desk.cure_from"),
    (spy._charge_plan, "< world.year", "<= world.year"),
    (spy.try_accused, "world.people[trial.accused].opened = 0", "pass"),
    (health._examine, "max(0, before +", "(before +"),
    (commission.eligible, "(1, 2)", "(2, 1)"),
    (commission.voters, "{now.proposer} if", "set() if"),
    (replacements._act, "abs(level - began[who]) > 1", "abs(level - began[who]) > 2"),
    (replacements._can_swap, "(mine, its) != (4, 4)", "True"),
    (replacements._promote_by, "and who not in raised", ""),
    (replacements.play, "_promotions(world, LEVEL_1, (3, 4))", "_promotions(world, LEVEL_1, (4,))"),
    (replacements._swap, "world.people[who].cure = False", "pass"),
    (world.World.oldest, "-self.people[who].age", "self.people[who].age"),
    (world.World.go, "self.people[who].opened = 0", "pass"),
    (rules._play_autumn, "waved and world.people[chief].waves == WAVES", "world.people[chief].waves == WAVES - 1"),
    (rules._died_out, "gaps and not", "not"),
    (rules._take_earlier, "world.desk(seat).lines +=", "_ ="),
    (rules.kept, "order.standing or", ""),
    (ending.outcome, "others or tied", "tied"),
    (lists.pairs, "found.setdefault(who, rank)", "found[who] = rank"),
    (checks._claim, "points > secret", "points > secret + 1"),
    (checks._consequence, "len(then) > 1", "len(then) > 2"),
)
SLOW = frozenset({"test_everybody_is_asked_the_same_whatever_he_controls"})


def cases(test: Any) -> Iterator[dict[str, Any]]:
    """The arguments with which pytest would call a test."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    rows = []
    for mark in marks:
        names = (mark.args[0],) if isinstance(mark.args[0], str) else mark.args[0]
        values = [value if isinstance(mark.args[0], tuple) else (value,) for value in mark.args[1]]
        rows.append([dict(zip(names, value, strict=True)) for value in values])
    for row in itertools.product(*rows):
        yield {name: value for part in row for name, value in part.items()}


def noticed() -> bool:
    """Whether any test of the rules fails."""
    for module in (test_checks_of_the_page, test_phases, test_ends, test_contests, test_sheets):
        names = [name for name in vars(module) if name.startswith("test_") and name not in SLOW]
        for test, arguments in [(vars(module)[name], one) for name in names for one in cases(vars(module)[name])]:
            try:
                test(**arguments)
            except Exception:
                return True
    return False


def modules() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith(("games.kreml.", "tests.kreml."))]


def test_nothing_fails_without_a_mutation() -> None:
    assert not noticed()


@pytest.mark.parametrize(("module", "name", "value"), CONSTANTS, ids=[name for _, name, _ in CONSTANTS])
def test_a_changed_number_is_noticed(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, value: object
) -> None:
    assert getattr(module, name) != value
    monkeypatch.setattr(module, name, value)
    if name == "AIMED":
        monkeypatch.setattr(contest, name, value)
    assert noticed()


@pytest.mark.parametrize(("function", "old", "new"), BRANCHES, ids=[old for _, old, _ in BRANCHES])
def test_a_changed_branch_is_noticed(
    monkeypatch: pytest.MonkeyPatch, function: FunctionType, old: str, new: str
) -> None:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, source
    space = dict(function.__globals__)
    flags = future.annotations.compiler_flag
    exec(compile(source.replace(old, new), function.__name__, "exec", flags), space)  # noqa: S102 - that is what mutating is
    put(monkeypatch, function, space[function.__name__])
    assert noticed()


def put(monkeypatch: pytest.MonkeyPatch, old: FunctionType, new: object) -> None:
    """Put a function in the place of another wherever it is used."""
    for owner in (*modules(), world.World):
        for name, value in list(vars(owner).items()):
            if value is old:
                monkeypatch.setattr(owner, name, new)
            elif isinstance(value, dict) and old in value.values() and owner in modules():
                monkeypatch.setattr(owner, name, {key: new if one is old else one for key, one in value.items()})
