"""Absences, standing by, and seats that change hands, by program."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from postspiel.accounts.models import Absence, User
from postspiel.play import services
from postspiel.play.models import Game, Seat, StandBy
from tests.api.conftest import client

AWAY = {"first": "2026-03-20", "last": "2026-03-24", "note": "Alps"}


def send(browser: Client, path: str, what: object) -> Any:
    return browser.post(f"/api/{path}", json.dumps(what), content_type="application/json")


def told(answer: Any) -> Any:
    return json.loads(answer.content)


def open_seat(game: Game, name: str) -> Seat:
    seat = game.seats.select_related("player", "game").get(player__display_name=name)
    assert seat.player is not None
    services.resign(seat=seat, who=seat.player)
    return game.seats.get(pk=seat.pk)


@pytest.fixture
def stella(game: Game) -> Client:
    """Somebody who plays nowhere."""
    User.objects.create_user("stella@example.org", display_name="Stella")
    return client("Stella")


def test_an_absence_is_announced_read_and_cancelled_by_its_owner_only(game: Game, stella: Client) -> None:
    ada = client("Ada")
    answer = send(ada, "absences/", AWAY)
    (one,) = told(answer)["absences"]
    assert (answer.status_code, {**one, "id": 0}) == (201, {**AWAY, "id": 0})
    assert told(answer)["games"] == [{"game": game.key, "name": game.name, "days": 0, "days_left": 0}]
    assert told(ada.get("/api/absences/")) == told(answer)

    assert told(stella.get("/api/absences/")) == {"absences": [], "games": []}
    assert stella.delete(f"/api/absences/{one['id']}/").status_code == 404
    assert Absence.objects.count() == 1
    assert told(ada.delete(f"/api/absences/{one['id']}/"))["absences"] == []
    assert not Absence.objects.exists()


@pytest.mark.parametrize(
    ("what", "status"),
    (
        ({**AWAY, "last": "2026-03-19"}, 422),
        ({**AWAY, "first": "2026-03-01", "last": "2026-03-01"}, 422),
        ({**AWAY, "last": "2026-07-01"}, 422),
        ({**AWAY, "last": "tomorrow"}, 400),
        ({**AWAY, "seat": 1}, 400),
        ({**AWAY, "note": "x" * 101}, 400),
        ([], 400),
    ),
)
def test_days_that_cannot_be_are_refused_with_a_sentence(game: Game, what: object, status: int) -> None:
    answer = send(client("Ada"), "absences/", what)
    assert (answer.status_code, list(told(answer))) == (status, ["error"])
    assert not Absence.objects.exists()


def test_who_stands_by_is_on_the_list_until_he_withdraws(game: Game, stella: Client) -> None:
    assert told(send(stella, "stand-by/", {"title": "intrige", "standing": True}))["titles"] == ["intrige"]
    assert StandBy.objects.get().user.display_name == "Stella"
    assert told(stella.get("/api/stand-by/"))["reliability"] is None
    assert told(send(stella, "stand-by/", {"title": "intrige", "standing": False}))["titles"] == []
    refused = send(stella, "stand-by/", {"title": "chess", "standing": True})
    assert (refused.status_code, StandBy.objects.count()) == (422, 0)


def test_an_open_seat_is_listed_looked_at_and_taken_over_once(game: Game, stella: Client) -> None:
    game.listed = True
    game.save()
    seat = open_seat(game, "Ada")
    (offer,) = told(stella.get("/api/stand-by/"))["open"]
    assert (offer["game"], offer["seat"], offer["refusal"]) == (game.key, seat.index, None)
    assert told(client("Ada").get("/api/stand-by/"))["lost"] == [offer]

    path = f"games/{game.key}/seats/{seat.index}/"
    assert told(stella.get(f"/api/{path}"))["refusal"] == ""
    assert told(client("Benedikt").get(f"/api/{path}"))["refusal"]
    refused = send(client("Benedikt"), path, {})
    assert (refused.status_code, list(told(refused))) == (409, ["error"])
    taken = send(stella, path, {})
    assert (taken.status_code, told(taken)["seat"]) == (200, seat.index)
    assert send(client("Ada"), path, {}).status_code == 409
    assert told(stella.get("/api/stand-by/"))["open"] == []


def test_the_seat_of_a_hidden_game_is_offered_to_who_is_called_only(game: Game, stella: Client) -> None:
    Game.objects.update(listed=False)
    path = f"/api/games/{game.key}/seats/{open_seat(game, 'Ada').index}/"
    hidden, missing = stella.get(path), stella.get("/api/games/nosuchgame/seats/0/")
    assert (hidden.status_code, hidden.content) == (404, missing.content)
    assert stella.post(path).status_code == 404
    send(stella, "stand-by/", {"title": "intrige", "standing": True})
    assert stella.get(path).status_code == 200


@pytest.mark.parametrize("path", ("absences/", "absences/1/", "stand-by/", "games/x/seats/0/"))
def test_guests_forged_requests_and_other_methods_get_nothing(game: Game, path: str) -> None:
    method = Client().delete if path == "absences/1/" else Client().get
    guest = method(f"/api/{path}")
    assert (guest.status_code, set(guest.json())) == (401, {"error"})
    assert client("Ada").put(f"/api/{path}").status_code == 405
    strict = client("Ada", strict=True)
    assert (strict.delete if path == "absences/1/" else strict.post)(f"/api/{path}").status_code == 403
