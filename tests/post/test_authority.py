"""Who may act by mail: the table in docs/mail.md, row by row; orders with press, press alone, orders alone."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Press
from tests.post.conftest import deliver, forward, letter, orders, player, row, seat, speak, state, turn, words

PRESS = "press to all: hello\nend press"
AUTHSERV = "mx.play.example.org"


@pytest.fixture(autouse=True)
def _authserv(settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_AUTHSERV = AUTHSERV


@pytest.fixture
def acts(game: Game) -> User:
    """Who owes orders in the first turn; reads English."""
    found = player(game, state(game).active)
    speak(found, "en")
    return found


@pytest.fixture
def right(game: Game, acts: User) -> str:
    """What he may answer."""
    return "\n".join(orders(letter("turn", acts).text, game))


@pytest.fixture
def other(game: Game, acts: User) -> User:
    """Another player of the game."""
    return player(game, (state(game).active + 1) % 3)


def sent_turn(acts: User) -> str:
    """The Message-ID of the mail of the turn."""
    sent = row("turn", acts)
    mail.send(sent.pk)
    sent.refresh_from_db()
    return sent.message_id


def came(
    game: Game, acts: User, text: str, *, sender: str, check: str, token: bool = True, answering: str = ""
) -> Incoming:
    """Let a mail come in whose sender our mail server has checked."""
    domain = sender.rpartition("@")[2]
    results = f"Authentication-Results: {AUTHSERV}; dmarc={check} header.from={domain}\r\n" if check else ""
    answers = f"In-Reply-To: {answering}\r\n" if answering else ""
    number = Incoming.objects.count()
    raw = f"{results}From: {sender}\r\nMessage-ID: <{number}@x>\r\n{answers}\r\n{text}".encode()
    own = "postspiel@play.example.org"
    to = mail.spell(mail.address_for("seat", seat(game, acts).pk), "play") if token else own
    (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[to], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    return incoming


def acted(game: Game, acts: User) -> tuple[int, int]:
    """How many orders are on file, and how much press was sent."""
    found = seat(game, acts).sheets.get(turn=turn(game)).orders
    assert isinstance(found, list)
    return len(found), Press.objects.count()


def test_orders_without_the_address_count_if_the_host_lets_them_and_the_sender_is_checked(
    game: Game, acts: User, right: str, settings: Settings
) -> None:
    settings.POSTSPIEL_MAIL_TOKENLESS = True
    answers: dict[str, Any] = {"sender": acts.email, "token": False, "answering": sent_turn(acts)}
    for wrong in ("fail", ""):
        assert came(game, acts, right, check=wrong, **answers).verdict == "held"
    stray = came(game, acts, right, sender=acts.email, check="pass", token=False)
    assert (stray.verdict, stray.reason) == ("rejected", "No game is known by this address.")
    assert acted(game, acts) == (0, 0)
    assert came(game, acts, right, check="pass", **answers).verdict == "accepted"
    assert acted(game, acts) == (2, 0)


def test_what_a_mail_answers_never_says_who_acts(
    game: Game, acts: User, other: User, right: str, settings: Settings
) -> None:
    settings.POSTSPIEL_MAIL_TOKENLESS = True
    stolen = came(game, acts, right, sender=other.email, check="pass", token=False, answering=sent_turn(acts))
    assert stolen.verdict == "rejected"
    assert acted(game, acts) == (0, 0)


def test_a_mail_for_a_turn_that_is_over_is_refused_naming_both(
    game: Game, acts: User, right: str, clock: time_machine.Traveller
) -> None:
    old = sent_turn(acts)
    forward(game, clock)
    assert came(game, acts, right, sender=acts.email, check="pass", answering=old).verdict == "rejected"
    text = words(letter("receipt", acts).text)
    assert "was for turn 1, but turn 2 is open now" in text
    assert deliver(game, acts, PRESS, answering=old).verdict in {"accepted", "partial", "rejected"}
    assert Press.objects.count() == 1, "press belongs to no turn"


def test_a_seat_given_up_is_answered_once_without_content(game: Game, acts: User, right: str) -> None:
    address = mail.address_for("seat", seat(game, acts).pk)
    services.resign(seat=seat(game, acts), who=acts)
    to = mail.spell(address, "play")
    for number, check in enumerate(("pass", "fail", "")):
        raw = f"From: {acts.email}\r\nMessage-ID: <gone{number}@x>\r\n\r\n{right}\n{PRESS}\n{check}".encode()
        mail.read(mail.receive(raw, door="smtp", sender=acts.email, recipients=[to], received=datetime.now(UTC))[0].pk)
    assert Press.objects.count() == 0
    assert Outgoing.objects.filter(kind="refused").count() == 1


def test_an_unknown_address_is_told_how_to_become_known(game: Game, acts: User, right: str) -> None:
    came(game, acts, right, sender="new@phone.example", check="pass")
    text = words(letter("held", acts).text)
    assert "add it to your profile" in text
    assert "https://play.example.org/profile/" in text


def test_no_token_and_no_address_is_logged_or_reaches_another_player(
    game: Game, acts: User, other: User, right: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = mail.spell(mail.address_for("seat", seat(game, acts).pk), "play").partition("@")[0].partition("+")[2]
    came(game, acts, f"{right}\n{PRESS}", sender=acts.email, check="pass")
    came(game, acts, right, sender=other.email, check="pass")
    assert len(token) == 26
    assert token not in caplog.text
    assert acts.email not in caplog.text
    for one in Outgoing.objects.exclude(recipient=acts):
        mail.send(one.pk)
        one.refresh_from_db()
        assert token.encode() not in bytes(one.raw or b"").lower(), one.kind
        assert acts.email.encode() not in bytes(one.raw or b"").lower(), one.kind
