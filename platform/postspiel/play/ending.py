"""How a game ends: its last position, its outcome, and one row in the list that ladders and reports read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import msgspec

from games.engine import turns as engine
from games.engine.contract import Outcome
from postspiel.play import notices, occupancies, positions
from postspiel.play.models import Game, Result, Seat


def finish(*, game: Game, state: Any, outcome: Outcome, seats: Collection[Seat], now: datetime) -> None:
    """End a running game with this position and this outcome, append its result, and tell everybody."""
    game.status = Game.Status.ENDED
    game.rules = positions.title_of(game).about.rules
    game.ended = now
    game.final_state = engine.encode_state(state)
    game.outcome = msgspec.to_builtins(outcome)
    game.save(update_fields=["status", "rules", "ended", "final_state", "outcome"])
    Result.objects.create(
        game=game, title=game.title, entries=entries(seats, outcome), decided=outcome.decided, ended=now
    )
    notices.game_ended(game, seats)


def entries(seats: Collection[Seat], outcome: Outcome) -> list[dict[str, int | str | None]]:
    """Return a result's entries, one a seat: who scores for it (`occupancies`), the bot there, place and score."""
    scorers = occupancies.scorers(seats)
    return [
        {
            "seat": seat.index,
            "user": scorers[seat.pk],
            "bot": seat.bot,
            "place": outcome.places[seat.index],
            "score": outcome.scores[seat.index],
        }
        for seat in seats
    ]


def drawn(size: int) -> Outcome:
    """Return the outcome of a game that its players agree to end: nobody won, all share the first place."""
    return Outcome(places=(1,) * size, scores=(0,) * size, decided=False)
