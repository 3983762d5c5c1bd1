"""What tests of mail share: kinds of their own, two players, an address."""

from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from django.test import override_settings

from postspiel.accounts.models import User
from postspiel.mail import services
from postspiel.mail.models import Address
from tests.mail import kinds


@pytest.fixture(autouse=True)
def _kinds() -> Iterator[None]:
    kinds.heard.clear()
    kinds.rendered.clear()
    with override_settings(
        MAIL_KINDS=kinds.MAIL_KINDS,
        ADDRESS_KINDS=kinds.ADDRESS_KINDS,
        POSTSPIEL_MAIL_DOMAIN="play.example.org",
        POSTSPIEL_MAIL_FROM="Postspiel <postspiel@play.example.org>",
        POSTSPIEL_MAIL_SCHEME="plus",
        POSTSPIEL_MAIL_WORD="",
        POSTSPIEL_SMTP=None,
    ):
        yield


@pytest.fixture
def ada(db: None) -> User:
    """A player who reads German."""
    user = User.objects.create_user("ada@example.com", display_name="Ada", locale="de", time_zone="Europe/Berlin")
    EmailAddress.objects.create(user=user, email="ada@example.com", verified=True, primary=True)
    EmailAddress.objects.create(user=user, email="ada@work.example", verified=True)
    EmailAddress.objects.create(user=user, email="ada@unsure.example", verified=False)
    return user


@pytest.fixture
def ben(db: None) -> User:
    """A player who was made by an invitation, without a row for his address."""
    return User.objects.create_user("ben@example.com", display_name="Ben", time_zone="America/New_York")


@pytest.fixture
def address(db: None) -> Address:
    """What answers are sent to."""
    return services.address_for("echo", 7)
