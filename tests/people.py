"""Named people for tests of pages: an organiser, a player, a stranger, and the host."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from postspiel.accounts.models import User


def person(name: str, **fields: object) -> User:
    user = User.objects.create_user(f"{name.lower()}@example.org", "letters-by-post", display_name=name, **fields)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def olga(db: None) -> User:
    """The organiser."""
    return person("Olga", time_zone="Europe/London")


@pytest.fixture
def paul(db: None) -> User:
    """A player."""
    return person("Paul")


@pytest.fixture
def stella(db: None) -> User:
    """A stranger."""
    return person("Stella", time_zone="America/New_York")


@pytest.fixture
def hugo(db: None) -> User:
    """The host."""
    return person("Hugo", is_superuser=True, is_staff=True)
