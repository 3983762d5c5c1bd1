"""What the outbox notes about a mail beside the server's own answers, and how its reader is told."""

from django.utils.translation import gettext, gettext_noop

OVER = gettext_noop("It was no longer due.")
UNWANTED = gettext_noop("Its reader wants no mail of this kind.")
RESTS = gettext_noop(
    "Mail to this address came back; it waits until its owner says on the profile page that it works again."
)
BROKEN_OFF = gettext_noop("Every attempt was broken off.")
NOT_WRITTEN = gettext_noop("This server could not write the mail.")
NOT_REACHED = gettext_noop("The mail server was not reached")
CUT_OFF = gettext_noop("The connection broke")
KEPT = gettext_noop("Kept in the postbox.")
TOO_MANY = gettext_noop("Too many mails without orders.")

_OURS = frozenset({OVER, UNWANTED, RESTS, BROKEN_OFF, NOT_WRITTEN, NOT_REACHED, CUT_OFF, KEPT, TOO_MANY})


def in_words(answer: str) -> str:
    """A noted answer in the active language; what the other server said stands as it is."""
    if answer in _OURS:
        return gettext(answer)
    ours, colon, theirs = answer.partition(": ")
    return gettext(ours) + colon + theirs if ours in _OURS else answer
