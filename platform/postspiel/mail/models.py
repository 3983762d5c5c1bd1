"""Outbox, inbox and addresses. Nothing here knows what a game is (DESIGN section 5)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Address(models.Model):
    """A place that mail can be answered to: a kind (see ``config.kinds``) and the id of the object it stands for.

    The token itself is never stored: it follows from the server's key, the id and the generation. Renewing an address
    revokes this row and makes one of the next generation, so that an old token can still be recognised and refused.
    """

    kind = models.CharField(max_length=20)
    object_id = models.PositiveBigIntegerField()
    generation = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "addresses"
        constraints = (
            models.UniqueConstraint(fields=("kind", "object_id", "generation"), name="address_generation_once"),
            models.UniqueConstraint(
                fields=("kind", "object_id"), condition=Q(revoked=None), name="address_one_in_force"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id} (generation {self.generation})"


class Outgoing(models.Model):
    """One mail to one recipient: written in the transaction that causes it, rendered at the first attempt, then sent.

    ``event`` names what caused it; with ``to`` it is unique, so that the same cause never mails anybody twice.
    ``claim`` is a fencing token: who sends must still hold it when he reports the outcome. A mail in state *digest*
    waits until ``due`` for the digest of its reader, and then names the mail (``digest``) that it became part of.
    ``texts`` is what an answer may quote of ``raw``, comparable and parted by form feeds: kept when that is written,
    erased with it. Older rows lack it.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        CANCELLED = "cancelled"
        DIGEST = "digest"

    event = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="mails"
    )
    to = models.EmailField()
    object_id = models.PositiveBigIntegerField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)
    thread = models.CharField(max_length=80, blank=True)
    in_reply_to = models.CharField(max_length=998, blank=True)
    address = models.ForeignKey(Address, null=True, blank=True, on_delete=models.SET_NULL, related_name="mails")
    priority = models.SmallIntegerField(default=5)

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    due = models.DateTimeField()
    claim = models.PositiveIntegerField(default=0)
    claimed = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField()
    sent = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)

    digest = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="items")

    message_id = models.CharField(max_length=255, blank=True)
    subject = models.CharField(max_length=400, blank=True)
    raw = models.BinaryField(null=True, blank=True)
    texts = models.TextField(blank=True, default="")

    class Meta:
        verbose_name_plural = "outgoing"
        constraints = (models.UniqueConstraint(fields=("event", "to"), name="outgoing_once"),)
        indexes = (
            models.Index(fields=("due",), condition=Q(state="queued"), name="outgoing_due"),
            models.Index(fields=("claimed",), condition=Q(state="sending"), name="outgoing_in_flight"),
            models.Index(fields=("address",), condition=Q(state="failed"), name="outgoing_failed"),
            models.Index(fields=("due",), condition=Q(state="digest", digest=None), name="outgoing_for_digest"),
            models.Index(fields=("message_id",), name="outgoing_message_id"),
            models.Index(fields=("recipient", "-id"), name="outgoing_of_recipient"),
            models.Index(fields=("address", "-id"), name="outgoing_of_address"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.event} ({self.state})"


class Incoming(models.Model):
    """One mail that a door has accepted: the bytes are committed before the door says yes, and never changed.

    ``received`` is the time of acceptance; it decides deadlines. ``state`` is about reading, ``verdict`` about what
    came of it.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        READ = "read"
        STUCK = "stuck"

    class Verdict(models.TextChoices):
        NONE = ""
        ACCEPTED = "accepted"
        PARTIAL = "partial"
        REJECTED = "rejected"
        HELD = "held"
        DROPPED = "dropped"
        QUARANTINED = "quarantined"

    door = models.CharField(max_length=10)
    sender = models.CharField(max_length=320, blank=True)
    recipient = models.CharField(max_length=320)
    address = models.ForeignKey(Address, null=True, blank=True, on_delete=models.SET_NULL, related_name="answers")
    raw = models.BinaryField()
    message_id = models.CharField(max_length=255, blank=True)
    digest = models.CharField(max_length=64)
    received = models.DateTimeField()

    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    due = models.DateTimeField()
    claim = models.PositiveIntegerField(default=0)
    claimed = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    verdict = models.CharField(max_length=12, choices=Verdict, default=Verdict.NONE, blank=True)
    reason = models.CharField(max_length=400, blank=True)
    writer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="letters"
    )

    class Meta:
        verbose_name_plural = "incoming"
        constraints = (models.UniqueConstraint(F("message_id"), F("digest"), F("recipient"), name="incoming_once"),)
        indexes = (
            models.Index(fields=("due",), condition=Q(state="waiting"), name="incoming_due"),
            models.Index(fields=("claimed",), condition=Q(state="reading"), name="incoming_in_work"),
            models.Index(fields=("address",), condition=Q(verdict="held"), name="incoming_held"),
            models.Index(fields=("received",), name="incoming_received"),
        )

    def __str__(self) -> str:
        return f"{self.door} {self.received:%Y-%m-%d %H:%M} ({self.state} {self.verdict})"

    @property
    def answerable_id(self) -> str:
        """The Message-ID to refer to in an answer; "" if the mail came without one."""
        return self.message_id if self.message_id.startswith("<") else ""


class Fetched(models.Model):
    """A mail that the IMAP door has committed, as its mail server knows it; written with the mail."""

    account = models.CharField(max_length=320)
    folder = models.CharField(max_length=200)
    validity = models.BigIntegerField()
    uid = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "fetched"
        constraints = (models.UniqueConstraint(fields=("account", "folder", "validity", "uid"), name="fetched_once"),)

    def __str__(self) -> str:
        return f"{self.uid} of {self.validity} in {self.folder} of {self.account}"


class Looked(models.Model):
    """When the IMAP door last began to look through a folder and came to its end: what arrived earlier is kept."""

    account = models.CharField(max_length=320)
    folder = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "looked"
        constraints = (models.UniqueConstraint(fields=("account", "folder"), name="looked_once"),)

    def __str__(self) -> str:
        return f"{self.folder} of {self.account} at {self.at:%Y-%m-%d %H:%M:%S}"


class Mailbox(models.Model):
    """What is known of an address that mail came back from: how often in a row for good, and since when it rests."""

    address = models.EmailField(unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mailboxes")
    bounces = models.PositiveSmallIntegerField(default=0)
    last = models.DateTimeField()
    said = models.CharField(max_length=400, blank=True)
    suspended = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "mailboxes"

    def __str__(self) -> str:
        return f"Mailbox {self.pk} ({self.bounces} bounces)"


class Preference(models.Model):
    """How a person wants a kind of mail: at once, in the daily digest, or never.

    ``thread`` "" is about every game; a thread's own row (`Outgoing.thread`) goes before it.
    """

    class How(models.TextChoices):
        AT_ONCE = "at_once"
        DAILY = "daily"
        NEVER = "never"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preferences")
    kind = models.CharField(max_length=40)
    thread = models.CharField(max_length=80, blank=True)
    how = models.CharField(max_length=10, choices=How)
    since = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "kind", "thread"), name="preference_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.how} for person {self.user_id}"
