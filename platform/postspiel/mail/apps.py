"""The Django app of `postspiel.mail`."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    """Mail out and in: outbox, inbox, addresses, doors; knows no game."""

    name = "postspiel.mail"
    label = "mail"
