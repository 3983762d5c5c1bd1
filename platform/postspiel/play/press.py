"""Press: what players write to each other, relayed by the platform and kept with the game. Never read as orders."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.play import anonymity, notices, storable
from postspiel.play.errors import PlayError
from postspiel.play.models import Game, Press, Seat, Turn

LONGEST = 8000
MOST_A_DAY = 60

# What stands before the token is looked for only where such signs begin: from each of them it would take minutes.
_SECRET_ADDRESS = re.compile(r"(?:(?<![\w.+-])[\w.+-]*)?[a-z2-7]{26}@[\w.-]+", re.IGNORECASE)


class Terms(NamedTuple):
    """What is agreed on about press when a game is made; the fields are those of `Game`."""

    mode: str = Game.PressMode.PRIVATE
    opened: bool = False
    anonymous: bool = False


USUAL = Terms()


def send(*, seat: Seat, to: Sequence[int] | None, text: str, known_as: Collection[str] = ()) -> Press:
    """Send a press to these seats (None: to everybody), and mail it to the players among them.

    Addresses that are keys are taken out of the text. In an anonymous game a text that names its writer (``known_as``:
    also by one of these names) is kept, ``held``, and goes out once it is released. Who is out of the game may write as
    long as he holds his seat. PlayError if nobody else is named, or a seat that there is not, if there is no text or
    too much of it, if the game has no such press, and before the start or after the end of the game.
    """
    text = scrubbed(storable.text(text)).replace("\r\n", "\n").strip()
    with transaction.atomic():
        game = Game.objects.get(pk=seat.game_id)
        seats = list(game.seats.select_related("player", "game").order_by("index"))
        _must_be_allowed(game, seat, to, text)
        readers = _readers(seats, seat, to)
        writer = next(one for one in seats if one.pk == seat.pk)
        press = Press.objects.create(
            game=game,
            turn=_open_turn(game),
            seat=seat,
            to=None if to is None else [reader.index for reader in readers],
            text=text,
            sent=timezone.now(),
            held=game.hides_players and anonymity.names_writer(text, writer, known_as),
        )
        if not press.held:
            notices.press_came(press, readers)
    return press


def release(*, press: Press, seat: Seat) -> None:
    """Send a press that was held because it names its writer. PlayError if it is not his, or cannot go (any more)."""
    with transaction.atomic():
        game = Game.objects.get(pk=seat.game_id)
        _must_be_allowed(game, seat, press.to, press.text)
        held = Press.objects.filter(pk=press.pk, seat=seat, held=True)
        if not held.update(held=False, sent=timezone.now(), turn=_open_turn(game)):
            raise PlayError(_("This press was sent already."))
        seats = game.seats.select_related("player").order_by("index")
        notices.press_came(Press.objects.get(pk=press.pk), _readers(seats, seat, press.to))


def may_read(press: Press, index: int | None) -> bool:
    """Whether a seat (None: a watcher) may read a press. The press's seat and game must be loaded."""
    if press.held:
        return False
    opened = press.game.press_opened and press.game.status == Game.Status.ENDED
    return press.to is None or opened or (index is not None and (index == press.seat.index or index in press.to))


def scrubbed(text: str) -> str:
    """Return a text without reply addresses: who knows one could write in its owner's name."""
    return _SECRET_ADDRESS.sub("(…)", text)


def _open_turn(game: Game) -> Turn | None:
    return Turn.objects.filter(game=game, status=Turn.Status.OPEN).first()


def _readers(seats: Collection[Seat], writer: Seat, to: Sequence[int] | None) -> list[Seat]:
    others = [seat for seat in seats if seat.pk != writer.pk]
    if to is None:
        return others
    readers = [seat for seat in others if seat.index in to]
    if not readers and writer.index in to:
        raise PlayError(_("You cannot write to yourself: name somebody else."))
    if not readers:
        raise PlayError(_("Say whom the press is for."))
    if set(to) - {seat.index for seat in seats}:
        raise PlayError(_("There is no such seat in this game."))
    return readers


def _must_be_allowed(game: Game, seat: Seat, to: Sequence[int] | None, text: str) -> None:
    if game.status != Game.Status.RUNNING:
        raise PlayError(_("Press can be sent while the game runs."))
    if game.press_mode == Game.PressMode.OFF:
        raise PlayError(_("This game is played without press."))
    if game.press_mode == Game.PressMode.PUBLIC and to is not None:
        raise PlayError(_("In this game press goes to everybody or to nobody: write it to all."))
    if not text or len(text) > LONGEST:
        raise PlayError(_("A press needs a text of at most %(most)s characters.") % {"most": LONGEST})
    day = Press.objects.filter(seat=seat, sent__gt=timezone.now() - timedelta(days=1), held=False)
    if day.count() >= MOST_A_DAY:
        raise PlayError(_("You have sent %(most)s press today; the next can go tomorrow.") % {"most": MOST_A_DAY})
