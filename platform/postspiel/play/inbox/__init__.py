"""Mail to a seat's address: who may act, what is carried out, what is answered (DESIGN section 5).

``seat``, ``channel``, ``organiser``, ``assistant`` and ``digest`` are the handlers of the address kinds of these names.
A handler runs inside the transaction that stores the mail's verdict, so that orders, press, answers and verdict are
written together or not at all. The other functions are for the page on which a question can be answered instead of by
a code.
"""

from postspiel.play.inbox.authority import seat
from postspiel.play.inbox.channels import channel
from postspiel.play.inbox.confirming import answer, is_open, shown
from postspiel.play.inbox.digest import digest
from postspiel.play.inbox.machines import machine
from postspiel.play.inbox.organising import assistant, organiser

__all__ = ["answer", "assistant", "channel", "digest", "is_open", "machine", "organiser", "seat", "shown"]
