"""An answer to a press mail goes to the press's writer: it is read as if it stood in a press block."""

from __future__ import annotations

from games.engine.language import reading_of
from postspiel.mail.reading import Received
from postspiel.play.inbox import confirming
from postspiel.play.mails import frame
from postspiel.play.models import Press, Seat


def as_press(seat: Seat, text: str, received: Received) -> str:
    """Return a mail's new text as a press block; "" if it answers no press, or says something to us.

    What a mail refers to only finds the press among those that this very seat got: it says to whom, never who.
    """
    press = _answered(seat, received)
    if press is None or not text.strip() or confirming.has_code(seat, text):
        return ""
    spoken = frame.language_of(seat.game)
    reading = reading_of(text, spoken)
    if reading.orders or reading.problems or reading.controls:
        return ""
    name = spoken.name(spoken.title.about.seats[press.seat.index], "en")
    return f"press to {name}:\n{text}\nend press"


def _answered(seat: Seat, received: Received) -> Press | None:
    """Return the press that a mail answers: the mail that it answers directly must have brought one to this seat."""
    direct = (row for row in received.answers if row.message_id == received.refers[0])
    row = next((row for row in direct if row.object_id == seat.pk and row.kind == "press"), None)
    if row is None:
        return None
    return Press.objects.filter(pk=row.data["press"], game=seat.game_id).select_related("seat").first()
