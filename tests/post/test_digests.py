"""Mails at once, in the daily digest, or never: what waits, what the digest brings, how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import transaction

from postspiel.accounts.models import User
from postspiel.mail import preferences, said
from postspiel.mail import selectors as mail_selectors
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Seat
from tests.post.conftest import forward, letter, row, seat, turn, words

State = Outgoing.State


def sent_or_put_off(kind: str, to: User, **match: object) -> Outgoing:
    """Try to send the newest mail of a kind."""
    one = row(kind, to, **match)
    mail.send(one.pk)
    one.refresh_from_db()
    return one


def press(game: Game, by: User, to: User, text: str) -> Outgoing:
    services.send_press(seat=seat(game, by), to=[seat(game, to).index], text=text)
    return sent_or_put_off("press", to)


def at_digest(clock: time_machine.Traveller, who: User) -> list[Outgoing]:
    """Go on to the reader's hour; return the digests that were made for him, all sent."""
    clock.move_to(preferences.next_time(who, datetime.now(UTC)) + timedelta(seconds=1))
    mail.gather()
    mail.gather()
    made = list(Outgoing.objects.filter(kind="digest", recipient=who).order_by("pk"))
    for one in made:
        mail.send(one.pk)
        one.refresh_from_db()
    return made


def text_of(one: Outgoing) -> str:
    return words(mail_selectors.opened(one).text)


def test_two_mails_wait_and_come_in_one_at_the_readers_hour(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    mail.choose_hour(ada, 20)
    one, two = press(game, bert, ada, "the first word"), press(game, bert, ada, "the second word")
    waiting = mail_selectors.mail_state(one)
    assert (waiting.state, waiting.attempts, waiting.coming) == ("digest", 0, datetime(2026, 3, 2, 20, tzinfo=UTC))
    assert mail.gather() == 0, "not before its hour"

    (digest,) = at_digest(clock, ada)
    assert digest.state == State.SENT
    told = text_of(digest)
    assert "the first word" in told
    assert "the second word" in told
    assert mail.spell(mail.address_for("seat", seat(game, ada).pk), "play") in told
    assert "digest+" in dict(mail_selectors.opened(digest).headers)["Reply-To"]
    for part in (one, two):
        part.refresh_from_db()
        now = mail_selectors.mail_state(part)
        assert (now.state, now.bundled, now.sent) == ("sent", True, digest.sent)
        assert "press from Yellow" in now.subject
    assert len(at_digest(clock, ada)) == 1, "a day without mails brings none"


def test_what_is_over_by_then_is_not_in_it(
    begin: Callable[..., Game], ada: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("turn", ""): "daily"})
    game = begin()
    first = sent_or_put_off("turn", ada)
    assert first.state == State.DIGEST
    services.send_press(seat=seat(game, ada), to=None, text="hello")
    forward(game, clock)
    assert sent_or_put_off("turn", ada).state == State.DIGEST
    (digest,) = at_digest(clock, ada)
    first.refresh_from_db()
    assert (first.state, first.answer, digest.items.count()) == (State.CANCELLED, said.OVER, 1)
    assert "turn 2" in text_of(digest)


def test_no_digest_is_made_if_nothing_is_left(game: Game, ada: User, bert: User, clock: time_machine.Traveller) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    one = press(game, bert, ada, "hello")
    services.resign(seat=seat(game, ada), who=ada)
    assert at_digest(clock, ada) == []
    one.refresh_from_db()
    assert one.state == State.CANCELLED


def test_what_is_over_between_gathering_and_sending_is_left_out(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    press(game, bert, ada, "hello")
    clock.move_to(preferences.next_time(ada, datetime.now(UTC)))
    assert mail.gather() == 1
    Seat.objects.filter(game=game, player=ada).update(player=None)
    assert sent_or_put_off("digest", ada).state == State.CANCELLED


def test_a_turn_that_leaves_less_than_twelve_hours_comes_at_once(
    game: Game, ada: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("turn", ""): "daily", ("reminder", ""): "daily"})
    deadline = turn(game).deadline
    assert deadline is not None
    clock.move_to(preferences.next_time(ada, deadline - timedelta(hours=30)) - timedelta(hours=1))
    if not seat(game, ada).sheets.get(turn=turn(game)).asked:
        Seat.objects.get(pk=seat(game, ada).pk).sheets.filter(turn=turn(game)).update(asked=True)
    assert sent_or_put_off("turn", ada).state == State.DIGEST
    mail.choose(ada, {})
    clock.move_to(deadline - timedelta(hours=11))
    assert sent_or_put_off("turn", ada).state == State.SENT


def test_one_game_may_be_otherwise(game: Game, begin: Callable[..., Game], ada: User, bert: User) -> None:
    other = begin()
    mail.choose(ada, {("press", ""): "never", ("press", f"game:{other.key}"): "at_once"})
    silent, loud = press(game, bert, ada, "one"), press(other, bert, ada, "two")
    assert (silent.state, silent.answer) == (State.CANCELLED, said.UNWANTED)
    assert loud.state == State.SENT
    mail.choose(ada, {("press", f"game:{other.key}"): ""})
    assert press(other, bert, ada, "three").state == State.CANCELLED


