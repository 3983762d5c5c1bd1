"""What the queue runs for reports."""

from celery import shared_task

from postspiel.mail.bell import each
from postspiel.reports import services


@shared_task(name="reports.make")
def make(*report_ids: int) -> None:
    """Make reports, each if it is due."""
    each(services.make, report_ids)


@shared_task(name="reports.sweep")
def sweep() -> None:
    """Request what ended games lack, and make what was not rung."""
    services.sweep()
