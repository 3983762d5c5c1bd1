"""What becomes of missed turns, of absences and of the seats of those who left: terms of a game. Pure.

A policy is chosen when a game is made, said in words before anybody joins (`policy_words`), and stored with it.
``docs/deadlines.md`` has the rules in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated

from msgspec import Meta, Struct

from postspiel.play import clocks
from postspiel.play.schedule import MOST_MOVED, Schedule, on_grid

MOST_DAYS = 60
RECENT = 20
"""So many of the turns that somebody owed orders in last make his reliability."""
FEWEST = 8
"""Who has owed fewer is new: he has no reliability yet, and no limit keeps him out."""

type Few = Annotated[int, Meta(ge=0, le=20)]
type Percent = Annotated[int, Meta(ge=0, le=100)]


class Policy(Struct, frozen=True):
    """The terms of a game about those who are late, away, or gone.

    ``excused``: so many missed turns of a player count for nothing. ``open_after`` so many others in a row his seat is
    opened (0: never). Then people standing by are written to if ``invite``, and the bot ``caretaker`` plays (empty: the
    rules' defaults) until somebody takes over. ``absence_days``: by so many days in all the absences of one player may
    move deadlines (0: absences do not count here). ``least_reliability``: who joins needs so many percent (0: any).
    """

    excused: Few = 1
    open_after: Few = 3
    invite: bool = True
    caretaker: Annotated[str, Meta(max_length=40)] = ""
    absence_days: Annotated[int, Meta(ge=0, le=MOST_DAYS)] = 14
    least_reliability: Percent = 0


USUAL = Policy()
NONE = Policy(excused=0, open_after=0, invite=False, absence_days=0)
"""Of games that were made before there were policies: nothing was agreed on."""


class Span(Struct, frozen=True):
    """A time in which a player is away; ``seat`` is any number that tells players apart."""

    seat: int
    begins: datetime
    ends: datetime


class Move(Struct, frozen=True):
    """One move of a deadline, charged to the seat that is away."""

    seat: int
    old: datetime
    new: datetime


def moves(
    schedule: Schedule, deadline: datetime, spans: Sequence[Span], left: Mapping[int, timedelta]
) -> tuple[Move, ...]:
    """Return how absences move a deadline, one move after the other, until it lies in none that has a say.

    A deadline in an absence, or in the `rest` behind it, moves to the first moment of the schedule that has this rest.
    An absence has no say if its player has not so much time ``left``, or if one turn's deadline would move by more than
    `schedule.MOST_MOVED` in all.
    """
    done: list[Move] = []
    still, latest = dict(left), deadline + MOST_MOVED
    while (move := _next(schedule, deadline, spans, still, latest)) is not None:
        done.append(move)
        deadline = move.new
        still[move.seat] -= move.new - move.old
    return tuple(done)


def rest(schedule: Schedule) -> timedelta:
    """Return how long who comes back has at least: a day, or half of a turn if that is less."""
    return min(timedelta(days=1), timedelta(hours=schedule.hours) / 2)


def at_least(schedule: Schedule, deadline: datetime, least: datetime) -> datetime:
    """Return the first moment not before ``least`` at which the schedule allows a deadline that was ``deadline``."""
    if schedule.clock is not None:
        return clocks.next_from(schedule.clock, least)
    return on_grid(schedule.hours, deadline, least)


def counted(misses: Sequence[bool]) -> int:
    """Return how many misses in a row count against a player. ``misses``: each turn that he owed, the newest first.

    True is a miss that nothing excuses; excused ones must be left out.
    """
    return next((number for number, missed in enumerate(misses) if not missed), len(misses))


def opens(policy: Policy, in_a_row: int) -> bool:
    """Whether a seat is opened whose player has missed so many turns in a row."""
    return 0 < policy.open_after <= in_a_row


def ratio(kept: int, owed: int) -> int | None:
    """Return somebody's reliability in whole percent, rounded down: of the turns he owed, those he kept.

    None if he has owed fewer than `FEWEST`: who is new is neither good nor bad.
    """
    return None if owed < FEWEST else kept * 100 // owed


def admits(policy: Policy, own: int | None, organiser: int | None) -> bool:
    """Whether a person of this reliability may join; nothing is asked of him that the organiser does not keep."""
    wanted = policy.least_reliability if organiser is None else min(policy.least_reliability, organiser)
    return own is None or own >= wanted


def _next(
    schedule: Schedule, deadline: datetime, spans: Sequence[Span], left: Mapping[int, timedelta], latest: datetime
) -> Move | None:
    pause = rest(schedule)
    for span in spans:
        if span.begins <= deadline < span.ends + pause:
            new = at_least(schedule, deadline, span.ends + pause)
            if new <= latest and new - deadline <= left[span.seat]:
                return Move(span.seat, deadline, new)
    return None
