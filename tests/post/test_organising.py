"""Organising by mail: who may, what is carried out, what is answered, what is held."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import commands, inbox, notices, services
from postspiel.play.commands import Command
from postspiel.play.errors import PlayError
from postspiel.play.models import Assistant, DeadlineChange, Game, Seat
from tests.post.conftest import (
    code_in_text,
    deliver,
    forgotten,
    forward,
    letter,
    player,
    row,
    seat,
    speak,
    state,
    turn,
    words,
)

Verdict = Incoming.Verdict
AUTHSERV = "mx.play.example.org"


@pytest.fixture(autouse=True)
def _authserv(settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_AUTHSERV = AUTHSERV


def write(
    game: Game, text: str, sender: str, check: str = "pass", address: Address | None = None, answering: str = ""
) -> Incoming:
    """Let a mail come in at the organiser's address, or as an answer to a mail at the server's own."""
    domain, number = sender.rpartition("@")[2], Incoming.objects.count()
    results = f"Authentication-Results: {AUTHSERV}; dmarc={check} header.from={domain}\r\n" if check else ""
    answers = f"In-Reply-To: {answering}\r\n" if answering else ""
    raw = f"{results}From: {sender}\r\nMessage-ID: <{number}@x>\r\n{answers}\r\n{text}".encode()
    to = mail.spell(address or notices.commands_address(game, game.organiser), "organise")
    to = "postspiel@play.example.org" if answering else to
    (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[to], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    return incoming


@pytest.mark.pure
@pytest.mark.parametrize(
    ("line", "command"),
    (
        ("extend 24 holidays", Command("extend", 24, "holidays")),
        ("Extend by 2 days: Easter", Command("extend", 48, "Easter")),
        ("* EXTEND 12h", Command("extend", 12)),
        ("verlängere um 2 Tage, Ostern", Command("extend", 48, "Ostern")),
        ("verlaengere 36 Stunden", Command("extend", 36)),
        ("extend please", Command("extend", None, "please")),
        ("extend 999999", Command("extend", 999_999)),
        ("extend 999999 days", Command("extend", 23_999_976)),
        ("extend 9999999", Command("extend", None, "9999999")),
        ("pause for the holidays", Command("pause", None, "for the holidays")),
        ("Pause: Ferien", Command("pause", None, "Ferien")),
        ("resume", Command("resume")),
        ("weiter", Command("resume")),
        ("late", Command("late")),
        ("Säumig!", Command("late")),
        ("Stand", Command("status")),
        ("hilfe", Command("help")),
        ("late arrivals are a nuisance", None),
        ("> late", None),
        ("Extensions are fine", None),
        ("", None),
    ),
)
def test_what_is_a_command(line: str, command: Command | None) -> None:
    assert commands.read(line).commands == ((command,) if command else ())


def test_a_deadline_is_moved_and_both_sides_are_told(game: Game, olga: User) -> None:
    before = turn(game).deadline
    assert before is not None
    read = write(game, "Dear server,\nextend 24 holidays\nlate", olga.email)
    assert read.verdict == Verdict.ACCEPTED
    assert turn(game).deadline == before + timedelta(hours=24)
    change = DeadlineChange.objects.get()
    assert (change.who, change.why) == (olga, "holidays")
    assert Outgoing.objects.filter(kind="extended").count() == 3
    text = words(letter("organiser-answer", olga).text)
    assert "The deadline was moved by 24 hours" in text
    assert "Dear server," in text
    late = seat(game, player(game, state(game).active)).player
    assert late is not None
    assert late.public_name in text


def test_a_game_is_paused_and_goes_on(game: Game, olga: User) -> None:
    assert write(game, "resume", olga.email).verdict == Verdict.ACCEPTED
    assert "“resume” was not done: This game is not paused." in words(letter("organiser-answer", olga).text)
    write(game, "pause holidays", olga.email)
    game.refresh_from_db()
    assert game.paused is not None
    assert "The game is paused." in words(letter("organiser-answer", olga).text)
    write(game, "weiter", olga.email)
    game.refresh_from_db()
    assert game.paused is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    (
        ("extend 9000", "by 14 days at most"),
        ("extend", "say by how many hours"),
        ("extend 0 x", "only be moved to a later time"),
        ("please do something", "No command was found"),
    ),
)
def test_what_cannot_be_done_is_told_and_nothing_changes(game: Game, olga: User, text: str, sentence: str) -> None:
    write(game, text, olga.email)
    assert sentence in words(letter("organiser-answer", olga).text)
    assert not DeadlineChange.objects.exists()


def test_the_answer_is_in_the_organisers_language(game: Game, olga: User) -> None:
    speak(olga, "de")
    write(game, "verlängere 24 Feiertage\nhilfe", olga.email)
    text = words(letter("organiser-answer", olga).text)
    assert "Die Frist wurde um 24 Stunden verschoben" in text
    assert "verlängere 24 Feiertage:" in text
    assert "säumig:" in text


@pytest.mark.parametrize(
    ("who", "check", "verdict"),
    (
        ("own", "pass", Verdict.ACCEPTED),
        ("own", "", Verdict.HELD),
        ("own", "none", Verdict.HELD),
        ("own", "fail", Verdict.HELD),
        ("unknown", "pass", Verdict.HELD),
        ("unknown", "", Verdict.HELD),
        ("player", "pass", Verdict.HELD),
        ("player", "", Verdict.HELD),
    ),
)
def test_only_an_address_of_his_that_was_checked_commands(
    game: Game, olga: User, who: str, check: str, verdict: Verdict
) -> None:
    sender = {"own": olga.email, "unknown": "who@example.net", "player": player(game, 0).email}[who]
    address = notices.commands_address(game, olga)
    assert write(game, "extend 24 x", sender, check).verdict == verdict
    assert DeadlineChange.objects.exists() == (verdict == Verdict.ACCEPTED)
    told = set(Outgoing.objects.filter(kind__startswith="organiser").values_list("to", flat=True))
    assert told == {olga.email}, "nobody else learns anything"
    assert (notices.commands_address(game, olga) != address) == (who == "player")


def test_what_was_held_is_carried_out_once_by_its_code_from_wherever(game: Game, olga: User) -> None:
    held = write(game, "extend 24 x", olga.email, "")
    code = code_in_text(letter("organiser-held", olga).text)
    assert write(game, "ABCD-EFGH\nlate", "phone@example.net", "").verdict == Verdict.HELD
    assert write(game, code, "phone@example.net", "").verdict == Verdict.ACCEPTED
    held.refresh_from_db()
    assert held.verdict == Verdict.ACCEPTED
    assert DeadlineChange.objects.count() == 1
    assert write(game, code, olga.email).verdict == Verdict.REJECTED, "a code works once"
    assert DeadlineChange.objects.count() == 1


def test_what_was_held_is_carried_out_by_the_page_on_post_alone(game: Game, olga: User) -> None:
    write(game, "extend 24 x", olga.email, "")
    (link,) = [word for word in letter("organiser-held", olga).text.split() if "/confirm/" in word]
    where = link.removeprefix("https://play.example.org")
    assert "extend 24 x" in Client().get(where).content.decode()
    assert not DeadlineChange.objects.exists()
    for _twice in range(2):
        Client().post(where)
    assert DeadlineChange.objects.count() == 1


def test_who_organises_and_plays_is_not_told_who_is_late(game: Game, olga: User) -> None:
    Seat.objects.filter(game=game, index=0).update(player=olga)
    late = player(game, state(game).active)
    late.display_name = "Latecomer"
    late.save()
    write(game, "late\nstatus", olga.email)
    text = words(letter("organiser-answer", olga).text)
    assert "Latecomer" not in text
    assert "0 of 1 sheets are in." in text
    assert "hidden" in text, "the position is what a watcher sees"


def test_a_players_address_takes_no_command_of_an_organiser(game: Game, olga: User) -> None:
    Seat.objects.filter(game=game, index=0).update(player=olga)
    own = mail.address_for("seat", game.seats.get(index=0).pk)
    write(game, "extend 24 x", olga.email, address=own)
    assert not DeadlineChange.objects.exists()


def test_the_address_is_mailed_from_the_page_and_to_the_organiser_alone(game: Game, olga: User) -> None:
    client, where = Client(), reverse("game-addresses", args=[game.key])
    client.force_login(player(game, 0))
    assert client.post(where, {"do": "commands"}).status_code == 403
    client.force_login(olga)
    assert client.get(where).status_code == 200
    assert client.post(where, {"do": "renew"}).status_code == 403, "he has no seat"
    client.post(where, {"do": "commands"})
    sent = row("organiser-help", olga)
    assert "extend 24 holidays" in letter("organiser-help", olga).text
    assert sent.address == notices.commands_address(game, olga)
    assert mail.spell(notices.commands_address(game, olga), "play") not in client.get(where).content.decode()


@pytest.fixture
def alice(game: Game) -> User:
    """Helps to organise, does not play, reads German."""
    user = User.objects.create_user("alice@example.org", display_name="Alice", locale="de")
    Assistant.objects.create(game=game, user=user, since=datetime.now(UTC))
    return user


def test_an_assistant_commands_from_an_address_of_his_own(game: Game, olga: User, alice: User) -> None:
    own, before = notices.commands_address(game, alice), turn(game).deadline
    assert before is not None
    assert own != notices.commands_address(game, olga)
    assert write(game, "verlängere 24 Feiertage\nsäumig", alice.email, address=own).verdict == Verdict.ACCEPTED
    assert turn(game).deadline == before + timedelta(hours=24)
    assert DeadlineChange.objects.get().who == alice
    text = words(letter("organiser-answer", alice).text)
    assert "Die Frist wurde um 24 Stunden verschoben" in text
    assert "weil du beim Leiten dieser Partie hilfst" in text
    assert row("organiser-answer", alice).address == own
    assert not Outgoing.objects.filter(kind="organiser-answer", recipient=olga).exists()
    write(game, "pause Ferien", alice.email, address=own)
    game.refresh_from_db()
    assert game.paused is not None


def rules() -> list[list[list[str]]]:
    """The rows of the second table of docs/mail.md, each cell as its alternatives."""
    page = (Path(__file__).parents[2] / "docs/mail.md").read_text(encoding="utf-8")
    lines = page[page.index("| address for commands | From |") :].partition("\n\n")[0].splitlines()[2:]
    cells = [line.strip("|").replace("none, answers", "none; answers").split("|") for line in lines]
    return [[cell.strip().split(", ") for cell in row] for row in cells]


WAYS = [(role, to) for role in ("olga", "alice") for to in ("valid", "none; answers our mail", "renewed")]


@pytest.mark.parametrize(("role", "to"), (*WAYS, ("alice", "of an assistant no more")))
def test_who_may_command_as_the_table_says(game: Game, olga: User, alice: User, role: str, to: str) -> None:
    who = {"olga": olga, "alice": alice}[role]
    senders = {"own": who.email, "other person": player(game, 0).email, "stranger": "who@example.net"}
    for sender, check in itertools.product(senders, ("pass", "fail", "unknown")):
        fits = [row for row in rules() if to in row[0] and sender in row[1] and {check, "any"} & set(row[2])]
        ((verdict,),) = [row[3] for row in fits]
        with forgotten():
            found = command(game, who, to, senders[sender], check.replace("unknown", ""))
            assert (found.verdict, DeadlineChange.objects.exists()) == (verdict, verdict == "accepted"), (sender, check)


def command(game: Game, who: User, to: str, sender: str, check: str) -> Incoming:
    """Let a command come to an address in force or not, or to the server's own as an answer to a mail to ``who``."""
    address = notices.commands_address(game, who)
    if to == "renewed":
        mail.renew(address)
    if to == "of an assistant no more":
        services.remove_assistant(game=game, user=who, who=game.organiser)
    if to != "none; answers our mail":
        return write(game, "extend 24 x", sender, check, address=address)
    notices.commands_asked(game, who)
    Outgoing.objects.filter(kind="organiser-help").update(message_id="<sent@play.example.org>")
    return write(game, "extend 24 x", sender, check, answering="<sent@play.example.org>")


