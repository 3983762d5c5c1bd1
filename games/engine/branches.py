"""Runs of a game that a rollback took back: each turn of a record's `superseded` is played again, and finds its place.

A record lists these turns by number; which position each began from is not written. It is the one from which the turn
comes out as it is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from games.engine import records, registry
from games.engine.contract import Locale
from games.engine.records import Record, RecordError, TurnRecord, Verification, play_again, replay_steps
from games.engine.texts import text
from games.engine.turns import Step, state_hash


class AstrayError(RecordError):
    """A turn that was taken back follows from no position of its game."""

    def __init__(self, turn: int, locale: Locale = "en") -> None:
        super().__init__(text(locale, "verify.astray", {"turn": turn}))
        self.turn = turn


class Branch(Struct):
    """A turn that was taken back: the position it began from, what came of it, and the runs that followed it."""

    turn: TurnRecord
    before: Any
    step: Step
    then: list[Branch] = field(default_factory=list)


def branches(record: Record, steps: Sequence[Step]) -> list[Branch]:
    """Return the runs that were taken back, each after the turn it followed, in the order in which they were played.

    ``steps`` are those of the game that counts, from the set-up on. AstrayError if a turn follows from no position of
    the game.
    """
    roots: list[Branch] = []
    placed: list[Branch] = []
    for turn in sorted(record.superseded, key=lambda turn: turn.number):
        placed.append(_place(record, turn, steps, placed, roots))
    return roots


def verify(record: Record, locale: Locale = "en") -> Verification:
    """Check everything that a record claims (`records.verify`), and play the runs that were taken back again, too.

    These are left out if any turn was played under other rules than today's, as its notes then say.
    """
    found = records.verify(record, locale)
    rules = {turn.rules for turn in (*record.turns, *record.superseded)}
    if not found.ok or rules != {registry.title(record.title).about.rules}:
        return found
    try:
        branches(record, list(replay_steps(record)))
    except AstrayError as wrong:
        return Verification(ok=False, findings=(str(AstrayError(wrong.turn, locale)),), notes=found.notes)
    return found


def in_order(roots: Sequence[Branch]) -> Iterator[Branch]:
    """Yield all branches as they were played: each before what followed it."""
    waiting = list(reversed(roots))
    while waiting:
        branch = waiting.pop()
        yield branch
        waiting.extend(reversed(branch.then))


def _place(
    record: Record, turn: TurnRecord, steps: Sequence[Step], placed: Sequence[Branch], roots: list[Branch]
) -> Branch:
    for before, then in _parents(turn.number, steps, placed, roots):
        step = _step(record, turn, before)
        if step is not None:
            branch = Branch(turn, before, step)
            then.append(branch)
            return branch
    raise AstrayError(turn.number)


def _parents(
    number: int, steps: Sequence[Step], placed: Sequence[Branch], roots: list[Branch]
) -> Iterator[tuple[Any, list[Branch]]]:
    """Yield the positions that a turn of that number can have begun from, and the list of what followed each."""
    for branch in placed:
        if branch.turn.number == number - 1:
            yield branch.step.state, branch.then
    if 1 <= number <= len(steps):
        yield steps[number - 1].state, roots


def _step(record: Record, turn: TurnRecord, before: Any) -> Step | None:
    """Return what comes of a turn from a position; None if that is not what the record says."""
    try:
        step = play_again(record, turn, before)
    except RecordError:
        return None
    told = (turn.state_hash, turn.events, turn.kept, turn.outcome)
    return step if (state_hash(step.state), step.events, step.kept, step.outcome) == told else None
