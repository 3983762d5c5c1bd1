"""A rating over time as a curve of straight lines, for a picture without script."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT, EDGE = 600, 200, 24
LEAST = 100
"""Rating points that the height shows at least, so that small changes stay small."""


class Dot(NamedTuple):
    """A place in the picture with the rating that it stands for."""

    x: int
    y: int
    rating: int


class Curve(NamedTuple):
    """What a template needs to draw: dots, the line through them, and the range of ratings."""

    dots: tuple[Dot, ...]
    line: str
    low: int
    high: int


def curve(ratings: Sequence[int]) -> Curve | None:
    """Lay ratings out from left to right; None for fewer than two."""
    if len(ratings) < 2:
        return None
    low, high = _range(ratings)
    dots = tuple(Dot(_x(at, len(ratings)), _y(rating, low, high), rating) for at, rating in enumerate(ratings))
    return Curve(dots, " ".join(f"{dot.x},{dot.y}" for dot in dots), low, high)


def _range(ratings: Sequence[int]) -> tuple[int, int]:
    low, high = min(ratings), max(ratings)
    missing = max(LEAST - (high - low), 0)
    return low - missing // 2, high + missing - missing // 2


def _x(at: int, count: int) -> int:
    return EDGE + at * (WIDTH - 2 * EDGE) // (count - 1)


def _y(rating: int, low: int, high: int) -> int:
    return HEIGHT - EDGE - (rating - low) * (HEIGHT - 2 * EDGE) // (high - low)
