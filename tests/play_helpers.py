"""Games for tests of pages."""

from games.engine import registry, rolls
from games.engine import turns as engine
from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from postspiel.play.schedule import Schedule


def opened(organiser: User, *, listed: bool = True, size: int = 3, name: str = "Winter court") -> Game:
    """A game that looks for players."""
    return services.create_game(
        organiser=organiser, title="intrige", name=name, size=size, options={}, schedule=Schedule(), listed=listed
    )


def seed_for_red(game: Game) -> bytes:
    """A seed by which Red is drawn to begin."""
    title = registry.title(game.title)
    seeds = (bytes([number]) * 32 for number in range(256))
    return next(
        seed for seed in seeds if title.asks(engine.start(title, game.options, game.size, seed, game.key).state, 0)
    )


def seeded(game: Game, seed: bytes) -> None:
    """Give a game that has not started this seed."""
    Game.objects.filter(pk=game.pk).update(seed=seed, commitment=rolls.commitment(seed))
