"""What the queue runs for ladders."""

from celery import shared_task

from tournaments import services


@shared_task(name="tournaments.pull")
def pull() -> None:
    """Play new results onto their ladders."""
    services.pull()
