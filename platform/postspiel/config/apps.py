"""The Django app of `postspiel.config`: system checks and the commands that run the server."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Checks of the settings, and the runner."""

    name = "postspiel.config"
    label = "config"

    def ready(self) -> None:
        """Register the checks."""
        from postspiel.config import checks  # noqa: F401, PLC0415 - checks need the settings
