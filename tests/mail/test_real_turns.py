"""Answers to a turn's mail as the game really writes it, with the game's own language deciding what an order is."""

from itertools import product

import pytest
from django.test import override_settings

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.config import kinds
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing
from postspiel.mail.reading import IsOrder, comparable, mime, new_text
from postspiel.play import services
from postspiel.play.mails import frame
from tests.mail import clients, styles

NAMES = ("gmail", "iphone", "outlook desktop", "gmx", "wrapped intro", "no mark at all")
STYLES = tuple(style for style in clients.OPEN if style.name in NAMES)


def turn_with_orders(locale: str) -> tuple[mime.Mail, IsOrder, list[str]]:
    """The first turn's mail of a game that asks its player for orders at once, and the orders it offers."""
    for number in range(60):
        ada = User.objects.create_user(f"ada{number}@example.com", locale=locale)
        is_order = frame.order_test(services.make_demo_game(ada))
        outbox.send_due()
        row = Outgoing.objects.filter(kind="turn", recipient=ada).latest("pk")
        mail = mime.read(bytes(row.raw or b""), ours=True)
        offered = [line.strip() for line in mail.body.text.split("\n") if is_order(line)]
        if len(offered) > 1:
            return mail, is_order, offered
    raise AssertionError("no game began with its player")


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("locale", ("en", "de"))
def test_exactly_the_players_orders_are_new(locale: str) -> None:
    with override_settings(MAIL_KINDS=kinds.MAIL_KINDS, ADDRESS_KINDS=kinds.ADDRESS_KINDS):
        mail, is_order, offered = turn_with_orders(locale)
    ours = styles.Ours(mail.headers.as_bytes(), registry.title("intrige"), {})
    wrong = []
    for style, place, form in product(STYLES, styles.PLACES, styles.FORMS):
        raw = styles.write(style, "en", place, form, ours, (offered[0], "done"))
        body = mime.read(raw).body
        found = new_text(body.text or body.other, map(comparable, (mail.body.text, mail.body.other)), is_order)
        new = [line.strip() for line in found.text.split("\n") if is_order(line)]
        if new != [offered[0], "done"] or found.edited_quote:
            wrong.append((style.name, place, form, new, found.edited_quote))
    assert not wrong, (len(wrong), wrong[:5])
