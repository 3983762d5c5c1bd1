"""The outage brake: what tells that something is wrong with the server, so no turn is resolved (docs/deadlines.md).

Only reads; what is done about it stands in `holds`. `POSTSPIEL_BRAKE_MINUTES` = 0 takes the brake out.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings

from postspiel.mail import selectors as mail
from postspiel.play import heartbeats, positions, readiness
from postspiel.play.models import Hold, Sheet, Turn

FORWARD = timedelta(days=7)
"""So long without a sweep it is likelier that the clock is wrong; the host has to say."""

BACKWARD = timedelta(minutes=10)
"""So far a clock may be put back without anybody minding."""

MOST_BACK = timedelta(days=1)
"""So much time is given back at most."""

WAVE, BOUNCED = timedelta(hours=1), 5
"""So many addresses from which mail came back within this time, and half of all that were written to, are a wave."""

SILENT = 3
"""So many players who owe and are silent, and most of all who owe, are suspicious."""


def applies() -> bool:
    """Whether this server has the brake."""
    return settings.POSTSPIEL_BRAKE_MINUTES > 0


def stands(now: datetime) -> bool:
    """Whether no turn may be resolved now, nor anybody be told that he is late: the next sweep looks into it."""
    if not applies():
        return False
    before = heartbeats.trusted()
    return was_away(before, now) or not believable(before, now) or whole() is not None


def whole() -> Hold | None:
    """Return the hold of all games that is in force."""
    return Hold.objects.filter(game=None, released=None).order_by("pk").first()


def was_away(before: datetime | None, now: datetime) -> bool:
    """Whether the server did nothing for so long that players lost time by it."""
    return before is not None and now - before > timedelta(minutes=settings.POSTSPIEL_BRAKE_MINUTES)


def believable(before: datetime | None, now: datetime) -> bool:
    """Whether the clock may be right, given when it was believed last."""
    return before is None or -BACKWARD <= now - before <= FORWARD


def mail_comes_back(now: datetime) -> bool:
    """Whether mail to most people comes back at once, so that the fault is ours. Not again at once after a release."""
    last = Hold.objects.filter(game=None, reason=Hold.Reason.BOUNCES).order_by("-pk").first()
    since = max(now - WAVE, last.released if last and last.released else now - WAVE)
    bounced = mail.addresses_bounced(since)
    return bounced >= BOUNCED and 2 * bounced >= mail.addresses_written(since)


def silence(turn: Turn, sheets: Collection[Sheet]) -> timedelta | None:
    """Return how much more time a turn should get because most of its players are silent at once; None if none.

    Once a turn, and only if most of the same seats handed in in the turn before: people who left are no outage.
    """
    owing = [sheet for sheet in sheets if sheet.owes and sheet.seat.player_id is not None]
    late = [sheet for sheet in owing if readiness.late(sheet)]
    if not applies() or len(late) < SILENT or 2 * len(late) <= len(owing):
        return None
    if Hold.objects.filter(turn=turn).exists() or not _spoke(turn, [sheet.seat_id for sheet in late]):
        return None
    return min(MOST_BACK, timedelta(hours=positions.schedule_of(turn.game).hours) / 2)


def _spoke(turn: Turn, seats: Collection[int]) -> bool:
    before = Sheet.objects.filter(turn__game=turn.game_id, turn__number=turn.number - 1, seat__in=seats)
    in_time = before.filter(turn__status=Turn.Status.DONE).exclude(status=Sheet.Status.NONE).count()
    return 2 * in_time > len(seats)
