"""The list of what was done with a game: who, when, what."""

from __future__ import annotations

from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.play.models import Act, Game


def note(game: Game, who: User | None, kind: str, **data: str | int | list[str]) -> Act:
    """Add a line to what was done with the game."""
    return Act.objects.create(game=game, who=who, kind=kind, data=data, made=timezone.now())
