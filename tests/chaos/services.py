"""A PostgreSQL cluster and a Redis of the run's own, so that they can die and nobody else notices."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import redis

from tests.support.server import free_port


def bindir() -> Path:
    """Where the newest PostgreSQL's programs are; raises if there is none."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))


def available() -> bool:
    """Whether both servers are installed."""
    return shutil.which("redis-server") is not None and any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class Database:
    """A cluster in a folder of its own. Its programs refuse to run as root, so root lends them to `postgres`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self._do("initdb", "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale", "C.UTF-8")
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._do("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", f"-p {self.port} -k {self.folder}", "start")
        wait_for(self.answers)

    def answers(self) -> bool:
        """Whether it takes connections; raises if it does not."""
        psycopg.connect(self.url, connect_timeout=2).close()
        return True

    def restart(self) -> None:
        """Cut every connection off, as a crash does, and come back."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """Stop it at once: no transaction comes to its end."""
        self._do("pg_ctl", "-m", "immediate", "stop")

    def _do(self, program: str, *arguments: str) -> None:
        lent = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
        command = [*lent, str(bindir() / program), "-D", str(self.folder), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


class Queue:
    """A Redis that keeps nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(lambda: self.client().ping())

    def client(self) -> redis.Redis:
        """A connection to it."""
        return redis.Redis.from_url(self.url, socket_connect_timeout=2)

    def empty(self) -> None:
        """Throw away all that waits in it."""
        self.client().flushall()

    def restart(self) -> None:
        """Kill it and start an empty one."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()


def wait_for(what: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is true; while it raises it is not."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if what():
                return
        except (OSError, psycopg.Error, redis.RedisError):
            pass
        time.sleep(0.05)
    raise TimeoutError(f"Waited {seconds} s in vain.")
