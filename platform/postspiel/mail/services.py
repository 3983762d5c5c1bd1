"""What other apps do with mail."""

from postspiel.mail import digests, inbox, outbox
from postspiel.mail.addresses import address_for, renew, spell
from postspiel.mail.bouncing import resume
from postspiel.mail.digests import choose_hour, gather
from postspiel.mail.inbox import read, read_each, read_waiting, receive, reread
from postspiel.mail.outbox import Copy, queue, queue_copies, send, send_due, send_each
from postspiel.mail.preferences import choose, unsubscribe

__all__ = [
    "Copy",
    "address_for",
    "choose",
    "choose_hour",
    "gather",
    "queue",
    "queue_copies",
    "read",
    "read_each",
    "read_waiting",
    "receive",
    "renew",
    "reread",
    "resume",
    "send",
    "send_due",
    "send_each",
    "spell",
    "sweep",
    "unsubscribe",
]


def sweep() -> None:
    """Read what waits, make the digests whose time has come, and send what is due.

    Safe to call at any time, by any number of processes at once.
    """
    inbox.read_waiting()
    digests.gather()
    outbox.send_due()
