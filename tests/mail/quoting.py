"""What is kept of a mail of ours for the answers to it, beside what its bytes say."""

from datetime import UTC, datetime

from postspiel.mail import outbox
from postspiel.mail.letters import Envelope, Letter, compose
from postspiel.mail.reading import comparable, mime

ENVELOPE = Envelope("Ö", "a@example.org", "b@example.org", "<1@example.org>", datetime(2026, 6, 1, tzinfo=UTC), "x")


def checked(letter: Letter) -> Letter:
    """A letter of which the same is kept as is read in its bytes."""
    kept = outbox.texts_of(letter).split("\f")
    assert kept == list(map(comparable, mime.texts_of_ours(compose(letter, ENVELOPE)))), letter.subject
    return letter
