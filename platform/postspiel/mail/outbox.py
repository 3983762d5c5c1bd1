"""The outbox: rows are written in the transaction that causes a mail, claimed, rendered once, sent, retried.

A claim is a number that grows with every attempt. Who sends reports with the number he got; if his claim ran out and
somebody else took the row meanwhile, his report counts for nothing. Both would have sent the same bytes under the same
Message-ID, so a reader's mail program shows one mail.
"""

import logging
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any, NamedTuple, Self

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone, translation

from postspiel import rows
from postspiel.accounts.models import User
from postspiel.mail import addresses, bouncing, preferences, said, table
from postspiel.mail.bell import each, ring
from postspiel.mail.letters import Envelope, Letter, as_sent, compose, one_line
from postspiel.mail.models import Address, Outgoing
from postspiel.mail.reading import comparable, mime
from postspiel.mail.wire import Permanent, Temporary, Unreachable, Wire, open_wire

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""After this a claim counts as lost. Longer than one conversation can take (`wire.TIMEOUT` a command)."""

PAUSES = tuple(timedelta(minutes=m) for m in (1, 3, 10, 30, 60, 120, 240, 480, 720, 1440))
"""Pauses between attempts: about two days in all, then the mail is given up."""

SECRETS_KEPT = timedelta(hours=1)
"""How long the postbox keeps a secret mail: its reader has nowhere else to read it."""

BATCH = 200

_ERASED: Mapping[str, object] = {"raw": None, "texts": "", "data": {}}
"""What becomes of all that a secret mail says."""


def queue(  # noqa: PLR0913 - one keyword for each thing that a mail has
    *,
    event: str,
    kind: str,
    to: str = "",
    recipient: User | None = None,
    object_id: int | None = None,
    data: Mapping[str, Any] | None = None,
    thread: str = "",
    in_reply_to: str = "",
    address: Address | None = None,
    priority: int = 5,
    due: datetime | None = None,
    first: bool = False,
) -> None:
    """Write one mail into the outbox, in the caller's transaction; the same `event` mails nobody twice.

    `to` defaults to the recipient's address. `address` is where an answer goes. `thread` names what mail programs show
    together, `in_reply_to` the Message-ID that this mail answers. A smaller `priority` goes first; `due` may lie ahead.
    `first` says that nobody can have been mailed for this event: what it names was made in this transaction.
    Raises `RuntimeError` outside a transaction, `KeyError` for a kind that no table knows.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A mail is queued in the transaction that causes it.")
    _ = settings.MAIL_KINDS[kind]
    now = timezone.now()
    once = {"event": event, "to": to or (recipient.email if recipient else "")}
    about = {
        "kind": kind,
        "recipient": recipient,
        "object_id": object_id,
        "data": dict(data or {}),
        "thread": thread,
        "in_reply_to": in_reply_to,
        "address": address,
        "priority": priority,
        "created": now,
        "due": due or now,
    }
    if first:
        row, new = rows.insert(Outgoing, **once, **about), True
    else:
        row, new = Outgoing.objects.get_or_create(**once, defaults=about)
    if new and row.due <= now:
        ring("mail.send", row.pk)


class Copy(NamedTuple):
    """What sets one copy of a mail to many apart: its event, its reader, what it is about for him, where answers go."""

    event: str
    recipient: User
    object_id: int | None = None
    address: Address | None = None


def queue_copies(copies: Collection[Copy], *, kind: str, data: Mapping[str, Any], thread: str) -> None:
    """Write one mail to many readers, as `queue` would one by one, in two statements however many they are."""
    if not connection.in_atomic_block:
        raise RuntimeError("A mail is queued in the transaction that causes it.")
    _ = settings.MAIL_KINDS[kind]
    now = timezone.now()
    events = [copy.event for copy in copies]
    known = set(Outgoing.objects.filter(event__in=events).values_list("event", "to")) if events else set()
    rows = [
        Outgoing(
            **copy._asdict(), to=copy.recipient.email, kind=kind, data=dict(data), thread=thread, created=now, due=now
        )
        for copy in copies
        if (copy.event, copy.recipient.email) not in known
    ]
    for row in Outgoing.objects.bulk_create(rows):
        ring("mail.send", row.pk)


