"""What pages may know about mail."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet

from postspiel.accounts.models import User
from postspiel.mail import bouncing, imap, preferences, said
from postspiel.mail.models import Incoming, Looked, Mailbox, Outgoing
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
    """One line of "Why did I get no mail?": never a body, since a sign-in code is a key.

    `state` is the row's; of a mail in a digest, the digest's (`bundled`). `coming` is when something happens next: the
    digest that it waits for, or the next try. `answer` is in the reader's language, but for what the server said.
    """

    kind: str
    subject: str
    created: datetime
    sent: datetime | None
    state: str
    attempts: int
    answer: str
    bundled: bool
    coming: datetime | None


def mails_to(user: User) -> "QuerySet[Outgoing]":
    """Every mail to a person, newest first, without bytes."""
    rows = Outgoing.objects.filter(recipient=user).select_related("digest")
    return rows.defer("raw", "texts", "data", "digest__raw", "digest__texts", "digest__data").order_by("-pk")


def addresses_bounced(since: datetime) -> int:
    """How many addresses mail has come back from for good since then."""
    return Mailbox.objects.filter(last__gte=since, bounces__gt=0).count()


def addresses_written(since: datetime) -> int:
    """To how many addresses mail was sent since then."""
    return Outgoing.objects.filter(sent__gte=since).values("to").distinct().count()


def mail_state(row: Outgoing) -> MailState:
    """What became of a mail: when, tried how often, what the server said, why it was not sent, what it waits for."""
    carrier = row.digest if row.digest and row.state == Outgoing.State.DIGEST else row
    waits = carrier.state == Outgoing.State.DIGEST or (carrier.state == Outgoing.State.QUEUED and carrier.attempts > 0)
    return MailState(
        kind=row.kind,
        subject=row.subject,
        created=row.created,
        sent=carrier.sent,
        state=carrier.state,
        attempts=carrier.attempts,
        answer=said.in_words(carrier.answer),
        bundled=carrier is not row,
        coming=carrier.due if waits else None,
    )


def suspended(user: User) -> Mailbox | None:
    """What is known of a person's address if mail to it came back so often that no more is sent; None if it works."""
    return bouncing.suspended(user)


def returned_from(users: Collection[int]) -> dict[int, str]:
    """Return whose address rests because mail to it came back, with what the last report said. One query."""
    resting = Mailbox.objects.filter(owner__in=users, suspended__isnull=False, address=F("owner__email"))
    return dict(resting.values_list("owner", "said"))


def unsubscribes(token: str) -> tuple[User, str] | None:
    """The person and the kind of mail that a link in `List-Unsubscribe` names; None if it is none of ours."""
    return preferences.named(token)


def choosable() -> dict[str, tuple[str, ...]]:
    """The kinds of mail that a person has a choice about, each with what can be chosen."""
    return {kind: preferences.choices(kind) for kind in preferences.choosable()}


def chosen(user: User) -> dict[tuple[str, str], str]:
    """How a person wants mails of a kind (first) of a thread ("": of every game), if he has chosen."""
    return preferences.chosen(user)


def postbox(search: str = "") -> "QuerySet[Outgoing]":
    """All mails that the server wrote, newest first, without their bytes. For the superuser alone."""
    rows = Outgoing.objects.select_related("recipient").defer("raw", "texts", "data").order_by("-pk")
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


def unread_since(moment: datetime) -> bool:
    """Whether mail that a mailbox took in until `moment` may still lie there, since nobody has looked later."""
    since = set(Looked.objects.filter(at__gte=moment).values_list("account", "folder"))
    return any((place.account, place.folder) not in since for place in imap.places())


def last_look() -> datetime | None:
    """Since when every mailbox has been looked through; None if one never was."""
    looks = {(row.account, row.folder): row.at for row in Looked.objects.all()}
    found = [looks.get((place.account, place.folder)) for place in imap.places()]
    return min((one for one in found if one), default=None) if all(found) else None
