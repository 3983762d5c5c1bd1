"""Turns that somebody missed: what counts against him, and when his seat is opened (`policies.Policy`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from postspiel.play import absences, leaving, occupancies, policies, positions, readiness
from postspiel.play.models import Game, Seat, Sheet, Turn
from postspiel.play.policies import Policy

Excuse = Sheet.Excuse


def note(turn: Turn, sheets: Collection[Sheet]) -> list[Seat]:
    """Note who missed a turn that is resolved; returns the seats that the game's policy opens.

    To be called inside of the transaction that resolves it. The seats of the sheets are changed as their rows are.
    """
    missed = [sheet for sheet in sheets if readiness.late(sheet)]
    _forget([sheet.seat for sheet in sheets if sheet.owes and sheet.seat.misses and sheet not in missed])
    if not missed:
        return []
    policy = positions.policy_of(turn.game)
    away = _away(turn, missed, policy)
    for sheet in missed:
        _note(sheet, policy, away=sheet.seat.player_id in away)
    return [sheet.seat for sheet in missed if policies.opens(policy, sheet.seat.misses)]


def open_seats(game: Game, seats: Collection[Seat], number: int, now: datetime) -> None:
    """Open the seats of those who missed too many turns, the last in turn ``number``. Their misses count once."""
    for seat in seats:
        _count_once(seat)
        leaving.vacate(game, seat, number=number, why="missed", who=None, now=now)


def recount(seats: Collection[Seat]) -> None:
    """Count anew how many turns in a row the players of these seats have missed, after turns were taken back."""
    for seat in seats:
        seat.misses = _in_a_row(seat) if seat.player_id is not None else 0
        seat.save(update_fields=["misses"])


def _in_a_row(seat: Seat) -> int:
    return policies.counted(list(owed(seat).filter(excused="").values_list("missed", flat=True)))


def _note(sheet: Sheet, policy: Policy, *, away: bool) -> None:
    seat = sheet.seat
    free = owed(seat).filter(excused=Excuse.FREE).count() < policy.excused
    sheet.missed = True
    sheet.excused = Excuse.ABSENCE if away else Excuse.FREE if free else ""
    sheet.save(update_fields=["missed", "excused"])
    seat.misses = _in_a_row(seat)
    seat.save(update_fields=["misses"])


def owed(seat: Seat) -> QuerySet[Sheet]:
    """Return the turns that are over and in which a seat's player owed orders since he holds it, the newest first."""
    sheets = Sheet.objects.filter(seat=seat, player=seat.player_id, owes=True, turn__status=Turn.Status.DONE)
    return sheets.filter(turn__number__gte=occupancies.since(seat)).order_by("-pk")


def _forget(seats: Collection[Seat]) -> None:
    if seats:
        Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(misses=0)
    for seat in seats:
        seat.misses = 0


def _count_once(seat: Seat) -> None:
    """Let the misses by which a seat is lost count once: nobody is punished twice for the same leaving."""
    row = owed(seat).filter(missed=True, excused="").values_list("pk", flat=True)[: seat.misses]
    Sheet.objects.filter(pk__in=list(row)[1:]).update(excused=Excuse.ONCE)


def _away(turn: Turn, missed: Collection[Sheet], policy: Policy) -> set[int]:
    if not policy.absence_days or turn.deadline is None:
        return set()
    return absences.away([sheet.seat.player_id for sheet in missed if sheet.seat.player_id], turn.deadline)
