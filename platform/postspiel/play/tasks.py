"""What workers do for play. Tasks may run twice, late or never: the rows decide, the sweep comes again."""

from celery import shared_task

from postspiel.play import services


@shared_task(name="play.advance")
def advance_turn(turn_id: int) -> None:
    """Resolve one turn, if it is due."""
    services.advance(turn_id)


@shared_task(name="play.sweep")
def sweep() -> None:
    """Resolve what is due and remind who is late; started by beat every 20 seconds."""
    services.sweep()
