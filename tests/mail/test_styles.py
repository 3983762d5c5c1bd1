"""One order mail in the styles of many mail programs, languages, places and forms: exactly its orders are new."""

import pytest

from postspiel.mail.letters import Envelope, Letter, compose
from postspiel.mail.reading import mime, new_text
from tests.mail import kinds, styles


def sent() -> tuple[str, ...]:
    """The texts of our mail, as the inbox gives them to the reader."""
    from django.utils import timezone

    envelope = Envelope(
        "Postspiel", "play@play.example.org", "ada@example.com", "<1@play.example.org>", timezone.now(), "x"
    )
    body = mime.read(compose(Letter("Turn 3", styles.TEXT, styles.HTML), envelope)).body
    return body.text, body.other


@pytest.mark.parametrize("style", styles.STYLES, ids=lambda style: style.name)
def test_exactly_the_players_orders_are_new(style: styles.Style) -> None:
    ours = sent()
    wrong = []
    for name, raw, orders in styles.mails(style):
        body = mime.read(raw).body
        found = new_text(body.text or body.other, ours, kinds.is_order)
        new = tuple(line.strip() for line in found.text.split("\n") if kinds.is_order(line))
        if new != orders or found.edited_quote:
            wrong.append((name, new, found.edited_quote))
    assert not wrong, (len(wrong), wrong[:5])
