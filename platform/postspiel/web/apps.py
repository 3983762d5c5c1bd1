"""The Django app of `postspiel.web`."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The pages."""

    name = "postspiel.web"
    label = "web"
