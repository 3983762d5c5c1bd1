"""Moving deadlines and reminding people of them. Every move is a row with who, why, old and new, and is capped."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import games, notices, pausing, positions, readiness, roles, schedule, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Act, DeadlineChange, Seat, Turn

PAUSE = timedelta(hours=1)
"""Least time between two reminders by hand of one turn."""


def extend(*, turn: Turn, hours: int, who: User, why: str, expected: datetime | None = None) -> DeadlineChange:
    """Move a turn's deadline by some hours, and tell the players.

    ``expected`` is the deadline that the organiser saw when he decided (default: the one in ``turn``); if another is in
    force, nothing changes, so that a double click or a repeated request moves it once. PlayError also if he does not
    organise the game, if the turn is over, and beyond the cap.
    """
    now = timezone.now()
    with transaction.atomic():
        held = _claim(turn, who)
        if held.deadline != (expected or turn.deadline):
            raise PlayError(_("The deadline has been moved meanwhile; have another look before you move it again."))
        change = _move(held, hours, who, why, now)
        games.note(held.game, who, "extended", turn=held.number, hours=hours, why=change.why)
        notices.deadline_moved(held, held.game.seats.select_related("player"), change.pk)
    return change


def remind(*, turn: Turn, who: User) -> int:
    """Remind everybody who owes something and has handed in nothing; returns how many (he may play himself).

    PlayError if there is nobody, if it was done within the last hour, if the turn is over, and if somebody else
    organises the game.
    """
    with transaction.atomic():
        held = _claim(turn, who)
        if Act.objects.filter(game=held.game, kind="reminded", made__gt=timezone.now() - PAUSE).exists():
            raise PlayError(_("You have reminded them within the last hour."))
        seats = late_seats(held)
        if not seats:
            raise PlayError(_("Everybody who owes something has handed in."))
        act = games.note(held.game, who, "reminded", turn=held.number)
        notices.reminded(held, seats, str(act.pk))
    return len(seats)


def remind_once(turn_id: int) -> bool:
    """Send a turn's own reminder if it is due; once, however many sweeps run. False if there was nothing to do."""
    now = timezone.now()
    with transaction.atomic():
        turn = Turn.objects.select_related("game").filter(pk=turn_id, reminder__lte=now).first()
        if turn is None or turn.reminder is None or not _take_reminder(turn, now):
            return False
        notices.reminded(turn, late_seats(turn), f"due {turn.reminder.timestamp():.0f}")
    return True


def _take_reminder(turn: Turn, now: datetime) -> bool:
    """Claim the reminder that is due, and put the schedule's next one in its place."""
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    due = Turn.objects.filter(pk=turn.pk, status=Turn.Status.OPEN, reminder=turn.reminder, deadline=turn.deadline)
    return due.update(reminder=schedule.reminder(positions.schedule_of(turn.game), now, turn.deadline)) == 1


def late_seats(turn: Turn) -> list[Seat]:
    """Return the seats whose players owe something in this turn and have handed in nothing."""
    sheets = turn.sheets.select_related("seat__player", "seat__game").order_by("seat__index")
    return [sheet.seat for sheet in sheets if readiness.late(sheet)]


def _claim(turn: Turn, who: User) -> Turn:
    held = turns.claim(turn.game_id)
    if held is None or held.pk != turn.pk:
        raise PlayError(_("This turn is over."))
    roles.must_run(held.game, who)
    pausing.must_go(held.game)
    return held


def _move(turn: Turn, hours: int, who: User, why: str, now: datetime) -> DeadlineChange:
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    return pausing.put_deadline(turn, moved(turn, turn.deadline, hours), now, who=who, why=why)


def moved(turn: Turn, old: datetime, hours: int) -> datetime:
    """Return a turn's deadline moved by so many hours. PlayError if that is not later, or beyond the cap."""
    if hours < 1:
        raise PlayError(_("A deadline can only be moved to a later time."))
    try:
        return schedule.moved(scheduled=old - _moved_so_far(turn), deadline=old, hours=hours)
    except schedule.TooFar:
        days = schedule.MOST_MOVED.days
        raise PlayError(_("A deadline can be moved by %(days)s days at most, in all.") % {"days": days}) from None


def _moved_so_far(turn: Turn) -> timedelta:
    """Return by how much people have moved the deadline; time that was given back does not count."""
    moves = DeadlineChange.objects.filter(turn=turn, given_back=False).values_list("old", "new")
    return sum((new - old for old, new in moves), timedelta(0))
