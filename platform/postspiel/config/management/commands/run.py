"""`manage.py run`: the whole server on one machine."""

import signal
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.db import connection

from postspiel.config.first_run import first_run
from postspiel.config.parts import all_parts, answers, environment
from postspiel.config.supervisor import Part, Supervisor


class Command(BaseCommand):
    """Runs all parts, after preparing and, on a new server, making the first organiser; or only the parts named."""

    help = (
        "Run the server until Ctrl-C. Without names: prepare, then run all parts on this machine. "
        "With names: run these parts only, for servers whose parts run apart; `manage.py prepare` comes first there."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The parts to run."""
        parser.add_argument(
            "parts", nargs="*", metavar="part", help=f"of {', '.join(all_parts())}; all if none is named"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known, names = all_parts(), options["parts"]
        if unknown := [name for name in names if name not in known]:
            raise CommandError(f"No part is called {', '.join(unknown)}. There are {', '.join(known)}.")
        for name, setting in (("web", "POSTSPIEL_LISTEN"), ("mail", "POSTSPIEL_MAIL_LISTEN")):
            if name in (names or known):
                require_free(setting)
        if not names:
            call_command("prepare", verbosity=1)
            self._welcome()
        self._supervise([known[name] for name in names or known])

    def _supervise(self, parts: list[Part]) -> None:
        connection.close()
        logs = settings.POSTSPIEL_DATA / "log"
        supervisor = Supervisor(parts, logs=logs, environment=environment(), say=self._say)
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


def require_free(setting: str) -> None:
    """Raise `CommandError` if somebody listens at the address in `setting` already."""
    listen = getattr(settings, setting)
    if answers(listen):
        raise CommandError(f"Somebody listens at {listen} already. Set {setting} to another address and try again.")
