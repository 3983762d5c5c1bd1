"""`manage.py sweep`: do all that is due, once; for cron."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from postspiel.config.sweeping import sweep


class Command(BaseCommand):
    """Reads mail, resolves turns, counts results, makes reports and sends mail, without queue or worker."""

    help = "Do once all that is due: mail, turns, ladders, reports. For hosts that have cron and no worker."

    def handle(self, *args: Any, **options: Any) -> None:
        failed = sweep()
        if failed:
            raise CommandError(f"Done, but this raised (see the log above): {', '.join(failed)}.")
        if options["verbosity"] > 1:
            self.stdout.write("All that is due is done.")
