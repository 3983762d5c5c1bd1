"""The position as a file that goes with the mail of a turn, for who asked for it: for programs of a player's own."""

from __future__ import annotations

import msgspec

from postspiel.mail.letters import Attachment
from postspiel.play import positions
from postspiel.play.models import Seat, Turn

NAME = "position.json"


def position_file(seat: Seat, turn: Turn) -> Attachment:
    """Return the masked position as JSON: ``title``, ``rules`` (the version), ``options``, ``game`` (its key), ``turn``
    (its number), ``seat`` (its index, from 0) and ``state`` (the title's own, what the seat may not know blanked).
    """
    told = {
        "title": turn.game.title,
        "rules": positions.title_of(turn.game).about.rules,
        "options": turn.game.options,
        "game": turn.game.key,
        "turn": turn.number,
        "seat": seat.index,
        "state": positions.seen(turn, seat.index),
    }
    return Attachment(NAME, msgspec.json.encode(told, order="deterministic"), "application/json")
