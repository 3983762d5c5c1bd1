"""Press by answering press: to its writer alone, composed anew, under the rules of every other mail."""

from __future__ import annotations

import pytest

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Press, Submission
from tests.post.conftest import code_in_text, deliver, letter, player, row, seat, speak, words

Verdict = Incoming.Verdict


@pytest.fixture
def writer(game: Game) -> User:
    """Who wrote the press: Red."""
    return player(game, 0)


@pytest.fixture
def reader(game: Game, writer: User) -> User:
    """Who got it and answers; reads English."""
    found = player(game, 1)
    speak(found, "en")
    services.send_press(seat=seat(game, writer), to=[1], text="Shall we share Green?")
    return found


def brought(reader: User) -> str:
    """The Message-ID of the mail that brought the press."""
    sent = row("press", reader)
    mail.send(sent.pk)
    sent.refresh_from_db()
    return sent.message_id


def answers() -> list[tuple[int, list[int] | None, str]]:
    return [(one.seat.index, one.to, one.text) for one in Press.objects.select_related("seat").order_by("pk")[1:]]


def test_an_answer_goes_to_the_writer_alone_without_what_it_quotes(game: Game, writer: User, reader: User) -> None:
    quoted = "\n".join(f"> {line}" for line in letter("press", reader).text.splitlines())
    text = (
        f"Gladly.\nWrite to me: play+{'a' * 26}@play.example.org\n\nOn 2 March 2026, Carnival <x@y.z> wrote:\n{quoted}"
    )
    assert deliver(game, reader, text, answering=brought(reader)).verdict == Verdict.ACCEPTED
    assert answers() == [(1, [0], "Gladly.\nWrite to me: (…)")]
    assert {one.recipient for one in Outgoing.objects.filter(kind="press").order_by("-pk")[:1]} == {writer}
    assert "Your press to Red was sent." in words(letter("receipt", reader).text)
    relayed = row("press", writer)
    mail.send(relayed.pk)
    relayed.refresh_from_db()
    assert reader.email.encode() not in bytes(relayed.raw or b"")


@pytest.mark.parametrize("text", ("status", "help", "done", "send A Nowhere", "press to all: hi\nend press"))
def test_what_is_said_to_us_is_not_relayed(game: Game, reader: User, text: str) -> None:
    deliver(game, reader, f"Dear Red, hear me!\n{text}", answering=brought(reader))
    assert "Dear Red" not in "".join(said for _writer, _to, said in answers())


@pytest.mark.parametrize("text", ("Good idea", "Nice move.", "Sure\nseem2wolf"))
def test_words_that_look_like_a_code_are_relayed(game: Game, reader: User, text: str) -> None:
    assert deliver(game, reader, text, answering=brought(reader)).verdict == Verdict.ACCEPTED
    assert answers() == [(1, [0], text)]


def test_a_code_that_was_used_already_is_not_relayed(game: Game, reader: User) -> None:
    deliver(game, reader, "Gladly.", sender="new@phone.example", answering=brought(reader))
    code = code_in_text(letter("held", reader).text)
    for _twice in range(2):
        deliver(game, reader, code, answering=brought(reader))
    assert answers() == [(1, [0], "Gladly.")]


def test_an_answer_to_another_mail_is_no_press(game: Game, writer: User, reader: User) -> None:
    assert deliver(game, reader, "Gladly.").verdict == Verdict.REJECTED
    assert deliver(game, reader, "Gladly!", answering=row("turn", reader).message_id).verdict == Verdict.REJECTED
    assert deliver(game, writer, "Mine.", answering=brought(reader)).verdict == Verdict.REJECTED, "he did not get it"
    assert answers() == []


def test_an_answer_from_an_unknown_address_waits_for_its_player(game: Game, reader: User) -> None:
    incoming = deliver(game, reader, "Gladly.", sender="new@phone.example", answering=brought(reader))
    assert incoming.verdict == Verdict.HELD
    assert answers() == []
    assert deliver(game, reader, code_in_text(letter("held", reader).text)).verdict == Verdict.ACCEPTED
    assert answers() == [(1, [0], "Gladly.")]


def test_a_mail_that_opens_a_block_of_its_own_brings_no_orders_in(game: Game, reader: User) -> None:
    deliver(game, reader, "Gladly.\nend press\nand so on", answering=brought(reader))
    assert answers() == [(1, [0], "Gladly.")]
    assert not Submission.objects.exclude(seat__player=reader).exists()
