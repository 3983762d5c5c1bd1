"""Absences at the opening of a turn: whose counts, and how it moves the deadline (`policies.moves`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from postspiel.accounts.models import Absence
from postspiel.play import policies, positions, readiness, schedule
from postspiel.play.models import DeadlineChange, Game, Seat, Sheet, Turn
from postspiel.play.policies import Move, Span

_NEAR = timedelta(days=2)
"""No zone is so far away that the days of an absence reach further in UTC, the time to come back included."""


def move(turn: Turn, sheets: Collection[Sheet]) -> list[DeadlineChange]:
    """Move the deadline of a turn that opens, not saved yet, out of the absences of those for whom it would wait.

    Returns the rows of the moves, to be saved when the turn is. Queries: one if nobody is away.
    """
    policy, plan = positions.policy_of(turn.game), positions.schedule_of(turn.game)
    seats = [sheet.seat for sheet in sheets if sheet.seat.player_id and not readiness.settled(sheet)]
    if not policy.absence_days or not seats or turn.deadline is None:
        return []
    spans = _spans(seats, turn.deadline)
    left = {seat.pk: days_left(seat, turn.game) for seat in seats} if spans else {}
    moves = policies.moves(plan, turn.deadline, spans, left)
    if moves:
        turn.deadline = moves[-1].new
        turn.reminder = schedule.reminder(plan, turn.opened, turn.deadline)
    return [_row(turn, one) for one in moves]


def days_left(seat: Seat, game: Game) -> timedelta:
    """Return by how much the absences of a seat's player may still move deadlines of the game."""
    mine = DeadlineChange.objects.filter(seat=seat, cause=DeadlineChange.Cause.ABSENCE, made__gte=seat.joined)
    used = sum((change.new - change.old for change in mine), timedelta())
    return max(timedelta(days=positions.policy_of(game).absence_days) - used, timedelta())


def away(players: Collection[int], moment: datetime) -> set[int]:
    """Return those of these players who had announced before a moment that they are away then. One query."""
    return {absence.user_id for absence in _near(players, moment) if absence.made < moment and absence.covers(moment)}


def _spans(seats: Collection[Seat], deadline: datetime) -> list[Span]:
    seat_of = {seat.player_id: seat.pk for seat in seats}
    known = _near([one for one in seat_of if one is not None], deadline, schedule.MOST_MOVED)
    return [Span(seat_of[one.user_id], one.begins, one.ends) for one in known]


def _near(players: Collection[int], moment: datetime, later: timedelta = timedelta()) -> list[Absence]:
    first, last = (moment + later + _NEAR).date(), (moment - _NEAR).date()
    rows = Absence.objects.filter(user__in=players, first__lte=first, last__gte=last)
    return list(rows.select_related("user").order_by("first", "pk"))


def _row(turn: Turn, move: Move) -> DeadlineChange:
    cause = DeadlineChange.Cause.ABSENCE
    return DeadlineChange(turn=turn, old=move.old, new=move.new, cause=cause, seat_id=move.seat, made=turn.opened)
