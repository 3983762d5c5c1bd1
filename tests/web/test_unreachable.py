"""Mail that comes back: its reader and his organiser see it, and the reader ends it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import selectors
from postspiel.mail.models import Mailbox
from postspiel.play.models import Game

pytestmark = pytest.mark.django_db

RESTS = "Mail to your address came back"
UNREACHED = '<span class="badge bad">mail comes back</span>'


def page(client: Client, name: str) -> str:
    return client.get(reverse(name)).content.decode()


def test_a_player_whose_mail_comes_back_and_his_organiser_are_told_until_he_mends_it(
    client: Client, olga: User, paul: User, stella: User, running: Game
) -> None:
    now = timezone.now()
    Mailbox.objects.create(address=paul.email, owner=paul, bounces=3, last=now, suspended=now, said="failed 5.1.1")
    client.force_login(olga)
    assert UNREACHED in page(client, "organiser")
    assert running.name in page(client, "organiser").partition(UNREACHED)[0]
    client.force_login(stella)
    assert UNREACHED not in page(client, "organiser")
    assert RESTS not in page(client, "my-mails")
    client.post(reverse("resume-mail"))
    assert selectors.suspended(paul) is not None, "nobody else ends it"

    client.force_login(paul)
    assert RESTS in page(client, "my-mails")
    assert "failed 5.1.1" in page(client, "my-mails")
    assert client.get(reverse("resume-mail")).status_code == 405
    assert selectors.suspended(paul) is not None, "to look changes nothing"
    client.post(reverse("resume-mail"))
    assert RESTS not in page(client, "my-mails")
    client.force_login(olga)
    assert UNREACHED not in page(client, "organiser")
