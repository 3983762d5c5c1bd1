"""What a page says, as one text, for tests of pages and of the Prawda."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.engine.contract import Block, Bot, Copy, Event, Grid, Heading, Items, Options, Picture, Text
from games.engine.options import complete
from games.engine.playing import game_seed, play
from games.kreml.state import State
from games.kreml.title import TITLE


def words(blocks: Iterable[Block]) -> str:
    """All that a page says, as one text."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Heading() | Text():
                found.append(block.text)
            case Items():
                found += block.items
            case Grid():
                found += [block.caption, *block.head, *(cell for row in block.rows for cell in row)]
            case Picture():
                found += [block.alt, block.twin]
            case Copy():
                found += block.lines
    return "\n".join(found)


class Game:
    """A whole game between bots: its positions, and the events of each turn (the set-up's first)."""

    def __init__(self, seed: int, seats: int, options: Options, bots: Sequence[Bot[State]] = ()) -> None:
        self.options = complete(TITLE, options, seats)
        players = list(bots) or [TITLE.bots["random"], TITLE.bots["apparatchik"], *[TITLE.bots["random"]] * seats]
        played = play(TITLE, self.options, seats, game_seed(seed, seats), players[:seats], recorded=True)
        assert played.record is not None
        self.states: tuple[State, ...] = played.states
        self.turns: list[tuple[Event, ...]] = [turn.events for turn in played.record.turns]
