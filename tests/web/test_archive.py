"""What remains of a game: record, report, ladder."""

import json

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.play import selectors, services
from postspiel.play.models import Game, Seat
from postspiel.reports import services as reports
from postspiel.web.plots import EDGE, HEIGHT, WIDTH, curve
from tests.people import signed_in
from tournaments import services as ladders


@pytest.fixture
def over(running: Game, paul: User, stella: User) -> Game:
    """Paul and Stella, with a bot, have voted for ending Olga's private game."""
    Seat.objects.filter(game=running, index=1).update(bot="", player=stella)
    for player in (paul, stella):
        seat = selectors.seat_of(running, player)
        assert seat is not None
        services.propose_end(seat=seat)
    running.refresh_from_db()
    ladders.pull()
    return running


def test_the_record_is_published_when_the_game_is_over(running: Game, paul: User) -> None:
    assert signed_in(paul).get(reverse("game-record", args=[running.key])).status_code == 404


def test_the_record_is_a_file(over: Game, paul: User, hugo: User) -> None:
    address = reverse("game-record", args=[over.key])

    answer = signed_in(paul).get(address)

    assert json.loads(answer.content)["title"] == "intrige"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="intrige-{over.key}.json"'
    assert signed_in(hugo).get(address).status_code == 404


def test_the_book_is_waited_for_and_then_read(
    clock: time_machine.Traveller, over: Game, paul: User, hugo: User
) -> None:
    address = reverse("game-report", args=[over.key, "en"])
    waiting = signed_in(paul).get(address)
    assert "being printed" in waiting.content.decode()
    assert "<html" not in signed_in(paul).get(address, headers={"HX-Request": "true"}).content.decode()

    reports.make(reports.request(over, "en").pk)

    book = signed_in(paul).get(address)
    assert b"".join(book).startswith(b"%PDF")
    assert "open it" in signed_in(paul).get(address, headers={"HX-Request": "true"}).content.decode()
    assert signed_in(hugo).get(address).status_code == 404
    assert signed_in(paul).get(reverse("game-report", args=[over.key, "fr"])).status_code == 404


def test_there_is_no_book_of_a_game_that_runs(running: Game, paul: User) -> None:
    assert signed_in(paul).get(reverse("game-report", args=[running.key, "en"])).status_code == 404


def test_a_ladder_explains_itself(over: Game, paul: User, stella: User, client: Client) -> None:
    every = client.get(reverse("ladders"))
    assert reverse("ladder", args=["intrige"]) in every.headers.get("Location", every.content.decode())
    page = client.get(reverse("ladder", args=["intrige"])).content.decode()
    assert "Paul" in page
    assert "Stella" in page

    assert "Each opponent may move" in signed_in(stella).get(reverse("game", args=[over.key])).content.decode()
    assert client.get(reverse("ladder", args=["halma"])).status_code == 404


def test_where_somebody_plays_is_told_to_himself_only(over: Game, paul: User, stella: User, hugo: User) -> None:
    address = reverse("ladder-player", args=["intrige", paul.pk])

    own, other = (signed_in(user).get(address).content.decode() for user in (paul, stella))

    assert over.key in own
    assert over.key not in other
    assert signed_in(paul).get(reverse("ladder-player", args=["intrige", hugo.pk])).status_code == 404


def test_a_curve_stays_inside_its_frame_and_small_changes_stay_small() -> None:
    assert curve([1500]) is None

    flat, steep = curve([1500, 1510]), curve([1500, 1900, 1300])

    assert flat is not None
    assert steep is not None
    assert abs(flat.dots[0].y - flat.dots[1].y) < HEIGHT / 8
    assert {dot.y for dot in steep.dots} >= {EDGE, HEIGHT - EDGE}
    assert (steep.dots[0].x, steep.dots[-1].x) == (EDGE, WIDTH - EDGE)


@pytest.mark.parametrize(("locale", "word"), (("en", "scholars"), ("de", "Gelehrte")))
def test_the_rules_are_read_in_ones_language(client: Client, locale: str, word: str, db: None) -> None:
    client.post(reverse("language"), {"language": locale})

    page = client.get(reverse("title-rules", args=["intrige"])).content.decode()

    assert f'<html lang="{locale}">' in page
    assert word in page
