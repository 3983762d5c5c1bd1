"""Mail of machines about a player: never answered, but his organisers learn what it tells of him."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from postspiel.mail.models import Address, Incoming
from postspiel.play import notices
from postspiel.play.models import Channel, Game, Seat

type What = Literal["away", "challenge", "silent"]

TELLING: dict[str, What] = {
    "Auto-Submitted": "away",
    "Precedence": "away",
    "an autoresponder": "away",
    "a note of absence": "away",
    "a challenge": "challenge",
}
"""What an automatic mail tells of whom it came from, by why it is automatic (`mail.reading.automatic`)."""


def machine(incoming: Incoming, why: str) -> None:
    """Tell the organisers of a player's running games what a machine of his wrote: he may be away, or get no mail.

    Such answers come to the address of a seat, or to the envelope's sender, which is the reader's own.
    """
    what = TELLING.get(why)
    if what is not None and incoming.address is not None:
        for seat in _seats(incoming.address):
            notices.player_mail(seat, what, incoming)


def _seats(address: Address) -> Iterable[Seat]:
    find: dict[str, Callable[[int], dict[str, object]]] = {
        "seat": lambda number: {"pk": number},
        "channel": lambda number: {"pk__in": Channel.objects.filter(pk=number).values("seat")},
        "bounce": lambda number: {"player": number},
    }
    if address.revoked or address.kind not in find:
        return []
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, player__isnull=False)
    return seats.filter(**find[address.kind](address.object_id)).select_related("game__organiser", "player")
