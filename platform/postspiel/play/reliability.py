"""How reliable players are: of the last turns in which they owed orders, how many they kept (`policies.ratio`)."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from postspiel.accounts.models import User
from postspiel.play import policies
from postspiel.play.models import Sheet, Turn


def of(user: User) -> int | None:
    """Return a person's reliability in percent; None for who is new."""
    return of_all([user.pk])[user.pk]


def of_all(users: Collection[int]) -> dict[int, int | None]:
    """Return the reliability of many people by their ids, in one query.

    The last `policies.RECENT` turns count that are over and in which they owed orders, without misses that are excused.
    """
    owed = Sheet.objects.filter(player__in=users, owes=True, turn__status=Turn.Status.DONE)
    recent = owed.filter(excused="").annotate(
        place=Window(RowNumber(), partition_by=F("player"), order_by=F("pk").desc())
    )
    rows = recent.filter(place__lte=policies.RECENT).values_list("player", "missed")
    kept: dict[int, list[bool]] = {user: [] for user in users}
    for player, missed in rows:
        kept[player].append(not missed)
    return {user: policies.ratio(sum(turns), len(turns)) for user, turns in kept.items()}
