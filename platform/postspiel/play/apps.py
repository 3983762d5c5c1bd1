"""The Django app of `postspiel.play`."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Games, seats, turns, sheets, events, press and the turn cycle."""

    name = "postspiel.play"
    label = "play"
