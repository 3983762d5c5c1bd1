"""Which mails a person wants, and when: at once, in one digest a day, or never; for each kind, and for single games.

The table of kinds says what may be chosen (`choice`): turns may come in the digest but always come; receipts, questions
and codes are always sent at once. `List-Unsubscribe` (RFC 8058) chooses *never* for one kind by a signed link.
"""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Literal

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import table
from postspiel.mail.models import Outgoing, Preference

type How = Literal["at_once", "daily", "never"]

DIGEST = "digest"
"""The kind of the daily digest itself: it cannot be chosen, but unsubscribed from."""

_CHOICES: dict[str, tuple[How, ...]] = {"kept": ("at_once", "daily"), "free": ("at_once", "daily", "never")}
_SALT = "postspiel unsubscribe"


def choices(kind: str) -> tuple[How, ...]:
    """What a person may choose for a kind of mail; nothing for kinds that are always sent at once."""
    known = settings.MAIL_KINDS.get(kind)
    return _CHOICES.get(known.get("choice", ""), ()) if known else ()


def choosable() -> list[str]:
    """The kinds of mail that a person has a choice about, in the order of the table."""
    return [kind for kind in settings.MAIL_KINDS if choices(kind)]


def how(row: Outgoing) -> How:
    """How a mail's reader wants it: what he chose for its game, else what he chose for its kind, else at once."""
    if row.recipient_id is None or not choices(row.kind):
        return "at_once"
    chosen = Preference.objects.filter(user=row.recipient_id, kind=row.kind, thread__in={"", row.thread})
    found = chosen.order_by("-thread").values_list("how", flat=True).first()
    return found if found in choices(row.kind) else "at_once"


def chosen(user: User) -> dict[tuple[str, str], str]:
    """What a person chose, by kind and thread ("": every game)."""
    rows = Preference.objects.filter(user=user)
    return {(row.kind, row.thread): row.how for row in rows}


def choose(user: User, wanted: Mapping[tuple[str, str], str]) -> None:
    """Keep what a person chose, by kind and thread; "" for a thread means "as in every other game".

    Mails that wait for a digest are looked at anew. Raises `ValueError` for what cannot be chosen.
    """
    for (kind, thread), one in wanted.items():
        if one not in (*choices(kind), *([""] if thread else [])):
            raise ValueError(f"{one!r} cannot be chosen for {kind!r}.")
    with transaction.atomic():
        for (kind, thread), one in (wanted.items() - chosen(user).items()) | _given_up(user, wanted):
            _keep(user, kind, thread, one)
        _release(user)


def unsubscribe(user: User, kind: str) -> None:
    """Send a person no mails of a kind any more. Of the digest: what may be left out is, turns come at once again."""
    if kind == DIGEST:
        daily = [where for where, one in chosen(user).items() if one == "daily"]
        choose(user, {where: "never" if "never" in choices(where[0]) else "at_once" for where in daily})
    elif "never" in choices(kind):
        threads = {thread for known, thread in chosen(user) if known == kind and thread}
        choose(user, {(kind, ""): "never", **{(kind, thread): "" for thread in threads}})


def link(row: Outgoing) -> str:
    """The page on which a POST unsubscribes a mail's reader from its kind; "" for mails that are always sent."""
    if row.recipient_id is None or not _may_leave(row.kind):
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
    return (user, kind) if user is not None and _may_leave(kind) else None


def next_time(user: User, now: datetime) -> datetime:
    """The time of a person's next digest after `now`: his hour in his zone, today or tomorrow."""
    today = now.astimezone(user.zone).date()
    hour = time(user.digest_hour)
    coming = (datetime.combine(today + timedelta(days=days), hour, user.zone) for days in (0, 1, 2))
    return next(moment.astimezone(now.tzinfo) for moment in coming if moment.timestamp() > now.timestamp())


def waits_until(row: Outgoing) -> datetime | None:
    """Until when a mail that its reader wants in the digest waits; None if it cannot wait."""
    if row.recipient is None:
        return None
    until = next_time(row.recipient, timezone.now())
    return None if table.urgent(row, until) else until


def _may_leave(kind: str) -> bool:
    return kind == DIGEST or "never" in choices(kind)


def _given_up(user: User, wanted: Mapping[tuple[str, str], str]) -> set[tuple[tuple[str, str], str]]:
    """The defaults among the wishes, for which a row may have to go."""
    return {(where, wanted[where]) for where in chosen(user) if wanted.get(where) in {"", "at_once"}}


def _keep(user: User, kind: str, thread: str, one: str) -> None:
    same = Preference.objects.filter(user=user, kind=kind, thread=thread)
    if one == "" or (one == "at_once" and not thread):
        same.delete()
    else:
        since = timezone.now()
        Preference.objects.update_or_create(user=user, kind=kind, thread=thread, defaults={"how": one, "since": since})


def _release(user: User) -> None:
    waiting = Outgoing.objects.filter(recipient=user, state=Outgoing.State.DIGEST, digest=None)
    waiting.update(state=Outgoing.State.QUEUED, due=timezone.now())
