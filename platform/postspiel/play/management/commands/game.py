"""`manage.py game ACT KEY ...`: an organiser's acts from the command line, for the host and for scripts."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from postspiel.accounts.models import User
from postspiel.play import performing
from postspiel.play.errors import PlayError
from postspiel.play.models import Game
from postspiel.play.performing import ACTS, Asked

GIVEN = {
    "why": "the reason; the players read it",
    "hours": "by how many hours the deadline is moved",
    "turn": "the number of the last turn that you saw; if the game has gone on, nothing is done",
    "to": "roll-back: the turn to go back to; message: all, late, or the number of a seat",
    "seat": "the number of a seat; 0 is the first",
    "other": "the number of another seat",
    "user": "the address of a person",
    "text": "orders, one a line, or the message",
}


class Command(BaseCommand):
    """Does one act to one game. What cannot be done is one sentence and exit code 2; nothing has changed then."""

    help = f"Do something to a game. Acts: {', '.join(ACTS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", help=f"one of: {', '.join(ACTS)}")
        parser.add_argument("key", help="the key of the game, as in its address")
        parser.add_argument("--by", metavar="ADDRESS", help="who does it (default: the organiser of the game)")
        for name, told in GIVEN.items():
            parser.add_argument(f"--{name}", default="", help=told)
        parser.add_argument("--json", action="store_true", help="tell what came of it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        game = Game.objects.select_related("organiser").filter(key=options["key"]).first()
        if game is None:
            raise CommandError(f"There is no game with the key “{options['key']}”.", returncode=2)
        asked = Asked(game, _author(game, options["by"]), {name: options[name] for name in GIVEN})
        try:
            came = performing.perform(asked, options["act"])
        except PlayError as error:
            raise CommandError(str(error), returncode=2) from error
        told = json.dumps(came) if options["json"] else ", ".join(f"{name}: {value}" for name, value in came.items())
        self.stdout.write(told)


def _author(game: Game, address: str | None) -> User:
    if not address:
        return game.organiser
    user = User.objects.filter(email__iexact=address).first()
    if user is None:
        raise CommandError(f"Nobody here has the address “{address}”.", returncode=2)
    return user
