"""Keeps the parts of a server running: starts them, restarts what crashed, stops all of them.

A part is a process in a session of its own, so that Ctrl-C in the terminal reaches only the supervisor, which then
stops the parts in order. What a part prints goes to a file; of a crash the last lines are shown.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

STOP_WITHIN = 15.0  # seconds that a part has to finish its work before it is killed
LIVED = 60.0  # a part that ran so long may crash again without a longer pause
LONGEST_PAUSE = 60.0
LOG_BYTES = 5_000_000
LAST_LINES = 12


class Part(NamedTuple):
    """One process of the server."""

    name: str
    command: Sequence[str]


class _Run:
    """A part and how it is doing."""

    def __init__(self, part: Part, folder: Path, environment: Mapping[str, str]) -> None:
        self.part, self.environment = part, environment
        self.log = folder / f"{part.name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.pause = 0.0
        self.since = self.start_at = 0.0
        self.log_began = 0

    def start(self, now: float) -> None:
        """Start the process; its log of an earlier life is kept as `.1` once it is long."""
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as log:
            self.log_began = log.tell()
            self.process = subprocess.Popen(
                self.part.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - the supervisor has one thread
            )
        self.since = now

    def crashed(self, now: float) -> int | None:
        """The exit code if the process has ended since the last look; the next start is put off, each time longer."""
        if self.process is None or self.process.poll() is None:
            return None
        code = self.process.returncode
        self._signal(signal.SIGKILL)  # what it may have left behind
        self.process = None
        self.pause = 1.0 if now - self.since > LIVED else min(max(1.0, self.pause * 2), LONGEST_PAUSE)
        self.start_at = now + self.pause
        return code

    def last_words(self) -> str:
        """The last lines that the process wrote."""
        written = self.log.read_bytes()[self.log_began :]
        lines = written.decode(errors="replace").splitlines()[-LAST_LINES:]
        return "\n".join(f"    {line}" for line in lines)

    def ask_to_stop(self) -> None:
        """Send SIGTERM to the process itself: it knows its children."""
        if self.process is not None:
            self.process.terminate()

    def wait_or_kill(self, deadline: float) -> bool:
        """Wait until `deadline`, then kill the whole session; whether killing was needed."""
        if self.process is None:
            return False
        try:
            self.process.wait(max(0.1, deadline - time.monotonic()))
            return False
        except subprocess.TimeoutExpired:
            return True
        finally:
            self._signal(signal.SIGKILL)
            self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


class Supervisor:
    """Runs `parts` until `stop` is called (from a signal handler)."""

    def __init__(
        self, parts: Sequence[Part], *, logs: Path, environment: Mapping[str, str], say: Callable[[str], None]
    ) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._runs = [_Run(part, logs, environment) for part in parts]
        self._say = say
        self._stopping = False

    def stop(self) -> None:
        """Let `run` come to its end."""
        self._stopping = True

    def run(self, on_tick: Callable[[], None] = lambda: None) -> None:
        """Start all parts and keep them running; `on_tick` is called four times a second."""
        try:
            while not self._stopping:
                for run in self._runs:
                    self._look_after(run, time.monotonic())
                on_tick()
                time.sleep(0.25)
        finally:
            self._stop_all()

    def _look_after(self, run: _Run, now: float) -> None:
        code = run.crashed(now)
        if code is not None:
            self._say(
                f"{run.part.name} crashed ({_meaning(code)}) and is started again in {run.pause:.0f} s. "
                f"Its last lines, from {run.log}:\n{run.last_words()}"
            )
        if run.process is None and now >= run.start_at:
            run.start(now)

    def _stop_all(self) -> None:
        for run in self._runs:
            run.ask_to_stop()
        deadline = time.monotonic() + STOP_WITHIN
        killed = [run.part.name for run in self._runs if run.wait_or_kill(deadline)]
        if killed:
            self._say(f"Had to be killed: {', '.join(killed)}.")


def _meaning(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def _die_with_parent() -> None:
    """In the child: ask Linux for a SIGTERM when the supervisor is gone, however it went."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
