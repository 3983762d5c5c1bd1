"""The rules' tests notice when a rule is changed: each mutation of a number or a branch makes one of them fail."""

from __future__ import annotations
import __future__ as future

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

import pytest

from games.intrige import (
    admission,
    bidders,
    bids,
    checks,
    decisions,
    defaults,
    groups,
    income,
    orders,
    rules,
    sending,
    state,
)
from tests.intrige import test_examples, test_properties, test_sheets, test_whole_games
from tests.intrige.playing import play

CONSTANTS: tuple[tuple[str, object], ...] = (
    ("PAYS", (1000, 6000, 10000, 4000)),
    ("CASH", 31000),
    ("ROUNDS", 4),
    ("UNIT", 2000),
    ("CRAFTS", ("A", "P", "D", "S")),
    ("CHEAP_FIRST", [2, 1, 3, 0]),
    ("BEST_FIRST", [0, 3, 1, 2]),
    ("HOME", "AAPPSSD"),
)
BRANCHES: tuple[tuple[Callable[..., object], str, str], ...] = (
    (groups.form_groups, "(incumbent, *rivals)", "(*rivals, incumbent)"),
    (groups.form_groups, "(*free, *external,", "(*external, *free,"),
    (groups.form_groups, "len(rivals) > 1", "len(rivals) > 2"),
    (state.distance, "- state.active - 1", "- state.active + 1"),
    (orders.Bid.figure, "highest + self.step > self.top", "highest + self.step >= self.top"),
    (bids._carry_out_group, "highest = amount if highest is None else max(highest, amount)", "highest = amount"),
    (bids._payable, "max(UNIT, wanted)", "wanted"),
    (bids._payable, "min(wanted, purse)", "wanted"),
    (bids._move, "(payer, -amount), (host, amount)", "(payer, -amount), (host, 0)"),
    (bids._bid_for, "reading.standing.get(VERB_OF[key.defends], Bid(UNIT))", "Bid(UNIT)"),
    (bidders._groups_to_come, "state.stage + 1 :", "state.stage :"),
    (defaults.highest_bidder, "-member", "member"),
    (defaults.complete, "to_seat.sort(key=lambda one: -paid(state, state.groups[one[0]], one[1]))", "pass"),
    (admission.settle, "gone += losers", "gone += losers[1:]"),
    (admission._still_waiting, "if not state.setting.staged", "if state.setting.staged"),
    (sending.courts_left, "set() if state.setting.same_court else", "set() if True else"),
    (sending._rank, "return own, sum(seated), external, far", "return 0, sum(seated), external, far"),
    (sending._rank, "return own, sum(seated), external, far", "return own, 0, external, far"),
    (sending._rank, "return own, sum(seated), external, far", "return own, sum(seated), 0, far"),
    (sending._rank, "external, far,", "external, [-x for x in far],"),
    (income.pay, "purse + amount", "purse"),
    (rules._next_player, "+ 1) % state.seats", "- 1) % state.seats"),
    (rules._finish, "income.pay(state, (state.first + step) % state.seats, table)", "state"),
    (rules._in_force, "(*reading.always, *bids_left)", "tuple(bids_left)"),
    (rules.mask, "if not state.setting.open_cash", "if state.setting.open_cash"),
    (rules._masked, "(bribe.scholar.seat, host)", "(bribe.scholar.seat,)"),
    (checks._afford, "left -= line.bid.worst", "left -= line.bid.amount"),
    (decisions._area, "if area not in left", "if False"),
    (decisions._read_admit, "which in reading.winners or", "False or"),
)


def all_tests() -> Iterator[Callable[[], object]]:
    """The plain tests of the rules, and one whole game that has to come out as it always did."""
    for module in (test_examples, test_sheets):
        tests = [test for name, test in vars(module).items() if name.startswith("test_")]
        yield from (test for test in tests if not hasattr(test, "pytestmark"))
    yield lambda: test_properties.test_6_at_the_end_seated_and_banished_are_all((3, 0, 0))
    yield lambda: test_properties.test_4_who_is_sent_in_round_r_and_never_displaced_is_paid_6_minus_r_times(4)
    yield lambda: test_properties.test_5_only_income_changes_the_total_and_comes_in_rounds_2_to_5_and_at_the_end(3)
    yield lambda: test_whole_games.test_every_position_of_a_game_keeps_the_invariants(3, 1)


def modules() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith(("games.intrige.", "tests.intrige."))]


def noticed() -> bool:
    for test in all_tests():
        try:
            test()
        except Exception:
            return True
    return False


def test_nothing_fails_without_a_mutation() -> None:
    assert not noticed()
    assert play(1, 4)[-1].phase == "over"


@pytest.mark.parametrize(("name", "value"), CONSTANTS)
def test_a_changed_number_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    for module in modules():
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)
    assert noticed()


@pytest.mark.parametrize(("function", "old", "new"), BRANCHES)
def test_a_changed_branch_is_noticed(
    monkeypatch: pytest.MonkeyPatch, function: FunctionType, old: str, new: str
) -> None:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1
    space = dict(function.__globals__)
    flags = future.annotations.compiler_flag
    exec(compile(source.replace(old, new), function.__name__, "exec", flags), space)  # noqa: S102 - that is what mutating is
    put(monkeypatch, function, space[function.__name__])
    assert noticed()


def put(monkeypatch: pytest.MonkeyPatch, old: FunctionType, new: object) -> None:
    """Put a function in the place of another wherever it is used."""
    for owner in (*modules(), orders.Bid):
        for name, value in list(vars(owner).items()):
            if value is old:
                monkeypatch.setattr(owner, name, new)
