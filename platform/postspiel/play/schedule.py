"""When turns end (DESIGN section 4). Pure: time is an argument, all of it in UTC.

A deadline follows from the one before it, so that a game keeps its hour of the day however early its turns end. The
grid of a game are all moments that lie whole steps from the scheduled deadline; a step is what a turn's length and a
day have in common (24 hours if turns last 48). ``docs/turns.md`` states the rule in words.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil, gcd
from typing import Annotated

from msgspec import Meta, Struct

DAY = 24
MOST_MOVED = timedelta(days=14)
"""How far a turn's deadline may be moved in all."""

type Hours = Annotated[int, Meta(ge=1, le=90 * DAY)]


class Schedule(Struct, frozen=True):
    """How long turns last: ordinary ones and the first, in hours; the least time to think; the reminder.

    ``minimum_minutes``: automatic finals alone never end a turn sooner, and no deadline lies closer than that.
    ``reminder_hours`` before the deadline who owes something is reminded (0: nobody is).
    """

    hours: Hours = 72
    first_hours: Hours = 120
    minimum_minutes: Annotated[int, Meta(ge=0, le=7 * DAY * 60)] = 0
    reminder_hours: Annotated[int, Meta(ge=0, le=30 * DAY)] = 24


class Times(Struct, frozen=True):
    """The moments of one turn. ``reminder`` is None if nobody is to be reminded."""

    opened: datetime
    earliest: datetime
    deadline: datetime
    reminder: datetime | None


class TooFar(ValueError):  # noqa: N818 - says what is the matter
    """A deadline cannot be moved that far. ``limit`` is the latest it may be moved to."""

    def __init__(self, limit: datetime) -> None:
        super().__init__(f"A deadline may be moved to {limit} at most.")
        self.limit = limit


def first(schedule: Schedule, now: datetime) -> Times:
    """Return the moments of a game's first turn, which opens now."""
    return times(schedule, now, now + max(timedelta(hours=schedule.first_hours), _minimum(schedule)))


def following(schedule: Schedule, *, scheduled: datetime, deadline: datetime, now: datetime) -> Times:
    """Return the moments of the turn that opens now, after one that was scheduled for ``scheduled``.

    ``deadline`` is the one that was in force at last (later than ``scheduled`` if it was moved). The new deadline is
    the first moment of the grid that leaves a turn's length after the old one, or after now if the turn ended early;
    and after a turn that was resolved late (an outage) still half of a turn's length, and the least time to think.
    """
    length = timedelta(hours=schedule.hours)
    least = max(min(now, deadline) + length, now + length / 2, now + _minimum(schedule))
    return times(schedule, now, on_grid(schedule, scheduled, least))


def on_grid(schedule: Schedule, anchor: datetime, least: datetime) -> datetime:
    """Return the first moment from ``least`` on that lies a whole number of steps from ``anchor``."""
    step = timedelta(hours=gcd(schedule.hours, DAY))
    return anchor + ceil((least - anchor) / step) * step


def times(schedule: Schedule, opened: datetime, deadline: datetime) -> Times:
    """Return the moments of a turn that opened then and is due then."""
    return Times(opened, opened + _minimum(schedule), deadline, reminder(schedule, opened, deadline))


def reminder(schedule: Schedule, now: datetime, deadline: datetime) -> datetime | None:
    """Return when to remind; None if the schedule wants none, or if that moment has passed already."""
    moment = deadline - timedelta(hours=schedule.reminder_hours)
    return moment if schedule.reminder_hours and moment > now else None


def moved(*, scheduled: datetime, deadline: datetime, hours: int) -> datetime:
    """Return a deadline moved by so many hours, at least one. TooFar if it would lie beyond the cap."""
    limit = scheduled + MOST_MOVED
    later = deadline + timedelta(hours=max(hours, 1))
    if later > limit:
        raise TooFar(limit)
    return later


def _minimum(schedule: Schedule) -> timedelta:
    return timedelta(minutes=schedule.minimum_minutes)
