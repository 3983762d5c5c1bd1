"""When sweeps ran: how one tells that a server lives, and that it was away for a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from postspiel.play.models import Heartbeat

SWEPT = "sweep"
RESUMED = "resumed"
TRUSTED = "trusted"

PATIENCE = timedelta(minutes=2)
"""How long a due turn waits for mail that was accepted before; and so long without a sweep, a server was away."""


def last_sweep() -> datetime | None:
    """Return when a sweep came to its end last; None if none ever did."""
    return _all().get(SWEPT)


def begin(now: datetime) -> None:
    """Note that a sweep begins; if it is the first one for a while, the server is back from then on."""
    if _was_away(_all(), now):
        _note(RESUMED, now)


def end(now: datetime) -> None:
    """Note that a sweep has come to its end."""
    _note(SWEPT, now)


def trusted() -> datetime | None:
    """Return when the clock was believed last."""
    return _all().get(TRUSTED)


def trust(before: datetime | None, now: datetime) -> bool:
    """Believe the clock, if it was believed last ``before``; of several sweeps at once one is told True."""
    if before is None:
        _row, new = Heartbeat.objects.get_or_create(name=TRUSTED, defaults={"at": now})
        return new
    return Heartbeat.objects.filter(name=TRUSTED, at=before).update(at=now) == 1


def patient(due: datetime, now: datetime) -> bool:
    """Whether a turn that was due then should still wait for mail that was accepted in time.

    Two minutes from when it was due, or from when the server came back: nobody's orders are passed over because they
    lay unread while nothing ran.
    """
    beats = _all()
    return _was_away(beats, now) or max(due, beats.get(RESUMED, due)) > now - PATIENCE


def _was_away(beats: dict[str, datetime], now: datetime) -> bool:
    return SWEPT in beats and beats[SWEPT] < now - PATIENCE


def _note(name: str, now: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"at": now})


def _all() -> dict[str, datetime]:
    return dict(Heartbeat.objects.values_list("name", "at"))
