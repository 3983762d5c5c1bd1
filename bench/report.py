"""The PDF of a whole game: gathered, worded and printed by us, beside bare WeasyPrint on the same HTML, in one run.

    python bench/report.py [--title intrige] [--seats 5] [--rounds 3]

Plays one game between random bots in a database in memory. The last line is JSON; seconds are processor time, best of
the rounds. Bare WeasyPrint makes the same kind of PDF; what the tags for screen readers cost is seen from the untagged
one. Targets (DESIGN section 8): ratio <= 1.2, and at most 10 seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from postspiel.play.models import Game

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]


def prepare() -> None:
    """Django with a database in memory, and no queue."""
    os.environ |= {"POSTSPIEL_DATABASE": "sqlite:///:memory:", "POSTSPIEL_DATA": tempfile.mkdtemp()}
    os.environ["DJANGO_SETTINGS_MODULE"] = "postspiel.config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def a_game(title: str, seats: int) -> Game:
    """A whole game between random bots."""
    from postspiel.accounts.models import User
    from postspiel.play import services
    from postspiel.play.models import Game, Turn

    host = User.objects.create_user("host@example.org", display_name="Host")
    game = services.create_game(
        organiser=host, title=title, name="A bench", size=seats, options={}, schedule=services.Schedule()
    )
    for index in range(seats):
        services.seat_bot(game=game, index=index, bot="random")
    game.refresh_from_db()
    if game.status == Game.Status.OPEN:
        services.start_game(game=game, who=host)
    while game.turns.filter(status=Turn.Status.OPEN).update(due=game.created):
        services.advance(game.turns.get(status=Turn.Status.OPEN).pk)
    game.refresh_from_db()
    return game


def best(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="intrige")
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    prepare()
    from weasyprint import HTML

    from postspiel.play.services import export_record
    from postspiel.reports import document, printing

    game = a_game(given.title, given.seats)
    assert game.ended is not None
    html = document.html(game, "en")
    turns = game.turns.count() - 1

    def ours() -> bytes:
        record = printing.Attached("record.json", export_record(game), "The record")
        assert game.ended is not None
        return printing.pdf(document.html(game, "en"), attached=record, made=game.ended)

    own = best(ours, given.rounds)
    bare = best(lambda: HTML(string=html).write_pdf(pdf_variant=printing.VARIANT), given.rounds)
    untagged = best(lambda: HTML(string=html).write_pdf(), given.rounds)
    figures = {"title": given.title, "turns": turns, "seconds": round(own, 2), "bare_seconds": round(bare, 2)}
    print(json.dumps(figures | {"untagged_seconds": round(untagged, 2), "ratio": round(own / bare, 2)}))


if __name__ == "__main__":
    main()
