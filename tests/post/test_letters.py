"""Each letter on its way through the server: taken by a door, read, answered, and the answer's text compared.

`tests/mail/cases` are letters of Ada to her seat's address; those of `tests/post/letters` are about who may act, what
goes to whom, and when. What each is answered stands in `answered/`; `make answers` writes it anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from games.engine.contract import Locale
from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play.models import Game, Seat
from tests.mail import test_cases as cases
from tests.post import answers, carnival
from tests.post.answers import Answer
from tests.post.conftest import forgotten

pytestmark = pytest.mark.django_db

LETTERS = Path(__file__).parent / "letters"
WRITE = bool(os.environ.get("WRITE_ANSWERS"))
OWN_ADDRESS = "postspiel@play.example.org"

OTHERWISE = {"65-quotes-fullwidth": "partial", "73-lying-name": "held"}
"""Letters of `tests/mail/cases` that mean something else in a game, and to her address, than by themselves."""


@dataclass(frozen=True)
class Way:
    """How a letter of `tests/post/letters` comes: to which addresses, when, and what becomes of it at each.

    ``again`` is the Message-ID under which it comes once more to the first of them.
    """

    verdicts: tuple[str, ...] = ("accepted",)
    to: tuple[str, ...] = ("seat",)
    tokenless: bool = False
    late: timedelta = timedelta()
    again: bytes = b""


HELD, REJECTED, DROPPED = Way(("held",)), Way(("rejected",)), Way(("dropped",))
WAYS = {
    "68-forged-to-nobody": Way(("rejected",), ("own",)),
    "68-forged-without-token": Way(("held",), ("own",), tokenless=True),
    "68-stranger": HELD,
    "68-stranger-without-token": Way(("dropped",), ("own",), tokenless=True),
    "69-checked-without-token": Way(("accepted",), ("own",), tokenless=True),
    "69-sender-check-failed": HELD,
    "70-foreign-name": Way(("held",), ("own",), tokenless=True),
    "70-own-name-below": HELD,
    "71-comment-that-passes": HELD,
    "71-twice": HELD,
    "74-unconfirmed-address": HELD,
    "76-other-player": HELD,
    "77-upper-case": Way(to=("SEAT",)),
    "79-dash": Way(to=("dash",)),
    "79-sub-domain": Way(to=("sub-domain",)),
    "80-answers-from": Way(("held",), ("own",)),
    "82-anothers-thread-without-token": Way(("rejected",), ("own",), tokenless=True),
    "83-number-in-subject": Way(("dropped",), ("own",), tokenless=True),
    "87-digest": Way(("rejected",), ("digest",)),
    "88-two-addresses": Way(("accepted", "dropped"), ("seat", "dash")),
    "93-given-up": Way(("rejected", "rejected"), ("given up", "given up again")),
    "93-renewed": Way(("rejected",), ("renewed",)),
    "96-press-after-failure": Way(("partial",)),
    "100-repeated": Way(("rejected", "rejected"), again=b"<again@example.com>"),
    "114-too-many-wrong": REJECTED,
    "127-after-the-deadline": Way(("rejected",), late=timedelta(days=8)),
    "127-turn-over": REJECTED,
}
OURS = sorted((path.stem for path in LETTERS.glob("*.eml")), key=answers.number)
KEPT = {} if WRITE else answers.kept()


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, Answer]]:
    """What letters were answered, kept at the end if that was asked for."""
    found: dict[str, Answer] = {}
    yield found
    if WRITE:
        assert set(found) == {*cases.LETTERS, *OURS}, "the files are written by all letters together"
        answers.keep(found)


@pytest.fixture(scope="module")
def game(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Game]:
    """One game for all letters; what a letter changes in it is taken back."""
    with django_db_blocker.unblock(), carnival.playing() as game:
        yield game


def came(raw: bytes, to: str, received: datetime = carnival.NOW) -> str:
    """Take a letter in by a door and read it; return what became of it."""
    (one,) = mail.receive(raw, door="smtp", sender="somebody@example.com", recipients=[to], received=received)
    mail.read(one.pk)
    one.refresh_from_db()
    assert one.state == Incoming.State.READ, one.reason
    return one.verdict


def newest() -> int:
    return Outgoing.objects.latest("pk").pk


def answered(after: int) -> list[Outgoing]:
    rows = Outgoing.objects.filter(pk__gt=after).exclude(state=Outgoing.State.CANCELLED)
    return list(rows.select_related("recipient", "address").order_by("pk"))


def compare(name: str, found: dict[str, Answer], bring: Callable[[], None]) -> None:
    """Let a letter come to readers of each language that is compared; what it changes is taken back in between."""
    texts: dict[Locale, str] = {}
    lines = ""
    for locale in answers.LOCALES if WRITE else KEPT[name].texts:
        with forgotten():
            User.objects.update(locale=locale)
            before = newest()
            bring()
            texts[locale], repeated = answers.told(answered(before))
            lines = lines or repeated
    found[name] = Answer(texts, lines)
    assert WRITE or found[name] == KEPT[name]


@pytest.mark.parametrize("name", cases.LETTERS)
def test_each_kind_of_mail_is_answered_as_it_must_be(name: str, game: Game, found: dict[str, Answer]) -> None:
    wanted = OTHERWISE.get(name, cases.OTHERS.get(name, cases.Case()).verdict)
    kinds = {"held": ["held"], "dropped": []}.get(wanted, ["receipt"])

    def bring() -> None:
        before = newest()
        assert came(cases.raw(name), address(game, "seat")) == wanted
        assert [one.kind for one in answered(before) if one.to == "ada@example.com"] == kinds

    compare(name, found, bring)


@pytest.mark.parametrize("name", OURS)
def test_each_way_that_a_mail_comes_is_answered_as_it_must_be(name: str, game: Game, found: dict[str, Answer]) -> None:
    raw, way = (LETTERS / f"{name}.eml").read_bytes(), WAYS.get(name, Way())

    def bring() -> None:
        verdicts = [came(raw, address(game, to), carnival.NOW + way.late) for to in way.to]
        if way.again:
            verdicts.append(came(raw.replace(b"<answer@example.com>", way.again), address(game, way.to[0])))
        assert tuple(verdicts) == way.verdicts

    with override_settings(POSTSPIEL_MAIL_TOKENLESS=way.tokenless):
        compare(name, found, bring)


def test_every_way_and_every_answer_has_its_letter() -> None:
    assert set(WAYS) < set(OURS)
    assert WRITE or set(KEPT) == {*cases.LETTERS, *OURS}


def test_the_page_names_a_test_for_every_case() -> None:
    """The numbers are those of the project's list; Maildir, webhooks and DKIM signing are no matter of this server."""
    listed = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 17, 18, 20, 21, 22, 23, 25, 27, 28, 29, 30, 32, 34, 35, 36}
    listed |= {38, 39, 40, 42, 43, 44, 45, 47, 49, 50, 51, 52, 54, 56, 57, 58, 60, 61, 64, 65, 66, 68, 69, 70, 71, 73}
    listed |= {74, 76, 77, 79, 80, 81, 82, 83, 85, 87, 88, 90, 91, 93, 94, 96, 97, 99, 100, 101, 103, 104, 106, 107}
    listed |= {109, 110, 112, 114, 115, 116, 118, 119, 121, 123, 124, 125, 127, 129}
    page = (LETTERS.parents[2] / "docs/mail.md").read_text(encoding="utf-8")
    rows = page.partition("| cases | what they are | tests |\n")[2].splitlines()[1:]
    spans = [span.partition("-") for row in rows for span in row.split("|")[1].split(",")]
    told = {number for first, _dash, last in spans for number in range(int(first), int(last or first) + 1)}
    assert listed <= told
    for row in rows:
        folder = ""
        for named in re.findall(r"`([\w/.]+)`", row.split("|")[3]):
            folder = named.rpartition("/")[0] or folder
            assert (LETTERS.parents[2] / folder / named.rpartition("/")[2]).exists(), named


def address(game: Game, to: str) -> str:
    """An address of the game, in force or not, however it is spelled."""
    if to == "own":
        return OWN_ADDRESS
    if to == "digest":
        return mail.spell(mail.address_for("digest", User.objects.get(email="ada@example.com").pk), "play")
    red = mail.spell(mail.address_for("seat", seat(game, carnival.RED).pk), "play")
    if to == "renewed":
        mail.renew(mail.address_for("seat", seat(game, carnival.RED).pk))
    if to.startswith("given up"):
        Seat.objects.filter(game=game, index=carnival.BLUE).update(player=None)
        blue = mail.spell(mail.address_for("seat", seat(game, carnival.BLUE).pk), "play")
        return blue.replace("+", "-") if to.endswith("again") else blue
    spelled = {"dash": red.replace("+", "-"), "SEAT": red.upper(), "sub-domain": red.partition("+")[2]}
    return spelled.get(to, red)


def seat(game: Game, index: int) -> Seat:
    return Seat.objects.get(game=game, index=index)
