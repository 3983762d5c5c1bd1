"""Postfix, Exim, Dovecot, swaks and msmtp on loopback; doors and senders are killed: nothing lost, nothing doubled.

The suite runs a short form on SQLite. `make mail-full` sends hundreds, kills dozens of times and has a PostgreSQL of
its own crash in between; it prints what it counted.
"""

import os
import random
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from postspiel.mail.reading import mime
from tests.mail.programs import Cluster, Programs, answers, cluster, exim, exim_missing, missing, programs, wait_for
from tests.mail.test_processes import SCRIPT, Do, do
from tests.support.server import ROOT, environment, free_port

MAILS, KILLS, PIPED = (
    int(os.environ.get(f"REAL_{name}", few)) for name, few in (("MAILS", 8), ("KILLS", 1), ("PIPED", 1))
)
CRASHES = int(os.environ.get("REAL_CRASHES", "0"))
"""How often the database crashes; 0: it is SQLite, which cannot."""

__all__ = ("do",)

REQUIRED = os.environ.get("POSTSPIEL_TEST_SERVICES") == "required"
"""Whether a missing program fails its tests, as in CI, instead of leaving them out with the reason shown."""

pytestmark = [
    pytest.mark.whole,
    pytest.mark.long,
    pytest.mark.once,
    pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=f"no programs: {missing()}"),
]

type Variables = dict[str, str]


@pytest.fixture(scope="module")
def running() -> Iterator[Programs]:
    with programs() as found:
        yield found


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster | None]:
    with ExitStack() as stack:
        yield stack.enter_context(cluster()) if CRASHES else None


@pytest.fixture(scope="module")
def variables(
    tmp_path_factory: pytest.TempPathFactory, running: Programs, database: Cluster | None
) -> Iterator[Variables]:
    with environment(tmp_path_factory.mktemp("server")) as found:
        found |= {
            "POSTSPIEL_SMTP": f"smtp://127.0.0.1:{running.smtp}",
            "POSTSPIEL_MAIL_DOMAIN": "play.example.org",
            "POSTSPIEL_MAIL_LMTP": str(running.lmtp),
            "POSTSPIEL_MAIL_IMAP": f"imaps://box:sesame@localhost:{running.imap}/INBOX",
            "SSL_CERT_FILE": str(running.cert),
        }
        if database is not None:
            found["POSTSPIEL_DATABASE"] = database.url
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=found, check=True)
        yield found


class Killed:
    """A command that is killed and started again."""

    def __init__(self, variables: Variables, *command: str) -> None:
        self._command, self._variables = [sys.executable, *command], variables
        self.kills = 0
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, env=self._variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill_and_start(self) -> None:
        self._process.kill()
        assert self._process.wait() == -signal.SIGKILL, "it had ended by itself"
        self.kills += 1
        self.start()

    def stop(self) -> None:
        """Stop it as its supervisor does; it ends well."""
        self._process.terminate()
        assert self._process.wait(60) == 0


def letter(name: str, to: str) -> bytes:
    return f"From: ada@example.com\r\nTo: {to}\r\nMessage-ID: <{name}@example.com>\r\n\r\nbid 3000 {name}\r\n".encode()


def hand_in(port: int, name: str, envelope: str, to: str) -> bool:
    """Hand a mail to a server until it says yes, as a mail server does."""
    while True:
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
                client.sendmail("ada@example.com", [envelope], letter(name, to))
                return True
        except (OSError, smtplib.SMTPException):
            time.sleep(0.05)


def pipe(variables: Variables, name: str, to: str, luck: random.Random) -> int:
    """Hand a mail to the pipe until it ends well, killing it now and then; how often it was killed."""
    command, kills = [sys.executable, "manage.py", "mail", "deliver", "--to", to], 0
    while True:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(letter(name, to))
        process.stdin.close()
        try:
            code = process.wait(luck.uniform(0.3, 1.6) if kills < 2 else 60)
        except subprocess.TimeoutExpired:
            process.kill()
            code, kills = process.wait(), kills + 1
        assert code in {0, os.EX_TEMPFAIL, -signal.SIGKILL}
        if code == 0:
            return kills


