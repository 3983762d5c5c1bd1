"""What workers do for play. Tasks may run twice, late or never: the rows decide, the sweep comes again."""

from celery import shared_task

from postspiel.mail.bell import each
from postspiel.play import services


@shared_task(name="play.advance")
def advance_turns(*turn_ids: int) -> None:
    """Resolve turns, each if it is due."""
    each(services.advance, turn_ids)


@shared_task(name="play.sweep")
def sweep() -> None:
    """Resolve what is due and remind who is late; started by beat every 20 seconds."""
    services.sweep()
