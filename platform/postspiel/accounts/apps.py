"""The Django app of `postspiel.accounts`."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People: who they are, their language, time zone, addresses and absences."""

    name = "postspiel.accounts"
    label = "accounts"
