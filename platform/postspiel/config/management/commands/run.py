"""`manage.py run`: the whole server on one machine."""

import os
import signal
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from postspiel.config.first_run import first_run
from postspiel.config.supervisor import Part, Supervisor


class Command(BaseCommand):
    """Prepares, makes the first organiser on a new server, then runs all parts until it is stopped."""

    help = "Run web, worker, clock and mail listener on this machine until Ctrl-C."

    def handle(self, *args: Any, **options: Any) -> None:
        for name in ("LISTEN", "MAIL_LISTEN"):
            require_free(name)
        call_command("prepare", verbosity=1)
        self._welcome()
        connection.close()
        supervisor = Supervisor(parts(), logs=settings.POSTSPIEL_DATA / "log", environment=environment(), say=self._say)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: supervisor.stop())
        supervisor.run(on_tick=self._announce_once)
        self._say("Stopped.")

    announced = False

    def _announce_once(self) -> None:
        if not self.announced and answers(settings.POSTSPIEL_LISTEN):
            self.announced = True
            self._say(f"Postspiel runs. Open {settings.POSTSPIEL_URL}/ (Ctrl-C stops it).")

    def _welcome(self) -> None:
        welcome = first_run()
        if welcome:
            self._say(
                f"A new server. Its organiser signs in as {welcome.email} with the password {welcome.password}\n"
                "(shown only this once; `manage.py changepassword` sets another)."
            )

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


WEB = ("--worker-class", "gthread", "--workers", "1", "--threads", "8", "--access-logfile", "-")
WORKER = ("--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat")


def parts() -> list[Part]:
    """The processes of a server on one machine. The clock is one of its own, so that it is missed when it is gone."""
    run = (sys.executable, "-m")
    celery = (*run, "celery", "-A", "postspiel.config")
    return [
        Part("web", (*run, "gunicorn", "postspiel.config.wsgi", "--bind", settings.POSTSPIEL_LISTEN, *WEB)),
        Part("worker", (*celery, "worker", "--loglevel", "INFO", *WORKER)),
        Part("clock", (*celery, "beat", "--loglevel", "INFO", "--pidfile", "")),
        Part("mail", (sys.executable, str(settings.BASE_DIR / "manage.py"), "mail", "listen")),
    ]


def environment() -> dict[str, str]:
    """What the parts get: ours, with both source roots on the path."""
    path = f"{settings.BASE_DIR / 'platform'}{os.pathsep}{settings.BASE_DIR}"
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def address(listen: str) -> tuple[str, int]:
    """Host and port of `host:port`."""
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def answers(listen: str) -> bool:
    """Whether somebody accepts connections at `host:port`."""
    try:
        socket.create_connection(address(listen), timeout=1).close()
    except OSError:
        return False
    return True


def require_free(name: str) -> None:
    """Raise `CommandError` if the address in the setting `POSTSPIEL_{name}` is taken."""
    variable = f"POSTSPIEL_{name}"
    listen = getattr(settings, variable)
    if answers(listen):
        raise CommandError(f"Somebody listens at {listen} already. Set {variable} to another address and try again.")
