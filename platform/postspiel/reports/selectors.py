"""What pages and mails read of reports."""

from __future__ import annotations

from postspiel.play.models import Game
from postspiel.reports.models import Report


def report_of(game: Game, locale: str) -> Report | None:
    """The report of a game in a language, whatever its state; None if nobody has asked for it yet."""
    return Report.objects.filter(game=game, locale=locale).first()


def reports_of(game: Game) -> list[Report]:
    """All reports of a game, by language."""
    return list(Report.objects.filter(game=game).order_by("locale"))
