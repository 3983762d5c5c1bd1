"""Ladders: a replay of the ordered list of results (DESIGN section 6)."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Ladder(models.Model):
    """A title's open ladder.

    ``last_result`` is the id of the last result that the standings contain, ``results`` how many they contain, and
    ``id_sum`` the sum of their ids: if the list below ``last_result`` no longer agrees (a result was annulled, or one
    with a lower id was committed later), the ladder is played anew.
    """

    title = models.CharField(max_length=40, unique=True)
    last_result = models.PositiveBigIntegerField(default=0)
    results = models.PositiveIntegerField(default=0)
    id_sum = models.PositiveBigIntegerField(default=0)
    updated = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"ladder of {self.title}"


class Standing(models.Model):
    """A player's rating on a ladder, in Elo points; provisional while ``games`` is small."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="standings")
    rating = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "player"), name="standing_once"),)
        indexes = (models.Index(fields=("ladder", "-rating"), name="standing_by_rating"),)

    def __str__(self) -> str:
        return f"{self.player_id} on {self.ladder_id}: {self.rating:.0f}"


class RatingChange(models.Model):
    """What one result did to one player's rating, so that each change explains itself.

    ``pairs`` has one object an opponent: ``{"player", "rating", "score" (1, 0.5, 0), "expected", "points"}``.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="changes")
    result = models.ForeignKey("play.Result", on_delete=models.CASCADE, related_name="rating_changes")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rating_changes")
    before = models.FloatField()
    after = models.FloatField()
    k = models.FloatField()
    pairs = models.JSONField(default=list)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "result", "player"), name="rating_change_once"),)

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before:.0f} -> {self.after:.0f}"
