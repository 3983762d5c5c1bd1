"""What a handler of answers gets and gives back."""

from collections.abc import Callable
from dataclasses import dataclass

from postspiel.accounts.models import User
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.mail.reading.authentication import Check
from postspiel.mail.reading.mime import Mail


@dataclass(frozen=True, slots=True)
class Received:
    """A mail to one of our addresses, read.

    `sender` is the bare address in From, `user` the person whose confirmed address that is (None: a stranger).
    `answers` are the mails of ours that it refers to, the nearest first, `sent` the texts of ours that it may quote, as
    they are compared (`comparable`); `others` finds more of these, for a mail that says more than they explain.
    `check` is what our mail server says of the sender. Without a `token` it came to the server's own address, and
    `address` is where the mail that it answers wanted an answer. An automatic mail never reaches a handler.
    """

    incoming: Incoming
    address: Address
    sender: str
    user: User | None
    mail: Mail
    answers: tuple[Outgoing, ...] = ()
    sent: tuple[str, ...] = ()
    others: Callable[[], tuple[str, ...]] = tuple
    check: Check = "unknown"
    token: bool = True

    @property
    def refers(self) -> tuple[str, ...]:
        """The Message-IDs that it answers, the nearest first."""
        return self.mail.refers


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a mail: the verdict and, in a few words for people, why."""

    verdict: Incoming.Verdict
    reason: str = ""
