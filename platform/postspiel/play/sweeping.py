"""The sweep: finds what is due in the rows, so that no turn hangs on a timer or on a message that got lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from postspiel.play import deadlines, heartbeats, holds, turns
from postspiel.play.models import Game, Turn

log = logging.getLogger(__name__)

BATCH = 500
PAUSE = timedelta(minutes=5)
"""How long a row that raised is left alone."""


def sweep() -> None:
    """Resolve every turn that is due and send every reminder that is; a row that fails is logged and stops no other.

    Nothing of that happens while the outage brake holds (`holds`). Overlapping sweeps do no harm: each turn and each
    reminder is claimed. At its end a sweep leaves its time, so that `doctor` and /readyz can tell that sweeps go on.
    """
    now = timezone.now()
    heartbeats.begin(now)
    if holds.look(now):
        _each("due", turns.advance)
        _each("reminder", deadlines.remind_once)
    heartbeats.end(timezone.now())


def oldest_overdue(now: datetime) -> datetime | None:
    """Return since when the turn that has waited longest should be over; None if none waits.

    A turn that raises is put off again and again; it counts from its deadline all the same.
    """
    running = Turn.objects.filter(status=Turn.Status.OPEN)
    due = running.filter(due__lte=now).order_by("due").values_list("due", flat=True).first()
    late = running.filter(deadline__lte=now, game__status=Game.Status.RUNNING, game__paused=None).order_by("deadline")
    over = (turns.closes(turn) for turn in late.select_related("game").defer("state")[:BATCH])
    return min([moment for moment in (due, *over) if moment is not None and moment <= now], default=None)


def _each(column: str, act: Callable[[int], object]) -> None:
    waiting = Turn.objects.filter(status=Turn.Status.OPEN, **{f"{column}__lte": timezone.now()}).order_by(column)
    for turn_id in list(waiting.values_list("pk", flat=True)[:BATCH]):
        try:
            act(turn_id)
        except Exception:
            log.exception("Turn %s raised at its %s; it is tried again in %s.", turn_id, column, PAUSE)
            later = {column: timezone.now() + PAUSE}
            Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN).update(**later)
