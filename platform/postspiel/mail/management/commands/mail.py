"""`manage.py mail listen` and `manage.py mail deliver`: the doors that mail comes in by."""

import asyncio
import os
import signal
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from postspiel.mail import addresses, doors, inbox
from postspiel.mail.reading import caps, mime


class Command(BaseCommand):
    """Takes mail in."""

    help = "Takes mail in: as an SMTP server (listen), or one mail from standard input (deliver)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        doors_in = parser.add_subparsers(dest="door", required=True)
        listen = doors_in.add_parser("listen", help="be an SMTP server until stopped")
        listen.add_argument("--listen", default=settings.POSTSPIEL_MAIL_LISTEN, help="host:port")
        deliver = doors_in.add_parser("deliver", help="take one mail from standard input")
        deliver.add_argument("--to", required=True, action="append", help="the envelope's recipient; may be repeated")
        deliver.add_argument("--from", dest="sender", help="the envelope's sender; else Return-Path")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["door"] == "listen":
            asyncio.run(self._listen(options["listen"]))
        else:
            self._deliver(options["to"], options["sender"])

    async def _listen(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        stop = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
        await doors.serve(host.strip("[]"), int(port), self._ready, stop)

    def _ready(self, host: str, port: int) -> None:
        self.stdout.write(f"Mail is taken at {host}:{port} for {settings.POSTSPIEL_MAIL_DOMAIN}.")
        self.stdout.flush()

    def _deliver(self, recipients: list[str], sender: str | None) -> None:
        """Exit codes as mail servers know them (sysexits.h): a sentence on standard error goes into the bounce."""
        raw = sys.stdin.buffer.read(caps.SIZE + 1)
        envelope_sender = mime.return_path(raw) if sender is None else sender
        try:
            caps.check(raw)
            if not all(map(addresses.accepts, recipients)):
                raise CommandError("No game or player has this address.", returncode=os.EX_NOUSER)
            inbox.receive(raw, door="pipe", sender=envelope_sender, recipients=recipients, received=timezone.now())
        except caps.TooMuch as error:
            raise CommandError(f"{error}.", returncode=os.EX_DATAERR) from error
        except (DatabaseError, OSError) as error:
            raise CommandError("The mail cannot be kept just now.", returncode=os.EX_TEMPFAIL) from error
