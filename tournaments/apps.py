"""The Django app of `tournaments`."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Leagues, seasons, tournaments and ladders."""

    name = "tournaments"
    label = "tournaments"
