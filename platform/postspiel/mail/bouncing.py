"""Mail that comes back: every mail has an envelope sender of its reader's own (VERP), to which failures are reported.

Only a report of failure that reaches such an address counts: its token cannot be guessed, and an answer to a mail never
goes there. Three failures for good suspend an address; sign-in codes go on, so that its owner can mend it.
"""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import addresses
from postspiel.mail.letters import one_line
from postspiel.mail.models import Address, Incoming, Mailbox, Outgoing
from postspiel.mail.reading import Answered, mime
from postspiel.mail.reading.automatic import from_daemon
from postspiel.mail.reading.bounces import Bounce, bounces_in, bounces_told, returned_ids

KIND = "bounce"
"""The kind of address that failures are reported to; its object is the reader."""

MOST = 3
"""Failures for good after which an address is suspended."""


def envelope_sender(row: Outgoing) -> str:
    """Where failures of a mail are reported to."""
    if row.recipient_id is None:
        return addresses.own()
    return addresses.spell(addresses.address_for(KIND, row.recipient_id), KIND)


def is_for_failures(address: Address | None) -> bool:
    """Whether an address is one that failures are reported to."""
    return address is not None and address.kind == KIND


def where_reported(address: Address | None, mail: mime.Mail) -> Address | None:
    """The address for failures that a mail came to; None if it came elsewhere.

    A single mailbox has no such addresses. There a report is its reader's whose mail it returns: nobody else knows the
    Message-ID.
    """
    if is_for_failures(address):
        return address
    if address is not None or settings.POSTSPIEL_MAIL_SCHEME != "single":
        return None
    sent = Outgoing.objects.filter(message_id__in=returned_ids(mail)).exclude(recipient=None).first()
    return addresses.address_for(KIND, sent.recipient_id) if sent and sent.recipient_id else None


def reported(mail: mime.Mail, incoming: Incoming) -> tuple[Bounce, ...]:
    """What a mail to an address for failures reports: in fields, else, if a mail server sent it, in words."""
    told = from_daemon(mail, incoming.sender)
    return bounces_in(mail) or (bounces_told(mail, len(incoming.raw)) if told else ())


def take(address: Address, found: Sequence[Bounce]) -> Answered:
    """Note what a report says that came to an address for failures."""
    owner = User.objects.filter(pk=address.object_id).first()
    hard = [bounce for bounce in found if bounce.hard]
    if hard and owner is not None:
        _count(owner, hard[0])
    return Answered(Incoming.Verdict.DROPPED, f"A delivery report: {found[0].action} {found[0].status}".strip())


def suspended(user: User) -> Mailbox | None:
    """The mailbox of a person's address, if mail to it is suspended."""
    return Mailbox.objects.filter(owner=user, address=user.email.lower()).exclude(suspended=None).first()


def resume(user: User) -> None:
    """Write to a person's address again."""
    Mailbox.objects.filter(owner=user, address=user.email.lower()).update(suspended=None, bounces=0)


def rests(row: Outgoing) -> bool:
    """Whether a mail must not be sent, because its address is suspended. Codes to sign in always go."""
    if settings.MAIL_KINDS[row.kind].get("secret"):
        return False
    return Mailbox.objects.filter(address=row.to.lower()).exclude(suspended=None).exists()


def _count(owner: User, bounce: Bounce) -> None:
    """Count a failure of the address that mail goes to now; one of an address given up meanwhile is of no interest."""
    now, said = timezone.now(), one_line(f"{bounce.action} {bounce.status}")[:400]
    box, _new = Mailbox.objects.get_or_create(address=owner.email.lower(), defaults={"owner": owner, "last": now})
    Mailbox.objects.filter(pk=box.pk).update(owner=owner, bounces=F("bounces") + 1, last=now, said=said)
    Mailbox.objects.filter(pk=box.pk, bounces__gte=MOST, suspended=None).update(suspended=now)
