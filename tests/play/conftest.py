"""People and games for play's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.play import deadlines, readiness, services
from postspiel.play.models import Game, Seat, Turn
from tests.play import toys

START = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _titles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "titles", registry.titles)
    toys.install()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still at START until it is moved."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def olga(db: None) -> User:
    """Who organises."""
    return User.objects.create_user("olga@example.org", display_name="Olga")


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada@example.org", display_name="Ada")


@pytest.fixture
def bert(db: None) -> User:
    return User.objects.create_user("bert@example.org", display_name="Bert", locale="de")


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("stranger@example.org", display_name="Stranger")


type Make = Callable[..., Game]


@pytest.fixture
def make(olga: User) -> Make:
    """A function that makes a game: title, size, and a schedule of two days a turn unless told otherwise."""

    def made(title: str = "toy", size: int = 2, listed: bool = True, **schedule: Any) -> Game:
        usual: dict[str, Any] = {"hours": 48, "first_hours": 72, "reminder_hours": 24}
        plan = services.Schedule(**usual | schedule)
        return services.create_game(
            organiser=olga, title=title, name="A game", size=size, options={}, schedule=plan, listed=listed
        )

    return made


@pytest.fixture
def duel(clock: time_machine.Traveller, make: Make, ada: User, bert: User) -> Game:
    """A running game of the toy between Ada (seat 0) and Bert (seat 1), begun at START."""
    game = make()
    services.join_game(game=game, player=ada)
    services.join_game(game=game, player=bert)
    game.refresh_from_db()
    return game


def seat(game: Game, index: int) -> Seat:
    return game.seats.select_related("player", "game").get(index=index)


def hand_in(game: Game, index: int, text: str, **more: object) -> services.HandedIn:
    """What the player of a seat hands in by the page, now."""
    one = seat(game, index)
    given = {"door": "form", "writer": one.player, "received": datetime.now(UTC)} | more
    return services.hand_in(seat=one, text=text, **given)  # type: ignore[arg-type]


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def check_owing(game: Game) -> None:
    """A game's open turn knows how many players owe it a sheet."""
    for turn in Turn.objects.filter(game=game, status=Turn.Status.OPEN):
        assert turn.owing == len(deadlines.late_seats(turn)) == turn.sheets.filter(readiness.LATE).count()
