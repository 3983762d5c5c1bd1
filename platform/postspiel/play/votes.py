"""Votes of the players: a game ends at once if everybody who holds a seat agrees (DESIGN section 4)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.play import ending, games, positions, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Ballot, Seat, Turn

END = "end"


def propose_end(*, seat: Seat) -> bool:
    """Cast this seat's vote for ending the game; True if that ended it. Bots and open seats have no vote.

    A game that ends so is drawn: all share the first place. PlayError if the game does not run, or if nobody holds the
    seat.
    """
    now = timezone.now()
    with transaction.atomic():
        turn = _claim(seat)
        _ballot, new = Ballot.objects.get_or_create(game=turn.game, seat=seat, motion=END, defaults={"cast": now})
        if new:
            games.note(turn.game, seat.player, "end-proposed", seat=seat.index)
        return end_if_unanimous(turn, now)


def withdraw_end(*, seat: Seat) -> None:
    """Take this seat's vote back. PlayError if the game does not run any more."""
    with transaction.atomic():
        turn = _claim(seat)
        gone, _rows = Ballot.objects.filter(seat=seat, motion=END).delete()
        if gone:
            games.note(turn.game, seat.player, "end-withdrawn", seat=seat.index)


def end_if_unanimous(turn: Turn, now: datetime) -> bool:
    """End the game of a claimed turn if every player who holds a seat has voted so; whether it ended.

    The open turn is not played: it is kept, superseded, with what was handed in for it.
    """
    seats = list(turn.game.seats.select_related("player").order_by("index"))
    held = {seat.pk for seat in seats if seat.player_id is not None}
    votes = set(Ballot.objects.filter(game=turn.game, motion=END).values_list("seat", flat=True))
    if not held or not held <= votes:
        return False
    turn.status, turn.closed = Turn.Status.SUPERSEDED, now
    turn.save(update_fields=["status", "closed"])
    games.note(turn.game, None, "ended-by-vote")
    outcome = ending.drawn(turn.game.size)
    ending.finish(game=turn.game, state=positions.state_of(turn), outcome=outcome, seats=seats, now=now)
    return True


def _claim(seat: Seat) -> Turn:
    turn = turns.claim(seat.game_id)
    if turn is None:
        raise PlayError(_("This game does not run."))
    seat.refresh_from_db(fields=["player"])
    if seat.player_id is None:
        raise PlayError(_("Nobody holds this seat."))
    return turn