def send(outgoing_id: int) -> bool:
    """Try to send one mail that is due; whether it was sent. Called twice at once, it sends once."""
    with open_wire() as wire:
        return _attempt(outgoing_id, wire)


def send_each(outgoing_ids: Iterable[int]) -> int:
    """Try to send mails over one connection; how many were sent.

    A server that cannot be reached ends the round: the others would only wait for it too.
    """
    with open_wire() as wire:
        return each(lambda one: not wire.unreachable and _attempt(one, wire), outgoing_ids)


def send_due(limit: int = BATCH) -> int:
    """Send what is due, most urgent first, over one connection; how many were sent."""
    _free_lost_claims()
    erase_secrets()
    return send_each(_due(limit))


def erase_secrets() -> None:
    """Erase the bodies of secret mails that the postbox showed long enough, or that will never be sent."""
    before = timezone.now() - SECRETS_KEPT
    over = (Outgoing.State.SENT, Outgoing.State.FAILED, Outgoing.State.CANCELLED)
    old = Outgoing.objects.filter(kind__in=table.secret_kinds(), state__in=over, created__lt=before)
    old.exclude(raw=None, data={}).update(**_ERASED)


def _due(limit: int) -> Iterator[int]:
    rows = Outgoing.objects.filter(state=Outgoing.State.QUEUED, due__lte=timezone.now())
    yield from rows.order_by("priority", "due", "pk").values_list("pk", flat=True)[:limit]


def _free_lost_claims() -> None:
    now = timezone.now()
    lost = Outgoing.objects.filter(state=Outgoing.State.SENDING, claimed__lt=now - LEASE)
    for row in lost.filter(attempts__gt=len(PAUSES)):
        _Claim(row).give_up(said.BROKEN_OFF)
    lost.update(state=Outgoing.State.QUEUED, due=now)


def _attempt(outgoing_id: int, wire: Wire) -> bool:
    claim = _Claim.take(outgoing_id)
    if claim is None:
        return False
    try:
        if not table.still_due(claim.row):
            return claim.cancel()
        how = preferences.how(claim.row)
        if how == "never":
            return claim.cancel(said.UNWANTED)
        if how == "daily" and (until := preferences.waits_until(claim.row)):
            return claim.wait(until)
        return claim.cancel(said.RESTS) if bouncing.rests(claim.row) else claim.send(wire)
    except Exception:
        log.exception("Mail %s (%s) could not be written.", outgoing_id, claim.row.kind)
        claim.later(said.NOT_WRITTEN)
        return False


