"""Who held a seat in which turns, and whose its result is.

Of those who held a seat the last one scores, also after he has left, until somebody takes it over: so nobody gives a
seat up to escape its result, and who takes over gets what he makes of it.
"""

from __future__ import annotations

from collections.abc import Collection

from postspiel.accounts.models import User
from postspiel.play.models import Game, Occupancy, Seat


def begin(seat: Seat, user: User, number: int) -> Occupancy:
    """Note that somebody takes a seat over in turn ``number``: from now on he scores."""
    Occupancy.objects.filter(seat=seat, scores=True).update(scores=False)
    return Occupancy.objects.create(seat=seat, user=user, from_turn=number)


def end(seat: Seat, number: int, why: str) -> None:
    """Note that a seat's player leaves it in turn ``number``; the seat must still name him."""
    held = Occupancy.objects.filter(seat=seat, until_turn=None)
    if seat.player_id is not None and not held.update(until_turn=number, why=why):
        Occupancy.objects.create(seat=seat, user_id=seat.player_id, from_turn=1, until_turn=number, why=why)


def go_back(game: Game, number: int) -> None:
    """Let who holds seats of a game that is taken back hold them from that turn on, if he came later."""
    Occupancy.objects.filter(seat__game=game, until_turn=None, from_turn__gt=number).update(from_turn=number)


def since(seat: Seat) -> int:
    """Return the turn in which a seat's player took it; 0 in games that began before this was noted."""
    held = Occupancy.objects.filter(seat=seat, until_turn=None).values_list("from_turn", flat=True).first()
    return held or 0


def scorers(seats: Collection[Seat]) -> dict[int, int | None]:
    """Return whose result each seat's is, by the seat's id: of who holds it, or of who held it last."""
    known = Occupancy.objects.filter(seat__in=seats, scores=True).values_list("seat", "user")
    return {seat.pk: seat.player_id for seat in seats} | dict(known)


def last(seat: Seat) -> Occupancy | None:
    """Return who held a seat last, or holds it."""
    return Occupancy.objects.select_related("user").filter(seat=seat).order_by("-pk").first()
