"""`manage.py prepare`: bring database, catalogues and static files up to this version."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from postspiel.config.catalogues import compile_stale


class Command(BaseCommand):
    """What has to be done after an update, before the parts are started again."""

    help = "Compile message catalogues, migrate the database, collect static files."

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            compile_stale(folder)
        call_command("migrate", interactive=False, verbosity=options["verbosity"] - 1)
        call_command("collectstatic", interactive=False, verbosity=0)
