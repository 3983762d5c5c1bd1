"""Microseconds a decision: whole random games in the engine, beside a plain-Python floor, in the same run.

    python bench/engine.py [TITLE] [--games N] [--seats N] [--json]

A decision is one order of an accepted sheet. The *floor* is a loop that does, for as many turns and decisions as the
games had, only what no program could leave out: draw two random numbers, make one order (a dict), look it up against
what is legal (two comparisons), move money in a list, write down one event (a dict), and once a turn make one new
immutable state (a tuple of tuples). It has no rules, masks, problems, rolls or history, so nobody can reach it; it says
what the machine is worth, so that figures of different machines can be compared. Each side runs several times, turn
about, and the best run counts. The clock is the process's own (CPU time), so that a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.engine import registry
from games.engine.contract import Options, Title
from games.engine.options import complete
from games.engine.playing import game_seed, play

ROUNDS = 5
TARGET = 50.0
CRAFTS = ("A", "P", "S", "D")


def engine(title: Title[Any], options: Options, games: int, seats: int) -> tuple[int, int, int]:
    """Return nanoseconds, turns and decisions of so many games between random bots."""
    bots = [title.bots["random"]] * seats
    began = time.process_time_ns()
    played = [play(title, options, seats, game_seed(1, game), bots) for game in range(games)]
    spent = time.process_time_ns() - began
    return spent, sum(one.turns for one in played), sum(one.decisions for one in played)


def floor(turns: int, decisions: int, seats: int) -> int:
    """Return nanoseconds of the floor for as many turns and decisions."""
    draw = Random(1).random
    state: tuple[Any, ...] = (0, (32_000,) * seats, ())
    left = decisions
    began = time.process_time_ns()
    for turn in range(turns):
        now = left // (turns - turn)
        left -= now
        cash = list(state[1])
        events = []
        for at in range(now):
            seat = at % seats
            order = {"verb": "bribe", "scholar": CRAFTS[int(draw() * 4)], "amount": 1000 * int(1 + draw() * 6)}
            if order["scholar"] in CRAFTS and order["amount"] <= cash[seat]:
                cash[seat] -= order["amount"]
                cash[seat - 1] += order["amount"]
                events.append({"kind": "bribe", "seat": seat, **order})
        state = (turn, tuple(cash), tuple(events))
    return time.process_time_ns() - began


def measure(title: Title[Any], games: int, seats: int) -> dict[str, Any]:
    """Return the figures of the best of several runs, engine and floor turn about."""
    options = complete(title, {}, seats)
    best, least = sys.maxsize, sys.maxsize
    turns = decisions = 0
    for _ in range(ROUNDS):
        spent, turns, decisions = engine(title, options, games, seats)
        best, least = min(best, spent), min(least, floor(turns, decisions, seats))
    mine, bare = best / 1e3 / decisions, least / 1e3 / decisions
    return {
        "title": title.about.slug,
        "games": games,
        "seats": seats,
        "decisions": decisions,
        "us_per_decision": round(mine, 2),
        "floor_us": round(bare, 2),
        "ratio": round(mine / bare, 1),
        "target_us": TARGET,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("title", nargs="?", default="intrige")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = measure(registry.title(chosen.title), chosen.games, chosen.seats)
    if chosen.json:
        print(json.dumps(figures))
        return
    print("{title}, {games} games, {seats} seats, {decisions} decisions".format(**figures))
    print("engine  {us_per_decision:>8} µs a decision (target {target_us})".format(**figures))
    print("floor   {floor_us:>8} µs a decision".format(**figures))
    print("ratio   {ratio:>8}".format(**figures))


if __name__ == "__main__":
    main()
