"""Games whose time stands still: paused by who runs them or by all players, and going on with the time given back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import games, notices, positions, roles, schedule, storable, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Act, DeadlineChange, Game, Turn


def pause_game(*, game: Game, who: User, why: str) -> Act:
    """Let a running game's time stand still, and tell everybody. Orders may be given meanwhile; nothing is resolved.

    PlayError if it does not run, if it is paused already, or if the person does not run it.
    """
    with transaction.atomic():
        turn = running(game)
        roles.must_run(turn.game, who)
        return pause(turn, who, why)


def resume_game(*, game: Game, who: User, why: str = "") -> Act:
    """Let a paused game go on: the open turn's deadline moves by as long as it stood. PlayError if it is not paused."""
    with transaction.atomic():
        turn = running(game)
        roles.must_run(turn.game, who)
        return resume(turn, who, why)


def running(game: Game) -> Turn:
    """Take a running game's open turn for writing; PlayError if the game does not run."""
    turn = turns.claim(game.pk)
    if turn is None:
        raise PlayError(_("This game does not run."))
    return turn


def must_go(game: Game) -> None:
    """PlayError if the game is paused."""
    if game.paused is not None:
        raise PlayError(_("This game is paused; let it go on first."))


def pause(turn: Turn, who: User | None, why: str) -> Act:
    """Pause the game of a claimed turn, and tell everybody. PlayError if it is paused already."""
    must_go(turn.game)
    stop(turn, timezone.now())
    return _told(turn, "paused", who, why)


def resume(turn: Turn, who: User | None, why: str) -> Act:
    """Let the game of a claimed turn go on, and tell everybody. PlayError if it is not paused."""
    if turn.game.paused is None:
        raise PlayError(_("This game is not paused."))
    change = go_on(turn, timezone.now(), who=who, why=why)
    return _told(turn, "resumed", who, why, before=change.old.isoformat(), after=change.new.isoformat())


def stop(turn: Turn, since: datetime) -> None:
    """Let the time of a claimed turn's game stand still from a moment on: it is due at no time, nobody is reminded."""
    turn.game.paused = since
    turn.game.save(update_fields=["paused"])
    turn.due = turn.reminder = None
    turn.save(update_fields=["due", "reminder"])


def go_on(turn: Turn, now: datetime, *, who: User | None, why: str = "") -> DeadlineChange:
    """Let a paused game's time run again, and give the open turn back what was lost of it."""
    since = turn.game.paused
    assert since is not None  # noqa: S101 - the caller has looked
    assert turn.deadline is not None and turn.earliest is not None  # noqa: S101, PT018 - only the set-up has none
    turn.game.paused = None
    turn.game.save(update_fields=["paused"])
    lost = schedule.stood(opened=turn.opened, since=since, now=now)
    turn.earliest += lost
    turn.save(update_fields=["earliest"])
    return put_deadline(turn, turn.deadline + lost, now, who=who, why=why, given_back=True)


def put_deadline(
    turn: Turn, new: datetime, now: datetime, *, who: User | None, why: str, given_back: bool = False
) -> DeadlineChange:
    """Give a claimed turn another deadline; the row of the change says who and why."""
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    old, turn.deadline = turn.deadline, new
    if given_back or turn.reminder is not None:
        turn.reminder = schedule.reminder(positions.schedule_of(turn.game), now, new)
    turn.save(update_fields=["deadline", "reminder"])
    turns.reckon(turn, now)
    reason = storable.text(why)[:200]
    return DeadlineChange.objects.create(
        turn=turn, old=old, new=new, who=who, why=reason, given_back=given_back, made=now
    )


def _told(turn: Turn, kind: str, who: User | None, why: str, **data: str) -> Act:
    game = turn.game
    act = games.note(game, who, kind, turn=turn.number, why=storable.text(why)[:200], **data)
    notices.acted(act, game.seats.select_related("player"))
    return act
