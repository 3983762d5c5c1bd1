"""Who may act by mail: token x sender x sender check x settings x state of the game, as the table in docs/mail.md says.

The table is read from the page, so that the page cannot say anything else than what is done. The suite tries every row
and a part of all combinations; `make mail-matrix` tries all 2,160.
"""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.test import Client, override_settings
from django.urls import get_resolver, reverse

from postspiel.accounts.models import User
from postspiel.mail import keys, outbox
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import channels, notices, services
from postspiel.play.models import Game, Press, Sheet
from tests.post.conftest import forgotten, forward, letter, orders, player, row, seat, speak, state

FULL = bool(os.environ.get("MAIL_MATRIX"))
EVERY = 1 if FULL else 13
AUTHSERV = "mx.play.example.org"
OWN = "postspiel@play.example.org"

TOKENS = ("valid", "none, answers our mail", "none", "renewed", "of a seat given up")
SENDERS = {
    "own": "own",
    "second": "own",
    "unconfirmed": "stranger",
    "unknown": "stranger",
    "other": "other player",
    "organiser": "other person",
}
CHECKS = ("pass", "fail", "unknown")
STATES = ("turn open", "turn over", "game over")


class Case(NamedTuple):
    """One combination."""

    token: str
    sender: str
    check: str
    strict: bool
    tokenless: bool
    state: str
    what: str


class Row(NamedTuple):
    """One row of the table."""

    token: str
    sender: str
    check: str
    settings: str
    state: str
    orders: str
    press: str

    def fits(self, case: Case) -> bool:
        asked = {
            "strict": case.strict,
            "not strict": not case.strict,
            "token-less": case.tokenless,
            "no token-less": not case.tokenless,
            "any": True,
        }
        return (
            self.token == case.token
            and _in(self.sender, SENDERS[case.sender])
            and _in(self.check, case.check)
            and asked[self.settings]
            and _in(self.state, case.state)
        )


def _in(cell: str, value: str) -> bool:
    return cell == "any" or value in cell.split(", ")


def table() -> list[Row]:
    page = (Path(__file__).parents[2] / "docs/mail.md").read_text(encoding="utf-8")
    lines = page[page.index("| token | From |") :].partition("\n\n")[0].splitlines()[2:]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]


def cases() -> list[Case]:
    switches = ((False, True), (False, True))
    return [Case(*one) for one in itertools.product(TOKENS, SENDERS, CHECKS, *switches, STATES, ("orders", "press"))]


@pytest.mark.pure
def test_every_combination_has_one_row_and_every_row_a_combination() -> None:
    rows = table()
    found = [[at for at, one in enumerate(rows) if one.fits(case)] for case in cases()]
    assert {len(fits) for fits in found} == {1}, [
        case for case, fits in zip(cases(), found, strict=True) if len(fits) != 1
    ]
    assert {fits[0] for fits in found} == set(range(len(rows)))


class Post:
    """A game in one state, and mails to it, each of which is forgotten again."""

    def __init__(self, game: Game, acts: User) -> None:
        self.game, self.acts = game, acts
        self.index = seat(game, acts).index
        self.other = player(game, (self.index + 1) % 3)
        self.address = mail.address_for("seat", seat(game, acts).pk)
        self.right = "\n".join(orders(letter("turn", acts).text, game))
        sent = row("turn", acts)
        mail.send(sent.pk)
        sent.refresh_from_db()
        self.answering = sent.message_id
        EmailAddress.objects.create(user=acts, email=acts.email, verified=True, primary=True)
        EmailAddress.objects.create(user=acts, email="second@work.example", verified=True)
        EmailAddress.objects.create(user=acts, email="unsure@work.example", verified=False)
        self.senders = {
            "own": acts.email,
            "second": "second@work.example",
            "unconfirmed": "unsure@work.example",
            "unknown": "who@example.net",
            "other": self.other.email,
            "organiser": game.organiser.email,
        }

    def bring(self, case: Case) -> Incoming:
        """Let one mail come in, and have it read."""
        sender = self.senders[case.sender]
        text = self.right if case.what == "orders" else "press to all:\nhello\nend press"
        results = f"Authentication-Results: {AUTHSERV}; dmarc={case.check} header.from={sender.partition('@')[2]}\r\n"
        head = results if case.check != "unknown" else ""
        answers = f"In-Reply-To: {self.answering}\r\n" if case.token != "none" and case.state != "game over" else ""
        answers = f"In-Reply-To: {self.answering}\r\n" if case.token == "none, answers our mail" else answers
        raw = f"{head}From: {sender}\r\nMessage-ID: <1@x>\r\n{answers}\r\n{text}".encode()
        to = OWN if case.token.startswith("none") else mail.spell(self.address, "play")
        (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[to], received=datetime.now(UTC))
        mail.read(incoming.pk)
        incoming.refresh_from_db()
        return incoming

    def may_hear(self, case: Case, verdict: str) -> set[str]:
        """The addresses that may get a mail because of this one."""
        if verdict == "accepted" and case.what == "press":
            return {one.player.email for one in self.game.seats.select_related("player") if one.player}
        if verdict == "held":
            return {self.acts.email, *([self.game.organiser.email] if case.sender == "other" else [])}
        return {self.senders[case.sender]} if SENDERS[case.sender] != "own" else {self.acts.email}