def in_threads(*jobs: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    return threads


def test_no_door_loses_or_doubles_a_mail(
    running: Programs, variables: Variables, do: Do, database: Cluster | None
) -> None:
    to, luck = do("address"), random.Random(7)
    direct = int(variables["POSTSPIEL_MAIL_LISTEN"].rpartition(":")[2])
    doors = [Killed(variables, "manage.py", "mail", door) for door in ("listen", "poll")]
    piped: list[int] = []

    def bring(port: int, door: str, envelope: str) -> Callable[[], object]:
        return lambda: [hand_in(port, f"{door}{number}", envelope, to) for number in range(MAILS)]

    def bring_by_pipe() -> None:
        piped.extend(pipe(variables, f"pipe{number}", to, random.Random(number)) for number in range(PIPED))

    bringing = in_threads(
        bring(running.smtp, "lmtp", to),
        bring(running.smtp, "imap", "games@box.example.org"),
        bring(direct, "smtp", to),
        bring_by_pipe,
    )
    for number in range(KILLS):
        time.sleep(luck.uniform(0.3, 2.0))
        for door in doors:
            door.kill_and_start()
        if database is not None and number % max(1, KILLS // CRASHES) == 0:
            database.stop()
            time.sleep(luck.uniform(0.5, 3.0))
            database.start()
    for thread in bringing:
        thread.join(300)
    expected = {f"{door}{number}" for door in ("lmtp", "imap", "smtp") for number in range(MAILS)}
    expected |= {f"pipe{number}" for number in range(PIPED)}

    def came() -> list[tuple[str, str]]:
        ours = [(door, name.strip("<>").partition("@")[0]) for door, name in do("ids")]
        return [one for one in ours if not one[1].startswith(("swaks", "exim"))]

    wait_for(lambda: {name for _door, name in came()} >= expected, 120)
    wait_for(running.is_idle, 60)
    counted = Counter(name for _door, name in came())
    for door in doors:
        door.stop()

    by_door = Counter(door for door, _name in came())
    kills = [door.kills for door in doors]
    print(
        f"\n{sum(counted.values())} mails of {len(expected)} came in once each: {dict(by_door)}; listener killed "
        f"{kills[0]} times, IMAP reader {kills[1]}, pipe {sum(piped)}; the database crashed {CRASHES} times."
    )
    assert counted == Counter(expected)
    assert by_door == {"lmtp": MAILS, "imap": MAILS, "smtp": MAILS, "pipe": PIPED}


def test_no_mail_of_ours_is_lost_and_a_reader_sees_each_once(
    running: Programs, variables: Variables, do: Do, database: Cluster | None
) -> None:
    luck, kills = random.Random(11), 0
    do("queue", str(MAILS * 2))
    while kills < KILLS:
        sender = subprocess.Popen(
            [sys.executable, SCRIPT, "send"],
            cwd=ROOT,
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        before = len(running.to_players())
        while sender.poll() is None and len(running.to_players()) == before:
            time.sleep(0.01)
        time.sleep(luck.uniform(0.0, 0.05))
        if database is not None and kills % max(1, KILLS // CRASHES) == 0:
            database.stop()
            time.sleep(0.5)
            database.start()
        sender.kill()
        sender.wait()
        kills += 1
    deadline = time.monotonic() + 120
    while set(states := do("states")) - {f"sent {attempts}" for attempts in range(1, 12)}:
        assert time.monotonic() < deadline, states
        do("forget-claims")
        do("send")
    wait_for(running.is_idle, 60)

    taken = [(mime.message_id(raw), raw.partition(b"\n\n")[2]) for raw in running.to_players()]
    print(
        f"\n{sum(states.values())} mails of ours were sent ({states}); {len({one for one, _ in taken})} different ones "
        f"arrived, {len(taken) - len(set(taken))} twice with the same bytes; the sender was killed {kills} times."
    )
    assert sum(states.values()) == MAILS * 2
    assert len({message_id for message_id, _body in taken}) == len(set(taken)) == MAILS * 2


def test_swaks_and_msmtp_are_served_as_any_client(
    running: Programs, variables: Variables, do: Do, tmp_path: Path
) -> None:
    to = do("address")
    mail = tmp_path / "mail"
    listener = subprocess.Popen(
        [sys.executable, "manage.py", "mail", "listen"],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert listener.stdout is not None
    assert all(listener.stdout.readline().startswith("Mail is taken at ") for _door in range(2))
    for number, where in enumerate((("--server", variables["POSTSPIEL_MAIL_LISTEN"]), ("--socket", running.lmtp))):
        mail.write_bytes(letter(f"swaks{number}", to))
        protocol = ("--protocol", "LMTP") if number else ()
        running.run("swaks", *where, *protocol, "--from", "ada@example.com", "--to", to, "--data", f"@{mail}")
    mail.write_bytes(letter("swaks by msmtp", to))
    host, _colon, port = variables["POSTSPIEL_MAIL_LISTEN"].rpartition(":")
    plain = ("--auth=off", "--tls=off", f"--host={host}", f"--port={port}", "--from=ada@example.com")
    with mail.open("rb") as file:
        subprocess.run(["msmtp", *plain, "--", to], stdin=file, check=True, timeout=60)
    listener.terminate()
    logged = listener.communicate(timeout=60)[1]
    assert listener.returncode == 0
    assert to.partition("@")[0].partition("+")[2] not in logged, "no token in a log"
    assert [door for door, name in do("ids") if "swaks" in name] == ["smtp", "lmtp", "smtp"]


@pytest.mark.skipif(bool(exim_missing()) and not REQUIRED, reason=f"no Exim: {exim_missing()}")
def test_exim_hands_mail_over_and_asks_for_addresses_as_documented(variables: Variables, do: Do) -> None:
    to, lmtp = do("address"), free_port()
    listener = Killed(variables | {"POSTSPIEL_MAIL_LMTP": f"127.0.0.1:{lmtp}"}, "manage.py", "mail", "listen")
    wait_for(lambda: answers(lmtp))
    with exim(lmtp) as port:
        with smtplib.SMTP("127.0.0.1", port, timeout=30) as client, pytest.raises(smtplib.SMTPRecipientsRefused) as no:
            client.sendmail("ada@example.com", ["play+nobody@play.example.org"], letter("no", "nobody"))
        assert no.value.recipients["play+nobody@play.example.org"][0] == 550, "while the sender still waits"
        assert hand_in(port, "exim", to, to)
        wait_for(lambda: "<exim@example.com>" in str(do("ids")))
    listener.stop()
    assert [door for door, name in do("ids") if "exim" in name] == ["lmtp"]
