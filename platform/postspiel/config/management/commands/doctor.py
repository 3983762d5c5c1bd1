"""`manage.py doctor`: say what is wrong with a running server, and how to mend it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from postspiel.config.health import Finding, examine


class Command(BaseCommand):
    """Looks at database, sweeps, turns, mails, queue, mail server and disk; exit code 1 if something is wrong."""

    help = "Say how the server is: last sweep, oldest overdue turn, oldest unsent mail, queue, mail server, disk."
    requires_system_checks = ()
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        findings = examine()
        for finding in findings:
            self.stdout.write(_line(finding))
        wrong = sum(not finding.ok for finding in findings)
        if wrong:
            raise CommandError(f"{wrong} of {len(findings)} are wrong.")


def _line(finding: Finding) -> str:
    return f"right  {finding.sentence}" if finding.ok else f"WRONG  {finding.sentence}\n       {finding.mend}"
