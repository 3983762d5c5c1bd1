"""When a turn is resolved: at its deadline, or as soon as nobody is waited for any more (DESIGN section 4). Pure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q

from postspiel.play import positions, schedule
from postspiel.play.models import Sheet, Turn

SETTLE = timedelta(seconds=2)
"""After the deadline: what was accepted in its very second must have been written before the turn is closed."""


def due(turn: Turn, sheets: Collection[Sheet], now: datetime) -> datetime | None:
    """Return when to resolve the turn as its sheets stand now. The sheets' seats and the turn's game must be loaded.

    Once everybody is final: at once, or at the schedule's next hour; but if nobody did that by hand (bots, `always
    done`, open seats), not before the least time to think is over, so that the others can write to each other and
    change their minds. Else at the deadline, or when the grace is over if a person owes something. None while the game
    is paused.
    """
    if turn.game.paused is not None:
        return None
    assert turn.deadline is not None and turn.earliest is not None  # noqa: S101, PT018 - only the set-up has none
    plan = positions.schedule_of(turn.game)
    if not all(settled(sheet) for sheet in sheets):
        return (schedule.closes(plan, turn.deadline) if any(map(late, sheets)) else turn.deadline) + SETTLE
    if turn.due is not None and turn.due <= now:
        return turn.due
    ready = now if any(by_hand(sheet) for sheet in sheets) else max(now, turn.earliest)
    return min(turn.deadline + SETTLE, schedule.ends(plan, ready))


def settled(sheet: Sheet) -> bool:
    """Whether nobody waits for this sheet: it is final, or nothing was asked, or nobody holds the seat."""
    return sheet.status == Sheet.Status.FINAL or not sheet.asked or is_open(sheet)


def by_hand(sheet: Sheet) -> bool:
    """Whether a person made this sheet final in this turn."""
    return sheet.asked and sheet.status == Sheet.Status.FINAL and not sheet.automatic


def late(sheet: Sheet) -> bool:
    """Whether a person owes something here and has handed in nothing yet."""
    return sheet.owes and sheet.status == Sheet.Status.NONE and sheet.seat.player_id is not None


LATE = Q(owes=True, status=Sheet.Status.NONE, seat__player__isnull=False)
"""`late`, as a condition on rows."""


def owing(sheets: Collection[Sheet]) -> int:
    """Return of how many sheets a person is late."""
    return sum(map(late, sheets))


def is_open(sheet: Sheet) -> bool:
    """Whether neither a player nor a bot holds the sheet's seat, so that it is played by the rules' defaults."""
    return sheet.seat.player_id is None and not sheet.seat.bot
