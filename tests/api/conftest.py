"""A running game of Intrige between four people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.play.models import Game
from tests.results import played

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _kinds(settings: Settings) -> None:
    settings.MAIL_KINDS = played.MAIL_KINDS | settings.MAIL_KINDS


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still."""
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(db: None, clock: time_machine.Traveller) -> Game:
    """Two turns played; the third waits."""
    game = played.new_game(played.four_players())
    for chance in played.chances(2):
        played.one_turn(game, chance, clock)
    return game


def client(name: str, *, strict: bool = False) -> Client:
    """The browser of a person who is signed in; a strict one needs the token against forgery."""
    browser = Client(enforce_csrf_checks=strict)
    browser.force_login(User.objects.get(display_name=name))
    return browser
