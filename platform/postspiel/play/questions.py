"""Links to the page on which a question can be answered instead of by a code. Who has one has read the mail."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing

from postspiel.mail.models import Outgoing

KINDS = ("held", "resign-confirm", "press-held", "organiser-held")
"""Kinds of mail that ask for a code."""

VALID = timedelta(days=14)
"""How long a question can be answered."""

_SALT = "postspiel question"


def token(asked: Outgoing) -> str:
    """Return what names a question in a link."""
    return signing.dumps(asked.pk, salt=_SALT)


def named(word: str) -> int | None:
    """Return the id of the question that a link names; None if it is none of ours."""
    try:
        found = signing.loads(word, salt=_SALT)
    except signing.BadSignature:
        return None
    return found if isinstance(found, int) else None
