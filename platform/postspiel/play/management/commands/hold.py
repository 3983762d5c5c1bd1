"""``manage.py hold``: what the outage brake holds back, and letting it go (docs/deadlines.md)."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Hold


class Command(BaseCommand):
    """Lists the holds in force, or releases one."""

    help = "Show which turns are held back and why, or let them go on."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        shown = acts.add_parser("list", help="the holds in force")
        shown.add_argument("--json", action="store_true", help="as JSON, for programs")
        freed = acts.add_parser("release", help="let the turns of a hold go on")
        freed.add_argument("number", type=int, help="the hold's number, as the list shows it")
        freed.add_argument("--by", dest="who", required=True, metavar="ADDRESS", help="who does it: host or organiser")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "list":
            self._list(as_json=options["json"])
        else:
            self._release(options["number"], options["who"])

    def _list(self, *, as_json: bool) -> None:
        rows = [_row(hold) for hold in Hold.objects.select_related("game").filter(released=None).order_by("pk")]
        if as_json:
            self.stdout.write(json.dumps(rows, indent=2))
            return
        for row in rows:
            self.stdout.write(f"{row['number']}: {row['reason']}, since {row['since']}, {row['game'] or 'all games'}")
        if not rows:
            self.stdout.write("Nothing is held back.")

    def _release(self, number: int, address: str) -> None:
        hold = Hold.objects.select_related("game").filter(pk=number).first()
        who = User.objects.filter(email__iexact=address).first()
        if hold is None:
            raise CommandError(f"There is no hold {number}; “manage.py hold list” shows them.", returncode=2)
        if who is None:
            raise CommandError(f"Nobody here has the address {address}.", returncode=2)
        try:
            services.release_hold(hold=hold, who=who)
        except services.PlayError as wrong:
            raise CommandError(str(wrong), returncode=2) from wrong
        self.stdout.write("Games go on." if hold.game is None else f"The turn of “{hold.game.name}” ends now.")


def _row(hold: Hold) -> dict[str, str | int | None]:
    game = hold.game.key if hold.game else None
    return {"number": hold.pk, "reason": hold.reason, "since": hold.since.isoformat(), "game": game}
