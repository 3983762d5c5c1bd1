"""The order form is made from verbs and asks alone: it knows no title, and loses no order."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Ask, Domain, Order, Sheet
from games.engine.language import language
from postspiel.web.orders import MORE, Asked, OrderForm
from tests.engine.toy import PETS, TOY

NUMBER = Domain(low=0, high=9, step=3)
SET = Ask("set", {"number": NUMBER}, must=True)
LIFT = Ask("lift", {"by": Domain(low=1, high=3), "max": NUMBER}, must=True)
GUESS = Ask("guess", {"seat": Domain(("bob",)), "number": NUMBER, "with": Domain(PETS), "note": Domain()})
FEED = Ask("feed", {"pets": Domain(PETS, many=3)})


def form_of(asks: tuple[Ask, ...], sheet: Sheet = (), data: dict[str, Any] | None = None, **more: str) -> OrderForm:
    return OrderForm(Asked(TOY, {}, asks, sheet, "en"), data, **more)


def orders_of(form: OrderForm) -> list[Order]:
    assert form.is_valid(), form.errors
    return [line.order for line in language(TOY, {}).read(form.text).orders]


def sent(form: OrderForm) -> dict[str, Any]:
    """What a browser sends of a form that nobody touched."""
    values = {name: form[name].value() for name in form.fields}
    lists = {name: value for name, value in values.items() if isinstance(value, tuple)}
    places = {f"{name}_{at}": one for name, value in lists.items() for at, one in enumerate(value)}
    return places | {name: value for name, value in values.items() if value not in (None, ()) and value is not False}


def test_what_is_settled_is_shown_and_not_asked() -> None:
    row = form_of((GUESS,)).questions[0].rows[0]

    assert row.label == "guess Bob"
    assert list(row.open) == ["number", "with", "note"]


def test_a_filled_row_is_an_order() -> None:
    data = {"q0-0-number": "3", "q0-0-with": "big cat", "q0-0-note": "a long shot"}

    assert orders_of(form_of((GUESS,), data=data)) == [
        Order("guess", {"seat": "bob", "number": 3, "with": "big cat", "note": "a long shot"})
    ]


def test_an_empty_form_orders_nothing() -> None:
    assert orders_of(form_of((SET, LIFT, GUESS, FEED), data={})) == []


def test_of_alternatives_the_marked_one_counts_and_else_the_only_one_filled() -> None:
    filled = {"q0-0-number": "6", "q0-1-by": "2"}
    assert len(form_of((SET, LIFT)).questions) == 1

    assert orders_of(form_of((SET, LIFT), data={**filled, "q0": "1"})) == [Order("lift", {"by": 2})]
    assert orders_of(form_of((SET, LIFT), data={"q0-0-number": "6"})) == [Order("set", {"number": 6})]
    assert orders_of(form_of((SET, LIFT), data=filled)) == []


def test_several_names_are_marked() -> None:
    ranked = {"q0-0-pets_0": "B", "q0-0-pets_2": "A"}

    assert orders_of(form_of((FEED,), data=ranked)) == [Order("feed", {"pets": ("B", "A")})]


@pytest.mark.parametrize(
    ("data", "field"),
    (
        ({"q0-0-number": "10"}, "q0-0-number"),
        ({"q0-0-number": "4"}, "q0-0-number"),
        ({"q0-0-with": "unicorn"}, "q0-0-with"),
        ({"q0-0-with": "A"}, "q0-0-number"),
    ),
)
def test_what_is_wrong_is_said_at_its_field(data: dict[str, str], field: str) -> None:
    form = form_of((GUESS,), data=data)

    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_two_asks_of_one_verb_are_two_questions() -> None:
    form = form_of((FEED, FEED), (Order("feed", {"pets": ("A",)}), Order("feed", {"pets": ("B",)})))

    assert [form[f"q{n}-0-pets"].value() for n in (0, 1)] == [("A",), ("B",)]


def test_what_no_question_can_hold_stays_as_text() -> None:
    standing = Order("lift", {"by": 2}, standing=True)
    elsewhere = Order("guess", {"seat": "cid", "number": 3})

    form = form_of((SET, GUESS), (standing, elsewhere), more="feed unicorn")

    assert form[MORE].value() == "always lift +2\nguess Cid 3\nfeed unicorn"


def test_a_row_holds_a_standing_order_and_a_condition() -> None:
    given = Order("guess", {"seat": "bob", "number": 3}, Order("round", {"number": 2}), standing=True)

    form = form_of((GUESS,), (given,))

    assert (form["q0-0:always"].value(), form["q0-0:when"].value(), form[MORE].value()) == (True, "round 2", "")
    assert orders_of(form_of((GUESS,), data=sent(form))) == [given]


@pytest.mark.parametrize("clause", ("round 2", "when round 2", "wenn runde 2", "  Round   2 "))
def test_a_condition_is_written_with_or_without_its_first_word(clause: str) -> None:
    [order] = orders_of(form_of((GUESS,), data={"q0-0-number": "3", "q0-0:when": clause}))

    assert order.when == Order("round", {"number": 2})


@pytest.mark.parametrize("clause", ("round", "unicorn", "round 2 when round 3", "# round 2"))
def test_a_condition_that_cannot_be_read_is_said_beside_its_field(clause: str) -> None:
    form = form_of((GUESS,), data={"q0-0-number": "3", "q0-0:when": clause})

    assert not form.is_valid()
    assert list(form.errors) == ["q0-0:when"]


def test_what_may_be_ordered_of_several_is_asked_more_often_than_it_is_given() -> None:
    both = [Order("guess", {"seat": seat, "number": 3}) for seat in ("bob", "cid")]
    asked = Ask("guess", {"seat": Domain(("bob", "cid", "dee")), "number": NUMBER})

    assert len(form_of((asked,)).questions) == 2
    form = form_of((asked,), tuple(both))
    assert len(form.questions) == 4
    assert [bool(one.rows[0].help) for one in form.questions[1:]] == [False] * 3

    late = form_of((asked,), data=sent(form))  # what was on file has gone meanwhile; nothing that was sent is lost
    assert orders_of(late) == both


def test_owed_questions_come_first_and_others_are_folded_until_used() -> None:
    form = form_of((SET, GUESS))
    assert ([q.name for q in form.owed], [q.name for q in form.free], form.free_in_use) == (["q0"], ["q1"], False)

    assert form_of((SET, GUESS), (Order("guess", {"seat": "bob", "number": 3}),)).free_in_use


def test_it_is_written_in_the_readers_language() -> None:
    german = OrderForm(Asked(TOY, {}, (GUESS,), (), "de"), {"q0-0-number": "3", "q0-0-with": "big cat"})

    assert german.questions[0].rows[0].label == "rate Bobo"
    assert german.is_valid()
    assert german.text == "rate Bobo 3 mit große Katze"


numbers = st.sampled_from((0, 3, 6, 9))
orders = st.one_of(
    st.builds(lambda n, s: Order("set", {"number": n}, standing=s), numbers, st.booleans()),
    st.builds(lambda n, s: Order("guess", {"seat": s, "number": n}), numbers, st.sampled_from(("bob", "cid"))),
    st.builds(lambda p: Order("feed", {"pets": tuple(p)}), st.lists(st.sampled_from(PETS), min_size=1, unique=True)),
    st.builds(lambda n: Order("guess", {"seat": "bob", "number": n}, Order("round", {"number": 2})), numbers),
)


@given(st.lists(orders, max_size=6))
def test_a_form_sent_as_it_came_changes_no_order(sheet: list[Order]) -> None:
    asks = (SET, LIFT, GUESS, FEED, FEED)

    again = form_of(asks, tuple(sheet), sent(form_of(asks, tuple(sheet))))

    assert sorted(map(repr, orders_of(again))) == sorted(map(repr, sheet))


def test_the_template_shows_every_field() -> None:
    form = form_of((SET, LIFT, GUESS, FEED))

    html = render_to_string("parts/order_form.html", {"form": form})

    for name in form.fields:
        assert f'name="{name}"' in html or f'name="{name}_0"' in html, name
