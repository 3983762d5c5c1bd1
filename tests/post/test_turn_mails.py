"""The mail of a turn, and what else is mailed about turns and games."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Outgoing
from postspiel.mail.reading.markup import text_of
from postspiel.play import positions, services
from postspiel.play.models import Game
from tests.post.conftest import (
    deliver,
    forward,
    letter,
    orders,
    player,
    row,
    seat,
    speak,
    state,
    to_bribes,
    told,
    turn,
    words,
)


def test_a_turn_mail_names_game_turn_and_what_is_to_do(game: Game) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    mailed = letter("turn", acts)
    court = ("Red", "Yellow", "Green")[state(game).active]
    assert mailed.subject == f"Carnival: turn 1, Round 1, {court}: sending scholars [{game.key}]"
    assert mailed.text.startswith("Carnival, turn 1\n================\n")
    assert "You owe orders" in mailed.text
    for name in ("Ada", "Bert", "Cleo"):
        assert name in mailed.text
    assert game.commitment in words(mailed.text)
    assert game.commitment in mailed.html
    assert f"You get this mail because you play {court} in the game “Carnival”." in mailed.text
    assert f"https://play.example.org/games/{game.key}/" in mailed.text


def test_the_deadline_is_told_in_each_readers_zone_and_named(game: Game, ada: User, bert: User) -> None:
    assert "Thursday, 5 March 2026, 19:00 (Europe/London)" in words(letter("turn", ada).text)
    german = letter("turn", bert)
    assert "Donnerstag, 5. März 2026, 20:00 Uhr (Europe/Berlin)" in words(german.text)
    assert "Donnerstag, 5. März 2026, 20:00 Uhr (Europe/Berlin)" in words(german.html)
    assert german.subject.startswith("Carnival: Zug 1, Runde 1, ")
    assert 'lang="de"' in german.html


def test_who_asks_for_it_gets_the_position_as_a_file_and_in_it_nothing_hidden(game: Game, ada: User) -> None:
    assert letter("turn", ada).attachments == ()
    ada.position_file = True
    ada.save()
    (file,) = letter("turn", ada).attachments
    told = json.loads(file.content)
    assert (file.name, told["title"], told["turn"], told["seat"]) == ("position.json", "intrige", 1, 0)
    assert told["state"]["cash"] == [32_000, None, None]
    title = positions.title_of(game)
    assert title.load(json.dumps(told["state"]).encode(), told["rules"]) == positions.seen(turn(game), 0)


@pytest.mark.parametrize(("locale", "done"), (("en", "done"), ("de", "fertig")))
@pytest.mark.parametrize("turns", (0, 3, 4))
def test_the_only_orders_in_a_turn_mail_are_those_to_copy(
    game: Game, clock: time_machine.Traveller, locale: str, done: str, turns: int
) -> None:
    forward(game, clock, turns)
    for one in game.seats.select_related("player"):
        assert one.player is not None
        speak(one.player, locale)
        text = letter("turn", one.player).text
        found = orders(text, game)
        assert f"\n{'\n'.join(found)}\n" in text
        assert not found or found[-1] == done
        assert max(len(line) for line in text.splitlines()) <= 72


@pytest.mark.parametrize("locale", ("en", "de"))
def test_the_orders_to_copy_are_taken_as_they_stand(game: Game, clock: time_machine.Traveller, locale: str) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    speak(acts, locale)
    copied = orders(letter("turn", acts).text, game)
    assert deliver(game, acts, "\n".join(copied)).verdict == "accepted"
    sheet = seat(game, acts).sheets.get(turn=turn(game))
    assert (sheet.status, len(sheet.orders)) == ("final", len(copied) - 1)


def test_a_turn_mail_tells_the_turn_before_and_its_press(game: Game, clock: time_machine.Traveller) -> None:
    one, other, third = (player(game, index) for index in range(3))
    for who in (one, other, third):
        speak(who, "en")
    services.send_press(seat=seat(game, one), to=[1], text="Yours, r+abcdefghijklmnopqrstuvwx23@play.example.org")
    forward(game, clock)
    mailed = words(letter("turn", other).text)
    assert "What happened in turn 1" in mailed
    assert "Red to Yellow," in mailed
    assert "Yours, (…)" in mailed
    assert "Yours," not in letter("turn", third).text
    assert "Yours," not in letter("turn", third).html
    forward(game, clock)
    assert "Yours," not in letter("turn", other).text


def test_who_missed_a_turn_is_told_so(game: Game, clock: time_machine.Traveller) -> None:
    silent, other = player(game, state(game).active), player(game, (state(game).active + 1) % 3)
    speak(silent, "en")
    speak(other, "en")
    forward(game, clock)
    missed = "No orders of yours came in time for turn 1, so the rules played for you."
    assert missed in words(letter("turn", silent).text)
    assert missed not in words(letter("turn", other).text)


def test_html_says_the_same_orders_and_fetches_nothing(game: Game, clock: time_machine.Traveller) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    speak(acts, "en")
    deliver(game, acts, "ok")
    deliver(game, acts, "help\nstatus")
    for kind in ("turn", "receipt", "help", "status"):
        mailed = letter(kind, acts)
        lines = [line.strip() for line in text_of(mailed.html).splitlines()]
        assert all(line in lines for line in orders(mailed.text, game))
        assert not re.search(r"\bsrc=|<script|<link|<img|url\(|@import", mailed.html)
        assert set(re.findall(r'href="([^"]*)"', mailed.html)) <= {
            f"https://play.example.org/games/{game.key}/",
            "https://play.example.org/rules/intrige/",
        }


def test_a_seat_with_nothing_to_do_is_told_so(game: Game) -> None:
    idle = player(game, (state(game).active + 1) % 3)
    speak(idle, "en")
    mailed = letter("turn", idle)
    assert "You have nothing to order in this turn." in mailed.text
    assert "You owe" not in mailed.text


def test_orders_given_ahead_are_shown_as_in_force(game: Game, clock: time_machine.Traveller) -> None:
    pays = to_bribes(game, clock)
    speak(pays, "en")
    assert deliver(game, pays, "always bribe +1000 max 5000 else 1000\nalways done").verdict == "accepted"
    forward(game, clock)
    text = letter("turn", pays).text
    assert "These orders of yours are in force already:\n\nalways bribe +1000 max 5000 else 1000" in text


def test_a_turn_mail_that_comes_too_late_is_not_sent(game: Game, clock: time_machine.Traveller, ada: User) -> None:
    old = row("turn", ada)
    forward(game, clock)
    mail.send(old.pk)
    old.refresh_from_db()
    assert old.state == Outgoing.State.CANCELLED
    mail.send(row("turn", ada).pk)
    assert row("turn", ada).state == Outgoing.State.SENT


def test_who_handed_in_is_not_reminded(game: Game, clock: time_machine.Traveller, olga: User) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    services.remind(turn=turn(game), who=olga)
    reminder = row("reminder", acts)
    text = letter("reminder", acts).text
    assert "your orders for this turn are still missing" in text
    assert orders(text, game)[-1] == "done"
    assert deliver(game, acts, "\n".join(orders(text, game))).verdict == "accepted"
    mail.send(reminder.pk)
    reminder.refresh_from_db()
    assert reminder.state == Outgoing.State.CANCELLED


def test_a_moved_deadline_is_told_with_both_times_and_why(game: Game, olga: User, ada: User, bert: User) -> None:
    services.extend(turn=turn(game), hours=24, who=olga, why="Holidays")
    text = letter("extended", ada).text
    assert "New deadline: Friday, 6 March 2026, 19:00 (Europe/London)" in text
    assert "Old deadline: Thursday, 5 March 2026, 19:00 (Europe/London)" in text
    assert "Moved by: Olga" in text
    assert "Reason: Holidays" in text
    assert "6. März 2026, 20:00 Uhr (Europe/Berlin)" in letter("extended", bert).text


def test_an_organiser_is_told_who_joined(game: Game, olga: User) -> None:
    mailed = letter("joined", olga)
    assert "Cleo plays Green." in mailed.text
    assert "Carnival: Cleo joined" in mailed.subject


def test_a_game_called_off_is_told(clock: time_machine.Traveller, olga: User, ada: User) -> None:
    game = services.create_game(
        organiser=olga, title="intrige", name="Lent", size=3, options={}, schedule=services.Schedule()
    )
    services.join_game(game=game, player=ada)
    services.cancel_game(game=game, who=olga)
    assert "called “Lent” off before it began" in letter("cancelled", ada).text


@pytest.mark.parametrize("locale", ("en", "de"))
def test_the_last_mail_has_the_table_and_the_links(game: Game, clock: time_machine.Traveller, locale: str) -> None:
    while game.status == Game.Status.RUNNING:
        forward(game, clock)
        game.refresh_from_db()
    winner = player(game, game.outcome["places"].index(1)) if game.outcome else None
    assert winner is not None
    assert game.outcome is not None
    speak(winner, locale)
    mailed = letter("ended", winner)
    text = words(mailed.text)
    assert told("You came in at place %(place)d.", locale, place=1) in text
    for score in game.outcome["scores"]:
        assert str(score) in text
        assert str(score) in mailed.html
    for name in ("Ada", "Bert", "Cleo"):
        assert name in text
    for page in (f"games/{game.key}/report/{locale}/", f"games/{game.key}/record.json", "ladders/intrige/"):
        assert f"https://play.example.org/{page}" in mailed.text
        assert f"https://play.example.org/{page}" in mailed.html
    assert orders(mailed.text, game) == []


def test_press_is_mailed_to_those_it_is_for(game: Game) -> None:
    one, other, third = (player(game, index) for index in range(3))
    speak(other, "en")
    services.send_press(seat=seat(game, one), to=[1], text="send A Green, or else\n\n-- \nRed")
    mailed = letter("press", other)
    assert "press from Red" in mailed.subject
    assert "| send A Green, or else" in mailed.text
    assert orders(mailed.text, game) == []
    assert not Outgoing.objects.filter(kind="press", recipient=third).exists()


def test_mails_of_a_game_thread(game: Game, clock: time_machine.Traveller, ada: User) -> None:
    first = row("turn", ada)
    mail.send(first.pk)
    first.refresh_from_db()
    forward(game, clock)
    mail.send(row("turn", ada).pk)
    raw = bytes(row("turn", ada).raw or b"").decode()
    assert f"In-Reply-To: {first.message_id}" in raw
    assert "Subject: Carnival: turn 2, " in raw
    clock.shift(timedelta(seconds=1))


def test_nobody_is_waited_for_who_could_only_bid_ahead(game: Game, clock: time_machine.Traveller) -> None:
    title, only_ahead = positions.title_of(game), 0
    for _turn in range(8):
        for sheet in turn(game).sheets.select_related("seat"):
            asks = title.asks(positions.seen(turn(game), sheet.seat.index), sheet.seat.index)
            only_ahead += bool(asks) and not sheet.asked
            assert sheet.asked == any(not ask.early for ask in asks)
        forward(game, clock)
    assert only_ahead > 0
