"""One click for fewer mails (RFC 8058): what it mutes, what it never touches, and how it is undone."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import Message
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.mail import muting, services
from postspiel.mail.models import Muted, Outgoing
from postspiel.play import selectors
from postspiel.play.models import Game, Seat

pytestmark = pytest.mark.django_db


def mailed(kind: str, game: Game, to: User, event: str) -> Outgoing:
    """Queue a mail about a game's open turn and try to send it."""
    seat, turn = Seat.objects.get(game=game, player=to), selectors.open_turn(game)
    assert turn is not None
    with transaction.atomic():
        services.queue(event=event, kind=kind, recipient=to, object_id=seat.pk, data={"turn": turn.pk})
    row = Outgoing.objects.get(event=event)
    services.send(row.pk)
    row.refresh_from_db()
    return row


def head(row: Outgoing) -> Message:
    return message_from_bytes(bytes(row.raw or b""))


def test_one_click_without_signing_in_mutes_that_kind_and_nothing_else(running: Game, paul: User) -> None:
    reminder = head(mailed("reminder", running, paul, "one"))
    assert reminder["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    where = urlsplit(re.sub(r"\s", "", reminder["List-Unsubscribe"]).strip("<>")).path
    assert head(mailed("turn", running, paul, "two"))["List-Unsubscribe"] is None

    client = Client(enforce_csrf_checks=True)
    assert client.get(where).status_code == 200
    assert not Muted.objects.exists(), "to look changes nothing"
    for _twice in range(2):
        assert client.post(where, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert muting.muted(paul) == ["reminder"]
    assert Seat.objects.filter(game=running, player=paul).exists(), "it never gives a seat up"

    unwanted = mailed("reminder", running, paul, "three")
    assert (unwanted.state, unwanted.answer) == (Outgoing.State.CANCELLED, muting.UNWANTED)
    assert mailed("turn", running, paul, "four").state == Outgoing.State.SENT


def test_what_was_muted_is_shown_and_undone_by_its_owner_alone(
    client: Client, running: Game, paul: User, stella: User
) -> None:
    services.mute(paul, "press")
    client.force_login(stella)
    client.post(reverse("unmute-mail"), {"kind": "press"})
    assert muting.muted(paul) == ["press"]
    client.force_login(paul)
    assert "press from other players" in client.get(reverse("my-mails")).content.decode()
    client.post(reverse("unmute-mail"), {"kind": "press"})
    assert muting.muted(paul) == []


def test_no_other_kind_and_no_made_up_link_mutes_anything(client: Client, paul: User, running: Game) -> None:
    services.mute(paul, "turn")
    row = mailed("reminder", running, paul, "one")
    token = muting.link(row).rstrip("/").rpartition("/")[2]
    for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), "x", "a:b:c"):
        assert client.post(reverse("unsubscribe", args=[wrong])).status_code == 404
    row.kind = "turn"
    assert muting.link(row) == ""
    assert not Muted.objects.exists()
