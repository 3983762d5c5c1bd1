"""The rows that a mail about a game is written from."""

from __future__ import annotations

from postspiel.mail.models import Outgoing
from postspiel.play.models import Seat, Sheet, Turn


def seat_of(outgoing: Outgoing) -> Seat:
    """Return the seat that a mail is for."""
    return Seat.objects.select_related("game", "player").get(pk=outgoing.object_id or 0)


def turn_of(outgoing: Outgoing) -> Turn:
    """Return the turn that a mail is about."""
    return Turn.objects.select_related("game").get(pk=outgoing.data["turn"])


def sheet_of(seat: Seat, turn: Turn) -> Sheet | None:
    """Return what the seat has handed in for that turn."""
    return Sheet.objects.select_related("turn__game").filter(seat=seat, turn=turn).first()
