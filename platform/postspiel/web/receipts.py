"""What became of orders that were sent by the form, in the words of the game and of the reader."""

from dataclasses import dataclass

from games.engine.contract import Block
from postspiel.play import selectors
from postspiel.play.models import Seat
from postspiel.play.receipts import Wrong, held_back, reason, verdict, wrong_lines
from postspiel.play.selectors import Understood
from postspiel.web.orders import Asked


@dataclass(frozen=True)
class Receipt:
    """What became of one submission. `current`: the turn that it was for is still open."""

    verdict: str
    sentence: str
    wrong: tuple[Wrong, ...]
    hints: tuple[str, ...]
    missing: tuple[str, ...]
    ignored: tuple[str, ...]
    turn: int | None
    current: bool

    @property
    def to_mend(self) -> str:
        """The lines that were not taken, for the form's text field."""
        return "\n".join(wrong.text for wrong in self.wrong)


@dataclass(frozen=True)
class Foreseen:
    """What would come of orders if nobody else ordered anything."""

    blocks: tuple[Block, ...]
    wrong: tuple[Wrong, ...]
    hints: tuple[str, ...]


def receipt(understood: Understood, asked: Asked, *, turn: int | None, current: bool) -> Receipt:
    """Put what was understood into words."""
    missing = asked.language.examples(understood.owed, asked.locale)
    hints = tuple(reason(problem, asked) for problem in understood.hints)
    wrong = wrong_lines(understood, asked)
    ignored = tuple(text for _line, text in understood.reading.ignored)
    sentence = " ".join(filter(None, (verdict(understood), held_back(understood, asked.locale))))
    return Receipt(understood.verdict, sentence, wrong, hints, missing if current else (), ignored, turn, current)


def foreseen(seat: Seat, asked: Asked, text: str) -> Foreseen:
    """Try orders out without handing them in."""
    understood = selectors.tried(seat, text)
    hints = tuple(reason(problem, asked) for problem in understood.hints)
    return Foreseen(selectors.preview_blocks(seat, understood.sheet), wrong_lines(understood, asked), hints)
