"""For whom a game exists: listed ones for everybody, others for who plays in them or organises them."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from postspiel.accounts.models import User
from postspiel.play.games import is_free
from postspiel.play.models import Game, Seat, Turn
from postspiel.play.roles import may_run, runs


def visible_game(key: str, user: User | AnonymousUser) -> Game | None:
    """Return the game of that key; None if there is none, or if it is not for this person."""
    seen = Q(listed=True)
    if isinstance(user, User):
        seen |= runs(user) | Q(pk__in=Seat.objects.filter(player=user).values("game"))
    return Game.objects.select_related("organiser").filter(seen, key=key).first()


def invited_game(invitation: str) -> Game | None:
    """Return the game that an invitation is for; whoever has it may see what it is."""
    return Game.objects.select_related("organiser").filter(invitation=invitation).first() if invitation else None


def organised_turn(turn: int, user: User | AnonymousUser) -> Turn | None:
    """Return a turn of a game that this person runs; None for everybody else."""
    if not isinstance(user, User):
        return None
    found = Turn.objects.select_related("game").filter(pk=turn).first()
    return found if found and may_run(found.game, user) else None


def free_seats(game: Game) -> list[Seat]:
    """Return the seats that may be taken before the start."""
    if game.status != Game.Status.OPEN:
        return []
    return [seat for seat in game.seats.order_by("index") if is_free(seat)]
