"""What became of orders that were sent by the form, in the words of the game and of the reader."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.contract import Block
from postspiel.play import selectors
from postspiel.play.models import Seat
from postspiel.play.receipts import Wrong, reason, wrong_lines
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
    sentence = _sentence(understood)
    return Receipt(understood.verdict, sentence, wrong, hints, missing if current else (), ignored, turn, current)


def foreseen(seat: Seat, asked: Asked, text: str) -> Foreseen:
    """Try orders out without handing them in."""
    understood = selectors.tried(seat, text)
    hints = tuple(reason(problem, asked) for problem in understood.hints)
    return Foreseen(selectors.preview_blocks(seat, understood.sheet), wrong_lines(understood, asked), hints)


def _sentence(understood: Understood) -> str:
    if understood.reason:
        return _refusal(understood)
    if understood.verdict == "rejected":
        return _("Nothing of it could be taken. What was on file stays in force.")
    if understood.held_back == "refused":
        return _("Some of it could not be taken, so your sheet is not final yet.")
    if understood.held_back == "missing":
        return _("Something that you owe is missing, so your sheet is not final yet.")
    if understood.verdict == "partial":
        return _("Some of it could not be taken; the rest is on file.")
    return _("All of it was taken.")


def _refusal(understood: Understood) -> str:
    reasons = {
        "late": _("The turn is over: the deadline has passed."),
        "wrong-turn": _("This was written for turn %(named)s, but turn %(open)s is open now. Nothing was changed.")
        % {"named": understood.named, "open": understood.open},
        "not-running": _("The game does not run."),
        "not-yours": _("This is not your seat."),
        "empty": _("There were no orders in it, so nothing has changed."),
    }
    return reasons[understood.reason]
