"""A ladder from scratch: our replay beside a loop over openskill's BradleyTerryFull, in one run (DESIGN section 8).

    python bench/ladder.py [--results 1000000] [--oracle 20000] [--players 10000] [--seed 1]

The last line is JSON. openskill is slow, so that it gets fewer results by default; both figures are microseconds of
processor time a result, measured in turns of a twentieth each, because a machine's speed wanders. Target: ratio >= 10.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from openskill.models import BradleyTerryFull

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tournaments.ratings.elo import Result, Standing, replay, result

SIZE = 5
SLICES = 20


def made_up(count: int, players: int, chance: random.Random) -> list[Result]:
    """Results of five, every fifth with a tie for second."""
    ranks = ((1, 2, 3, 4, 5), (1, 2, 2, 4, 5))
    return [
        result(number, dict(zip(chance.sample(range(players), SIZE), ranks[number % 5 == 0], strict=True)))
        for number in range(count)
    ]


class Ours:
    """The replay of this project, onto one table."""

    def __init__(self) -> None:
        self.standings: dict[int, Standing] = {}

    def play(self, results: list[Result]) -> None:
        for played in replay(results, self.standings):
            assert len(played.after) == SIZE


class Theirs:
    """openskill in a loop, onto one table."""

    def __init__(self) -> None:
        self.model = BradleyTerryFull()
        self.table: dict[int, object] = {}

    def play(self, results: list[Result]) -> None:
        for one in results:
            teams = [[self.table.get(player) or self.model.rating()] for player in one.players]
            rated = self.model.rate(teams, ranks=list(one.places))
            for player, team in zip(one.players, rated, strict=True):
                self.table[player] = team[0]


def seconds(work: Callable[[list[Result]], None], results: list[Result]) -> float:
    began = time.process_time()
    work(results)
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--oracle", type=int, default=50_000)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance, own, other = random.Random(given.seed), Ours(), Theirs()
    own_time = other_time = 0.0
    for _ in range(SLICES):
        results = made_up(given.results // SLICES, given.players, chance)
        own_time += seconds(own.play, results)
        other_time += seconds(other.play, results[: given.oracle // SLICES])
    ours, theirs = own_time / given.results * 1e6, other_time / given.oracle * 1e6
    figures = {"results": given.results, "us_per_result": round(ours, 2), "openskill_us_per_result": round(theirs, 2)}
    print(json.dumps(figures | {"seconds": round(own_time, 2), "ratio": round(theirs / ours, 1)}))


if __name__ == "__main__":
    main()
