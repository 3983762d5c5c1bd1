"""`manage.py simulate TITLE`: whole games between bots in the engine alone, without database, mail or clock."""

import argparse
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import registry
from games.engine.contract import Choice, Title
from games.engine.options import complete
from games.engine.playing import Report, simulate


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
        title = _title(options["title"])
        bots = _bots(title, options["bots"])
        chosen = _options(title, options["option"], options["seats"])
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
    number = int(written)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _title(slug: str) -> Title[Any]:
    try:
        return registry.title(slug)
    except registry.UnknownTitle as wrong:
        raise CommandError(str(wrong)) from wrong


def _bots(title: Title[Any], written: str) -> list[str]:
    names = [name.strip() for name in written.split(",")]
    for name in names:
        if name not in title.bots:
            raise CommandError(f"{title.about.slug} has no bot “{name}”; it has: {', '.join(title.bots)}.")
    return names


def _options(title: Title[Any], written: list[str], seats: int) -> Mapping[str, Choice]:
    defaults = {option.name: option.default for option in title.about.options}
    try:
        chosen = {
            name: _choice(defaults.get(name), value) for name, _, value in (one.partition("=") for one in written)
        }
        return complete(title, chosen, seats)
    except (ValueError, KeyError) as wrong:
        raise CommandError(f"These options cannot be played: {wrong}.") from wrong


def _choice(default: Choice | None, value: str) -> Choice:
    """Read an option's value as the kind that its default is of."""
    if isinstance(default, bool):
        return {"true": True, "yes": True, "1": True, "": True, "false": False, "no": False, "0": False}[value.lower()]
    return int(value) if isinstance(default, int) else value


def _lines(report: Report) -> str:
    return "\n".join(f"{name:16} {value}" for name, value in report.items())
