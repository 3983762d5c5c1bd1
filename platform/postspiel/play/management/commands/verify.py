"""`manage.py verify FILE`: compute a recorded game again and say whether it is true; no database is needed."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import branches, records
from games.engine.contract import LOCALES


class Command(BaseCommand):
    """Checks seal, commitment, digests, rolls, events, positions and outcome of a record, and what was taken back."""

    help = "Check the record of a game: everything in it that can be computed is computed again."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a record, as the page of a game gives it, or a report has inside")
        parser.add_argument("--language", choices=LOCALES, default="en")

    def handle(self, *args: Any, **options: Any) -> None:
        record = _read(options["file"])
        found = branches.verify(record, options["language"])
        for note in found.notes:
            self.stdout.write(note)
        if not found.ok:
            raise CommandError("\n".join(found.findings))
        turns = len(record.turns) - 1
        rolls = sum(len(turn.rolls) for turn in record.turns)
        self.stdout.write(f"True: {record.title}, {record.seats} seats, {turns} turns, {rolls} rolls.")


def _read(path: Path) -> records.Record:
    try:
        return records.decode(path.read_bytes())
    except OSError as error:
        raise CommandError(f"This file cannot be read: {error.strerror or error}.") from error
    except records.RecordError as error:
        raise CommandError(str(error)) from error
