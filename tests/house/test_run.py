"""`manage.py run`, with real processes."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support.server import ROOT, Server, server

pytestmark = [pytest.mark.whole, pytest.mark.long]


def processes(running: Server) -> dict[int, str]:
    """Those of the server's processes that are alive: process id to command line."""
    mark = f"POSTSPIEL_DATA={running.environment['POSTSPIEL_DATA']}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found


def pid(running: Server, words: str) -> int:
    """The oldest process whose command line has `words`."""
    return min((number for number, command in processes(running).items() if words in command), default=0)


def test_a_server_starts_survives_crashes_and_stops_without_an_orphan(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        assert "organiser@localhost with the password " in running.said()
        running.wait_for(lambda: all(pid(running, part) for part in ("gunicorn", " worker ", " beat ", "mail listen")))
        assert running.get("/no/such/page")[0] == 404

        kill(running, "web", "gunicorn")
        kill(running, "worker", " worker ")
        running.wait_for(lambda: answers(running))

        assert running.stop() == 0
        assert running.said().endswith("Stopped.\n")
        assert processes(running) == {}


def kill(running: Server, part: str, words: str) -> None:
    """Kill a part and wait until it is named and back."""
    number = pid(running, words)
    assert number, f"Nothing runs with {words!r}; 0 would be this process's own group."
    os.kill(number, signal.SIGKILL)
    running.wait_for(lambda: f"{part} crashed (SIGKILL)" in running.said())
    running.wait_for(lambda: pid(running, words))


def answers(running: Server) -> bool:
    try:
        return running.get("/no/such/page")[0] == 404
    except OSError:
        return False


def test_a_taken_address_is_named_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        environment = {**os.environ, "POSTSPIEL_DATA": str(tmp_path), "POSTSPIEL_LISTEN": listen}
        done = subprocess.run(
            [sys.executable, "manage.py", "run"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )

    assert done.returncode == 1
    assert f"Somebody listens at {listen} already. Set POSTSPIEL_LISTEN" in done.stderr


def test_an_unknown_part_is_answered_with_the_known_ones() -> None:
    with pytest.raises(CommandError, match=r"No part is called kitchen\. There are web, worker, clock, mail\."):
        call_command("run", "kitchen")
