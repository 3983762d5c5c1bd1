"""`manage.py doctor`: say what is wrong with a running server, or with its mail, and how to mend it."""

from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from postspiel.config.health import Finding, examine
from postspiel.config.mail_health import examine_mail


class Command(BaseCommand):
    """Looks at the server, or at its mail; exit code 1 if something is wrong."""

    help = (
        "Say how the server is: last sweep, oldest overdue turn, oldest unsent mail, queue, mail server, disk. With "
        "--mail: what DNS says of the mail domain, and whether doors, mail server and mailboxes answer."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """What to look at, and how to tell it."""
        parser.add_argument("--mail", action="store_true", help="look at DNS, doors, mail server and mailboxes")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--language", choices=[code for code, _name in settings.LANGUAGES], default="en")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"]):
            findings = examine_mail() if options["mail"] else examine()
            self.stdout.write(_as_json(findings) if options["json"] else "\n".join(map(_line, findings)))
            wrong = sum(not finding.ok for finding in findings)
            if wrong:
                raise CommandError(_("%(wrong)s of %(all)s are wrong.") % {"wrong": wrong, "all": len(findings)})


def _as_json(findings: list[Finding]) -> str:
    told = [{"ok": finding.ok, "sentence": finding.sentence, "mend": finding.mend} for finding in findings]
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def _line(finding: Finding) -> str:
    right, wrong = _("right"), _("WRONG")
    width = max(len(right), len(wrong)) + 2
    if finding.ok:
        return f"{right:{width}}{finding.sentence}"
    return f"{wrong:{width}}{finding.sentence}\n{'':{width}}{finding.mend}"
