"""Press by addresses of its own, and games that agree on less press or on none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import channels, selectors, services
from postspiel.play.models import Game, Press
from tests.post.conftest import letter, player, row, seat, speak, turn, words

Verdict = Incoming.Verdict


@pytest.fixture
def red(game: Game) -> User:
    """Plays Red, reads English."""
    found = player(game, 0)
    speak(found, "en")
    return found


@pytest.fixture
def yellow(game: Game) -> User:
    """Plays Yellow, reads English."""
    found = player(game, 1)
    speak(found, "en")
    return found


def write(address: Address, text: str, sender: str, head: str = "") -> Incoming:
    """Let a mail come in at an address for press."""
    number = Incoming.objects.count()
    raw = f"{head}From: {sender}\r\nMessage-ID: <{number}@x>\r\n\r\n{text}".encode()
    to = mail.spell(address, "yellow")
    (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[to], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    return incoming


def sent() -> list[tuple[int, list[int] | None, str]]:
    return [(one.seat.index, one.to, one.text) for one in Press.objects.select_related("seat").order_by("pk")]


@pytest.mark.parametrize("to", ([1], [1, 2], None))
def test_a_mail_to_an_address_for_press_goes_to_those_whom_it_stands_for(
    game: Game, red: User, to: Sequence[int] | None
) -> None:
    address = channels.address_for(seat(game, red), to)
    foreign = "X-Originating-IP: 10.0.0.7\r\nReceived: from home.example by mx\r\nX-Mailer: Quill\r\n"
    incoming = write(address, "Trust me.\n\n> what I quote\n\n-- \nAda Lovelace", red.email, foreign)
    assert incoming.verdict == Verdict.ACCEPTED, incoming.reason
    assert sent() == [(0, to, "Trust me.")]
    assert "Your press to" in words(letter("receipt", red).text)
    readers = {one.recipient for one in Outgoing.objects.filter(kind="press")}
    assert readers == {player(game, index) for index in (to or [1, 2])}
    for one in Outgoing.objects.filter(kind="press"):
        mail.send(one.pk)
        one.refresh_from_db()
        raw = bytes(one.raw or b"")
        for secret in (red.email, "10.0.0.7", "home.example", "Quill", "Lovelace"):
            assert secret.encode() not in raw


@pytest.mark.parametrize(
    "text",
    ("done", "help", "send A Yellow", "resign", "first\nend press\nresign\nsend A Yellow", "ende depesche\ndone\nhi"),
)
def test_nothing_in_it_is_an_order_or_a_command(game: Game, red: User, text: str) -> None:
    address = channels.address_for(seat(game, red), [1])
    before = Outgoing.objects.exclude(kind__in=("press", "receipt")).count()
    assert write(address, text, red.email).verdict == Verdict.ACCEPTED
    assert len(sent()) == 1
    assert seat(game, red).sheets.get(turn=turn(game)).orders == []
    assert seat(game, red).sheets.get(turn=turn(game)).status == "none"
    assert Outgoing.objects.exclude(kind__in=("press", "receipt")).count() == before


def test_an_address_is_its_owners_alone(game: Game, red: User, yellow: User) -> None:
    address = channels.address_for(seat(game, red), [2])
    assert write(address, "I am Red, believe me", "who@example.net").verdict == Verdict.HELD
    assert write(address, "I am Red, too", yellow.email).verdict == Verdict.HELD
    assert sent() == []
    assert Address.objects.get(pk=address.pk).revoked is not None, "another player knows it"
    assert Outgoing.objects.filter(kind="alarm").count() == 1
    assert channels.address_for(seat(game, red), [2]).generation == address.generation + 1
    assert write(address, "hello", red.email).verdict == Verdict.REJECTED


def test_press_to_a_group_names_an_address_for_all_of_them(game: Game, red: User, yellow: User) -> None:
    services.send_press(seat=seat(game, red), to=[1, 2], text="The three of us?")
    text = letter("press", yellow).text
    address = channels.address_for(seat(game, yellow), [0, 2])
    assert mail.spell(address, "group") in text
    assert write(address, "Yes.", yellow.email).verdict == Verdict.ACCEPTED
    assert sent()[-1] == (1, [0, 2], "Yes.")
    services.send_press(seat=seat(game, red), to=[1], text="Only you.")
    assert "To answer all of them" not in words(letter("press", yellow).text)


def test_addresses_are_mailed_and_renewed(game: Game, red: User) -> None:
    one = seat(game, red)
    services.mail_addresses(seat=one)
    text = letter("addresses", red).text
    own = [mail.spell(mail.address_for("seat", one.pk), "play")]
    own += [mail.spell(channels.address_for(one, to), word) for to, word in ((None, "all"), ([1], "yellow"))]
    assert all(address in text for address in own)
    services.renew_addresses(seat=one)
    fresh = letter("addresses", red).text
    assert not any(address in fresh for address in own)
    assert fresh.count("@play.example.org") == 4
    assert write(channels.address_for(one, [1]), "hello", red.email).verdict == Verdict.ACCEPTED


# --- what was agreed on -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "single", "everybody"), (("off", False, False), ("public", False, True)))
def test_a_game_may_have_less_press_or_none(
    game: Game, red: User, yellow: User, mode: str, single: bool, everybody: bool
) -> None:
    Game.objects.filter(pk=game.pk).update(press_mode=mode)
    for to, allowed in (([1], single), (None, everybody)):
        address = channels.address_for(seat(game, red), to)
        before = len(sent())
        write(address, f"hello {to}", red.email)
        assert len(sent()) - before == allowed
        receipt = words(letter("receipt", red).text)
        assert ("was sent." in receipt, "was not sent" in receipt) == (allowed, not allowed)
    services.mail_addresses(seat=seat(game, red))
    assert letter("addresses", red).text.count("@play.example.org") == 1 + everybody
    assert ("press to all:" in words(letter("turn", yellow).text)) == everybody
    assert "press to NAME" not in words(letter("turn", yellow).text)


@pytest.mark.parametrize("opened", (False, True))
def test_private_press_is_opened_at_the_end_if_that_was_agreed(game: Game, red: User, opened: bool) -> None:
    Game.objects.filter(pk=game.pk).update(press_opened=opened)
    services.send_press(seat=seat(game, red), to=[1], text="secret")
    services.send_press(seat=seat(game, red), to=None, text="public")

    def read(index: int | None) -> list[str]:
        now = Game.objects.get(pk=game.pk)
        who = now.seats.get(index=index) if index is not None else None
        return [one.text for one in selectors.press_for(now, who)]

    assert (read(1), read(2), read(None)) == (["secret", "public"], ["public"], ["public"])
    for one in game.seats.all():
        services.propose_end(seat=one)
    shown = ["secret", "public"] if opened else ["public"]
    assert (read(1), read(2), read(None)) == (["secret", "public"], shown, shown)
    row("ended", red)
