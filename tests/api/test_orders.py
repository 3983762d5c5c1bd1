"""Orders by the API: they replace the sheet, or change nothing and say why."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from django.http import HttpResponse
from django.test import Client

from postspiel.accounts.models import User
from postspiel.play.models import Game, Seat, Sheet, Submission
from tests.api.conftest import client
from tests.results import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(game: Game) -> Seat:
    """A seat that the open turn waits for."""
    sheet = (
        Sheet.objects.filter(turn__game=game, turn__status="open", asked=True).select_related("seat__player").first()
    )
    assert sheet is not None
    return sheet.seat


def ordered(game: Game, seat: Seat) -> list[Any]:
    """Orders that the rules take, as JSON."""
    orders: list[Any] = json.loads(msgspec.json.encode(played.orders_for(game, seat)))
    return orders


def post(game: Game, browser: Client, body: object, **headers: str) -> HttpResponse:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer: Any = browser.post(f"/api/games/{game.key}/orders/", raw, content_type="application/json", headers=headers)
    return answer  # type: ignore[no-any-return]


def name(seat: Seat) -> str:
    assert seat.player is not None
    return seat.player.display_name


def on_file(seat: Seat) -> tuple[str, list[Any]]:
    sheet = Sheet.objects.get(seat=seat, turn__status="open")
    return sheet.status, sheet.orders


def test_orders_as_values_become_the_sheet(game: Game, asked: Seat) -> None:
    orders = ordered(game, asked)

    answer = post(game, client(name(asked)), {"turn": 3, "orders": orders, "done": True})

    receipt = json.loads(answer.content)
    assert (answer.status_code, receipt["verdict"], receipt["turn"]) == (200, "accepted", 3)
    assert receipt["sheet"]["status"] == "final"
    assert len(receipt["sheet"]["lines"]) == len(orders) > 0
    assert on_file(asked) == ("final", orders)
    kept = Submission.objects.get(seat=asked, turn__number=3)
    assert (kept.door, kept.applied) == ("api", True)
    assert json.loads(kept.text)["orders"] == orders


def test_lines_that_the_api_gave_are_taken_as_a_text(game: Game, asked: Seat) -> None:
    browser = client(name(asked))
    orders = ordered(game, asked)
    lines = json.loads(post(game, browser, {"orders": orders}).content)["sheet"]["lines"]

    answer = post(game, browser, {"text": "\n".join(lines), "done": True})

    assert (answer.status_code, on_file(asked)) == (200, ("final", orders))


def test_what_is_posted_takes_the_place_of_the_whole_sheet(game: Game, asked: Seat) -> None:
    orders = ordered(game, asked)
    post(game, client(name(asked)), {"orders": orders, "done": True})

    answer = post(game, client(name(asked)), {"orders": []})

    assert answer.status_code == 200
    assert on_file(asked) == ("on_file", [])


def test_an_order_that_is_refused_says_why_and_changes_nothing(game: Game, asked: Seat) -> None:
    before = on_file(asked)

    answer = post(game, client(name(asked)), {"orders": [{"verb": "bribe", "args": {"scholar": "A", "amount": 77}}]})

    receipt = json.loads(answer.content)
    assert (answer.status_code, receipt["verdict"]) == (422, "rejected")
    assert receipt["refused"][0]["line"] == 1
    assert receipt["refused"][0]["reason"]
    assert on_file(asked) == before


def test_orders_for_another_turn_change_nothing(game: Game, asked: Seat) -> None:
    orders = ordered(game, asked)

    answer = post(game, client(name(asked)), {"turn": 2, "orders": orders})

    assert (answer.status_code, json.loads(answer.content)["reason"]) == (422, "wrong-turn")
    assert on_file(asked) == ("none", [])


@pytest.mark.parametrize(
    "body",
    (
        b"no json",
        b"\xff\xfe",
        b"[]",
        b'{"orders": []' + b" " * 10,
        b'{"orders": ' + b"[" * 5000,
        {},
        {"orders": [], "text": "done"},
        {"orders": [{"verb": 7}]},
        {"orders": [], "seat": 2},
        {"orders": [{"verb": "bribe"}] * 201},
    ),
)
def test_what_cannot_be_read_is_refused_with_a_sentence(game: Game, asked: Seat, body: object) -> None:
    answer = post(game, client(name(asked)), body)

    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]
    assert not Submission.objects.filter(seat=asked, turn__number=3).exists()


def test_only_who_holds_a_seat_may_order(game: Game, asked: Seat) -> None:
    User.objects.create_user("stella@example.org", display_name="Stella")
    orders = ordered(game, asked)

    assert post(game, Client(), {"orders": orders}).status_code == 401
    assert post(game, client("Stella"), {"orders": orders}).status_code == 403
    assert on_file(asked) == ("none", [])
    assert post(game, client(name(asked)), {"orders": orders}).status_code == 200


def test_a_post_needs_the_token_against_forgery(game: Game, asked: Seat) -> None:
    orders = ordered(game, asked)
    browser = client(name(asked), strict=True)
    assert post(game, browser, {"orders": orders}).status_code == 403
    assert on_file(asked) == ("none", [])

    browser.cookies["csrftoken"] = "a" * 32
    assert post(game, browser, {"orders": orders}, **{"X-CSRFToken": "a" * 32}).status_code == 200


@pytest.mark.parametrize(("method", "path"), (("post", ""), ("get", "orders/"), ("delete", "")))
def test_other_methods_are_refused(game: Game, method: str, path: str) -> None:
    answer = getattr(client("Ada"), method)(f"/api/games/{game.key}/{path}")

    assert answer.status_code == 405
