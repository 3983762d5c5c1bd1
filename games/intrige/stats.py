"""Figures over many ended games, for ``simulate``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import mean

from games.engine.contract import Stats
from games.intrige.rules import outcome
from games.intrige.state import SEATS, State


def stats(finals: Sequence[State]) -> Stats:
    """Mean cash by final rank and by seat, and conflicts, attacks and banishments a game."""
    if not finals:
        return {}

    def per_game(figure: Callable[[State], int]) -> float:
        return round(mean(figure(state) for state in finals), 2)

    ranked = [sorted((purse or 0 for purse in state.cash), reverse=True) for state in finals]
    most = max(len(row) for row in ranked)
    by_place = {str(at + 1): _mean(row[at] for row in ranked if at < len(row)) for at in range(most)}
    by_seat = {SEATS[at]: _mean(state.cash[at] or 0 for state in finals if at < state.seats) for at in range(most)}
    return {
        "cash": _mean(purse for row in ranked for purse in row),
        "cash_by_place": by_place,
        "cash_by_seat": by_seat,
        "no_conflict": per_game(lambda state: state.tally.free),
        "external": per_game(lambda state: state.tally.external),
        "internal": per_game(lambda state: state.tally.internal),
        "attacks": per_game(lambda state: state.tally.attacks),
        "own_attacks": per_game(lambda state: state.tally.own_attacks),
        "lost_seats": per_game(lambda state: state.tally.lost_seats),
        "banished": per_game(lambda state: len(state.island)),
        "shared_wins": per_game(lambda state: int(_shared(state))),
    }


def _shared(state: State) -> bool:
    end = outcome(state)
    return end is not None and end.places.count(1) > 1


def _mean(values: Iterable[int]) -> int:
    return round(mean(values))
