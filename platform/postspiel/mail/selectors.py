"""What pages may know about mail."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from postspiel.accounts.models import User
from postspiel.mail import bouncing, muting
from postspiel.mail.models import Incoming, Mailbox, Outgoing
from postspiel.mail.reading import mime

SHOWN_HEADERS = (
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "X-Auto-Response-Suppress", "List-Unsubscribe", "Postspiel-Instance",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenedMail:
    """A mail of ours as a mail program shows it. An erased one (`gone`) has neither text nor headers."""

    headers: tuple[tuple[str, str], ...] = ()
    text: str = ""
    html: str = ""
    attachments: tuple[mime.File, ...] = ()
    gone: bool = False


@dataclass(frozen=True, slots=True)
class MailState:
    """One line of "Why did I get no mail?": never a body, since a sign-in code is a key."""

    kind: str
    subject: str
    created: datetime
    sent: datetime | None
    state: str
    attempts: int
    answer: str


def mails_to(user: User, limit: int = 100) -> list[MailState]:
    """Every mail to a person, newest first: when, tried how often, what the server said."""
    return [_state(row) for row in Outgoing.objects.filter(recipient=user).defer("raw", "data").order_by("-pk")[:limit]]


def suspended(user: User) -> Mailbox | None:
    """What is known of a person's address if mail to it came back so often that no more is sent; None if it works."""
    return bouncing.suspended(user)


def unsubscribes(token: str) -> tuple[User, str] | None:
    """The person and the kind of mail that a link in `List-Unsubscribe` names; None if it is none of ours."""
    return muting.named(token)


def muted(user: User) -> list[str]:
    """The kinds that a person gets no mails of."""
    return muting.muted(user)


def postbox(search: str = "") -> "QuerySet[Outgoing]":
    """All mails that the server wrote, newest first, without their bytes. For the superuser alone."""
    rows = Outgoing.objects.select_related("recipient").defer("raw", "data").order_by("-pk")
    return rows.filter(Q(to__icontains=search) | Q(subject__icontains=search)) if search else rows


def opened(outgoing: Outgoing) -> OpenedMail:
    """One mail's headers, text, HTML and attachments."""
    if not outgoing.raw:
        return OpenedMail(gone=True)
    mail = mime.read(bytes(outgoing.raw), ours=True)
    headers = tuple((name, mime.decoded(mail.header(name.lower()))) for name in SHOWN_HEADERS)
    return OpenedMail(
        headers=tuple((name, value) for name, value in headers if value),
        text=mime.source(mail.headers, "text/plain"),
        html=mime.source(mail.headers, "text/html"),
        attachments=mail.files,
    )


def stuck() -> "QuerySet[Incoming]":
    """Mails that broke the reader and wait for somebody to look, oldest first."""
    return Incoming.objects.filter(state=Incoming.State.STUCK).order_by("received").defer("raw")


def oldest_unsent() -> datetime | None:
    """Since when the oldest mail that is due waits; None if none does."""
    waiting = Outgoing.objects.filter(state__in=(Outgoing.State.QUEUED, Outgoing.State.SENDING))
    return waiting.order_by("created").values_list("created", flat=True).first()


def oldest_unread() -> datetime | None:
    """Since when the oldest accepted mail waits to be read; None if none does."""
    waiting = Incoming.objects.filter(state__in=(Incoming.State.WAITING, Incoming.State.READING))
    return waiting.order_by("received").values_list("received", flat=True).first()


def _state(row: Outgoing) -> MailState:
    return MailState(
        kind=row.kind,
        subject=row.subject,
        created=row.created,
        sent=row.sent,
        state=row.state,
        attempts=row.attempts,
        answer=row.answer,
    )