class _Claim:
    """One attempt's right to a row. Every report goes through `_report`, which checks that the right still holds."""

    def __init__(self, row: Outgoing) -> None:
        self.row = row

    @classmethod
    def take(cls, outgoing_id: int) -> Self | None:
        """Claim a row that is due; None if it is not, or if somebody else has it."""
        now = timezone.now()
        free = Outgoing.objects.filter(pk=outgoing_id, state=Outgoing.State.QUEUED, due__lte=now)
        with transaction.atomic():
            if not free.update(
                state=Outgoing.State.SENDING, claim=F("claim") + 1, claimed=now, attempts=F("attempts") + 1
            ):
                return None
            return cls(Outgoing.objects.select_related("recipient", "address").get(pk=outgoing_id))

    def send(self, wire: Wire) -> bool:
        if not self.row.raw and not self._write():
            return False
        try:
            answer = wire.send(self.row.to, bytes(self.row.raw or b""), sender=bouncing.envelope_sender(self.row))
        except Permanent as error:
            return self.give_up(str(error))
        except (Temporary, Unreachable) as error:
            return self.later(str(error))
        return self._sent(answer, forget=wire.delivers and self.row.kind in table.secret_kinds())

    def cancel(self, why: str = said.OVER) -> bool:
        self._report(state=Outgoing.State.CANCELLED, answer=why)
        return False

    def wait(self, until: datetime) -> bool:
        """Let a mail wait for its reader's digest; it was not tried."""
        self._report(state=Outgoing.State.DIGEST, due=until, attempts=F("attempts") - 1)
        return False

    def later(self, answer: str) -> bool:
        """Note a failed attempt and try again after a pause; give up when there have been enough."""
        if self.row.attempts > len(PAUSES):
            return self.give_up(answer)
        due = timezone.now() + PAUSES[self.row.attempts - 1]
        self._report(state=Outgoing.State.QUEUED, due=due, answer=answer)
        return False

    def give_up(self, answer: str) -> bool:
        if self._report(state=Outgoing.State.FAILED, answer=answer):
            log.error("Mail %s (%s) is given up: %s", self.row.pk, self.row.kind, answer)
        return False

    def _sent(self, answer: str, *, forget: bool) -> bool:
        erased = _ERASED if forget else {}
        return self._report(state=Outgoing.State.SENT, sent=timezone.now(), answer=answer, **erased)

    def _write(self) -> bool:
        """Render the mail and keep its bytes; False if the claim was lost meanwhile."""
        self.row.message_id = f"<{self.row.pk}.{secrets.token_hex(8)}@{settings.POSTSPIEL_MAIL_DOMAIN}>"
        letter = replace(render(self.row), list_unsubscribe=preferences.link(self.row))
        letter = replace(letter, subject=f"{letter.subject} {addresses.tag(self.row.address)}".rstrip())
        self.row.subject = one_line(letter.subject)[:400]
        self.row.raw = compose(letter, _envelope(self.row, letter))
        self.row.texts = texts_of(letter)
        written = ("raw", "texts", "subject", "message_id")
        return self._report(**{name: getattr(self.row, name) for name in written})

    def _report(self, **fields: object) -> bool:
        return bool(Outgoing.objects.filter(pk=self.row.pk, claim=self.row.claim).update(**fields))


def texts_of(letter: Letter) -> str:
    """The texts of a letter that an answer may quote, as `mime.texts_of_ours` would read them in its bytes."""
    texts = mime.quotable(as_sent(letter.text), as_sent(letter.html) if letter.html else "")
    return "\f".join(map(comparable, texts))


def render(outgoing: Outgoing) -> Letter:
    """The letter of a row, written in its reader's language and time zone."""
    reader = outgoing.recipient
    zone = reader.zone if reader else timezone.get_default_timezone()
    with translation.override(reader.locale if reader else settings.LANGUAGE_CODE), timezone.override(zone):
        return table.renderer(outgoing.kind)(outgoing)


def _envelope(row: Outgoing, letter: Letter) -> Envelope:
    answer_to = addresses.spell(row.address, letter.word) if row.address else ""
    return Envelope(
        sender_name=parseaddr(settings.POSTSPIEL_MAIL_FROM)[0],
        sender=answer_to or addresses.own(),
        to=row.to,
        message_id=row.message_id,
        date=timezone.now(),
        instance=settings.POSTSPIEL_MAIL_DOMAIN,
        answer_to=answer_to,
        in_reply_to=row.in_reply_to or _last_in_thread(row),
        references=tuple(dict.fromkeys(filter(None, (_root(row), _last_in_thread(row), row.in_reply_to)))),
    )


def _root(row: Outgoing) -> str:
    """The made-up first mail of a thread: programs show together what refers to it, whichever mail came first."""
    return f"<{row.thread}.thread@{settings.POSTSPIEL_MAIL_DOMAIN}>" if row.thread else ""


def _last_in_thread(row: Outgoing) -> str:
    if not row.thread:
        return ""
    earlier = Outgoing.objects.filter(Q(thread=row.thread, to=row.to, pk__lt=row.pk) & ~Q(message_id=""))
    return earlier.order_by("-pk").values_list("message_id", flat=True).first() or ""
