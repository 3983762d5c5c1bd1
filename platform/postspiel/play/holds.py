"""Holding turns back when the server was away or cannot be right, giving the time back, and letting go again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import brake, games, heartbeats, notices, roles, schedule, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import DeadlineChange, Hold, Turn


def look(now: datetime) -> bool:
    """Look whether turns may be resolved now, and hold them or give time back if not; called by every sweep.

    An outage is over when somebody notices it, so it holds nothing: who lost time by it gets it back. A clock that
    cannot be right, and mail that comes back from everybody, hold all games.
    """
    if not brake.applies():
        return True
    before, hold = heartbeats.trusted(), brake.whole()
    if hold is not None:
        return hold.reason == Hold.Reason.CLOCK and brake.believable(before, now) and _let_go(hold, None, now)
    if not brake.believable(before, now):
        _hold_all(Hold.Reason.CLOCK, before or now, now)
        return False
    if brake.mail_comes_back(now):
        _hold_all(Hold.Reason.BOUNCES, now, now)
        return False
    return _go_on(before, now, Hold.Reason.OUTAGE)


def release(*, hold: Hold, who: User) -> None:
    """Let turns go on: all (the host), with their time given back; or a game's (its organiser), at once.

    PlayError for others, and if it was released already.
    """
    now = timezone.now()
    with transaction.atomic():
        if hold.game is None:
            _must_be_host(who)
            freed = _let_go(hold, who, now)
        else:
            roles.must_run(hold.game, who)
            freed = _resolve_now(hold, who, now)
    if not freed:
        raise PlayError(_("That was released already."))


def why(hold: Hold) -> str:
    """Say what the server has seen that made it hold turns back, in the active language."""
    return {
        "outage": _("The server was away for a while; nothing was sent and no turn was played."),
        "clock": _("The server's clock jumped, so nobody can tell who is late."),
        "bounces": _("Mail comes back from most addresses, so something is wrong with the server's own mail."),
        "silence": _("Most players of a game were silent at once, who had handed in before."),
    }[hold.reason]


def _must_be_host(who: User) -> None:
    if not who.is_superuser:
        raise PlayError(_("Only the host may do that."))


def _resolve_now(hold: Hold, who: User, now: datetime) -> bool:
    """Take back what a hold gave to a game's turn: it ends now."""
    turn = turns.claim(hold.game_id or 0)
    if turn is None or turn.pk != hold.turn_id or not _close(hold, who, now):
        return False
    games.note(turn.game, who, "released", turn=turn.number)
    turns.move(turn, now, DeadlineChange(who=who, cause=DeadlineChange.Cause.RELEASE, made=now))
    return True


def _hold_all(reason: Hold.Reason, since: datetime, now: datetime) -> None:
    with transaction.atomic():
        hold, new = Hold.objects.get_or_create(
            game=None, reason=reason, released=None, defaults={"since": since, "made": now}
        )
        if new:
            notices.all_held(hold)


def _let_go(hold: Hold, who: User | None, now: datetime) -> bool:
    """Release a hold of all games, and give back the time that it took; whether this call did it."""
    with transaction.atomic():
        if not _close(hold, who, now):
            return False
        heartbeats.trust(heartbeats.trusted(), now)
        _give_back(hold.since, now, Hold.Reason(hold.reason))
    return True


def _close(hold: Hold, who: User | None, now: datetime) -> bool:
    return Hold.objects.filter(pk=hold.pk, released=None).update(released=now, released_by=who) == 1


def _go_on(before: datetime | None, now: datetime, reason: Hold.Reason) -> bool:
    """Believe the clock, and give time back if the server was away; False if another sweep is doing that."""
    if before is None or not brake.was_away(before, now):
        heartbeats.trust(before, now)
        return True
    with transaction.atomic():
        if not heartbeats.trust(before, now):
            return False
        _give_back(before, now, reason)
    return True


def _give_back(since: datetime, now: datetime, reason: Hold.Reason) -> None:
    """Let no turn end sooner from now on than as long as nothing went (a day at most); tell whom it concerns."""
    least = schedule.given_back(deadline=now, since=since, now=now, most=brake.MOST_BACK)
    near = Turn.objects.filter(status=Turn.Status.OPEN, deadline__lt=least, game__paused=None)
    for game_id in near.order_by("pk").values_list("game", flat=True):
        turn = turns.claim(game_id)
        if turn is not None and turn.deadline is not None and turn.deadline < least:
            turns.hold(turn, least, Hold(reason=reason, since=since, made=now))
