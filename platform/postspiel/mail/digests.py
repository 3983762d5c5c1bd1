"""The daily digest: mails that their reader wants together, once a day, at his own hour.

A mail that is to wait gets state *digest* and the time of the next digest. When that has come, one mail of kind
"digest" is queued in the transaction that names it in the rows that it takes up. Before it is sent, and until its text
is written, mails that say nothing new any more are cancelled; what cannot be written is sent alone.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from postspiel.accounts.models import User
from postspiel.mail import addresses, outbox, table
from postspiel.mail.letters import Letter, one_line
from postspiel.mail.models import Outgoing
from postspiel.mail.preferences import DIGEST, how, next_time
from postspiel.mail.said import OVER, UNWANTED

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """One mail in a digest; `answer_to` is where an answer to it goes, "" if nobody reads one."""

    subject: str
    text: str
    html: str
    answer_to: str


def choose_hour(user: User, hour: int) -> None:
    """Send a person's digest at another hour of his day (0 to 23). Raises `ValueError` if there is no such hour."""
    if hour not in range(24):
        raise ValueError(f"There is no hour {hour}.")
    user.digest_hour = hour
    user.save(update_fields=["digest_hour"])
    _waiting(user.pk).update(due=next_time(user, timezone.now()))


def gather() -> int:
    """Queue every digest whose time has come; how many. Safe at any time, by any number of processes at once."""
    due = Outgoing.objects.filter(state=Outgoing.State.DIGEST, digest=None, due__lte=timezone.now())
    return sum(map(_gather, due.values_list("recipient", flat=True).distinct()))


def digest(outgoing: Outgoing) -> Letter:
    """Render kind "digest"."""
    parts = tuple(_parts(outgoing))
    day = date_format(timezone.localtime(), "j. F Y" if translation.get_language() == "de" else "j F Y")
    count = {"count": len(parts), "day": day}
    subject = ngettext("One mail of %(day)s", "%(count)d mails of %(day)s", len(parts)) % count
    about = {"parts": parts, "subject": subject, "locale": translation.get_language(), "foot": _foot()}
    return Letter(
        subject=subject,
        text=render_to_string("mail/digest.txt", about),
        html=render_to_string("mail/digest.html", about),
        word=DIGEST,
    )


def still_due(outgoing: Outgoing) -> bool:
    """Whether anything is left of a digest. Until it is written, what says nothing new any more is cancelled."""
    if outgoing.raw:
        return True
    for row in outgoing.items.select_related("recipient", "address"):
        _cancel_if_over(row)
    return _taken_up(outgoing).exists()


def _gather(user_id: int) -> bool:
    with transaction.atomic():
        rows = list(_waiting(user_id).select_related("recipient", "address").order_by("pk"))
        left = [row for row in rows if not _cancel_if_over(row)]
        if not left:
            return False
        first = left[0]
        assert first.recipient is not None  # noqa: S101 - found by its recipient
        event = f"{DIGEST}:{first.pk}"
        address = addresses.address_for(DIGEST, user_id)
        outbox.queue(event=event, kind=DIGEST, recipient=first.recipient, address=address)
        made = Outgoing.objects.get(event=event, to=first.recipient.email)
        return bool(_waiting(user_id).filter(pk__in=[row.pk for row in left]).update(digest=made))


def _cancel_if_over(row: Outgoing) -> bool:
    """Cancel a mail that is not to be sent any more; what fails to say whether it is gets sent alone."""
    try:
        why = UNWANTED if how(row) == "never" else "" if table.still_due(row) else OVER
    except Exception:
        log.exception("Mail %s (%s) cannot say whether it is due; it leaves its digest.", row.pk, row.kind)
        _send_alone(row)
        return True
    if why:
        _same(row).update(state=Outgoing.State.CANCELLED, answer=why)
    return bool(why)


def _parts(outgoing: Outgoing) -> Iterator[Part]:
    """Write the mails of a digest, those of a game together."""
    for row in _taken_up(outgoing).select_related("recipient", "address").order_by("thread", "pk"):
        try:
            letter = table.renderer(row.kind)(row)
        except Exception:
            log.exception("Mail %s (%s) could not be written; it leaves its digest.", row.pk, row.kind)
            _send_alone(row)
            continue
        _same(row).update(subject=one_line(letter.subject)[:400])
        answer_to = addresses.spell(row.address, letter.word) if row.address else ""
        yield Part(letter.subject, letter.inner or letter.text, letter.inner_html, answer_to)


def _foot() -> str:
    return _(
        "You get these mails together because you chose so. An answer to this mail reaches no game; answer to the "
        "address of the game instead."
    )


def _send_alone(row: Outgoing) -> None:
    _same(row).update(state=Outgoing.State.QUEUED, digest=None, due=timezone.now())


def _same(row: Outgoing) -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(pk=row.pk, state=Outgoing.State.DIGEST)


def _taken_up(outgoing: Outgoing) -> QuerySet[Outgoing]:
    return outgoing.items.filter(state=Outgoing.State.DIGEST)


def _waiting(user_id: int) -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(recipient=user_id, state=Outgoing.State.DIGEST, digest=None)
