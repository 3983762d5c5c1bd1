"""Mail with real processes, sockets and kills: nothing lost, nothing doubled."""

import json
import os
import signal
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.support.server import ROOT, environment, free_port

pytestmark = [pytest.mark.whole, pytest.mark.long]

type Variables = dict[str, str]
type Do = Callable[..., Any]
SCRIPT = str(ROOT / "tests" / "mail" / "process.py")
RAW = b"From: ada@example.com\r\nMessage-ID: <%d@example.com>\r\n\r\nbid 3000\r\n"


class Sink:
    """A mail server that takes everything, and may do something with each mail before it says so."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.before_yes: Callable[[], None] = lambda: None

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append((envelope.rcpt_tos[0], envelope.content))
        self.before_yes()
        return "250 Taken"


@pytest.fixture(scope="module")
def sink() -> Iterator[tuple[Sink, int]]:
    port, handler = free_port(), Sink()
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    yield handler, port
    controller.stop()


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory, sink: tuple[Sink, int]) -> Iterator[Variables]:
    """The environment of one database, which tests share: each begins with its own rows."""
    with environment(tmp_path_factory.mktemp("server")) as found:
        found |= {"POSTSPIEL_SMTP": f"smtp://127.0.0.1:{sink[1]}", "POSTSPIEL_MAIL_DOMAIN": "play.example.org"}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=found, check=True)
        yield found


def start(variables: Variables, *command: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def do(variables: Variables) -> Iterator[Do]:
    """`do(command, ...)`: what `process.py` answers, which is started once, for that takes longer than any command."""
    with subprocess.Popen(
        [sys.executable, SCRIPT], cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def ask(*command: str) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps(command), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        yield ask


def test_five_senders_at_once_send_each_mail_once(variables: Variables, do: Do, sink: tuple[Sink, int]) -> None:
    sink[0].taken.clear()
    do("queue", "60")
    senders = [start(variables, SCRIPT, "send") for _ in range(5)]
    counts = [int(sender.communicate(timeout=120)[0]) for sender in senders]

    assert sum(counts) == 60
    assert sorted(to for to, _ in sink[0].taken) == sorted(f"player{number}@example.com" for number in range(60))
    assert do("states") == {"sent 1": 60}


def test_a_sender_killed_before_its_report_is_followed_by_the_same_bytes(
    variables: Variables, do: Do, sink: tuple[Sink, int]
) -> None:
    server = sink[0]
    server.taken.clear()
    do("queue", "1")
    sender = start(variables, SCRIPT, "send")
    server.before_yes = lambda: os.kill(sender.pid, signal.SIGKILL)
    assert sender.wait(60) == -signal.SIGKILL
    assert sender.stdout is not None
    sender.stdout.close()
    assert do("states") == {"sending 1": 1}
    assert do("send") == 0, "its claim still holds"

    server.before_yes = lambda: None
    do("forget-claims")
    assert do("send") == 1
    assert do("states") == {"sent 2": 1}
    (first, second) = server.taken
    assert first == second


def test_the_listener_keeps_what_it_said_yes_to_and_stops_when_told(variables: Variables, do: Do) -> None:
    address = do("address")
    for number, (how, code) in enumerate(((signal.SIGKILL, -9), (signal.SIGTERM, 0))):
        listener = start(variables, "manage.py", "mail", "listen")
        assert listener.stdout is not None
        ready = listener.stdout.readline()
        assert ready.startswith(f"Mail is taken at {variables['POSTSPIEL_MAIL_LISTEN']}")
        host, _, port = variables["POSTSPIEL_MAIL_LISTEN"].rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=60) as client:
            client.sendmail("ada@example.com", [address], RAW % number)
            listener.send_signal(how)
            assert listener.wait(60) == code
        listener.stdout.close()

    assert [letter.split("\r\n")[1] for letter in do("letters", "smtp")] == [
        "Message-ID: <0@example.com>",
        "Message-ID: <1@example.com>",
    ]


def test_a_pipe_answers_with_exit_codes(variables: Variables, do: Do) -> None:
    address = do("address")

    def deliver(to: str, **change: str) -> "subprocess.CompletedProcess[bytes]":
        command, env = [sys.executable, "manage.py", "mail", "deliver", "--to", to], variables | change
        return subprocess.run(command, cwd=ROOT, env=env, input=RAW % 7, capture_output=True, check=False)

    taken, unknown = deliver(address), deliver("play@play.example.org")
    away = deliver(address, POSTSPIEL_DATABASE="postgresql://nobody:secret@127.0.0.1:1/nothing")
    wrong = deliver(address, POSTSPIEL_DATABASE="mysql://nobody:secret@127.0.0.1/nothing")
    codes = [one.returncode for one in (taken, unknown, away, wrong)]
    assert codes == [0, os.EX_NOUSER, os.EX_TEMPFAIL, os.EX_TEMPFAIL]
    assert unknown.stderr.decode().strip().endswith("No game or player has this address.")
    assert away.stderr.decode().strip().endswith("The mail cannot be kept just now.")
    assert wrong.stderr.decode().startswith("POSTSPIEL_DATABASE is 'mysql'")
    assert b"secret" not in away.stderr + wrong.stderr
    assert do("letters", "pipe") == [(RAW % 7).decode()]
