"""A host with one mailbox: the game is found by what a mail answers, and nobody acts by that alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.header import decode_header, make_header

import pytest
import time_machine
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Looked, Outgoing
from postspiel.play import services
from postspiel.play.models import Game
from tests.post.conftest import code_in_text, letter, orders, player, row, seat, speak, state, turn

AUTHSERV = "mx.provider.example"
BOX = "games@provider.example"


@pytest.fixture(autouse=True)
def _single(settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_SCHEME = "single"
    settings.POSTSPIEL_MAIL_DOMAIN = "provider.example"
    settings.POSTSPIEL_MAIL_FROM = f"Postspiel <{BOX}>"
    settings.POSTSPIEL_MAIL_TOKENLESS = True
    settings.POSTSPIEL_MAIL_AUTHSERV = AUTHSERV


@pytest.fixture
def acts(game: Game) -> User:
    """Who owes orders in the first turn; reads English."""
    found = player(game, state(game).active)
    speak(found, "en")
    return found


@pytest.fixture
def other(game: Game, acts: User) -> User:
    """Another player of the game."""
    return player(game, (state(game).active + 1) % 3)


def sent(kind: str, to: User) -> tuple[str, str]:
    """Send the newest mail of a kind: its Message-ID, and its subject as a mail program shows it."""
    found = row(kind, to)
    mail.send(found.pk)
    found.refresh_from_db()
    heads = message_from_bytes(bytes(found.raw or b""))
    assert f"<{BOX}>" in heads["From"]
    assert f"<{BOX}>" in heads["Reply-To"]
    return found.message_id, str(make_header(decode_header(heads["Subject"])))


def came(text: str, *, sender: str, check: str = "pass", answering: str = "", subject: str = "Hi") -> Incoming:
    """Let a mail come into the mailbox."""
    domain = sender.rpartition("@")[2]
    heads = [
        f"Authentication-Results: {AUTHSERV}; dmarc={check} header.from={domain}",
        f"From: {sender}",
        f"Message-ID: <{Incoming.objects.count()}@x>",
        f"Subject: {subject}",
        *([f"In-Reply-To: {answering}"] if answering else []),
    ]
    raw = "\r\n".join([*heads, "", text]).encode()
    (incoming,) = mail.receive(raw, door="imap", sender=sender, recipients=[BOX], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    return incoming


def on_file(game: Game, who: User) -> int:
    found = seat(game, who).sheets.get(turn=turn(game)).orders
    assert isinstance(found, list)
    return len(found)


def test_an_answer_is_found_by_what_it_refers_to_or_by_its_subject(game: Game, acts: User) -> None:
    first, second = orders(letter("turn", acts).text, game)[:2]
    message_id, subject = sent("turn", acts)
    assert subject.endswith(f"[Postspiel {row('turn', acts).address_id}]")

    assert came(first, sender=acts.email, answering=message_id).verdict == "accepted"
    assert came(second, sender=acts.email, subject=f"AW: {subject}").verdict == "accepted"
    assert on_file(game, acts) == 2
    assert came(first, sender=acts.email).verdict == "rejected", "neither: no game is known"


@pytest.mark.parametrize("check", ("fail", "none"))
def test_a_sender_who_is_not_checked_does_nothing_before_he_confirms(game: Game, acts: User, check: str) -> None:
    lines = "\n".join(orders(letter("turn", acts).text, game))
    _message_id, subject = sent("turn", acts)
    assert came(lines, sender=acts.email, subject=subject, check=check).verdict == "held"
    assert on_file(game, acts) == 0

    question, _subject = sent("held", acts)
    code = code_in_text(letter("held", acts).text)
    confirmed = came(f"{code}\n", sender=acts.email, check=check, answering=question)
    assert confirmed.verdict == "accepted", confirmed.reason
    assert on_file(game, acts) == 2


def test_a_tag_never_says_who_acts(game: Game, acts: User, other: User) -> None:
    lines = "\n".join(orders(letter("turn", acts).text, game))
    message_id, subject = sent("turn", acts)
    assert came(lines, sender="new@phone.example", subject=subject).verdict == "dropped"
    before = Outgoing.objects.count()
    stolen = came(lines, sender=other.email, subject=subject, answering=message_id)
    assert stolen.verdict == "rejected"
    assert on_file(game, acts) == 0
    told = [mail.recipient for mail in Outgoing.objects.order_by("pk")[before:]]
    assert told in ([], [other]), "the owner of the seat is not bothered"


def lapse(game: Game, clock: time_machine.Traveller, seconds: int) -> bool:
    """Move to so many seconds after the deadline; whether the turn is resolved then."""
    due = turn(game).due
    assert due is not None
    clock.move_to(due + timedelta(seconds=seconds))
    return services.advance(turn(game).pk)


def test_a_turn_waits_until_the_mailbox_was_looked_into_after_its_deadline(
    game: Game, acts: User, settings: Settings, clock: time_machine.Traveller
) -> None:
    settings.POSTSPIEL_IMAP = [
        {"host": "imap.provider.example", "port": 993, "security": "tls", "username": "games", "password": "sesame"}
    ]
    due = turn(game).due
    assert due is not None
    seen = Looked.objects.create(account="games at imap.provider.example:993", folder="INBOX", at=due - timedelta(1))
    assert not lapse(game, clock, 30), "what came since the last look may be in time"
    Looked.objects.filter(pk=seen.pk).update(at=due + timedelta(seconds=31))
    assert lapse(game, clock, 40)
    assert lapse(game, clock, 125), "two minutes are the most"


def test_with_one_mailbox_a_turn_waits_for_whatever_came_in_time(
    game: Game, acts: User, clock: time_machine.Traveller
) -> None:
    deadline = turn(game).deadline
    assert deadline is not None
    raw = f"From: {acts.email}\r\nMessage-ID: <1@x>\r\n\r\nlate".encode()
    (late,) = mail.receive(raw, door="imap", sender="", recipients=[BOX], received=deadline + timedelta(seconds=1))
    assert not Incoming.objects.exclude(pk=late.pk).exists()
    (early,) = mail.receive(
        raw + b"!", door="imap", sender="", recipients=[BOX], received=deadline - timedelta(seconds=1)
    )
    assert not lapse(game, clock, 30)
    mail.read(early.pk)
    assert lapse(game, clock, 31)
