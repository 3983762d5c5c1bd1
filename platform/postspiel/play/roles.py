"""Who may do what with a game. An organiser who plays in it sees what his seat sees (DESIGN section 4)."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play.errors import PlayError
from postspiel.play.models import Assistant, Game, Seat

type Somebody = User | AnonymousUser | None


class Role(StrEnum):
    """What somebody is to a game; the first that fits."""

    ORGANISER = "organiser"
    ASSISTANT = "assistant"
    HOST = "host"
    PLAYER = "player"
    GUEST = "guest"


RUNNING = frozenset({Role.ORGANISER, Role.ASSISTANT, Role.HOST})


def role_of(game: Game, user: Somebody) -> Role:
    """Return what somebody is to a game; who runs it and plays in it is named for what he runs."""
    if not isinstance(user, User):
        return Role.GUEST
    if game.organiser_id == user.pk:
        return Role.ORGANISER
    if Assistant.objects.filter(game=game, user=user).exists():
        return Role.ASSISTANT
    if user.is_superuser:
        return Role.HOST
    return Role.PLAYER if plays(game, user) else Role.GUEST


def may_run(game: Game, user: Somebody) -> bool:
    """Whether somebody may do an organiser's acts in a game: its organiser, his assistants, the host."""
    return role_of(game, user) in RUNNING


def may_command(game: Game, user: Somebody) -> bool:
    """Whether somebody has an address for commands in a game: its organiser and his assistants, not the host."""
    return role_of(game, user) in {Role.ORGANISER, Role.ASSISTANT}


def plays(game: Game, user: Somebody) -> bool:
    """Whether somebody holds a seat of the game."""
    return isinstance(user, User) and Seat.objects.filter(game=game, player=user).exists()


def may_reveal(game: Game, user: Somebody) -> bool:
    """Whether somebody may see, for the game's sake, what is hidden from players: who runs it and does not play."""
    return may_run(game, user) and not plays(game, user)


def runs(user: User, game: str = "") -> Q:
    """Return a condition on games: those that a person organises or helps to; or on what has one, by ``game__``."""
    helps = Assistant.objects.filter(user=user).values("game")
    return Q(**{f"{game}organiser": user}) | Q(**{f"{game}pk__in": helps})


def must_run(game: Game, user: User) -> None:
    """PlayError unless the person may do an organiser's acts in the game."""
    if not may_run(game, user):
        raise PlayError(_("Only who organises the game may do that."))


def must_judge(game: Game, user: User) -> None:
    """PlayError unless the person runs the game and has no part in it, so that nobody is judge of his own game."""
    must_run(game, user)
    if plays(game, user):
        raise PlayError(_("You play in this game yourself; another organiser or the host has to do that."))
