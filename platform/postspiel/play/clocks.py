"""Deadlines at one hour of the day, in the time of one place, on certain days. Pure; moments are in UTC.

``docs/deadlines.md`` states the rule in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
MOST_OFF = 60

_DAY = timedelta(days=1)

type Weekday = Annotated[int, Meta(ge=0, le=6)]


class Clock(Struct, frozen=True):
    """When deadlines may be: at a minute of the day in an IANA zone, on weekdays (0: Monday), on no day ``off``.

    ``wait``: a turn for which everybody is final early ends at the next such moment, not at once.
    """

    zone: Annotated[str, Meta(min_length=1, max_length=64)]
    minute: Annotated[int, Meta(ge=0, lt=24 * 60)] = 20 * 60
    weekdays: Annotated[tuple[Weekday, ...], Meta(min_length=1, max_length=7)] = EVERY_DAY
    off: Annotated[tuple[date, ...], Meta(max_length=MOST_OFF)] = ()
    wait: bool = False

    @property
    def time(self) -> time:
        """The hour of the deadlines."""
        return time(*divmod(self.minute, 60))


def next_from(clock: Clock, least: datetime, wall: datetime = datetime.min) -> datetime:  # noqa: DTZ901 - a wall time
    """Return the first deadline that lies neither before a moment nor before a wall time of the clock's zone."""
    begin = max(wall.date(), least.astimezone(ZoneInfo(clock.zone)).date() - _DAY)
    return next(
        moment
        for day in _days(clock, begin)
        if datetime.combine(day, clock.time) >= wall and (moment := moment_on(clock, day)) >= least
    )


def moment_on(clock: Clock, day: date) -> datetime:
    """Return the moment of the clock's hour on a day.

    Where the day leaves the hour out, or has it twice, it is the later reading (RFC 5545, 3.3.5, for the first case):
    nobody is late because he read it the other way.
    """
    wall, zone = datetime.combine(day, clock.time), ZoneInfo(clock.zone)
    return max(wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def wall_of(clock: Clock, moment: datetime) -> datetime:
    """Return what the clock is meant to show at a moment: a deadline's own hour, even if the day leaves it out."""
    wall = moment.astimezone(ZoneInfo(clock.zone)).replace(tzinfo=None)
    meant = (day for day in (wall.date(), wall.date() - _DAY) if moment_on(clock, day) == moment)
    return next((datetime.combine(day, clock.time) for day in meant), wall)


def _days(clock: Clock, begin: date) -> Iterator[date]:
    """Yield the days from one on that may have a deadline: never-ending, as ``off`` names some days only."""
    while True:
        if begin.weekday() in clock.weekdays and begin not in clock.off:
            yield begin
        begin += _DAY
