"""What pages, mails and reports read of ladders."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from postspiel.accounts.models import User
from postspiel.play.models import Game
from tournaments.models import RatingChange, Standing
from tournaments.ratings.elo import RULES


class Row(Struct, frozen=True):
    """A line of a ladder. Equal ratings share a rank; ``provisional`` ones still move fast."""

    rank: int
    player_id: int
    name: str
    rating: int
    games: int
    wins: int
    provisional: bool


class Opponent(Struct, frozen=True):
    """What one opponent did to a rating; ``expected`` is the score that the two ratings foretold, 0 to 1."""

    name: str
    rating: int
    score: float
    expected: float
    points: float


class Change(Struct, frozen=True):
    """What one game did to one player's rating, with its reasons."""

    player_id: int
    name: str
    before: int
    after: int
    points: float
    k: int
    pairs: tuple[Opponent, ...]


class Point(Struct, frozen=True):
    """A rating after a game, to be drawn as a curve."""

    game: str
    name: str
    ended: datetime
    rating: int


def ladder(title: str) -> list[Row]:
    """The ladder of a title, best first; empty if nobody has been rated."""
    found = Standing.objects.filter(ladder__title=title).select_related("player").order_by("-rating", "player_id")
    rows: list[Row] = []
    for number, standing in enumerate(found, start=1):
        rating = round(standing.rating)
        rank = rows[-1].rank if rows and rows[-1].rating == rating else number
        rows.append(_row(standing, rank, rating))
    return rows


def changes_of(game: Game) -> list[Change]:
    """What a game did to the ratings of its players, the biggest gain first; empty until it has been rated."""
    found = RatingChange.objects.filter(result__game=game).select_related("player").order_by("player_id")
    names = {change.player_id: change.player.public_name for change in found}
    return sorted((_change(change, names) for change in found), key=lambda change: -change.points)


def history(player: User, title: str) -> list[Point]:
    """A player's rating after each of his games on a ladder, the first one first."""
    found = RatingChange.objects.filter(ladder__title=title, player=player).select_related("result__game")
    return [
        Point(change.result.game.key, change.result.game.name, change.result.ended, round(change.after))
        for change in found.order_by("result_id")
    ]


def _row(standing: Standing, rank: int, rating: int) -> Row:
    name, games = standing.player.public_name, standing.games
    return Row(rank, standing.player_id, name, rating, games, standing.wins, RULES.provisional(games))


def _change(change: RatingChange, names: dict[int, str]) -> Change:
    pairs = tuple(
        Opponent(names[pair["player"]], round(pair["rating"]), pair["score"], pair["expected"], pair["points"])
        for pair in change.pairs
    )
    return Change(
        player_id=change.player_id,
        name=names[change.player_id],
        before=round(change.before),
        after=round(change.after),
        points=change.after - change.before,
        k=round(change.k),
        pairs=pairs,
    )
