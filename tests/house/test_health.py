"""`manage.py sweep`, `manage.py doctor`, /healthz and /readyz: what a host sees of his server's health."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import time_machine
from celery import current_app
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from postspiel.accounts.models import User
from postspiel.config import health, sweeping
from postspiel.config.parts import all_parts
from postspiel.mail import bell
from postspiel.mail.models import Incoming, Looked, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Heartbeat, Result, Turn
from postspiel.reports.models import Report
from tests.people import person

NOW = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def olga(db: None) -> User:
    return person("olga")


@pytest.fixture
def spool(settings: Settings, tmp_path: Path) -> Path:
    settings.POSTSPIEL_BROKER = urlsplit(f"spool://{tmp_path / 'spool'}")
    return tmp_path / "spool"


def bots_only(olga: User) -> Game:
    game = services.create_game(
        organiser=olga, title="intrige", name="Bots", size=3, options={}, schedule=services.Schedule()
    )
    for _seat in range(3):
        services.seat_bot(game=game, index=None, bot="random")
    return game


def waiting(olga: User) -> Game:
    game = services.create_game(
        organiser=olga, title="intrige", name="Wait", size=3, options={}, schedule=services.Schedule()
    )
    services.join_game(game=game, player=olga)
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    services.sweep()
    while Turn.objects.filter(game=game, status="open", due__lte=timezone.now()).exists():
        services.sweep()
    return game


def doctor(*arguments: str) -> tuple[int, str]:
    said = StringIO()
    try:
        call_command("doctor", *arguments, stdout=said)
    except CommandError as error:
        return error.returncode, said.getvalue() + str(error)
    return 0, said.getvalue()


@pytest.mark.django_db(transaction=True)
def test_one_sweep_plays_prints_and_mails_without_a_queue(
    clock: time_machine.Traveller, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[object] = []
    monkeypatch.setattr(current_app, "send_task", lambda *args, **kwargs: rung.append(args))
    with bell.held():
        game, waits = bots_only(olga), waiting(olga)
    call_command("sweep")

    bell.flush()
    assert rung == []
    game.refresh_from_db()
    assert game.status == "ended"
    assert Result.objects.filter(game=game).exists()
    assert list(Report.objects.filter(game=game).values_list("state", flat=True)) == ["done"]
    assert not Outgoing.objects.exclude(state__in=("sent", "cancelled")).exists()
    assert Turn.objects.get(game=waits, status="open").number >= 1
    assert Heartbeat.objects.get(name="sweep").at == NOW


def test_a_step_that_raises_is_told_and_stops_no_other(
    clock: time_machine.Traveller, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("broken")

    monkeypatch.setitem(sweeping.STEPS, "reading mail", broken)
    with pytest.raises(CommandError, match="reading mail"):
        call_command("sweep")
    assert Heartbeat.objects.get(name="sweep").at == NOW


def test_the_server_says_that_it_lives_without_asking_the_database(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"alive\n")


def test_readiness_is_three_numbers_and_no_word_more(clock: time_machine.Traveller, olga: User, client: Client) -> None:
    assert client.get("/readyz").json() == {
        "ready": False,
        "database": True,
        "last_sweep": None,
        "oldest_overdue_turn": None,
        "oldest_unsent_mail": None,
    }
    waiting(olga)
    due = Turn.objects.get(status="open").due
    assert due is not None
    clock.move_to(due + timedelta(minutes=9))
    Heartbeat.objects.update(at=due)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["ready"], told["last_sweep"], told["oldest_overdue_turn"]) == (True, 540, 542)
    assert told["oldest_unsent_mail"] > 24 * 3600

    clock.shift(timedelta(minutes=2))
    assert client.get("/readyz").status_code == 503


def test_without_a_database_the_server_is_not_ready_and_says_nothing_else(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: object) -> None:
        raise OperationalError("password authentication failed for user postspiel")

    monkeypatch.setattr(health, "numbers", gone)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "database": False})


def test_the_doctor_finds_a_healthy_server_healthy(clock: time_machine.Traveller, olga: User, spool: Path) -> None:
    services.sweep()
    code, said = doctor()
    assert code == 0, said
    assert "WRONG" not in said
    assert said.count("right") == 7
    assert not list(spool.iterdir())


@pytest.mark.usefixtures("spool")
def test_the_doctor_names_what_is_late_with_its_mend(clock: time_machine.Traveller, olga: User) -> None:
    code, said = doctor()
    assert code == 1
    assert "No sweep has ever run" in said

    waiting(olga)
    Turn.objects.filter(status="open").update(state=b"broken")
    deadline = Turn.objects.get(status="open").deadline
    assert deadline is not None
    clock.move_to(deadline + timedelta(days=1))
    services.sweep()
    code, said = doctor()
    assert code == 1
    assert "WRONG  The oldest overdue turn should have ended 24 hours ago.\n       Look for" in said
    assert "WRONG  The oldest unsent mail was written " in said
    assert "right  The last sweep was 0 seconds ago." in said
    clock.shift(timedelta(minutes=11))
    assert "WRONG  The last sweep was 11 minutes ago.\n       Start manage.py run" in doctor()[1]


@pytest.mark.django_db
def test_the_doctor_tells_of_mail_that_nobody_read(clock: time_machine.Traveller) -> None:
    def came(state: str, minutes: int) -> None:
        at = timezone.now() - timedelta(minutes=minutes)
        Incoming.objects.create(door="smtp", raw=b"", digest=state, message_id=state, received=at, due=at, state=state)

    assert "not read" not in doctor()[1]
    came("waiting", 5)
    assert "right  The oldest mail that was not read yet came 5 minutes ago." in doctor()[1]
    clock.shift(timedelta(minutes=7))
    came("stuck", 900)
    code, said = doctor()
    assert code == 1
    assert "WRONG  The oldest mail that was not read yet came 12 minutes ago.\n       Start manage.py run" in said
    assert "WRONG  1 mail could not be read.\n       See what and why by manage.py mail stuck" in said


@pytest.mark.django_db
def test_the_doctor_tries_queue_mail_server_and_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    services.sweep()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    settings.POSTSPIEL_BROKER = urlsplit("redis://:hunter2@127.0.0.1:1/0")
    settings.POSTSPIEL_SMTP = {
        "host": "127.0.0.1", "port": port, "use_ssl": False, "use_tls": False, "username": "", "password": "",
    }  # fmt: skip
    monkeypatch.setattr(health, "FREE", 10**18)

    def refused(*args: object, **kwargs: object) -> None:
        raise OSError("redis://:hunter2@127.0.0.1:1/0 refused")

    monkeypatch.setattr(current_app, "connection_for_write", refused)
    code, said = doctor()
    assert code == 1
    for sentence in ("The queue does not answer", "The mail server does not answer", "MB are free where the data are."):
        assert f"WRONG  {sentence}" in said or f"{sentence}\n       Make room" in said
    assert "hunter2" not in said
    assert "3 of 7 are wrong." in said


@pytest.mark.django_db
def test_the_doctor_says_that_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "ensure_connection", gone)
    code, said = doctor()
    assert code == 1
    assert "WRONG  The database does not answer: connection refused" in said


def test_the_doctor_sees_whether_mailboxes_are_looked_into(
    clock: time_machine.Traveller, olga: User, spool: Path, settings: Settings
) -> None:
    services.sweep()
    options = {"host": "imap.example.org", "port": 993, "security": "tls", "username": "games", "password": "hunter2"}
    settings.POSTSPIEL_IMAP = [options, options | {"folder": "Spam"}]
    assert "imap" in all_parts()
    Looked.objects.create(account="games at imap.example.org:993", folder="INBOX", at=NOW)
    assert "WRONG  A mailbox has never been looked into.\n       Start manage.py run" in doctor()[1]
    Looked.objects.create(account="games at imap.example.org:993", folder="Spam", at=NOW - timedelta(minutes=5))
    assert "right  All mailboxes were looked into 5 minutes ago." in doctor()[1]
    Looked.objects.update(at=NOW - timedelta(minutes=11))
    assert "WRONG  All mailboxes were looked into 11 minutes ago." in doctor()[1]
    settings.POSTSPIEL_IMAP = []
    assert "mailbox" not in doctor()[1]
    assert "imap" not in all_parts()


def test_the_doctor_speaks_german(clock: time_machine.Traveller, olga: User, spool: Path) -> None:
    services.sweep()
    clock.shift(timedelta(minutes=30))
    code, said = doctor("--language", "de")
    assert code == 1
    assert "FALSCH  Der letzte Durchgang war vor 30 Minuten.\n        Starte manage.py run" in said
    assert "gut     Keine Mail wartet darauf, verschickt zu werden." in said
    assert "stimmen nicht." in said
