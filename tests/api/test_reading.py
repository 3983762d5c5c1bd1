"""A game as JSON: each viewer gets what his seat may know, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.play import positions, selectors, services
from postspiel.play.models import Game, Seat
from tests.api.conftest import client
from tests.results import played

pytestmark = pytest.mark.django_db


def read(game: Game, name: str) -> Any:
    answer = client(name).get(f"/api/games/{game.key}/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    return answer.json()


def test_a_player_reads_his_seat_his_cash_and_his_asks(game: Game) -> None:
    seen = read(game, "Ada")

    assert (seen["title"], seen["status"], seen["seat"], seen["turn"]["number"]) == ("intrige", "running", 0, 3)
    assert [seat["player"] for seat in seen["seats"]] == ["Ada", "Benedikt", "Cleo", "Dov"]
    assert isinstance(seen["state"]["cash"][0], int)
    assert seen["state"]["cash"][1:] == [None, None, None]
    assert seen["sheet"]["status"] == "none"
    assert [log["turn"] for log in seen["log"]] == [0, 1, 2]
    assert {block["type"] for block in seen["position"]["blocks"]} >= {"heading", "picture", "grid"}


def test_everybody_reads_in_his_own_language(game: Game) -> None:
    assert [seat["name"] for seat in read(game, "Ada")["seats"]] == ["Red", "Yellow", "Green", "Blue"]
    assert [seat["name"] for seat in read(game, "Benedikt")["seats"]] == ["Rot", "Gelb", "Grün", "Blau"]


def test_who_is_asked_is_told_what_he_may_order(game: Game) -> None:
    turn = selectors.open_turn(game)
    assert turn is not None
    title = registry.title("intrige")
    for seat in Seat.objects.filter(game=game).select_related("player"):
        assert seat.player is not None
        asks = read(game, seat.player.display_name)["asks"]
        expected = title.asks(positions.seen(turn, seat.index), seat.index)
        assert [ask["verb"] for ask in asks] == [ask.verb for ask in expected]
    assert sum(turn.sheets.values_list("asked", flat=True)) > 0


def test_a_watcher_has_neither_sheet_nor_asks_nor_anybodys_cash(game: Game) -> None:
    User.objects.create_user("stella@example.org", display_name="Stella")

    seen = read(game, "Stella")

    assert (seen["seat"], seen["sheet"], seen["asks"]) == (None, None, [])
    assert seen["state"]["cash"] == [None] * 4


def test_a_guest_is_asked_to_sign_in_and_told_nothing(game: Game) -> None:
    answer = Client().get(f"/api/games/{game.key}/")

    assert answer.status_code == 401
    assert set(answer.json()) == {"error"}


def test_a_game_that_is_not_listed_exists_for_its_players_only(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(listed=False)
    User.objects.create_user("stella@example.org", display_name="Stella")

    assert client("Ada").get(f"/api/games/{game.key}/").status_code == 200
    hidden = client("Stella").get(f"/api/games/{game.key}/")
    missing = client("Stella").get("/api/games/nosuchgame/")
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert hidden.content == missing.content


def test_the_sheet_of_another_changes_nothing_but_the_number_of_sheets_that_are_in(game: Game) -> None:
    game = Game.objects.get(pk=game.pk)
    turn = selectors.open_turn(game)
    assert turn is not None
    asked = turn.sheets.filter(asked=True).select_related("seat__player").first()
    assert asked is not None
    assert asked.seat.player is not None
    other = "Ada" if asked.seat.index else "Benedikt"
    before, own_before = client(other).get(f"/api/games/{game.key}/"), read(game, asked.seat.player.display_name)

    played.hand_in_something(game, asked.seat)

    after, own_after = client(other).get(f"/api/games/{game.key}/"), read(game, asked.seat.player.display_name)
    in_now = after.json()["turn"]["sheets_in"]
    assert in_now == before.json()["turn"]["sheets_in"] + 1
    assert after.content.replace(b'"sheets_in":%d' % in_now, b'"sheets_in":%d' % (in_now - 1)) == before.content
    assert own_before["sheet"] != own_after["sheet"]


def test_neither_seed_nor_the_sheets_of_others_are_in_it(game: Game) -> None:
    body = client("Ada").get(f"/api/games/{game.key}/").content.decode()

    assert bytes(game.seed).hex() not in body
    assert game.commitment in body
    for turn in game.turns.exclude(state_hash=""):
        assert turn.state_hash not in body


def test_private_press_reaches_its_readers_only(game: Game) -> None:
    seats = selectors.seats_of(game)
    services.send_press(seat=seats[1], to=[2], text="between us two")
    services.send_press(seat=seats[1], to=None, text="to all the world")

    assert [press["text"] for press in read(game, "Cleo")["press"]] == ["between us two", "to all the world"]
    assert [press["text"] for press in read(game, "Ada")["press"]] == ["to all the world"]


def test_a_game_is_read_with_a_number_of_queries_that_does_not_grow(game: Game, clock: Any) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    browser = client("Ada")
    with CaptureQueriesContext(connection) as early:
        browser.get(f"/api/games/{game.key}/")
    for chance in played.chances(3):
        played.one_turn(game, chance, clock)
    with CaptureQueriesContext(connection) as late:
        browser.get(f"/api/games/{game.key}/")

    assert len(late) == len(early) <= 20


def test_an_ended_game_shows_its_last_position(game: Game, clock: Any) -> None:
    chances = iter(played.chances(60))
    while game.status == Game.Status.RUNNING:
        played.one_turn(game, next(chances), clock)

    seen = read(game, "Ada")

    assert (seen["status"], seen["turn"], seen["asks"], seen["sheet"]) == ("ended", None, [], None)
    assert seen["state"]["phase"] == "over"
