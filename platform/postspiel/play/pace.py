"""A schedule in words, in the active language: what everybody reads before he joins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.dates import WEEKDAYS
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from postspiel.play import times
from postspiel.play.clocks import EVERY_DAY, Clock
from postspiel.play.schedule import Schedule


def sentence(schedule: Schedule) -> str:
    """Return how long turns last, when they end, and when who is late is reminded: all that a schedule says."""
    return " ".join(_sentences(schedule))


def span(hours: int) -> str:
    """Return a number of hours in words, in days where they are whole."""
    days, rest = divmod(hours, 24)
    if rest or not days:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def pause(minutes: int) -> str:
    """Return a number of minutes in words, in hours and days where they are whole."""
    return _("%(count)s minutes") % {"count": minutes} if minutes % 60 else span(minutes // 60)


def _sentences(schedule: Schedule) -> Iterator[str]:
    yield from _clock(schedule, schedule.clock) if schedule.clock else _length(schedule)
    if schedule.vote_hours:
        yield _("A turn in which only a vote is taken lasts %(time)s instead.") % {"time": span(schedule.vote_hours)}
    if schedule.grace_minutes:
        yield _("While orders are owed, it stays open for %(time)s more.") % {"time": pause(schedule.grace_minutes)}
    if schedule.minimum_minutes:
        yield _("It never ends by itself before %(count)s minutes.") % {"count": schedule.minimum_minutes}
    reminders = sorted({schedule.reminder_hours, *schedule.further_reminders} - {0}, reverse=True)
    if reminders:
        before = _listed([span(hours) for hours in reminders], _("%(some)s and %(last)s"))
        yield _("A reminder comes %(time)s before the deadline.") % {"time": before}


def _length(schedule: Schedule) -> Iterator[str]:
    words = {"time": span(schedule.hours), "first": span(schedule.first_hours)}
    if schedule.hours == schedule.first_hours:
        yield _("A turn lasts %(time)s at most.") % words
    else:
        yield _("A turn lasts %(time)s at most, the first one %(first)s.") % words


def _clock(schedule: Schedule, clock: Clock) -> Iterator[str]:
    words = {"time": span(schedule.hours), "first": span(schedule.first_hours)}
    if schedule.hours == schedule.first_hours:
        yield _("A turn lasts %(time)s, and then until the next deadline.") % words
    else:
        yield _("A turn lasts %(time)s, the first one %(first)s, and then until the next deadline.") % words
    yield _days(clock) % {"hour": f"{clock.time:%H:%M}", "zone": clock.zone, "days": _weekdays(clock)}
    if clock.off:
        days = [times.day(day, get_language()) for day in sorted(clock.off)]
        yield _("None is on %(days)s.") % {"days": _listed(days, _("%(some)s or %(last)s"))}
    if clock.wait:
        yield _("If everybody is final before, the turn ends at the next such hour.")


def _days(clock: Clock) -> str:
    if set(clock.weekdays) == set(EVERY_DAY):
        return _("Deadlines are at %(hour)s (%(zone)s), on any day.")
    return _("Deadlines are at %(hour)s (%(zone)s), on these days: %(days)s.")


def _weekdays(clock: Clock) -> str:
    return ", ".join(str(WEEKDAYS[day]) for day in sorted(set(clock.weekdays)))


def _listed(words: Sequence[str], join: str) -> str:
    *some, last = words
    return join % {"some": ", ".join(some), "last": last} if some else last
