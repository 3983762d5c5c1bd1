"""``manage.py demo``: one whole game by mail, between simulated players, on real processes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from argparse import SUPPRESS, ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.engine.contract import Title
from postspiel.config.demo import game, stage
from postspiel.play.command_line import options_from, title_named


class Command(BaseCommand):
    """Play one whole game by mail and print, as the last line, what came of it as JSON."""

    help = "Play one whole game between mail addresses on real processes: web, worker, clock, mail door and players."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--title", default="intrige", help="the title to play")
        parser.add_argument("--seed", type=int, default=7, help="bots and rolls are the same for the same seed")
        parser.add_argument("--seats", type=int, help="how many players; 4 if the title can be played by 4")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the title"
        )
        parser.add_argument("--minutes", type=float, default=15, help="give up after this time")
        parser.add_argument("--folder", type=Path, help="where data, logs, record and report are put (an empty folder)")
        parser.add_argument("--database", default="", help="an empty database to use, as in POSTSPIEL_DATABASE")
        parser.add_argument("--broker", default="", help="a queue to use, as in POSTSPIEL_BROKER")
        parser.add_argument("--on-stage", action="store_true", help=SUPPRESS)

    def handle(self, *args: object, **options: Any) -> None:
        plan = _plan(options)
        if options["on_stage"]:
            return self._play(plan, settings.POSTSPIEL_DATA)
        folder = _empty_folder(options["folder"], settings.POSTSPIEL_DATA / "demo" / f"{plan.title}-{plan.seed}")
        # Settings are read once, so the server of the demo needs a process that begins with them.
        environment = stage.environment(folder, options["database"], options["broker"])
        sys.exit(subprocess.call((sys.executable, *sys.argv, "--on-stage"), env=environment))

    def _play(self, plan: game.Plan, folder: Path) -> None:
        summary = game.play(plan, folder, self._say)
        self._say(json.dumps(summary, ensure_ascii=False))
        if summary["errors"]:
            sys.exit(1)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _plan(options: dict[str, Any]) -> game.Plan:
    found = title_named(options["title"])
    seats = options["seats"] or _usual(found)
    chosen = options_from(found, options["option"], seats)
    return game.Plan(options["title"], seats, options["seed"], chosen, options["minutes"] * 60)


def _usual(found: Title[Any]) -> int:
    return 4 if 4 in found.about.sizes else max(found.about.sizes)


def _empty_folder(wanted: Path | None, usual: Path) -> Path:
    """Make the folder of the demo: the usual one is emptied, one that somebody names must be empty."""
    folder = (wanted or usual).resolve()
    if wanted is None:
        shutil.rmtree(folder, ignore_errors=True)
    elif folder.exists() and any(folder.iterdir()):
        raise CommandError(f"{folder} is not empty; name another --folder.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
