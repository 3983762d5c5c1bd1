"""The inbox: a door hands over bytes, they are committed, a task reads them and asks the address's handler.

Each mail is read on its own. One that breaks the reader is tried again, then stands in the state `stuck` where the host
sees it, and its writer is told that somebody will look; the others never wait for it.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from postspiel import rows
from postspiel.accounts.models import User
from postspiel.mail import addresses, bouncing, notices, table
from postspiel.mail.bell import ring
from postspiel.mail.letters import one_line
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.mail.people import owner_of
from postspiel.mail.reading import Answered, Received, authentication, caps, comparable, mime
from postspiel.mail.reading.automatic import why_automatic

log = logging.getLogger(__name__)

Verdict = Incoming.Verdict

_ADDRESS = rows.Select(Address, "WHERE this.id = %s")
_REFERRED = rows.Select(
    Outgoing,
    "WHERE this.message_id IN (%s)",
    only=("message_id", "kind", "recipient", "object_id", "data", "address", "texts"),
)
_NEWEST = rows.Select(
    Outgoing,
    "JOIN mail_address AS its ON its.id = this.address_id"
    " WHERE its.kind = %s AND its.object_id = %s AND this.raw IS NOT NULL ORDER BY this.id DESC LIMIT %s",
    only=("texts",),
)
_CLAIM = rows.Update(
    Incoming,
    "state = 'reading', claim = claim + 1, claimed = %s, attempts = attempts + 1",
    "id = %s AND state = 'waiting' AND due <= %s",
)
_JUDGE = rows.Update(
    Incoming,
    "state = 'read', verdict = %s, reason = %s, writer_id = %s",
    "id = %s AND claim = %s AND state = 'reading'",
)

LEASE = timedelta(minutes=5)
PAUSES = (timedelta(seconds=30), timedelta(minutes=5))
BATCH = 200
SENT_LOOKED_AT = 6
"""Mails of ours that an answer is compared with: those it refers to, or the newest to its address if there are none."""

BESIDES = 3
"""How many of the newest are looked at beside those it refers to, if it says more than they explain."""


def receive(raw: bytes, *, door: str, sender: str, recipients: Sequence[str], received: datetime) -> list[Incoming]:
    """Commit a mail, one row a recipient; what a door calls before it says yes. The same mail again adds nothing.

    `sender` is the envelope's ("" for bounces), `received` the time of acceptance, which decides deadlines.
    """
    mail = {
        "door": door,
        "sender": sender.strip("<>")[:320],
        "raw": raw,
        "message_id": _identity(raw),
        "digest": hashlib.sha256(_after_head(raw)).hexdigest(),
        "received": received,
    }
    wanted = list(dict.fromkeys(recipient.strip().lower() for recipient in recipients))
    with transaction.atomic() if len(wanted) > 1 else nullcontext():  # one statement needs no transaction
        return [_keep(mail, recipient) for recipient in wanted]


def read(incoming_id: int) -> bool:
    """Read one mail that waits and have it answered; whether it was read. Called twice at once, it is read once."""
    return read_each([incoming_id]) == 1


def read_each(incoming_ids: Iterable[int]) -> int:
    """Read mails that wait, each on its own; how many were read.

    Each but the first is claimed in the transaction that ends the one before it: one commit less to wait for.
    """
    ids = [*incoming_ids]
    done, claimed = 0, None
    for this, following in zip_longest(ids, ids[1:]):
        claimed = claimed or _claim(this)
        if claimed is not None:
            was_read, claimed = _attempt(claimed, following)
            done += was_read
    return done


def reread(incoming: Incoming) -> bool:
    """Read a mail again that was stuck; whether it was read."""
    stuck = Incoming.objects.filter(pk=incoming.pk, state=Incoming.State.STUCK)
    stuck.update(state=Incoming.State.WAITING, due=timezone.now(), attempts=0)
    return read(incoming.pk)


def read_waiting(limit: int = BATCH) -> int:
    """Read what waits, oldest first; how many were read."""
    now = timezone.now()
    lost = Incoming.objects.filter(state=Incoming.State.READING, claimed__lt=now - LEASE)
    for incoming in lost.filter(attempts__gt=len(PAUSES)):
        _put_back(incoming, "Every attempt was broken off.")
    lost.update(state=Incoming.State.WAITING, due=now)
    return read_each(_due(limit))


def _keep(mail: Mapping[str, Any], recipient: str) -> Incoming:
    at = {"recipient": recipient[:320], "address_id": addresses.find(recipient)}
    row = rows.insert_once(Incoming, **mail, **at, due=timezone.now())
    if row is None:
        return Incoming.objects.get(message_id=mail["message_id"], digest=mail["digest"], recipient=at["recipient"])
    ring("mail.read", row.pk)
    return row


def _identity(raw: bytes) -> str:
    """The Message-ID, or what stands for it where there is none or a monstrous one."""
    found = mime.message_id(raw)
    return found if 0 < len(found) <= 255 else f"sha256:{hashlib.sha256(raw).hexdigest()}"


def _after_head(raw: bytes) -> bytes:
    # A mail that comes again has other Received lines.
    return raw[len(caps.head(raw)) :]


def _due(limit: int) -> Iterator[int]:
    waiting = Incoming.objects.filter(state=Incoming.State.WAITING, due__lte=timezone.now())
    yield from waiting.order_by("received", "pk").values_list("pk", flat=True)[:limit]


def _claim(incoming_id: int) -> Incoming | None:
    now = timezone.now()
    incoming = _CLAIM.taken(now, incoming_id, now)
    if incoming is not None and incoming.address_id is not None:
        incoming.address = _ADDRESS.get(incoming.address_id)
    return incoming


def _attempt(incoming: Incoming, following: int | None) -> tuple[bool, Incoming | None]:
    """Read a mail; whether it was read, and the following one, claimed. One that breaks the reader is put back."""
    try:
        return _read(incoming, following)
    except Exception as error:
        log.exception("Incoming mail %s could not be read.", incoming.pk)
        _put_back(incoming, f"{type(error).__name__}: {error}")
        return False, None


def _read(incoming: Incoming, following: int | None) -> tuple[bool, Incoming | None]:
    """Judge a mail outside any transaction; then write what follows from it and the verdict in one."""
    answer = _judge(incoming)
    with transaction.atomic():
        answered = answer()
        reason = one_line(answered.reason)[:400]
        done = _JUDGE(answered.verdict, reason, incoming.writer_id, incoming.pk, incoming.claim)
        if not done:
            transaction.set_rollback(True)
            return False, None
        # Always upwards: two readers who want each other's mail next would wait for each other.
        return True, _claim(following) if following and following > incoming.pk else None


def _judge(incoming: Incoming) -> Callable[[], Answered]:
    """Read the bytes and find who is to answer; what is returned does so, and writes."""
    try:
        mail = mime.read(bytes(incoming.raw))
    except caps.TooMuch as error:
        return lambda said=str(error): Answered(Verdict.QUARANTINED, said)  # type: ignore[misc]
    incoming.writer = owner_of(mail.sender) if mail.sender else None
    return _by_machine(incoming, mail) or _by_person(incoming, mail)


def _by_machine(incoming: Incoming, mail: mime.Mail) -> Callable[[], Answered] | None:
    failures = bouncing.where_reported(incoming.address, mail)
    reported = bouncing.reported(mail, incoming) if failures is not None else ()
    if failures is not None and reported:
        return lambda: bouncing.take(failures, reported)
    automatic = why_automatic(mail, envelope_sender=incoming.sender)
    return (lambda: _heard(incoming, automatic)) if automatic else None


def _by_person(incoming: Incoming, mail: mime.Mail) -> Callable[[], Answered]:
    address = incoming.address or _answered(mail, incoming.writer)
    if address is None or bouncing.is_for_failures(address):
        return lambda: notices.tell_astray(incoming)
    if address.revoked:
        return lambda: notices.tell_revoked(incoming)
    received = _received(incoming, address, mail)
    handler = table.handler(address.kind)
    return lambda: handler(received)


def _heard(incoming: Incoming, automatic: str) -> Answered:
    """Keep an automatic mail without an answer, and tell those whom it concerns."""
    table.machines()(incoming, automatic)
    return Answered(Verdict.DROPPED, automatic)


def _answered(mail: mime.Mail, writer: User | None) -> Address | None:
    """Where the mail of ours that a mail to the server's own address answers wanted an answer; else its subject's tag.

    Only mails that went to this very writer count: what a mail refers to never says who acts. Nor does a tag: whose
    the address is that it names is for the handler to compare.
    """
    if writer is None:
        return None
    sent = Outgoing.objects.filter(message_id__in=mail.refers, recipient=writer).exclude(address=None)
    row = sent.order_by("-pk").select_related("address").first() if mail.refers else None
    if row is None or row.address is None:
        return addresses.tagged(mail.subject)
    return addresses.address_for(row.address.kind, row.address.object_id)


def _received(incoming: Incoming, address: Address, mail: mime.Mail) -> Received:
    answered = _referred(mail.refers)
    referred = _texts({row.pk: row.texts for row in answered if _is_at(row, address)})
    return Received(
        incoming=incoming,
        address=address,
        sender=mail.sender,
        user=incoming.writer,
        mail=mail,
        answers=answered,
        sent=referred or _newest(address, SENT_LOOKED_AT),
        others=lambda: _newest(address, BESIDES) if referred else (),
        check=authentication.check(mail, settings.POSTSPIEL_MAIL_AUTHSERV),
        token=incoming.address is not None,
    )


def _referred(refers: Sequence[str]) -> tuple[Outgoing, ...]:
    """The mails of ours that a mail refers to, the nearest first, without their bytes."""
    known = {row.message_id: row for row in _REFERRED.among(refers)}
    return tuple(known[one] for one in refers if one in known)


def _is_at(row: Outgoing, address: Address) -> bool:
    """Whether a mail of ours wanted an answer to what an address stands for, be it to an address that was renewed."""
    at = address if row.address_id == address.pk else row.address
    return at is not None and (at.kind, at.object_id) == (address.kind, address.object_id)


def _newest(address: Address, most: int) -> tuple[str, ...]:
    return _texts(dict(_NEWEST.values(address.kind, address.object_id, most)))


def _texts(kept: Mapping[int, str]) -> tuple[str, ...]:
    """The comparable texts of mails of ours: plain and, since programs quote that, HTML as text."""
    found = ((texts.split("\f") if texts else _read_again(key)) for key, texts in [*kept.items()][:SENT_LOOKED_AT])
    return tuple(text for texts in found for text in texts)


def _read_again(outgoing_id: int) -> tuple[str, ...]:
    """The texts of a mail that was written before they were kept."""
    raw = Outgoing.objects.values_list("raw", flat=True).get(pk=outgoing_id)
    return tuple(map(comparable, mime.texts_of_ours(bytes(raw or b""))))


def _mine(incoming: Incoming):  # type: ignore[no-untyped-def]
    return Incoming.objects.filter(pk=incoming.pk, claim=incoming.claim, state=Incoming.State.READING)


def _put_back(incoming: Incoming, why: str) -> None:
    """Try a mail again after a pause; when there have been enough attempts, leave it where people see it."""
    reason = one_line(why)[:400]
    if incoming.attempts <= len(PAUSES):
        due = timezone.now() + PAUSES[incoming.attempts - 1]
        _mine(incoming).update(state=Incoming.State.WAITING, due=due, reason=reason)
        return
    with transaction.atomic():
        if _mine(incoming).update(state=Incoming.State.STUCK, reason=reason, writer=incoming.writer):
            log.error("Incoming mail %s is stuck: %s", incoming.pk, reason)
            notices.tell_stuck(incoming)
