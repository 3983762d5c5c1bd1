"""A whole server in processes of its own, for tests marked `whole`.

with server(tmp_path) as running:
    running.get("/")            # status and text of a page
    running.run("mail", "...")  # a management command of the same server
"""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """A running `manage.py run`."""

    def __init__(self, environment: dict[str, str], output: Path) -> None:
        self.environment, self.output = environment, output
        self.url = f"http://{environment['POSTSPIEL_LISTEN']}"
        self.smtp = environment["POSTSPIEL_MAIL_LISTEN"]
        command = [sys.executable, "manage.py", "run"]
        with output.open("wb") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)

    def said(self) -> str:
        """All that the server has printed."""
        return self.output.read_text(encoding="utf-8")

    def wait_for(self, what: Callable[[], object], seconds: float = 120) -> None:
        """Wait until `what` is true; fail with all that was printed."""
        deadline = time.monotonic() + seconds
        while not what():
            assert self.process.poll() is None, f"the server has ended:\n{self.said()}"
            assert time.monotonic() < deadline, f"waited {seconds} s in vain:\n{self.said()}"
            time.sleep(0.05)

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=60) as answer:  # noqa: S310 - our own address
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def run(self, *command: str, given: str = "") -> str:
        """What a management command of this server prints."""
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def stop(self) -> int:
        """Stop it as Ctrl-C does; its exit code."""
        self.process.terminate()
        return self.process.wait(60)


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """A server whose data lie in `folder`, on free ports, on the database and queue that this run of the suite uses."""
    with environment(folder) as variables:
        running = Server(variables, folder / "output")
        try:
            running.wait_for(lambda: "Postspiel runs." in running.said())
            yield running
        finally:
            if running.process.poll() is None:
                running.stop()


@contextmanager
def environment(folder: Path) -> Iterator[dict[str, str]]:
    """The variables of a server: data in `folder`, free ports, a database and a queue that nobody else uses."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("POSTSPIEL_")}
    variables |= {
        "POSTSPIEL_DATA": str(folder),
        "POSTSPIEL_LISTEN": f"127.0.0.1:{free_port()}",
        "POSTSPIEL_MAIL_LISTEN": f"127.0.0.1:{free_port()}",
    }
    database, broker = os.environ.get("POSTSPIEL_DATABASE"), os.environ.get("POSTSPIEL_BROKER")
    if not database or not broker:
        yield variables
        return
    queue = urlsplit(broker)
    number = int(queue.path[1:] or 0) + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    with fresh_database(database) as fresh:
        yield variables | {
            "POSTSPIEL_DATABASE": fresh,
            "POSTSPIEL_BROKER": queue._replace(path=f"/{number}").geturl(),
        }


@contextmanager
def fresh_database(url: str) -> Iterator[str]:
    """A new PostgreSQL database beside the one that `url` names, dropped at the end."""
    name = f"postspiel_{secrets.token_hex(6)}"
    postgres = urlsplit(url)._replace(path="/postgres").geturl()
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def free_port() -> int:
    """A port that nobody listens at just now.

    It is none of those that the system hands out by itself, so until somebody listens at it no connection takes it. It
    is drawn from the system's chance, since tests begin with the same seed in each process.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
