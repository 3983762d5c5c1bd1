"""Sheets: merging by key, replacing, what is missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Order, Sheet
from games.engine.sheets import cancel, key, merge, missing, owes, replace
from tests.engine.strategies import orders
from tests.engine.toy import NAMES, SEATS, TOY, VERBS, State

SEEN = TOY.mask(State(1, 3, (1, 2, 3), (0, 0, 0)), 0)
KEYS = {verb.name: verb for verb in VERBS}
SHEETS = st.lists(orders(VERBS, NAMES), max_size=6).map(tuple)


def number(value: int, *, standing: bool = False) -> Order:
    return Order("set", {"number": value}, standing=standing)


def guess(seat: str, value: int, **more: str) -> Order:
    return Order("guess", {"seat": seat, "number": value, **more})


def accepted(sheet: Sheet) -> Sheet:
    return replace(TOY, SEEN, 0, sheet).sheet


def test_a_new_order_takes_the_place_of_the_one_with_its_key() -> None:
    merged = merge(TOY, SEEN, 0, (number(4), guess("bob", 1), guess("cid", 1)), (guess("bob", 2), number(5)))
    assert merged.sheet == (guess("cid", 1), guess("bob", 2), number(5))
    assert merged.refused == ()


def test_orders_of_one_family_replace_each_other_and_standing_ones_stand_apart() -> None:
    lift = Order("lift", {"by": 1})
    assert merge(TOY, SEEN, 0, (number(4), number(6, standing=True)), (lift,)).sheet == (number(6, standing=True), lift)


def test_a_refused_line_leaves_its_predecessor_and_the_other_lines_count() -> None:
    merged = merge(TOY, SEEN, 0, (number(4), guess("bob", 1)), (number(12), guess("bob", 2)))
    assert merged.sheet == (number(4), guess("bob", 2))
    assert [(problem.order, problem.code) for problem in merged.refused] == [(0, "range")]
    assert merged.refused[0].fix == number(9)


def test_of_two_new_lines_that_clash_the_later_is_refused() -> None:
    merged = merge(TOY, SEEN, 0, (number(4),), (number(5), number(6)))
    assert merged.sheet == (number(5),)
    assert [(problem.order, problem.code) for problem in merged.refused] == [(1, "clash")]


def test_hints_count_in_the_new_orders_and_refuse_nothing() -> None:
    merged = merge(TOY, SEEN, 0, (guess("cid", 1),), (guess("ann", 1), number(0)))
    assert merged.sheet == (guess("cid", 1), number(0))
    assert [(hint.order, hint.code) for hint in merged.hints] == [(1, "zero")]


def test_an_order_on_file_that_is_no_longer_possible_lapses_with_its_reason() -> None:
    merged = merge(TOY, SEEN, 0, (number(4), guess("bob", 77)), (guess("cid", 1),))
    assert merged.sheet == (number(4), guess("cid", 1))
    assert [(problem.order, problem.code) for problem in merged.lapsed] == [(1, "range")]
    assert merged.refused == ()


@given(on_file=SHEETS, new=SHEETS)
def test_merging_twice_is_merging_once(on_file: Sheet, new: Sheet) -> None:
    once = merge(TOY, SEEN, 0, accepted(on_file), new)
    twice = merge(TOY, SEEN, 0, once.sheet, new)
    assert twice.sheet == once.sheet
    assert twice.refused == once.refused


@given(on_file=SHEETS, new=SHEETS)
def test_every_new_order_counts_or_is_refused_and_nothing_else_is_lost(on_file: Sheet, new: Sheet) -> None:
    old = accepted(on_file)
    merged = merge(TOY, SEEN, 0, old, new)
    refused = {problem.order for problem in merged.refused}
    counted = [order for at, order in enumerate(new) if at not in refused]
    assert list(merged.sheet[len(merged.sheet) - len(counted) :]) == counted
    replaced = {key(KEYS, order) for order in counted}
    assert [order for order in old if key(KEYS, order) not in replaced] == list(merged.sheet[: -len(counted) or None])
    assert not [problem for problem in TOY.check(SEEN, 0, merged.sheet) if problem.refuses]


@given(sheet=SHEETS)
def test_merging_into_nothing_is_replacing(sheet: Sheet) -> None:
    assert merge(TOY, SEEN, 0, (), sheet) == replace(TOY, SEEN, 0, sheet)


def test_what_is_owed_and_unanswered_comes_first() -> None:
    assert owes(TOY, SEEN, 0)
    assert [ask.verb for ask in missing(TOY, SEEN, 0, ())] == ["set", "lift", "guess", "guess"]
    assert [ask.verb for ask in missing(TOY, SEEN, 0, (guess("cid", 1),))] == ["set", "lift", "guess"]


def test_one_order_answers_all_alternatives() -> None:
    assert [ask.verb for ask in missing(TOY, SEEN, 0, (Order("lift", {"by": 1}),))] == ["guess", "guess"]


def test_a_standing_order_answers_every_ask_that_it_fits() -> None:
    anybody = Order("guess", {"seat": "bob", "number": 3}, standing=True)
    assert [a.domains["seat"].names for a in missing(TOY, SEEN, 0, (anybody, number(1)))] == [("cid",)]


def test_an_order_answers_one_ask_only() -> None:
    assert len(missing(TOY, SEEN, 0, (guess("bob", 1), guess("bob", 2), number(3)))) == 1


@pytest.mark.parametrize("over", (SEATS.index("ann"),))
def test_a_seat_that_is_not_asked_owes_nothing(over: int) -> None:
    ended = State(4, 3, (1, 2, 3), (0, 0, 0))
    assert not owes(TOY, ended, over)
    assert missing(TOY, ended, over, ()) == ()


def test_cancelling_says_what_went() -> None:
    done = cancel((number(1), guess("bob", 1)), lambda order: order.verb == "guess")
    assert done.sheet == (number(1),)
    assert done.removed == (guess("bob", 1),)