def test_what_an_assistant_asks_is_held_and_confirmed_by_himself_alone(game: Game, olga: User, alice: User) -> None:
    own = notices.commands_address(game, alice)
    assert write(game, "extend 24 x", alice.email, "", address=own).verdict == Verdict.HELD
    code = code_in_text(letter("organiser-held", alice).text)
    assert write(game, code, olga.email).verdict == Verdict.REJECTED, "it is not the organiser's question"
    assert not DeadlineChange.objects.exists()
    assert write(game, code, "phone@example.net", "", address=own).verdict == Verdict.ACCEPTED
    assert DeadlineChange.objects.get().who == alice


def test_who_helps_no_longer_commands_no_longer(game: Game, olga: User, alice: User) -> None:
    own = notices.commands_address(game, alice)
    write(game, "extend 24 x", alice.email, "", address=own)
    asked = row("organiser-held", alice)
    services.remove_assistant(game=game, user=alice, who=olga)
    assert write(game, "extend 24 x", alice.email, address=own).verdict == Verdict.REJECTED
    assert "ging an eine Adresse, die nicht mehr gilt" in words(letter("revoked", alice).text)
    assert not inbox.is_open(asked)
    assert not inbox.answer(asked)
    assert not DeadlineChange.objects.exists()
    with pytest.raises(PlayError, match="Only who organises the game"):
        services.mail_commands(game=game, who=alice)


