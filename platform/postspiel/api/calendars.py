"""A calendar of deadlines as iCalendar (RFC 5545), for programs that look at its secret address from time to time.

It holds what every watcher of a game may know, in the words of the mails. An alarm rings where the own sheet is
not final yet.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Alarm, Calendar, Event, Timezone
from icalendar.enums import TRANSP

from postspiel.play import selectors, times
from postspiel.play.models import Feed, Turn

LOOK_AGAIN = timedelta(minutes=30)
"""How often a program should look: deadlines are moved, and turns end early."""

USUAL = timedelta(hours=24)
"""Before the deadline, if a game's schedule names no reminder of its own."""


@require_safe
def calendar(_request: HttpRequest, token: str) -> HttpResponse:
    """The calendar of that token; 404 if there is none, any more."""
    feed = selectors.feed_by_token(token)
    if feed is None:
        raise Http404
    headers = {"Content-Disposition": 'inline; filename="postspiel.ics"', "Cache-Control": "private, max-age=300"}
    return HttpResponse(written(feed, timezone.now()), content_type="text/calendar; charset=utf-8", headers=headers)


def written(feed: Feed, now: datetime) -> bytes:
    """A calendar's bytes, in its owner's language and zone."""
    with translation.override(feed.user.locale):
        turns = selectors.feed_turns(feed)
        waiting = selectors.feed_waiting(feed, turns)
        made = Calendar.new(
            name=feed.game.name if feed.game else "Postspiel",
            prodid="-//Postspiel//Postspiel//EN",
            refresh_interval=LOOK_AGAIN,
        )
        made.add("x-published-ttl", LOOK_AGAIN)
        made.add_component(_zone(feed, now))
        for turn in turns:
            made.add_component(_event(feed, turn, rings=turn.pk in waiting, now=now))
    return bytes(made.to_ical())


def _zone(feed: Feed, now: datetime) -> Timezone:
    """The owner's zone; a calendar without deadlines has at least this, since RFC 5545 wants one component."""
    year = timedelta(days=366)
    return Timezone.from_tzid(feed.user.time_zone, first_date=(now - year).date(), last_date=(now + 2 * year).date())


def _event(feed: Feed, turn: Turn, *, rings: bool, now: datetime) -> Event:
    assert turn.deadline is not None  # noqa: S101 - others are in no calendar
    address = settings.POSTSPIEL_URL + reverse("game", args=[turn.game.key])
    number = {"game": turn.game.name, "number": turn.number}
    return Event.new(
        uid=f"{turn.game.key}-{turn.pk}@{urlsplit(settings.POSTSPIEL_URL).hostname}",
        stamp=now,
        start=turn.deadline.astimezone(feed.user.zone),
        summary=_("%(game)s: deadline of turn %(number)s") % number,
        description=f"{_text(feed, turn)}\n{address}",
        url=address,
        transparency=TRANSP.TRANSPARENT,
        subcomponents=_alarms(turn) if rings and turn.game.paused is None else (),
    )


def _text(feed: Feed, turn: Turn) -> str:
    if turn.game.paused is not None:
        return _("The game is paused: its time stands still.")
    return _("Deadline: %(deadline)s") % {"deadline": times.deadline(turn, feed.user.zone, feed.user.locale)}


def _alarms(turn: Turn) -> list[Alarm]:
    """One for each reminder that the schedule names."""
    plan = selectors.schedule_of(turn.game)
    hours = sorted({plan.reminder_hours, *plan.further_reminders} - {0}, reverse=True)
    moments = [timedelta(hours=before) for before in hours] or [USUAL]
    text = _("%(game)s waits for your orders.") % {"game": turn.game.name}
    return [_alarm(before, text) for before in moments]


def _alarm(before: timedelta, text: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -before)
    alarm.add("description", text)
    return alarm
