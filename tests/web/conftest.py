"""What page tests share: people, a clock that stands still, mail kinds that need no renderer, games."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

from games.engine import registry, rolls
from games.engine import turns as engine
from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from postspiel.play.schedule import Schedule
from tests.people import hugo, olga, paul, stella

__all__ = ("hugo", "olga", "paul", "stella")

START = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still at START until it is moved."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def opened(organiser: User, *, listed: bool = True, size: int = 3, name: str = "Winter court") -> Game:
    """A game that looks for players."""
    return services.create_game(
        organiser=organiser, title="intrige", name=name, size=size, options={}, schedule=Schedule(), listed=listed
    )


@pytest.fixture
def winter(olga: User) -> Game:
    """Olga's open game, to be joined by invitation only."""
    return opened(olga, listed=False)


def seed_for_red(game: Game) -> bytes:
    """A seed by which Red is drawn to begin."""
    title = registry.title(game.title)
    seeds = (bytes([number]) * 32 for number in range(256))
    return next(
        seed for seed in seeds if title.asks(engine.start(title, game.options, game.size, seed, game.key).state, 0)
    )


@pytest.fixture
def running(clock: time_machine.Traveller, olga: User, paul: User) -> Game:
    """Olga's game in which Paul plays Red, whose turn is the first, against two bots. Strangers cannot see it."""
    game = opened(olga, listed=False)
    seed = seed_for_red(game)
    Game.objects.update(seed=seed, commitment=rolls.commitment(seed))
    services.join_game(game=game, player=paul, invitation=game.invitation)
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    game.refresh_from_db()
    return game