def test_an_assistant_hears_what_the_organiser_hears_but_of_his_own_seat(game: Game, olga: User, alice: User) -> None:
    one = seat(game, player(game, 0))
    incoming = write(game, "late", olga.email)
    notices.player_mail(one, "silent", incoming)
    notices.wrong_sender(one, game.seats.get(index=1), incoming)
    for kind in ("player-mail", "alarm"):
        assert {mailed.to for mailed in Outgoing.objects.filter(kind=kind)} == {olga.email, alice.email}
        assert row(kind, alice).address == notices.commands_address(game, alice)
    Seat.objects.filter(pk=one.pk).update(player=alice)
    notices.player_mail(seat(game, alice), "away", incoming)
    assert {mailed.to for mailed in Outgoing.objects.filter(kind="player-mail", data__what="away")} == {olga.email}


def test_the_page_mails_an_assistant_his_own_address(game: Game, olga: User, alice: User) -> None:
    client, where = Client(), reverse("game-addresses", args=[game.key])
    client.force_login(alice)
    assert "Per Mail leiten" in client.get(where).content.decode()
    client.post(where, {"do": "commands"})
    assert row("organiser-help", alice).address == notices.commands_address(game, alice)
    assert not Outgoing.objects.filter(kind="organiser-help", recipient=olga).exists()


def test_each_own_mail_that_is_held_is_asked_about_and_strangers_once_a_day(game: Game, olga: User) -> None:
    def asked() -> int:
        return Outgoing.objects.filter(kind="organiser-held").count()

    for hours in (24, 25, 24):
        assert write(game, f"extend {hours} x", olga.email, "").verdict == Verdict.HELD
    assert asked() == 2, "a repeated one is not asked about again"
    for hours in (26, 27):
        write(game, f"extend {hours} x", "who@example.net")
        write(game, f"extend {hours} y", olga.email, "fail")
    assert asked() == 3
    for hours in range(30, 45):
        write(game, f"extend {hours} x", olga.email, "")
    assert asked() == 10, "two machines must not talk for ever"


def test_answers_are_capped(game: Game, olga: User) -> None:
    for number in range(63):
        write(game, f"late\n{number}", olga.email)
    assert Outgoing.objects.filter(kind="organiser-answer").count() == 60


def test_history_tells_turn_by_turn_what_the_seat_may_know(game: Game, clock: time_machine.Traveller) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    deliver(game, acts, "history")
    assert "How the game began" in letter("history", acts).text
    forward(game, clock)
    deliver(game, acts, "verlauf")
    assert "What happened in turn 1" in letter("history", acts).text
