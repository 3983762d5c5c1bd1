"""Press: who reads it, who gets it by mail, and what is refused."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import press, selectors, services
from postspiel.play.models import Game, Press, Sheet
from tests.play.conftest import Make, hours, seat


@pytest.fixture
def four(clock: time_machine.Traveller, make: Make, ada: User, bert: User, stranger: User) -> Game:
    """Ada, Bert, the stranger and a bot."""
    game = make(size=4)
    for player in (ada, bert, stranger):
        services.join_game(game=game, player=player)
    services.seat_bot(game=game, index=3, bot="five")
    game.refresh_from_db()
    return game


def mailed() -> list[str]:
    return sorted(Outgoing.objects.filter(kind="press").values_list("to", flat=True))


def read_by(game: Game) -> list[int | None]:
    seats = [*selectors.seats_of(game), None]
    return [one.index if one else None for one in seats if selectors.press_for(game, one)]


@pytest.mark.parametrize(
    ("to", "readers", "mails"),
    (
        ([1], [0, 1], ["bert@example.org"]),
        ([1, 2], [0, 1, 2], ["bert@example.org", "stranger@example.org"]),
        ([3], [0, 3], []),
        (None, [0, 1, 2, 3, None], ["bert@example.org", "stranger@example.org"]),
        ([0, 1], [0, 1], ["bert@example.org"]),
    ),
)
def test_press_reaches_those_it_is_for_and_nobody_else(
    four: Game, to: list[int] | None, readers: list[int | None], mails: list[str]
) -> None:
    services.send_press(seat=seat(four, 0), to=to, text="Let us\r\nset 5\n")

    assert read_by(four) == readers
    assert mailed() == mails
    assert Press.objects.get().text == "Let us\nset 5"
    assert not Sheet.objects.filter(seat__player__isnull=False).exclude(status="none").exists()


@pytest.mark.parametrize(
    ("to", "text", "sentence"),
    (
        ([], "Hello", "whom"),
        ([0], "Hello", "to yourself"),
        ([1, 9], "Hello", "no such seat"),
        (None, "  ", "needs a text"),
        (None, "x" * 8001, "needs a text"),
    ),
)
def test_press_without_a_reader_or_a_text_is_not_sent(
    four: Game, to: Sequence[int] | None, text: str, sentence: str
) -> None:
    with pytest.raises(services.PlayError, match=sentence):
        services.send_press(seat=seat(four, 0), to=to, text=text)
    assert not Press.objects.exists()
    assert mailed() == []


TOKEN = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("text", "left"),
    (
        (f"Write to play+s.{TOKEN}@play.example.org, please", "Write to (…), please"),
        (f"ä{TOKEN}@play.example.org", "(…)"),
        (f"{TOKEN}@a.example+{TOKEN.upper()}@b.example", "(…)+(…)"),
        (f"{TOKEN}@a.example {TOKEN}@b.example", "(…) (…)"),
        ("ada@example.org", "ada@example.org"),
    ),
)
def test_reply_addresses_are_taken_out_wherever_they_stand(text: str, left: str) -> None:
    assert press.scrubbed(text) == left


@pytest.mark.parametrize("text", ("x" * 200_000, f"{TOKEN}@" * 8000, "+" * 200_000))
def test_no_text_holds_up_the_search_for_reply_addresses(text: str) -> None:
    started = time.process_time()
    press.scrubbed(text)
    assert time.process_time() - started < 1


def test_press_has_a_cap_a_day(four: Game, clock: time_machine.Traveller) -> None:
    for number in range(60):
        services.send_press(seat=seat(four, 0), to=[1], text=f"{number}")
    with pytest.raises(services.PlayError, match="tomorrow"):
        services.send_press(seat=seat(four, 0), to=[1], text="one more")
    services.send_press(seat=seat(four, 1), to=[0], text="mine still goes")
    clock.shift(hours(25))
    services.send_press(seat=seat(four, 0), to=[1], text="one more")


def test_there_is_no_press_before_the_start(make: Make, ada: User) -> None:
    game = make()
    one = services.join_game(game=game, player=ada)
    with pytest.raises(services.PlayError, match="while the game runs"):
        services.send_press(seat=one, to=None, text="Hello")
