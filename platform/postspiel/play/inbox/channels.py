"""Mail to an address for press: all its new text goes to whom the address stands for; nothing in it is an order."""

from __future__ import annotations

from games.engine import controls
from games.engine.wording import normalise
from postspiel.mail.reading import Answered, Received
from postspiel.play import channels
from postspiel.play.inbox import authority
from postspiel.play.mails import frame
from postspiel.play.models import Channel, Seat


def channel(received: Received) -> Answered:
    """Take one mail to an address for press, under the rules for who may act."""
    one = Channel.objects.select_related("seat__game", "seat__player").get(pk=received.address.object_id)
    return authority.taken(one.seat, received, lambda text: as_block(one.seat, channels.audience(one), text))


def as_block(seat: Seat, to: list[int] | None, text: str) -> str:
    """Return a text as a press block; lines that would end it are left out, so that nothing behind them is an order."""
    spoken = frame.language_of(seat.game)
    names = [spoken.name(spoken.title.about.seats[index], "en") for index in to] if to else ["all"]
    lines = [line for line in text.split("\n") if not controls.is_press_end(normalise(line[:100]))]
    return "\n".join((f"press to {', '.join(names)}:", *lines, "end press")) if text.strip() else ""
