"""The IMAP door against a server that behaves, and one that does not."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import StringIO
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, OperationalError
from django.utils import timezone
from pytest_django.fixtures import Settings

from postspiel.mail import addresses, imap, inbox, services
from postspiel.mail.models import Address, Fetched, Incoming, Looked
from postspiel.mail.reading import caps
from tests.mail.imap_server import HangUp, Mailbox, imap_server
from tests.mail.threads import close_own_connection

pytestmark = pytest.mark.django_db


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with imap_server() as found:
        yield found


@pytest.fixture
def to(address: Address) -> str:
    return services.spell(address, "kreml")


def raw(number: int, to: str, *heads: str) -> bytes:
    lines = ("From: ada@example.com", f"To: {to}", f"Message-ID: <{number}@example.com>", *heads, "", f"bid {number}")
    return "\r\n".join(lines).encode() + b"\r\n"


def kept() -> list[bytes]:
    return [bytes(row.raw) for row in Incoming.objects.order_by("pk")]


def test_a_mail_is_kept_with_the_time_of_its_server_and_marked(box: Mailbox, to: str, address: Address) -> None:
    letter = box.add(raw(1, to, "Return-Path: <ada@work.example>", "Date: Thu, 1 Jan 1970 00:00:00 +0000"))
    assert imap.look(box.place()) == 1

    row = Incoming.objects.get()
    assert (bytes(row.raw), row.door, row.sender, row.recipient, row.address) == (
        letter.raw, "imap", "ada@work.example", to, address,
    )  # fmt: skip
    assert row.received == datetime(2026, 3, 2, 19, 0, tzinfo=UTC)
    assert Looked.objects.get().at <= timezone.now()
    assert letter.seen
    assert imap.look(box.place()) == 0
    assert len(kept()) == Fetched.objects.count() == 1


def test_no_server_dates_a_mail_into_the_future(box: Mailbox, to: str) -> None:
    box.add(raw(1, to), received="02-Mar-2090 20:00:00 +0100")
    imap.look(box.place())
    assert Incoming.objects.get().received <= datetime.now(UTC)


def test_a_mail_is_marked_only_after_the_commit(box: Mailbox, to: str) -> None:
    letter = box.add(raw(1, to))
    with mock.patch.object(inbox, "receive", side_effect=OperationalError("gone")), pytest.raises(OperationalError):
        imap.look(box.place())
    assert (letter.seen, box.count("STORE"), Fetched.objects.count()) == (False, 0, 0)
    assert not Looked.objects.exists(), "it was not looked through"

    def lost(command: str) -> None:
        if "STORE" in command:
            raise HangUp

    box.hook = lost
    with pytest.raises(imap.TROUBLE):
        imap.look(box.place())
    assert (letter.seen, len(kept())) == (False, 1)

    box.hook = lambda _command: None
    box.said.clear()
    assert imap.look(box.place()) == 0
    assert (letter.seen, len(kept()), box.count("FETCH")) == (True, 1, 0)


def test_what_somebody_else_opened_first_is_kept_too(box: Mailbox, to: str) -> None:
    box.add(raw(1, to))
    imap.look(box.place())
    box.add(raw(2, to), seen=True)
    assert imap.look(box.place()) == 1


def test_a_server_that_numbers_its_mails_anew_hides_none_and_doubles_none(box: Mailbox, to: str) -> None:
    for number in (1, 2):
        box.add(raw(number, to))
    imap.look(box.place())
    box.validity, box.folders["INBOX"], box.next_uid = 8, [], 1
    box.add(raw(3, to))
    box.add(raw(1, to), seen=True)
    imap.look(box.place())

    assert kept() == [raw(1, to), raw(2, to), raw(3, to)]
    assert list(Fetched.objects.order_by("pk").values_list("validity", "uid")) == [(7, 1), (7, 2), (8, 1), (8, 2)]


def test_accounts_and_folders_are_told_apart(box: Mailbox, to: str) -> None:
    box.add(raw(1, to))
    box.folders["Spam"] = [box.add(raw(2, to))]
    box.folders["INBOX"].pop()
    box.folders["Spam"][0].uid = 1
    for place in (box.place(), box.place(folder="Spam"), box.place(username="others")):
        imap.look(place)
    assert kept() == [raw(1, to), raw(2, to)]
    assert Fetched.objects.values("account", "folder").distinct().count() == 3


@pytest.mark.parametrize("how", ("reader", "database", "server"))
def test_a_mail_that_cannot_be_kept_stops_no_other(
    box: Mailbox, to: str, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    letters = [box.add(raw(number, to)) for number in (1, 2, 3)]
    receive = inbox.receive

    def broken(given: bytes, **fields: Any) -> list[Incoming]:
        if b"bid 2" in given:
            raise IndexError("poison") if how == "reader" else DataError("poison")
        return receive(given, **fields)

    if how == "server":
        box.hook = lambda command: "NO corrupt" if command.startswith("UID FETCH 2 ") else None
    else:
        monkeypatch.setattr(inbox, "receive", broken)
    assert imap.look(box.place()) == 2

    assert kept() == [raw(1, to), raw(3, to)]
    assert [letter.seen for letter in letters] == [True, False, True]
    assert "could not be kept" in caplog.text
    monkeypatch.undo()
    box.hook = lambda _command: None
    assert imap.look(box.place()) == 1


@pytest.mark.parametrize(
    "head", (b'To: "\r\n', b"Message-ID: <[x@y]>\r\n", b"To: \xff\xfe <a@b>\r\n", b"", b"Date: nonsense\r\n")
)
def test_a_mail_whose_head_breaks_parsers_is_kept(box: Mailbox, head: bytes) -> None:
    box.add(head + b"\r\nbid 1\r\n")
    assert imap.look(box.place()) == 1
    assert Incoming.objects.get().recipient == "postspiel@play.example.org"


def test_what_is_too_large_is_kept_as_far_as_shows_that(box: Mailbox, to: str) -> None:
    box.add(raw(1, to) + b"x" * 998 * 6000)
    assert imap.look(box.place()) == 1
    row = Incoming.objects.get()
    assert len(row.raw) == caps.SIZE + 1
    services.read(row.pk)
    assert Incoming.objects.get().verdict == Incoming.Verdict.QUARANTINED


def test_read_mail_can_be_moved(box: Mailbox, to: str) -> None:
    box.add(raw(1, to), seen=True)
    assert imap.look(box.place(move="Done")) == 1
    assert [len(folder) for folder in box.folders.values()] == [0, 1]

    box.capabilities = "IMAP4rev1 IDLE"
    box.add(raw(2, to))
    with pytest.raises(ConnectionError, match="cannot move"):
        imap.look(box.place(move="Done"))
    assert len(kept()) == 2


@pytest.mark.parametrize("name", ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"))
def test_whom_a_mail_is_for_stands_in_its_head(address: Address, name: str) -> None:
    to = services.spell(address, "kreml")
    head = f"Delivered-To: games@play.example.org\r\nTo: Kreml <x@y.example>\r\n{name}: Rot <{to.upper()}>, b@c.example"
    assert imap.recipients(f"{head}\r\n\r\nTo: {'a' * 26}@play.example.org".encode()) == [to]


def test_a_mail_for_two_seats_is_for_both_and_one_for_none_is_the_servers(address: Address) -> None:
    both = [services.spell(one, "kreml") for one in (address, services.address_for("echo", 8))]
    assert imap.recipients(f"To: {both[0]}\r\nCc: {both[1]}, {both[0]}\r\n\r\n".encode()) == both
    unknown = f"kreml+{'a' * 26}@play.example.org"
    assert imap.recipients(f"To: {unknown}\r\n\r\n".encode()) == [addresses.own()]
    revoked = services.spell(address, "kreml")
    services.renew(address)
    assert imap.recipients(f"To: {revoked}\r\n\r\n".encode()) == [revoked]


# --- staying there ----------------------------------------------------------------------------------------------------


@pytest.fixture
def following(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[imap.Place], threading.Event]]:
    """Follow a folder in a thread."""
    monkeypatch.setattr(imap, "SLICE", 0.1)
    monkeypatch.setattr(imap, "PAUSES", (0.01, 0.02, 0.04))
    monkeypatch.setattr(imap, "close_old_connections", close_own_connection)
    stop, threads = threading.Event(), []

    def start(place: imap.Place) -> threading.Event:
        threads.append(threading.Thread(target=imap.follow, args=(place, stop)))
        threads[-1].start()
        return stop

    yield start
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_new_mail_is_announced(
    box: Mailbox, to: str, following: Callable[[imap.Place], threading.Event], caplog: pytest.LogCaptureFixture
) -> None:
    following(box.place())
    until(lambda: box.count("IDLE"))
    letters = [box.add(raw(1, to))]
    until(lambda: letters[0].seen)
    letters.append(box.add(raw(2, to)))
    until(lambda: letters[1].seen)
    assert "cannot be read" not in caplog.text
    assert box.count("LOGIN") == 1


@pytest.mark.parametrize("moment", ("UID STORE", "IDLE"))
def test_mail_that_is_announced_in_between_does_not_wait(
    box: Mailbox, to: str, moment: str, following: Callable[[imap.Place], threading.Event]
) -> None:
    def come(command: str) -> None:
        if command.startswith(moment) and len(letters) == 1:
            letters.append(box.add(raw(2, to)))

    letters = [box.add(raw(1, to))]
    box.hook = come
    following(box.place())
    until(lambda: len(letters) == 2 and letters[1].seen)
    assert box.count("LOGIN") == 1


def test_a_folder_is_looked_at_again_though_nothing_was_announced(
    box: Mailbox, to: str, following: Callable[[imap.Place], threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "WAIT", 0.05)
    box.capabilities = "IMAP4rev1"
    following(box.place())
    until(lambda: box.count("SEARCH") > 2)
    letter = box.add(raw(1, to))
    until(lambda: letter.seen)
    assert box.count("IDLE") == 0


def test_idle_is_renewed(
    box: Mailbox, following: Callable[[imap.Place], threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "WAIT", 0.05)
    following(box.place())
    until(lambda: box.count("IDLE") > 2)
    assert box.count("LOGIN") == 1


def test_the_door_comes_back_with_growing_pauses(
    box: Mailbox,
    to: str,
    following: Callable[[imap.Place], threading.Event],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def away(command: str) -> None:
        if command.startswith(troubles[0]):
            raise HangUp

    troubles = ["LOGIN"]
    box.hook = away
    box.add(raw(1, to))
    following(box.place())
    until(lambda: box.count("LOGIN") > 4)
    assert "tried again in 0.01 s" in caplog.text
    assert "tried again in 0.04 s" in caplog.text
    assert "sesame" not in caplog.text
    for trouble in ("SELECT", "UID SEARCH", "UID FETCH", "UID STORE", "IDLE", "IDLING"):
        troubles[0] = trouble
        box.said.clear()
        until(lambda: box.count("LOGIN") > 1)
    troubles[0] = "nothing"
    letter = box.add(raw(2, to))
    until(lambda: letter.seen)
    assert kept() == [raw(1, to), raw(2, to)]


def test_the_command_looks_once_or_says_what_is_wrong(box: Mailbox, to: str, settings: Settings) -> None:
    def poll() -> str:
        said = StringIO()
        call_command("mail", "poll", "--once", stdout=said)
        return said.getvalue()

    settings.POSTSPIEL_IMAP = []
    with pytest.raises(CommandError, match="POSTSPIEL_MAIL_IMAP names no mailbox"):
        poll()

    options = {"host": "127.0.0.1", "port": box.port, "security": "none", "username": "games", "password": "sesame"}
    settings.POSTSPIEL_IMAP = [options]
    box.add(raw(1, to))
    assert poll() == f"INBOX of games at 127.0.0.1:{box.port}: 1 new.\n"

    settings.POSTSPIEL_IMAP = [options | {"password": "secret"}, options | {"folder": "Nowhere"}, options]
    box.add(raw(2, to))
    with pytest.raises(CommandError) as failed:
        poll()
    assert failed.value.returncode == os.EX_TEMPFAIL
    assert "wrong password" in str(failed.value)
    assert "no such folder" in str(failed.value)
    assert "secret" not in str(failed.value)
    assert len(kept()) == 2, "the others are read"
