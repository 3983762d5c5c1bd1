"""Reports: PDF books of ended games, made by a task outside any transaction."""

from __future__ import annotations

from django.db import models


class Report(models.Model):
    """One PDF of one game in one language. ``claim`` is a fencing token, as with outgoing mail."""

    class State(models.TextChoices):
        QUEUED = "queued"
        MAKING = "making"
        DONE = "done"
        FAILED = "failed"

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="reports")
    locale = models.CharField(max_length=5)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    due = models.DateTimeField()
    claim = models.PositiveIntegerField(default=0)
    claimed = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    file = models.FileField(upload_to="reports/", blank=True)
    made = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=400, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "locale"), name="report_once"),)
        indexes = (models.Index(fields=("state", "due"), name="report_due"),)

    def __str__(self) -> str:
        return f"report of game {self.game_id} in {self.locale} ({self.state})"
