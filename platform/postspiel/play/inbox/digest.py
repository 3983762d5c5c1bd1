"""An answer to the daily digest: it reaches no game, and its writer is told where to write instead."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered, Received

Verdict = Incoming.Verdict

MOST_A_DAY = 10
"""So many answers to digests are answered: two machines must not talk to each other for ever."""


def digest(received: Received) -> Answered:
    """Refuse an answer to a digest, with the addresses of the reader's games, at his registered address."""
    reader = User.objects.filter(pk=received.address.object_id).first()
    if reader is None or received.user != reader:
        return Answered(Verdict.DROPPED, "An answer to a digest that was not the writer's.")
    since = timezone.now() - timedelta(days=1)
    answered = Outgoing.objects.filter(kind="digest-answer", recipient=reader, created__gt=since)
    if answered.count() < MOST_A_DAY:
        mail_services.queue(
            event=f"digest-answer:{received.incoming.pk}",
            kind="digest-answer",
            recipient=reader,
            in_reply_to=received.incoming.answerable_id,
            priority=2,
        )
    return Answered(Verdict.REJECTED, "It answers a digest, which belongs to many games.")
