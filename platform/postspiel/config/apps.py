"""The Django app of `postspiel.config`: system checks and the commands that run the server."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Checks of the settings, and the runner."""

    name = "postspiel.config"
    label = "config"
