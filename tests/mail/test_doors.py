"""Doors in, spoken to as real mail servers do."""

import asyncio
import io
import os
import smtplib
import socket
import tempfile
import threading
from collections.abc import Iterator
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from postspiel.mail import addresses, doors, inbox, services
from postspiel.mail.models import Address, Incoming
from postspiel.mail.reading import caps
from tests.mail.threads import close_own_connection

RAW = b"From: ada@example.com\r\nMessage-ID: <1@example.com>\r\n\r\nbid 3000\r\n"


@pytest.fixture
def socket_path() -> Iterator[str]:
    """Where LMTP is spoken; the path of a Unix socket has to be short."""
    with tempfile.TemporaryDirectory(prefix="ps") as folder:
        yield f"{folder}/lmtp"


@pytest.fixture
def port(transactional_db: None, monkeypatch: pytest.MonkeyPatch, socket_path: str) -> Iterator[int]:
    """A listener in a thread; the port it listens at."""
    monkeypatch.setattr(doors, "close_old_connections", close_own_connection)
    loop, stop, bound = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    found: list[int] = []

    def ready(_host: str, number: int) -> None:
        found.append(number)
        if len(found) == 2:
            bound.set()

    serving = doors.serve("127.0.0.1", 0, ready, stop, socket_path)
    thread = threading.Thread(target=loop.run_until_complete, args=(serving,))
    thread.start()
    assert bound.wait(60)
    yield found[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join(60)
    assert not thread.is_alive()
    loop.close()


@pytest.fixture
def client(port: int) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", port, local_hostname="client.example", timeout=60) as client:
        yield client


def test_a_mail_is_kept_before_the_door_says_yes(client: smtplib.SMTP) -> None:
    address = services.address_for("echo", 7)
    refused = client.sendmail("ada@example.com", [services.spell(address, "kreml").upper()], RAW)

    assert refused == {}
    row = Incoming.objects.get()
    assert (bytes(row.raw), row.door, row.sender, row.address) == (RAW, "smtp", "ada@example.com", address)
    assert row.state == Incoming.State.WAITING


def test_unknown_addresses_are_refused_in_the_dialogue(client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail("ada@example.com")
    revoked = services.address_for("echo", 7)
    services.renew(revoked)

    assert client.rcpt("someone@example.com")[0] == 550
    assert client.rcpt(f"kreml+{'a' * 26}@play.example.org")[0] == 550
    assert client.rcpt("kreml@play.example.org")[0] == 550
    assert client.rcpt(services.spell(revoked, "kreml"))[0] == 250
    assert client.rcpt("postmaster@play.example.org")[0] == 250
    assert client.rcpt("postspiel@play.example.org")[0] == 250


def test_bounces_come_with_an_empty_sender(client: smtplib.SMTP) -> None:
    client.sendmail("", ["postspiel@play.example.org"], RAW)
    assert Incoming.objects.get().sender == ""


def test_there_is_a_limit_to_recipients_and_size(client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail("ada@example.com")
    spelled = [services.spell(services.address_for("echo", number), "kreml") for number in range(doors.RECIPIENTS + 1)]
    assert [client.rcpt(one)[0] for one in spelled] == [250] * doors.RECIPIENTS + [452]
    client.rset()

    assert client.mail("ada@example.com", [f"SIZE={caps.SIZE + 1}"])[0] == 552
    client.mail("ada@example.com")
    client.rcpt(spelled[0])
    code, text = client.data(RAW + (b"x" * 998 + b"\r\n") * (caps.SIZE // 1000 + 1))
    assert code == 552, text
    client.mail("ada@example.com")
    client.rcpt(spelled[0])
    code, text = client.data(b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n" * 5000)
    assert (code, text) == (552, b"5.3.4 Message has too many parts")
    assert not Incoming.objects.exists()


@pytest.fixture
def lmtp(port: int, socket_path: str) -> Iterator[smtplib.LMTP]:
    with smtplib.LMTP(socket_path, local_hostname="client.example") as client:
        client.ehlo()
        yield client


def begin(client: smtplib.SMTP, count: int) -> list[str]:
    """Begin a mail to so many recipients."""
    spelled = [services.spell(services.address_for("echo", number), "kreml") for number in range(count)]
    client.mail("ada@example.com")
    assert [client.rcpt(one)[0] for one in spelled] == [250] * count
    return spelled


def answers(client: smtplib.SMTP, data: bytes, count: int) -> list[int]:
    """Send the data and read so many answers; then there is no other."""
    client.docmd("DATA")
    client.send(data + b"\r\n.\r\n")
    codes = [client.getreply()[0] for _one in range(count)]
    assert client.noop() == (250, b"OK")
    return codes


def test_lmtp_answers_for_each_recipient(lmtp: smtplib.LMTP) -> None:
    begin(lmtp, 3)
    assert lmtp.rcpt("someone@example.com")[0] == 550
    assert answers(lmtp, RAW, 3) == [250] * 3
    assert list(Incoming.objects.values_list("door", flat=True)) == ["lmtp"] * 3

    begin(lmtp, 2)
    assert answers(lmtp, RAW + (b"x" * 998 + b"\r\n") * (caps.SIZE // 1000 + 1), 2) == [552] * 2
    begin(lmtp, 2)
    with mock.patch.object(inbox, "receive", side_effect=OperationalError("secret")):
        assert answers(lmtp, RAW, 2) == [451] * 2
    assert lmtp.docmd("DATA")[0] == 503, "one answer, for nobody was named"
    begin(lmtp, 1)
    assert answers(lmtp, RAW.replace(b"3000", b"4000"), 1) == [250]
    assert lmtp.docmd("EHLO x")[0] == 500
    assert Incoming.objects.count() == 4


def test_what_is_too_large_is_never_read_as_commands(lmtp: smtplib.LMTP) -> None:
    (address,) = begin(lmtp, 1)
    commands = f"MAIL FROM:<eve@example.com>\r\nRCPT TO:<{address}>\r\n".encode()
    assert answers(lmtp, RAW + commands * (caps.SIZE // len(commands) + 2), 1) == [552]
    assert not Incoming.objects.exists()


def test_a_dialogue_may_be_sent_in_one_go(port: int) -> None:
    address = services.spell(services.address_for("echo", 7), "kreml")
    envelope = f"MAIL FROM:<ada@example.com>\r\nRCPT TO:<{address}>\r\nDATA\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
        talk = raw.makefile("rwb")
        talk.write(b"EHLO c\r\n" + envelope + RAW + b".\r\n" + envelope + RAW.replace(b"3", b"4") + b".\r\nQUIT\r\n")
        talk.flush()
        codes = [line[:3] for line in talk.read().splitlines() if line[3:4] == b" "]
    assert codes == [b"220", b"250", *[b"250", b"250", b"354", b"250"] * 2, b"221"]
    assert Incoming.objects.count() == 2


@pytest.mark.parametrize(
    "arguments",
    (("--listen", "2525"), ("--listen", "localhost:no"), ("--listen", "127.0.0.1:99999"), ("--lmtp", "/no/lmtp")),
)
def test_a_door_that_cannot_open_says_so_in_a_sentence(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"^Mail cannot be taken at .*\. Name host:port"):
        call_command("mail", "listen", *("--listen", "127.0.0.1:0"), *arguments)


def test_one_foreign_client_may_bring_so_many_mails_a_minute() -> None:
    now = 0.0
    rate = doors.Rate(lambda: now)
    assert all(rate.allows("192.0.2.1") for _mail in range(doors.RATE))
    assert not rate.allows("192.0.2.1")
    assert rate.allows("192.0.2.2")
    assert all(rate.allows(here) for here in ("127.0.0.1", "::1", "") for _mail in range(doors.RATE + 1))
    now = doors.RATE_TIME + 1
    assert rate.allows("192.0.2.1")


def test_a_long_line_is_taken(client: smtplib.SMTP) -> None:
    address = services.spell(services.address_for("echo", 7), "kreml")
    client.sendmail("ada@example.com", [address], RAW + b"x" * 3_000_000 + b"\r\n")
    assert b"x" * 3_000_000 in bytes(Incoming.objects.get().raw)


def test_a_dot_between_bare_line_feeds_smuggles_no_second_mail(port: int) -> None:
    address = services.spell(services.address_for("echo", 7), "kreml")
    smuggled = f"MAIL FROM:<eve@example.com>\r\nRCPT TO:<{address}>\r\nDATA\r\nbid 1\r\n.\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
        talk = raw.makefile("rwb")
        talk.readline()
        for line in (b"HELO c", b"MAIL FROM:<ada@example.com>", f"RCPT TO:<{address}>".encode(), b"DATA"):
            talk.write(line + b"\r\n")
            talk.flush()
            talk.readline()
        talk.write(b"Subject: x\r\n\r\nbid 2\n.\n" + smuggled + b"QUIT\r\n")
        talk.flush()
        assert talk.readline().startswith(b"250")
    assert Incoming.objects.count() == 1


def test_when_the_database_is_away_senders_are_asked_to_come_again(
    client: smtplib.SMTP, caplog: pytest.LogCaptureFixture
) -> None:
    address = services.spell(services.address_for("echo", 7), "kreml")
    secret = "connection to server at 10.0.0.7 failed for user postspiel"
    client.ehlo()
    client.mail("ada@example.com")
    with mock.patch.object(addresses, "accepts", side_effect=OperationalError(secret)):
        code, text = client.rcpt(address)
    assert (code, text) == (451, doors.LATER[4:].encode())
    client.rcpt(address)
    with mock.patch.object(inbox, "receive", side_effect=OperationalError(secret)):
        code, text = client.data(RAW)
    client.rset()
    assert (code, text) == (451, doors.LATER[4:].encode())
    assert secret in caplog.text

    client.sendmail("ada@example.com", [address], RAW)
    assert Incoming.objects.count() == 1


def piped(raw: bytes, *arguments: str) -> None:
    with mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(raw))):
        call_command("mail", "deliver", *arguments)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("raw", "arguments", "sender"),
    (
        (RAW, ("--from", "ada@example.com"), "ada@example.com"),
        (RAW, ("--from", ""), ""),
        (b"Return-Path: <ada@work.example>\n" + RAW, (), "ada@work.example"),
        (b"Return-Path: <>\n" + RAW, (), ""),
        (RAW, (), "unknown"),
    ),
)
def test_a_pipe_delivers_one_mail(raw: bytes, arguments: tuple[str, ...], sender: str) -> None:
    address: Address = services.address_for("echo", 7)
    piped(raw, "--to", services.spell(address, "kreml"), *arguments)

    row = Incoming.objects.get()
    assert (bytes(row.raw), row.door, row.sender, row.address) == (raw, "pipe", sender, address)


@pytest.mark.django_db
@pytest.mark.parametrize("fault", (OperationalError("secret"), OSError("secret"), RuntimeError("secret")))
def test_a_pipe_tells_the_mail_server_what_to_do(fault: Exception) -> None:
    spelled = services.spell(services.address_for("echo", 7), "kreml")
    with pytest.raises(CommandError, match="No game or player") as unknown:
        piped(RAW, "--to", spelled, "--to", "kreml@play.example.org")
    with pytest.raises(CommandError, match="larger") as large:
        piped(RAW + b"x" * caps.SIZE, "--to", spelled)
    with (
        mock.patch.object(inbox, "receive", side_effect=fault),
        pytest.raises(CommandError, match=r"^The mail cannot be kept just now\.$") as away,
    ):
        piped(RAW, "--to", spelled)

    codes = [error.value.returncode for error in (unknown, large, away)]
    assert codes == [os.EX_NOUSER, os.EX_DATAERR, os.EX_TEMPFAIL] == [67, 65, 75]
    assert not Incoming.objects.exists()
