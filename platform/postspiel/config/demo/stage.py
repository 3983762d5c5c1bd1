"""The processes of a demo: a server of its own beside whatever else the machine runs, in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

from postspiel.config import parts
from postspiel.config.supervisor import Part


def free_port() -> int:
    """Return a TCP port on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(folder: Path, database: str = "", broker: str = "") -> dict[str, str]:
    """Return the environment of the demo's own server: data in ``folder``, free ports of loopback.

    Its database and its queue are its own, whatever the environment says; others are used only if they are named.
    """
    web, door, mailbox = free_port(), free_port(), free_port()
    own = {
        "POSTSPIEL_DATA": str(folder),
        "POSTSPIEL_DATABASE": database or f"sqlite:///{folder / 'postspiel.sqlite3'}",
        "POSTSPIEL_BROKER": broker or f"spool://{folder / 'spool'}",
        "POSTSPIEL_URL": f"http://127.0.0.1:{web}",
        "POSTSPIEL_LISTEN": f"127.0.0.1:{web}",
        "POSTSPIEL_MAIL_LISTEN": f"127.0.0.1:{door}",
        "POSTSPIEL_MAIL_DOMAIN": "demo.invalid",
        "POSTSPIEL_MAIL_FROM": "Postspiel <postspiel@demo.invalid>",
        "POSTSPIEL_SMTP": f"smtp://127.0.0.1:{mailbox}",
        "POSTSPIEL_POSTBOX": "no",
    }
    return {**os.environ, **own}


@dataclass
class Process:
    """One part of the stage and its log; ``talk`` is what it said, line by line, if it was told something."""

    name: str
    popen: subprocess.Popen[str]
    log: Path
    talk: list[dict[str, Any]] = field(default_factory=list)
    listener: threading.Thread | None = None

    def stop(self) -> None:
        """Ask it to end, and insist after fifteen seconds."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGTERM)
        try:
            self.popen.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        if self.listener is not None:
            self.listener.join()

    def tracebacks(self) -> int:
        """How many exceptions its log shows."""
        return self.log.read_text(errors="replace").count("Traceback (most recent call last)")


@dataclass
class Stage:
    """The running parts of one demo, logs in ``folder``. A context: leaving it stops them, the last one first."""

    folder: Path
    processes: list[Process] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.stop()

    def start(self, part: Part, told: Mapping[str, Any] | None = None) -> Process:
        """Start a part. What it prints goes to its log; of one that is ``told`` something it is read as JSON lines."""
        log = self.folder / f"{part.name}.log"
        with log.open("w") as sink:
            out = sink if told is None else subprocess.PIPE
            popen = subprocess.Popen(
                part.command, stdin=subprocess.PIPE, stdout=out, stderr=sink, text=True, env=parts.environment()
            )
        process = Process(part.name, popen, log)
        self.processes.append(process)
        _tell(popen.stdin, told)
        if popen.stdout is not None:
            process.listener = threading.Thread(target=_listen, args=(popen.stdout, process.talk))
            process.listener.start()
        return process

    def ended_early(self) -> list[str]:
        """Return the names of the parts that ended by themselves."""
        return [process.name for process in self.processes if process.popen.poll() is not None]

    def tracebacks(self) -> int:
        """Return the number of exceptions in all logs together."""
        return sum(process.tracebacks() for process in self.processes)


def _tell(pipe: IO[str] | None, told: Mapping[str, Any] | None) -> None:
    if pipe is not None:
        with pipe:
            pipe.write(json.dumps(told or {}))


def _listen(stream: IO[str], talk: list[dict[str, Any]]) -> None:
    for line in stream:
        talk.append(json.loads(line))  # noqa: PERF401 - whoever watches must see each line as it comes
