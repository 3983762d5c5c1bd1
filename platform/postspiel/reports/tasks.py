"""What the queue runs for reports."""

from celery import shared_task

from postspiel.reports import services


@shared_task(name="reports.make")
def make(report_id: int) -> None:
    """Make one report, if it is due."""
    services.make(report_id)


@shared_task(name="reports.sweep")
def sweep() -> None:
    """Request what ended games lack, and make what was not rung."""
    services.sweep()
