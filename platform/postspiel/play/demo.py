"""A game to try the server with: the first organiser plays Intrige against three bots."""

from __future__ import annotations

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.play import games, seats
from postspiel.play.models import Game
from postspiel.play.schedule import Schedule

TITLE = "intrige"
SIZE = 4


def make_demo_game(player: User) -> Game:
    """Make and start a game of Intrige between a player and three bots, which he organises himself."""
    with transaction.atomic(), translation.override(player.locale):
        game = games.create(
            organiser=player,
            title=TITLE,
            name=_("A first game"),
            size=SIZE,
            options={},
            schedule=Schedule(),
            listed=False,
        )
        seats.join(game=game, player=player)
        for _seat in range(SIZE - 1):
            seats.seat_bot(game=game, index=None, bot=best_bot())
    game.refresh_from_db()
    return game


def best_bot() -> str:
    """Return the name of the title's strongest bot: the last one it lists."""
    return list(registry.title(TITLE).bots)[-1]