@pytest.fixture
def post(game: Game) -> Post:
    acts = player(game, state(game).active)
    speak(acts, "en")
    return Post(game, acts)


def to_state(post: Post, name: str, clock: time_machine.Traveller) -> None:
    if name == "turn over":
        forward(post.game, clock)
    elif name == "game over":
        for one in post.game.seats.all():
            services.propose_end(seat=one)


def with_token(post: Post, token: str) -> None:
    if token == "renewed":
        mail.renew(post.address)
    elif token == "of a seat given up":
        post.game.seats.filter(index=post.index).update(player=None)


def check(post: Post, case: Case, expected: str) -> None:
    before, files = Outgoing.objects.count(), Sheet.objects.exclude(orders=[]).count()
    read = post.bring(case)
    assert read.verdict == expected, (case, read.verdict, read.reason)
    assert Press.objects.exists() == (case.what == "press" and expected == "accepted"), case
    assert (Sheet.objects.exclude(orders=[]).count() > files) == (case.what == "orders" and expected == "accepted"), (
        case
    )
    caused = Outgoing.objects.order_by("pk")[before:]
    assert {one.to for one in caused} <= post.may_hear(case, expected), case
    token = mail.spell(post.address, "play").partition("+")[2].partition("@")[0]
    for one in caused:
        if one.recipient != post.acts:
            told = outbox.render(one)
            assert token not in told.text + told.html + told.subject, case
            assert post.acts.email not in told.text + told.html, case


@pytest.mark.parametrize("name", STATES)
def test_the_table_holds(
    post: Post, name: str, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rows, tried = table(), set()
    to_state(post, name, clock)
    for token in TOKENS:
        with forgotten():
            with_token(post, token)
            mine = [case for case in cases() if (case.token, case.state) == (token, name)]
            for at, case in enumerate(mine):
                fits = next(one for one in rows if one.fits(case))
                if at % EVERY and (fits, case.what) in tried:
                    continue
                tried.add((fits, case.what))
                Game.objects.filter(pk=post.game.pk).update(strict_mail=case.strict)
                with (
                    forgotten(),
                    override_settings(POSTSPIEL_MAIL_TOKENLESS=case.tokenless, POSTSPIEL_MAIL_AUTHSERV=AUTHSERV),
                ):
                    check(post, case, fits.orders if case.what == "orders" else fits.press)
    secrets = [mail.spell(post.address, "play").partition("+")[2].partition("@")[0], *post.senders.values()]
    assert not [secret for secret in secrets if secret in caplog.text]


def test_no_page_shows_a_secret_address(post: Post, olga: User) -> None:
    """Nor does a page show the address of another person."""
    game = post.game
    services.mail_addresses(seat=seat(game, post.acts))
    services.mail_commands(game=game, who=olga)
    for one in game.seats.select_related("game"):
        channels.address_for(one, None)
    for sent in Outgoing.objects.all():
        mail.send(sent.pk)
    tokens = [
        keys.token(django_settings.SECRET_KEY, one.kind, one.object_id, one.generation) for one in Address.objects.all()
    ]
    assert len(tokens) > 8
    for viewer in (post.acts, post.other, olga):
        client = Client()
        client.force_login(viewer)
        for page in pages(game):
            text = client.get(page, follow=True).content.decode().lower()
            assert not [token for token in tokens if token in text], (viewer, page)
            others = {post.acts.email, post.other.email, olga.email} - {viewer.email}
            assert not [address for address in others if address in text], (viewer, page)


def pages(game: Game) -> Iterator[str]:
    """Every page that has no argument or the key of a game."""
    known: dict[str, list[object]] = {"": [], "key": [game.key]}
    found: dict[object, Any] = dict(get_resolver().reverse_dict.items())
    for name, ways in found.items():
        arguments = ",".join(ways[0][0][1])
        if isinstance(name, str) and arguments in known and name not in {"account_logout", "language"}:
            yield reverse(name, args=known[arguments])


def test_the_organisers_and_the_players_addresses_are_told_apart(post: Post) -> None:
    own = seat(post.game, post.acts)
    addresses = (
        mail.address_for("seat", own.pk),
        channels.address_for(own, None),
        channels.address_for(own, [post.other.seats.get(game=post.game).index]),
        notices.commands_address(post.game, post.game.organiser),
        mail.address_for("digest", post.acts.pk),
    )
    assert len({mail.spell(address, "play") for address in addresses}) == len(addresses)
