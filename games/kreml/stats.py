"""Figures over many ended games, for ``simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from games.engine.contract import Stats
from games.kreml.data import NESTOR
from games.kreml.state import FIRST_YEAR, State

ENDS = ("three_waves", "1960", "1961", "nestor", "draw")


def stats(finals: Sequence[State]) -> Stats:
    """Years and turns a game, how games end (shares that sum to 1), parades passed, contests and takeovers a year."""
    if not finals:
        return {}
    years = [state.year - FIRST_YEAR + 1 for state in finals]
    ends = [_end(state) for state in finals]
    return {
        "years": round(mean(years), 2),
        "turns": round(mean(state.tally.turns for state in finals), 2),
        "ends": {end: ends.count(end) / len(ends) for end in ENDS},
        "parades_passed": round(_share(finals), 4),
        "contests_a_year": round(sum(state.tally.contests for state in finals) / sum(years), 2),
        "takeovers_a_year": round(sum(state.tally.takeovers for state in finals) / sum(years), 2),
    }


def _share(finals: Sequence[State]) -> float:
    return sum(state.tally.passed for state in finals) / max(1, sum(state.tally.parades for state in finals))


def _end(state: State) -> str:
    if state.ending is None:
        return "draw"
    return "nestor" if state.ending.who == NESTOR else state.ending.reason
