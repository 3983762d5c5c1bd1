"""Press: what players write to each other, relayed by the platform and kept with the game. Never read as orders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.play import notices, storable
from postspiel.play.errors import PlayError
from postspiel.play.models import Game, Press, Seat, Turn

LONGEST = 8000
MOST_A_DAY = 60


def send(*, seat: Seat, to: Sequence[int] | None, text: str) -> Press:
    """Send a press to these seats (None: to everybody), and mail it to the players among them.

    Who is out of the game may write as long as he holds his seat. PlayError if nobody is named, or a seat that there is
    not, if there is no text or too much of it, and before the start or after the end of the game.
    """
    text = storable.text(text).replace("\r\n", "\n").strip()
    with transaction.atomic():
        game = Game.objects.get(pk=seat.game_id)
        seats = list(game.seats.select_related("player").order_by("index"))
        _must_be_allowed(game, seat, text)
        readers = _readers(seats, seat, to)
        press = Press.objects.create(
            game=game,
            turn=Turn.objects.filter(game=game, status=Turn.Status.OPEN).first(),
            seat=seat,
            to=None if to is None else [reader.index for reader in readers],
            text=text,
            sent=timezone.now(),
        )
        notices.press_came(press, readers)
    return press


def may_read(press: Press, index: int | None) -> bool:
    """Whether a seat (None: a watcher) may read a press. The press's seat must be loaded."""
    return press.to is None or (index is not None and (index == press.seat.index or index in press.to))


def _readers(seats: Collection[Seat], writer: Seat, to: Sequence[int] | None) -> list[Seat]:
    others = [seat for seat in seats if seat.pk != writer.pk]
    if to is None:
        return others
    readers = [seat for seat in others if seat.index in to]
    if not readers:
        raise PlayError(_("Say whom the press is for."))
    if set(to) - {seat.index for seat in seats}:
        raise PlayError(_("There is no such seat in this game."))
    return readers


def _must_be_allowed(game: Game, seat: Seat, text: str) -> None:
    if game.status != Game.Status.RUNNING:
        raise PlayError(_("Press can be sent while the game runs."))
    if not text or len(text) > LONGEST:
        raise PlayError(_("A press needs a text of at most %(most)s characters.") % {"most": LONGEST})
    day = Press.objects.filter(seat=seat, sent__gt=timezone.now() - timedelta(days=1))
    if day.count() >= MOST_A_DAY:
        raise PlayError(_("You have sent %(most)s press today; the next can go tomorrow.") % {"most": MOST_A_DAY})
