"""Seats that a program plays: it knows what a player in its place would know, and hands in as its turn opens."""

from __future__ import annotations

import logging
from typing import Any

from games.engine import rolls, sheets
from games.engine.contract import Sheet, Title
from postspiel.play import models

log = logging.getLogger(__name__)


def orders(title: Title[Any], seen: Any, seat: models.Seat, game: models.Game, number: int) -> Sheet:
    """Return what the seat's bot orders in turn ``number``. What the rules would refuse is left out.

    A bot that raises orders nothing: it is logged, the rules' defaults play the turn, and the game goes on.
    """
    random = rolls.bot_random(bytes(game.seed), game.key, number, seat.index)
    try:
        played = title.bots[seat.bot](seen, seat.index, random)
        return sheets.replace(title, seen, seat.index, played).sheet
    except Exception:
        log.exception("Bot %s of %s raised in turn %s of game %s.", seat.bot, game.title, number, game.key)
        return ()
