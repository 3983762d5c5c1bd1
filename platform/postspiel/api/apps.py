"""The Django app of `postspiel.api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The JSON API and feeds."""

    name = "postspiel.api"
    label = "api"
