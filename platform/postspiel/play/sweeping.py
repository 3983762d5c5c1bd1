"""The sweep: finds what is due in the rows, so that no turn hangs on a timer or on a message that got lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from postspiel.play import deadlines, turns
from postspiel.play.models import Turn

log = logging.getLogger(__name__)

BATCH = 500
PAUSE = timedelta(minutes=5)
"""How long a row that raised is left alone."""


def sweep() -> None:
    """Resolve every turn that is due and send every reminder that is; a row that fails is logged and stops no other.

    Overlapping sweeps do no harm: each turn and each reminder is claimed.
    """
    _each("due", turns.advance)
    _each("reminder", deadlines.remind_once)


def _each(column: str, act: Callable[[int], object]) -> None:
    waiting = Turn.objects.filter(status=Turn.Status.OPEN, **{f"{column}__lte": timezone.now()}).order_by(column)
    for turn_id in list(waiting.values_list("pk", flat=True)[:BATCH]):
        try:
            act(turn_id)
        except Exception:
            log.exception("Turn %s raised at its %s; it is tried again in %s.", turn_id, column, PAUSE)
            later = {column: timezone.now() + PAUSE}
            Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN).update(**later)
