"""What a new server needs before anybody can sign in: its first organiser, and a game to look at."""

import os
import secrets
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from postspiel.accounts.models import Locale, User


class Welcome(NamedTuple):
    """How the first organiser signs in; the password is kept nowhere else."""

    email: str
    password: str


@transaction.atomic
def first_run() -> Welcome | None:
    """Make the first organiser and the demo game; None if somebody runs this server already.

    The demo game is made by the function that `settings.DEMO_GAME` names; it is called with the organiser.
    """
    if User.objects.filter(is_superuser=True).exists():
        return None
    welcome = Welcome(f"organiser@{settings.POSTSPIEL_MAIL_DOMAIN}", secrets.token_urlsafe(9))
    organiser = _organiser(welcome)
    if settings.DEMO_GAME:
        import_string(settings.DEMO_GAME)(organiser)
    return welcome


def _organiser(welcome: Welcome) -> User:
    organiser = User.objects.create_superuser(
        welcome.email, welcome.password, display_name="Organiser", locale=_locale_of_this_machine()
    )
    EmailAddress.objects.create(user=organiser, email=organiser.email, verified=True, primary=True)
    return organiser


def _locale_of_this_machine() -> Locale:
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return Locale.DE if next(filter(None, names), "").startswith("de") else Locale.EN
