"""Votes of the players: what all who hold a seat agree on is done at once (DESIGN section 4).

They can end the game, pause it and let it go on, and prolong the open turn. Bots and open seats have no vote.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.play import deadlines, ending, games, notices, pausing, positions, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Ballot, Seat, Turn

type Motion = Literal["end", "pause", "resume", "prolong"]

MOTIONS: tuple[Motion, ...] = get_args(Motion.__value__)
END: Motion = "end"


def propose(*, seat: Seat, motion: str) -> bool:
    """Cast this seat's vote; True if with it all agree, so that it was done. Twice is once.

    ``end``: the game ends drawn. ``pause`` and ``resume``: its time stands still, and goes on. ``prolong``: the open
    turn gets once more its length; such votes count for that turn only. PlayError if the game does not run,
    if nobody holds the seat, if there is no such motion, or if it cannot be done now.
    """
    now = timezone.now()
    with transaction.atomic():
        turn = _claim(seat)
        _must_make_sense(turn, motion)
        ballot, new = Ballot.objects.get_or_create(game=turn.game, seat=seat, motion=motion, defaults={"cast": now})
        if new or not _counts(ballot, turn):
            Ballot.objects.filter(pk=ballot.pk).update(cast=now)
            games.note(turn.game, seat.player, f"{motion}-proposed", seat=seat.index)
        return _carry(turn, motion, now)


def withdraw(*, seat: Seat, motion: str) -> None:
    """Take this seat's vote back. PlayError if the game does not run any more."""
    with transaction.atomic():
        turn = _claim(seat)
        gone, _rows = Ballot.objects.filter(seat=seat, motion=motion).delete()
        if gone:
            games.note(turn.game, seat.player, f"{motion}-withdrawn", seat=seat.index)


def propose_end(*, seat: Seat) -> bool:
    """Vote for ending the game (see `propose`)."""
    return propose(seat=seat, motion=END)


def withdraw_end(*, seat: Seat) -> None:
    """Take a vote for ending the game back."""
    withdraw(seat=seat, motion=END)


def end_if_unanimous(turn: Turn, now: datetime) -> bool:
    """End the game of a claimed turn if all who hold a seat have voted so; whether it ended."""
    return _carry(turn, END, now)


def wanted(turn: Turn) -> dict[str, list[int]]:
    """Return which seats have voted for what, by motion, as far as it still counts."""
    found: dict[str, list[int]] = {}
    for ballot in Ballot.objects.filter(game=turn.game_id).select_related("seat").order_by("seat__index"):
        if _counts(ballot, turn):
            found.setdefault(ballot.motion, []).append(ballot.seat.index)
    return found


def _claim(seat: Seat) -> Turn:
    turn = turns.claim(seat.game_id)
    if turn is None:
        raise PlayError(_("This game does not run."))
    seat.refresh_from_db(fields=["player"])
    if seat.player_id is None:
        raise PlayError(_("Nobody holds this seat."))
    return turn


def _must_make_sense(turn: Turn, motion: str) -> None:
    if motion not in MOTIONS:
        raise PlayError(_("One can vote to end the game, to pause it, to let it go on, and for more time."))
    if motion in ("pause", "prolong"):
        pausing.must_go(turn.game)
    if motion == "resume" and turn.game.paused is None:
        raise PlayError(_("This game is not paused."))


def _counts(ballot: Ballot, turn: Turn) -> bool:
    """Whether a vote still counts: one for more time does for the turn in which it was cast."""
    return ballot.motion != "prolong" or ballot.cast >= turn.opened


def _carry(turn: Turn, motion: str, now: datetime) -> bool:
    """Do what all agree on; whether they do."""
    held = set(turn.game.seats.exclude(player=None).values_list("index", flat=True))
    if not held or not held <= set(wanted(turn).get(motion, ())):
        return False
    Ballot.objects.filter(game=turn.game, motion=motion).exclude(motion=END).delete()
    _DO[motion](turn, now)
    return True


def _end(turn: Turn, now: datetime) -> None:
    """End the game. The open turn is not played: it is kept, superseded, with what was handed in for it."""
    turn.status, turn.closed = Turn.Status.SUPERSEDED, now
    turn.save(update_fields=["status", "closed"])
    games.note(turn.game, None, "ended-by-vote")
    seats = list(turn.game.seats.select_related("player").order_by("index"))
    outcome = ending.drawn(turn.game.size)
    ending.finish(game=turn.game, state=positions.state_of(turn), outcome=outcome, seats=seats, now=now)


def _pause(turn: Turn, now: datetime) -> None:
    del now
    pausing.pause(turn, None, "")


def _resume(turn: Turn, now: datetime) -> None:
    del now
    pausing.resume(turn, None, "")


def _prolong(turn: Turn, now: datetime) -> None:
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    new = deadlines.moved(turn, turn.deadline, turns.hours(turn))
    change = pausing.put_deadline(turn, new, now, who=None, why="")
    games.note(turn.game, None, "prolonged", turn=turn.number, before=change.old.isoformat(), after=new.isoformat())
    notices.deadline_moved(turn, turn.game.seats.select_related("player"), change.pk)


_DO = {"end": _end, "pause": _pause, "resume": _resume, "prolong": _prolong}
