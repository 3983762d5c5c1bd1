"""When turns end (DESIGN section 4). Pure: time is an argument, all of it in UTC.

A deadline follows from the one before it, so that a game keeps its hour of the day however early its turns end. The
grid of a game are all moments that lie whole steps from the scheduled deadline; a step is what a turn's length and a
day have in common (24 hours if turns last 48). A schedule with a `clocks.Clock` has its deadlines where that says
instead. ``docs/deadlines.md`` states the rules in words.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil, gcd
from typing import Annotated

from msgspec import Meta, Struct

from postspiel.play import clocks
from postspiel.play.clocks import Clock

DAY = 24
MOST_MOVED = timedelta(days=14)
"""How far a turn's deadline may be moved in all."""

type Hours = Annotated[int, Meta(ge=1, le=90 * DAY)]
type Before = Annotated[int, Meta(ge=0, le=30 * DAY)]


class Schedule(Struct, frozen=True):
    """How long turns last: ordinary ones and the first, in hours; the least time to think; the reminder.

    ``minimum_minutes``: automatic finals alone never end a turn sooner, and no deadline lies closer than that.
    ``reminder_hours`` before the deadline who owes something is reminded (0: nobody is), and again so long before as
    ``further_reminders`` say. While somebody owes something, a turn stays open ``grace_minutes`` after its deadline.
    With a ``clock``, deadlines are at its hour and on its days, and ``hours`` is what a turn has at least. A turn that
    is a vote has ``vote_hours`` instead of ``hours`` (0: as many).
    """

    hours: Hours = 72
    first_hours: Hours = 120
    minimum_minutes: Annotated[int, Meta(ge=0, le=7 * DAY * 60)] = 0
    reminder_hours: Before = 24
    further_reminders: Annotated[tuple[Before, ...], Meta(max_length=4)] = ()
    grace_minutes: Annotated[int, Meta(ge=0, le=2 * DAY * 60)] = 0
    clock: Clock | None = None
    vote_hours: Annotated[int, Meta(ge=0, le=90 * DAY)] = 0


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
    length, least = timedelta(hours=schedule.first_hours), now + _minimum(schedule)
    if schedule.clock is not None:
        wall = clocks.wall_of(schedule.clock, now) + length
        return times(schedule, now, clocks.next_from(schedule.clock, least, wall))
    return times(schedule, now, max(now + length, least))


def following(
    schedule: Schedule, *, scheduled: datetime, deadline: datetime, now: datetime, vote: bool = False
) -> Times:
    """Return the moments of the turn that opens now; ``vote``: it is a vote.

    ``scheduled`` is any deadline that an ordinary turn of the game was scheduled for. ``deadline`` is the one that was
    in force at last (later than scheduled if it was moved), or when the turn was due if that was before. The new
    deadline is the first moment of the grid that leaves a turn's length after that; and after a turn that was resolved
    late (an outage) still half of a turn's length, and the least time to think. With a clock the length is counted on
    its dial, so that a day of 23 hours is a day.
    """
    hours = (vote and schedule.vote_hours) or schedule.hours
    length, begin = timedelta(hours=hours), min(now, deadline)
    least = max(now + length / 2, now + _minimum(schedule))
    if schedule.clock is not None:
        wall = clocks.wall_of(schedule.clock, begin) + length
        return times(schedule, now, clocks.next_from(schedule.clock, least, wall))
    return times(schedule, now, on_grid(hours, scheduled, max(begin + length, least)))


def coming(schedule: Schedule, now: datetime, count: int = 10) -> tuple[datetime, ...]:
    """Return the first deadlines of a game that would start now, if no turn ended early and none was moved."""
    deadlines = [first(schedule, now).deadline]
    while len(deadlines) < count:
        last = deadlines[-1]
        deadlines.append(following(schedule, scheduled=last, deadline=last, now=last).deadline)
    return tuple(deadlines)


def vote_after(schedule: Schedule, deadline: datetime) -> datetime | None:
    """Return the deadline of a vote that opens when an ordinary turn has ended on time; None if votes last as long."""
    if not schedule.vote_hours:
        return None
    return following(schedule, scheduled=deadline, deadline=deadline, now=deadline, vote=True).deadline


def on_grid(hours: int, anchor: datetime, least: datetime) -> datetime:
    """Return the first moment from ``least`` on that lies whole steps of turns of so many hours from ``anchor``."""
    step = timedelta(hours=gcd(hours, DAY))
    return anchor + ceil((least - anchor) / step) * step


def times(schedule: Schedule, opened: datetime, deadline: datetime) -> Times:
    """Return the moments of a turn that opened then and is due then."""
    return Times(opened, opened + _minimum(schedule), deadline, reminder(schedule, opened, deadline))


def reminder(schedule: Schedule, now: datetime, deadline: datetime) -> datetime | None:
    """Return when to remind next; None if the schedule wants no reminder, or if all those moments have passed."""
    hours = {schedule.reminder_hours, *schedule.further_reminders} - {0}
    moments = (deadline - timedelta(hours=before) for before in hours)
    return min((moment for moment in moments if moment > now), default=None)


def closes(schedule: Schedule, deadline: datetime) -> datetime:
    """Return until when orders count, if somebody owes some at the deadline."""
    return deadline + timedelta(minutes=schedule.grace_minutes)


def ends(schedule: Schedule, moment: datetime) -> datetime:
    """Return when a turn ends for which nobody is waited any more from that moment on."""
    waits = schedule.clock is not None and schedule.clock.wait
    return clocks.next_from(schedule.clock, moment) if schedule.clock and waits else moment


def moved(*, scheduled: datetime, deadline: datetime, hours: int) -> datetime:
    """Return a deadline moved by so many hours, at least one. TooFar if it would lie beyond the cap."""
    limit = scheduled + MOST_MOVED
    later = deadline + timedelta(hours=max(hours, 1))
    if later > limit:
        raise TooFar(limit)
    return later


def stood(*, opened: datetime, since: datetime, now: datetime) -> timedelta:
    """Return how long a turn has stood still in a pause: since that began, or since the turn opened if it was later."""
    return max(now - max(since, opened), timedelta(0))


def given_back(*, deadline: datetime, since: datetime, now: datetime, most: timedelta) -> datetime:
    """Return a deadline after time in which nothing went: not sooner from now on than that was long (``most``)."""
    return max(deadline, now + min(max(now - since, timedelta(0)), most))


def _minimum(schedule: Schedule) -> timedelta:
    return timedelta(minutes=schedule.minimum_minutes)
