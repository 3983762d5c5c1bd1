"""The way out against a server that says what it likes at each step, or goes away."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from postspiel.mail.wire import Permanent, Smtp, Temporary, Unreachable

STEPS = ("MAIL", "RCPT", "DATA", ".")
RAW = b"Subject: x\r\n\r\n.dot\r\n"
GONE = ""


class Server:
    """An SMTP server whose answer at a step can be changed; GONE: it closes the connection instead."""

    def __init__(self) -> None:
        self.says: dict[str, str] = {}
        self.opened = 0
        self.taken: list[bytes] = []
        self.port = 0

    def options(self, **fields: object) -> dict[str, object]:
        given: dict[str, object] = {"use_ssl": False, "use_tls": False, "username": "", "password": "", **fields}
        return {"host": "127.0.0.1", "port": self.port, **given}


class _Talk(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.known: Server = self.server.known  # type: ignore[attr-defined]
        self.known.opened += 1
        if self.answer("HELLO", "220 ready"):
            while (line := self.rfile.readline()) and self.command(line[:4].decode().strip().upper()):
                pass

    def command(self, verb: str) -> bool:
        usual = {"DATA": "354 go on", "EHLO": "250 me", "QUIT": "221 bye"}.get(verb, "250 fine")
        going_on = self.answer(verb, usual)
        return self.data() if going_on and verb == "DATA" and "DATA" not in self.known.says else going_on

    def data(self) -> bool:
        lines = []
        while (line := self.rfile.readline()) and line != b".\r\n":
            lines.append(line)
            if self.known.says.get("body") == GONE:
                return False
        self.known.taken.append(b"".join(lines))
        return self.answer(".", "250 queued")

    def answer(self, step: str, usual: str) -> bool:
        said = self.known.says.get(step, usual)
        if said:
            self.wfile.write(said.encode() + b"\r\n")
        return bool(said)


@pytest.fixture
def server() -> Iterator[Server]:
    known = Server()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Talk) as running:
        running.daemon_threads = True
        known.port = running.server_address[1]
        running.known = known  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield known
        running.shutdown()
        thread.join()


@pytest.fixture
def wire(server: Server) -> Iterator[Smtp]:
    found = Smtp(server.options())
    yield found
    found.close()


def send(wire: Smtp) -> str:
    return wire.send("ada@example.com", RAW, sender="bounce@play.example.org")


@pytest.mark.parametrize(
    ("step", "said", "outcome"),
    (
        *[(step, f"{code} busy", Temporary) for step in STEPS for code in (421, 450, 451, 452)],
        *[(step, f"{code} never", Permanent) for step in ("RCPT", "DATA", ".") for code in (550, 552, 553, 554)],
        *[("MAIL", f"{code} not you", Temporary) for code in (530, 550, 554)],
        *[(step, GONE, Temporary) for step in (*STEPS, "body")],
    ),
)
def test_what_a_server_says_decides(wire: Smtp, server: Server, step: str, said: str, outcome: type[Exception]) -> None:
    server.says[step] = said
    with pytest.raises(outcome, match=said or "The connection broke") as failed:
        send(wire)
    assert type(failed.value) is outcome
    assert not wire.unreachable, "the next mail may fare better"

    server.says.clear()
    server.taken.clear()
    assert send(wire) == "250 queued"
    assert server.taken == [RAW.replace(b"\r\n.", b"\r\n..")]


@pytest.mark.parametrize(
    ("change", "options"),
    (
        ({"HELLO": "421 too busy"}, {}),
        ({"HELLO": "554 no"}, {}),
        ({"HELLO": GONE}, {}),
        ({"EHLO": GONE}, {}),
        ({"EHLO": "550 no", "HELO": "550 no"}, {}),
        ({}, {"use_tls": True}),
        ({}, {"username": "u", "password": "hunter2"}),
        ({}, {"port": 1}),
    ),
)
def test_trouble_before_the_mail_is_the_hosts(server: Server, change: dict[str, str], options: dict[str, Any]) -> None:
    server.says = change
    wire = Smtp(server.options(**options))
    with pytest.raises(Unreachable) as failed:
        send(wire)
    assert wire.unreachable
    assert "hunter2" not in str(failed.value)


def test_one_connection_serves_until_it_breaks(wire: Smtp, server: Server) -> None:
    for _mail in range(3):
        send(wire)
    for step, said in (("RCPT", "550 no such user"), (".", "452 full")):
        server.says = {step: said}
        with pytest.raises((Permanent, Temporary)):
            send(wire)
    server.says = {}
    send(wire)
    assert server.opened == 1
    server.says = {"body": GONE}
    with pytest.raises(Temporary, match="The connection broke"):
        send(wire)
    server.says = {}
    send(wire)
    assert server.opened == 2


def test_an_answer_of_many_lines_is_one_line(wire: Smtp, server: Server) -> None:
    server.says["RCPT"] = "550-no such user\r\n550-\x1b[31m\r\n550 here"
    with pytest.raises(Permanent) as failed:
        send(wire)
    assert str(failed.value) == "550 no such user [31m here"
