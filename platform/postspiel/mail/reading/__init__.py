"""Reading mail: small modules, pure but for `received`, which names rows."""

from postspiel.mail.reading.judging import Judged, judge
from postspiel.mail.reading.newtext import IsOrder, NewText, comparable, new_text, ours_of
from postspiel.mail.reading.received import Answered, Received

__all__ = ["Answered", "IsOrder", "Judged", "NewText", "Received", "comparable", "judge", "new_text", "ours_of"]
