"""One click for fewer mails (RFC 8058), and the page on which a reader chooses which mails he wants."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import Message
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from postspiel.accounts.models import User
from postspiel.mail import preferences, said, selectors, services
from postspiel.mail.models import Outgoing, Preference
from postspiel.play import selectors as play
from postspiel.play.models import Game, Seat
from postspiel.web import wording
from tests.play_helpers import opened

pytestmark = pytest.mark.django_db


def mailed(kind: str, game: Game, to: User, event: str) -> Outgoing:
    """Queue a mail about a game's open turn and try to send it."""
    seat, turn = Seat.objects.get(game=game, player=to), play.open_turn(game)
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
    services.choose(paul, {("reminder", play.thread(running)): "at_once", ("press", ""): "daily"})
    reminder = head(mailed("reminder", running, paul, "one"))
    assert reminder["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    where = urlsplit(re.sub(r"\s", "", reminder["List-Unsubscribe"]).strip("<>")).path
    assert head(mailed("turn", running, paul, "two"))["List-Unsubscribe"] is None

    client = Client(enforce_csrf_checks=True)
    before = selectors.chosen(paul)
    assert client.get(where).status_code == 200
    assert selectors.chosen(paul) == before, "to look changes nothing"
    for _twice in range(2):
        assert client.post(where, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert selectors.chosen(paul) == {("reminder", ""): "never", ("press", ""): "daily"}
    assert Seat.objects.filter(game=running, player=paul).exists(), "it never gives a seat up"

    unwanted = mailed("reminder", running, paul, "three")
    assert (unwanted.state, unwanted.answer) == (Outgoing.State.CANCELLED, said.UNWANTED)
    assert mailed("turn", running, paul, "four").state == Outgoing.State.SENT


def test_no_other_kind_and_no_made_up_link_mutes_anything(client: Client, paul: User, running: Game) -> None:
    services.unsubscribe(paul, "turn")
    row = mailed("reminder", running, paul, "one")
    token = preferences.link(row).rstrip("/").rpartition("/")[2]
    for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), "x", "a:b:c"):
        assert client.post(reverse("unsubscribe", args=[wrong])).status_code == 404
    row.kind = "turn"
    assert preferences.link(row) == ""
    assert not Preference.objects.exists()


def test_the_page_shows_what_is_chosen_and_keeps_it(client: Client, running: Game, paul: User, stella: User) -> None:
    client.force_login(paul)
    page = reverse("mail-preferences")
    assert "press from other players" in client.get(page).content.decode()
    client.post(page, {"press": "daily", "turn": "at_once", f"press-{play.thread(running)}": "never", "hour": "7"})
    assert selectors.chosen(paul) == {("press", ""): "daily", ("press", play.thread(running)): "never"}
    paul.refresh_from_db()
    assert paul.digest_hour == 7
    html = client.get(page).content.decode()
    assert 'name="press" value="daily" checked' in html
    assert '<option value="never" selected>never</option>' in html
    for wrong in ({"turn": "never", "hour": "7"}, {"press": "never", "hour": "24"}, {"press": "never"}):
        client.post(page, wrong)
        assert selectors.chosen(paul)[("press", "")] == "daily", "all of it or nothing"
    client.force_login(stella)
    client.post(page, {f"press-{play.thread(running)}": "never", "hour": "7"})
    assert selectors.chosen(stella) == {}, "only about his own games"


def test_the_page_asks_no_more_of_the_database_for_more_games(
    client: Client, running: Game, olga: User, paul: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(paul)
    with django_assert_num_queries(6):
        client.get(reverse("mail-preferences"))
    for _more in range(3):
        opened(olga).seats.filter(index=0).update(player=paul)
    with django_assert_num_queries(6):
        client.get(reverse("mail-preferences"))


def test_the_page_of_mails_tells_why_none_came(client: Client, running: Game, paul: User) -> None:
    paul.locale = "de"
    paul.save()
    services.choose(paul, {("reminder", ""): "never", ("turn", ""): "daily"})
    mailed("reminder", running, paul, "one")
    assert mailed("turn", running, paul, "two").state == Outgoing.State.DIGEST
    client.force_login(paul)
    html = client.get(reverse("my-mails")).content.decode()
    with translation.override("de"):
        assert str(translation.gettext(said.UNWANTED)) in html
        assert str(wording.BADGES["digest"][0]) in html
    assert said.UNWANTED not in html


@pytest.mark.pure
def test_what_the_server_said_stands_as_it_is() -> None:
    with translation.override("de"):
        ours, _colon, theirs = said.in_words(f"{said.NOT_REACHED}: [Errno 111] Connection refused").partition(": ")
        assert (ours != said.NOT_REACHED, theirs) == (True, "[Errno 111] Connection refused")
        assert said.in_words("550 no such user: paul") == "550 no such user: paul"
        assert said.in_words("") == ""


@pytest.mark.pure
def test_every_kind_that_can_be_chosen_has_a_name() -> None:
    assert set(selectors.choosable()) | {"digest"} == set(wording.MAIL_KINDS)
