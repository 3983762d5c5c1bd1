"""What pages and mails read of reports."""

from __future__ import annotations

from django.db.models import F, Q

from postspiel.play.models import Game
from postspiel.reports.models import Report

IN_FORCE = Q(game__status=Game.Status.ENDED, due__gte=F("game__ended"))
"""Reports of the end that a game has now: a report is asked for after the end that it is about."""


def report_of(game: Game, locale: str) -> Report | None:
    """The report of a game in a language, whatever its state; None if nobody has asked for it yet."""
    return Report.objects.filter(IN_FORCE, game=game, locale=locale).first()


def reports_of(game: Game) -> list[Report]:
    """All reports of a game, by language."""
    return list(Report.objects.filter(IN_FORCE, game=game).order_by("locale"))
