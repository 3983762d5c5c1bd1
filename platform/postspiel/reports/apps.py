"""The Django app of `postspiel.reports`."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """The PDF report of a game."""

    name = "postspiel.reports"
    label = "reports"
