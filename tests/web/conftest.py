"""What page tests share: people, a clock that stands still, mail kinds that need no renderer, games."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from tests.people import hugo, olga, paul, stella
from tests.play_helpers import opened, seed_for_red, seeded

__all__ = ("hugo", "olga", "paul", "stella")

START = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still at START until it is moved."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def winter(olga: User) -> Game:
    """Olga's open game, to be joined by invitation only."""
    return opened(olga, listed=False)


@pytest.fixture
def running(clock: time_machine.Traveller, olga: User, paul: User) -> Game:
    """Olga's game in which Paul plays Red, whose turn is the first, against two bots. Strangers cannot see it."""
    game = opened(olga, listed=False)
    seeded(game, seed_for_red(game))
    services.join_game(game=game, player=paul, invitation=game.invitation)
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    game.refresh_from_db()
    return game
