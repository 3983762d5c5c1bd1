"""``manage.py record``: whole games as files, out of this server and into it (docs/rolls.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game


class Command(BaseCommand):
    """Export the record of a game that is over, or import one after verifying it."""

    help = "Write the record of an ended game to a file, or bring in a game from its record."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        out = acts.add_parser("export", help="write the record of a game that is over")
        out.add_argument("key", help="the game's key, as it stands in its address")
        out.add_argument("file", nargs="?", default="-", help="where to; standard output if it is left out")
        into = acts.add_parser("import", help="verify a record and keep it as an ended game, which is not rated")
        into.add_argument("file", type=Path)
        into.add_argument("--organiser", required=True, metavar="ADDRESS", help="who shall own the game here")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] == "export":
                self._export(options["key"], options["file"])
            else:
                self._import(options["file"], options["organiser"])
        except (services.PlayError, OSError) as wrong:
            raise CommandError(str(wrong)) from wrong

    def _export(self, key: str, file: str) -> None:
        game = Game.objects.filter(key=key).first()
        if game is None:
            raise CommandError(f"There is no game “{key}” here; its key is the last part of its address.")
        raw = services.export_record(game)
        if file == "-":
            sys.stdout.buffer.write(raw)
        else:
            Path(file).write_bytes(raw)

    def _import(self, file: Path, address: str) -> None:
        organiser = User.objects.filter(email__iexact=address).first()
        if organiser is None:
            raise CommandError(f"Nobody here has the address {address}; name somebody who has an account.")
        game = services.import_record(file.read_bytes(), organiser=organiser)
        self.stdout.write(f"{game.name}: {settings.POSTSPIEL_URL}/games/{game.key}/")
