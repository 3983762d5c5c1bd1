"""The processes of the run: killed without a word, and started again as a service manager would."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.server import ROOT

PAUSE = 1.0  # seconds that a killed process stays away


class Processes:
    """Named processes with their logs."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder, self.environment = folder, dict(environment)
        self.commands: dict[str, Sequence[str]] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.away: dict[str, float] = {}

    def start(self, name: str, module: str, *arguments: str, told: dict[str, Any] | None = None) -> None:
        """Start a module; one that is told something is not started again."""
        command = (sys.executable, "-m", module, *arguments)
        if told is None:
            self.commands[name] = command
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdin=subprocess.PIPE, stdout=log, stderr=log
            )
        assert process.stdin is not None
        with process.stdin as given:
            given.write(json.dumps(told).encode() if told else b"")
        self.running[name] = process

    def kill(self, name: str, away: float = PAUSE) -> None:
        """SIGKILL; it comes back after some seconds."""
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()
        self.away[name] = time.monotonic() + away

    def tend(self) -> int:
        """Start again what is due; how many had ended by themselves."""
        ended = [name for name in self.commands if self.running[name].poll() is not None and name not in self.away]
        self.away |= dict.fromkeys(ended, time.monotonic() + PAUSE)
        for name in [name for name, due in self.away.items() if due <= time.monotonic()]:
            del self.away[name]
            _, _, module, *arguments = self.commands[name]
            self.start(name, module, *arguments)
        return len(ended)

    def stop(self) -> None:
        """Kill all."""
        for process in self.running.values():
            process.kill()
            process.wait()


def environment(folder: Path, ports: Sequence[int], database: str, broker: str) -> dict[str, str]:
    """The variables of the server under test: web (not started), door and sink are on these ports."""
    web, door, sink = ports
    own = {
        "PYTHONPATH": f"{ROOT / 'platform'}{os.pathsep}{ROOT}",
        "PYTHONUNBUFFERED": "1",
        "POSTSPIEL_DATA": str(folder),
        "POSTSPIEL_DATABASE": database,
        "POSTSPIEL_BROKER": broker,
        "POSTSPIEL_LISTEN": f"127.0.0.1:{web}",
        "POSTSPIEL_MAIL_LISTEN": f"127.0.0.1:{door}",
        "POSTSPIEL_MAIL_DOMAIN": "chaos.invalid",
        "POSTSPIEL_SMTP": f"smtp://127.0.0.1:{sink}",
        "POSTSPIEL_POSTBOX": "no",
        "DJANGO_SETTINGS_MODULE": "postspiel.config.settings",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("POSTSPIEL_")}
    return {**kept, **own}