def test_who_changes_his_mind_gets_what_waited_at_once(game: Game, ada: User, bert: User) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    one = press(game, bert, ada, "hello")
    mail.choose(ada, {("press", ""): "at_once"})
    assert mail_selectors.chosen(ada) == {}
    assert sent_or_put_off("press", ada, pk=one.pk).state == State.SENT


@pytest.mark.parametrize(
    ("kind", "thread", "how"), (("turn", "", "never"), ("receipt", "", "daily"), ("press", "", "x"))
)
def test_what_cannot_be_chosen_changes_nothing(ada: User, kind: str, thread: str, how: str) -> None:
    with pytest.raises(ValueError, match="cannot be chosen"):
        mail.choose(ada, {("press", ""): "daily", (kind, thread): how})
    assert mail_selectors.chosen(ada) == {}


def test_leaving_the_digest_mutes_what_may_be_and_brings_turns_at_once(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("press", ""): "daily", ("turn", ""): "daily", ("extended", ""): "never"})
    press(game, bert, ada, "hello")
    (digest,) = at_digest(clock, ada)
    token = preferences.link(digest).rstrip("/").rpartition("/")[2]
    assert dict(mail_selectors.opened(digest).headers)["List-Unsubscribe"].count("unsubscribe") == 1
    assert preferences.named(token) == (ada, "digest")
    mail.unsubscribe(ada, "digest")
    assert mail_selectors.chosen(ada) == {("press", ""): "never", ("extended", ""): "never"}


def test_a_mail_that_cannot_be_written_leaves_its_digest_to_the_others(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    bad, good = press(game, bert, ada, "one"), press(game, bert, ada, "the good one")
    Outgoing.objects.filter(pk=bad.pk).update(data={})
    (digest,) = at_digest(clock, ada)
    bad.refresh_from_db()
    good.refresh_from_db()
    assert "the good one" in text_of(digest)
    assert (bad.state, bad.digest, good.digest) == (State.QUEUED, None, digest)


@pytest.mark.pure
@pytest.mark.parametrize(
    ("zone", "now", "hour", "expected"),
    (
        ("Europe/Berlin", datetime(2026, 3, 28, 17, 0, tzinfo=UTC), 18, datetime(2026, 3, 29, 16, 0, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 3, 28, 16, 59, tzinfo=UTC), 18, datetime(2026, 3, 28, 17, 0, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 3, 28, 23, 0, tzinfo=UTC), 2, datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 10, 25, 0, 30, tzinfo=UTC), 2, datetime(2026, 10, 26, 1, 0, tzinfo=UTC)),
        ("Pacific/Auckland", datetime(2026, 6, 1, 12, 0, tzinfo=UTC), 0, datetime(2026, 6, 2, 12, 0, tzinfo=UTC)),
    ),
)
def test_the_hour_is_the_readers_own_also_when_clocks_change(
    zone: str, now: datetime, hour: int, expected: datetime
) -> None:
    reader = User(time_zone=zone, digest_hour=hour)
    found = preferences.next_time(reader, now)
    assert found == expected
    assert now < found <= now + timedelta(hours=25)
    assert found.astimezone(ZoneInfo(zone)).hour in {hour, hour + 1}


def answer(to: Outgoing, sender: str, text: str) -> Incoming:
    """Let an answer to a digest come in."""
    assert to.address is not None
    where = mail.spell(to.address, "digest")
    number = Incoming.objects.count()
    raw = f"From: {sender}\r\nMessage-ID: <a{number}@x>\r\nIn-Reply-To: {to.message_id}\r\n\r\n{text}".encode()
    (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[where], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    return incoming


def test_an_answer_to_a_digest_is_refused_with_the_addresses_of_the_games(
    game: Game, begin: Callable[..., Game], ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    """Case 87. Nobody but the digest's reader learns an address by answering."""
    other = begin()
    mail.choose(ada, {("press", ""): "daily"})
    press(game, bert, ada, "hello")
    (digest,) = at_digest(clock, ada)
    before = Outgoing.objects.count()
    for stranger in (bert.email, "who@example.net"):
        assert answer(digest, stranger, "send A Yellow").verdict == Incoming.Verdict.DROPPED
    assert Outgoing.objects.count() == before

    assert answer(digest, ada.email, "send A Yellow\ndone").verdict == Incoming.Verdict.REJECTED
    told = letter("digest-answer", ada).text
    assert "nothing in your answer was carried out" in told
    for one in (game, other):
        assert mail.spell(mail.address_for("seat", seat(one, ada).pk), "play") in told
        assert f"https://play.example.org/games/{one.key}/" in told
    assert seat(game, ada).sheets.get(turn=turn(game)).orders == []
    for number in range(12):
        answer(digest, ada.email, f"again {number}")
    assert Outgoing.objects.filter(kind="digest-answer").count() == 10


def test_a_digest_is_queued_once_whoever_gathers(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    mail.choose(ada, {("press", ""): "daily"})
    one = press(game, bert, ada, "hello")
    clock.move_to(preferences.next_time(ada, datetime.now(UTC)))
    with transaction.atomic():
        mail.queue(event=f"digest:{one.pk}", kind="digest", recipient=ada)
    assert mail.gather() == 1, "another process was faster by the mail, not by the rows"
    assert Outgoing.objects.filter(kind="digest").count() == 1
