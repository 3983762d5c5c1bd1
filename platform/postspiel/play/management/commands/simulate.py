"""`manage.py simulate TITLE`: whole games between bots in the engine alone, without database, mail or clock."""

import argparse
import time
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.contract import Title
from games.engine.playing import Report, simulate
from postspiel.play.command_line import options_from, title_named


class Command(BaseCommand):
    """Plays games and prints their figures; the errors of single games go to standard error."""

    help = "Play many games between bots in the engine alone and print their figures."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("title")
        parser.add_argument("--games", type=_count, default=100)
        parser.add_argument("--seats", type=_count, default=4)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--bots", default="random", help="names of bots, one a seat; fewer are dealt out in turn")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        title = title_named(options["title"])
        bots = _bots(title, options["bots"])
        chosen = options_from(title, options["option"], options["seats"])
        report = simulate(
            title,
            options["games"],
            options["seats"],
            options["seed"],
            bots,
            chosen,
            clock=time.perf_counter_ns,
            on_error=lambda game, what: self.stderr.write(f"game {game}: {what}"),
        )
        self.stdout.write(msgspec.json.encode(report).decode() if options["json"] else _lines(report))
        if report["errors"]:
            raise CommandError(f"{report['errors']} of {report['games']} games failed.")


def _count(written: str) -> int:
    if not (written.isdecimal() and int(written)):
        raise argparse.ArgumentTypeError(f"“{written}” is not a whole number of at least 1")
    return int(written)


def _bots(title: Title[Any], written: str) -> list[str]:
    names = [name.strip() for name in written.split(",")]
    for name in names:
        if name not in title.bots:
            raise CommandError(f"{title.about.slug} has no bot “{name}”; it has: {', '.join(title.bots)}.")
    return names


def _lines(report: Report) -> str:
    return "\n".join(f"{name:16} {value}" for name, value in report.items())
