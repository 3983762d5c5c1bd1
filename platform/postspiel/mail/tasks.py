"""Tasks of the queue: three lines each, ids only."""

from celery import shared_task

from postspiel.mail import services


@shared_task(name="mail.send")
def send(*outgoing_ids: int) -> None:
    """Try to send mails."""
    services.send_each(outgoing_ids)


@shared_task(name="mail.read")
def read(*incoming_ids: int) -> None:
    """Read mails."""
    services.read_each(incoming_ids)


@shared_task(name="mail.send_due")
def send_due() -> None:
    """Send what was not rung, or failed before."""
    services.send_due()


@shared_task(name="mail.read_waiting")
def read_waiting() -> None:
    """Read what was not rung, or failed before."""
    services.read_waiting()


@shared_task(name="mail.gather")
def gather() -> None:
    """Make the digests whose time has come."""
    services.gather()
