"""What other apps do with mail."""

from postspiel.mail import inbox, outbox
from postspiel.mail.addresses import address_for, renew, spell
from postspiel.mail.bouncing import resume
from postspiel.mail.inbox import read, read_waiting, receive, reread
from postspiel.mail.muting import mute, unmute
from postspiel.mail.outbox import Copy, queue, queue_copies, send, send_due

__all__ = [
    "Copy",
    "address_for",
    "mute",
    "queue",
    "queue_copies",
    "read",
    "read_waiting",
    "receive",
    "renew",
    "reread",
    "resume",
    "send",
    "send_due",
    "spell",
    "sweep",
    "unmute",
]


def sweep() -> None:
    """Read what waits and send what is due. Safe to call at any time, by any number of processes at once."""
    inbox.read_waiting()
    outbox.send_due()
