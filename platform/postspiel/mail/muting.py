"""Kinds of mail that a person does not want: `List-Unsubscribe` with one click (RFC 8058), by a signed link.

Only kinds that the table marks `mutable` (reminders, press) can be muted: turns, receipts and codes always go.
"""

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Muted, Outgoing

UNWANTED = "Its reader wants no mail of this kind."

_SALT = "postspiel unsubscribe"


def is_mutable(kind: str) -> bool:
    """Whether a person may do without mails of a kind."""
    return kind in settings.MAIL_KINDS and bool(settings.MAIL_KINDS[kind].get("mutable"))


def link(row: Outgoing) -> str:
    """The page on which a POST mutes a mail's kind for its reader; "" for mails that cannot be muted."""
    if row.recipient_id is None or not is_mutable(row.kind):
        return ""
    token = signing.dumps([row.recipient_id, row.kind], salt=_SALT)
    return f"{settings.POSTSPIEL_URL}{reverse('unsubscribe', args=[token])}"


def named(token: str) -> tuple[User, str] | None:
    """The person and the kind that a link names; None if it is none of ours."""
    try:
        user_id, kind = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_id).first()
    return (user, kind) if user is not None and is_mutable(kind) else None


def mute(user: User, kind: str) -> None:
    """Send a person no mails of a kind any more. Twice is once."""
    if is_mutable(kind):
        Muted.objects.get_or_create(user=user, kind=kind, defaults={"since": timezone.now()})


def unmute(user: User, kind: str) -> None:
    """Send a person mails of a kind again."""
    Muted.objects.filter(user=user, kind=kind).delete()


def muted(user: User) -> list[str]:
    """The kinds that a person gets no mails of."""
    return list(Muted.objects.filter(user=user).order_by("kind").values_list("kind", flat=True))


def is_unwanted(row: Outgoing) -> bool:
    """Whether a mail's reader wants none of its kind."""
    return is_mutable(row.kind) and Muted.objects.filter(user=row.recipient_id, kind=row.kind).exists()
