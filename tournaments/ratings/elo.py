"""Elo for games of two and more, by pairs: a game of n is n(n-1)/2 small games of two (DESIGN section 6).

A player's change is ``K * share * sum over opponents of (score - expected)``, where score is 1 above the opponent,
0.5 level with him and 0 below him, and ``expected = 1 / (1 + 10 ** ((opponent - own) / spread))``. The share keeps a
big table from moving more than a small one: 1/(n-1) bounds a game's change by K, and by K/2 among equals. The
other published family, 2/n, is here to be compared with the vectors of others.

A ladder is a replay of the ordered list of results. Annulling or correcting one means to replay without or with it;
changes are never subtracted, because every later expectation stood on the earlier ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log
from typing import Literal, NamedTuple

from msgspec import Struct


class Rules(Struct, frozen=True):
    """The constants of a ladder.

    ``steps`` says how K falls with experience: (games, K) means K until that many games have been rated; behind the
    last step K is ``settled``. Newcomers move fast so that they soon stand where they belong.
    """

    start: float = 1500.0
    spread: float = 400.0
    steps: tuple[tuple[int, float], ...] = ((5, 60.0), (15, 40.0))
    settled: float = 20.0
    share: Literal["1/(n-1)", "2/n"] = "1/(n-1)"

    def k(self, games: int) -> float:
        """K for a player who has ``games`` rated games behind him."""
        for until, k in self.steps:
            if games < until:
                return k
        return self.settled

    def provisional(self, games: int) -> bool:
        """Whether a rating after so many games still moves faster than a settled one."""
        return self.k(games) != self.settled


RULES = Rules()


@dataclass(slots=True)
class Standing:
    """Where a player is: rating in points, rated games, games won (alone or shared)."""

    rating: float
    games: int = 0
    wins: int = 0


class Result(NamedTuple):
    """One game: its number in the list, its rated players, and beside each his place; equal places are ties.

    Make it with `result`, which puts the players in order. ``decided`` False (a draw, or everybody lost) rates like
    any tie, but nobody has won.
    """

    number: int
    players: tuple[int, ...]
    places: tuple[int, ...]
    decided: bool = True


class Played(Struct, frozen=True, gc=False):
    """What one result did: beside each player his rating before and after, and his K."""

    result: Result
    before: list[float]
    after: list[float]
    k: list[float]


class Pair(Struct, frozen=True):
    """One opponent's part in a change: points = K * share * (score - expected)."""

    player: int
    rating: float
    score: float
    expected: float
    points: float


def result(number: int, places: Mapping[int, int], *, decided: bool = True) -> Result:
    """A result from the place of each player.

    Players are put in order, so that the order in which a game lists them cannot reach even the last bit of a sum.
    """
    players = tuple(sorted(places))
    return Result(number, players, tuple(places[player] for player in players), decided)


def replay(results: Iterable[Result], standings: dict[int, Standing], rules: Rules = RULES) -> Iterator[Played]:
    """Play results, in their order, onto ``standings``, which is brought up to date as the iterator advances.

    A player met for the first time begins at ``rules.start``. A result with fewer than two players is passed over: it
    moves nothing and counts for nobody.
    """
    ks = [rules.k(games) for games in range(1 + max((games for games, _ in rules.steps), default=0))]
    scale, last = log(10) / rules.spread, len(ks) - 1
    # A ladder's whole time goes here: plain loops over values that have been fetched once, and no call a player.
    for one in results:
        _, players, places, decided = one
        if len(players) < 2:
            continue
        try:
            rated = [standings[player] for player in players]
        except KeyError:
            rated = [standings.setdefault(player, Standing(rules.start)) for player in players]
        before = [standing.rating for standing in rated]
        strengths = [exp(rating * scale) for rating in before]  # 10 ** (rating / spread), in half the time
        k = [ks[standing.games] if standing.games < last else ks[last] for standing in rated]
        (scores, winners), part, after = _scores(places), share(len(players), rules), []
        for standing, own, rating, gain, worth in zip(rated, strengths, before, scores, k):  # noqa: B905 - all as long
            for other in strengths:
                gain -= own / (own + other)  # noqa: PLW2901
            standing.rating = new = rating + worth * part * gain
            standing.games += 1
            after.append(new)
        if decided:
            for winner in winners:
                rated[winner].wins += 1
        yield Played(one, before, after, k)


def explain(played: Played, rules: Rules = RULES) -> dict[int, tuple[Pair, ...]]:
    """Why each player of one result moved as he did: his pairs, one an opponent."""
    players = played.result.players
    seats = range(len(players))
    return {players[own]: tuple(_pair(played, own, other, rules) for other in seats if other != own) for own in seats}


def share(players: int, rules: Rules = RULES) -> float:
    """What part of K one pair is worth in a game of so many players."""
    return 1.0 / (players - 1) if rules.share == "1/(n-1)" else 2.0 / players


@lru_cache(maxsize=8192)
def _scores(places: tuple[int, ...]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    # Each player's sum of scores, and who is first. In `replay` everybody meets himself too, levelly; so he does here.
    sums = tuple(sum(_score(own, other) for other in places) for own in places)
    return sums, tuple(index for index, place in enumerate(places) if place == 1)


def _score(own: int, other: int) -> float:
    return 1.0 if own < other else 0.0 if own > other else 0.5


def _pair(played: Played, own: int, other: int, rules: Rules) -> Pair:
    (_, players, places, _), before = played.result, played.before
    score = _score(places[own], places[other])
    expected = 1.0 / (1.0 + 10.0 ** ((before[other] - before[own]) / rules.spread))
    points = played.k[own] * share(len(players), rules) * (score - expected)
    return Pair(players[other], before[other], score, expected, points)
