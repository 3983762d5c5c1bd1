"""Small titles for play's tests, registered beside the built-in ones in this process only."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine import registry
from games.engine.contract import About, Ask
from tests.engine.toy import State, Toy


class Relay(Toy):
    """The toy, but only one seat a turn is asked, in clockwise order; who is asked may set a number, guess, or pass."""

    about: About = replace(Toy.about, slug="relay")

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        mine = (seen.round - 1) % len(seen.points) == seat
        return super().asks(seen, seat) if mine else ()


class Poll(Toy):
    """The toy, but every second turn is a vote."""

    about: About = replace(Toy.about, slug="poll", votes=True)

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        asked = super().asks(seen, seat)
        return tuple(replace(ask, vote=True) for ask in asked) if seen.round % 2 == 0 else asked


def install() -> None:
    """Make the toys known to the registry."""
    known = {**registry.titles(), "toy": Toy(), "relay": Relay(), "poll": Poll()}
    registry.titles = lambda: known  # type: ignore[assignment]
