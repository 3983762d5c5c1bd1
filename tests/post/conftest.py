"""A running game of Intrige, its three players, and mail to and from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import make_msgid

import pytest
import time_machine
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext
from pytest_django import Settings

from games.intrige.state import State
from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail import services as mail
from postspiel.mail.letters import Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import positions, selectors, services
from postspiel.play.mails import codes, frame
from postspiel.play.models import Game, Seat, Turn
from tests.mail import quoting

START = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _domain(settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_DOMAIN = "play.example.org"
    settings.POSTSPIEL_MAIL_FROM = "Postspiel <postspiel@play.example.org>"
    settings.POSTSPIEL_MAIL_SCHEME = "plus"
    settings.POSTSPIEL_URL = "https://play.example.org"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still at START until it is moved."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def olga(db: None) -> User:
    """Who organises and does not play."""
    return User.objects.create_user("olga@example.org", display_name="Olga", locale="en")


@pytest.fixture
def ada(db: None) -> User:
    """Plays Red, reads English in London."""
    return User.objects.create_user("ada@example.org", display_name="Ada", locale="en", time_zone="Europe/London")


@pytest.fixture
def bert(db: None) -> User:
    """Plays Yellow, reads German in Berlin."""
    return User.objects.create_user("bert@example.org", display_name="Bert", locale="de", time_zone="Europe/Berlin")


@pytest.fixture
def cleo(db: None) -> User:
    """Plays Green, reads English."""
    return User.objects.create_user("cleo@example.org", display_name="Cleo", locale="en")


@pytest.fixture
def begin(clock: time_machine.Traveller, olga: User, ada: User, bert: User, cleo: User) -> Callable[..., Game]:
    """Start a game of Intrige between Ada, Bert and Cleo; the organiser may be one of them."""

    def begun(**options: bool) -> Game:
        game = services.create_game(
            organiser=olga,
            title="intrige",
            name="Carnival",
            size=3,
            options=options,
            schedule=services.Schedule(hours=48, first_hours=72),
        )
        for player in (ada, bert, cleo):
            services.join_game(game=game, player=player)
        game.refresh_from_db()
        return game

    return begun


@pytest.fixture
def game(begin: Callable[..., Game]) -> Game:
    """A running game."""
    return begin()


def seat(game: Game, who: User) -> Seat:
    """The seat of a person."""
    return Seat.objects.select_related("game", "player").get(game=game, player=who)


def player(game: Game, index: int) -> User:
    """Who holds a seat."""
    found = game.seats.select_related("player").get(index=index).player
    assert found is not None
    return found


def turn(game: Game) -> Turn:
    """The turn that is open."""
    found = selectors.open_turn(game)
    assert found is not None
    return found


def state(game: Game) -> State:
    """The position that the open turn starts from."""
    found = positions.state_of(turn(game))
    assert isinstance(found, State)
    return found


def forward(game: Game, clock: time_machine.Traveller, times: int = 1) -> None:
    """Let deadlines pass; silent seats are played by the rules."""
    for _time in range(times):
        due = turn(game).due
        assert due is not None
        clock.move_to(due + timedelta(seconds=1))
        assert services.advance(turn(game).pk)


def to_bribes(game: Game, clock: time_machine.Traveller) -> User:
    """Go on to the first turn of bribes; return a player who owes one."""
    while state(game).phase != "bribes":
        forward(game, clock)
    return player(game, state(game).groups[0].members[0].seat)


def speak(who: User, locale: str) -> None:
    """Let a person read another language."""
    who.locale = locale
    who.save(update_fields=["locale"])


def words(text: str) -> str:
    """A text on one line, so that wrapping does not matter."""
    return " ".join(text.split())


def told(msgid: str, locale: str, **data: object) -> str:
    """One of our sentences in a language, on one line."""
    with translation.override(locale):
        return words(gettext(msgid) % data)


def orders(text: str, game: Game) -> list[str]:
    """The lines of a text that mean something in the order language."""
    return [line for line in text.splitlines() if frame.order_test(game)(line)]


def code_in_text(text: str) -> str:
    """The one-time code in a question."""
    (found,) = codes.found(text)
    return found


def new_mails(after: int) -> list[Outgoing]:
    """The mails that were queued behind a row of the outbox."""
    return list(Outgoing.objects.filter(pk__gt=after).select_related("recipient", "address").order_by("pk"))


def last_mail() -> int:
    """The newest row of the outbox."""
    newest = Outgoing.objects.order_by("-pk").first()
    return newest.pk if newest else 0


def letter(kind: str, to: User, **match: object) -> Letter:
    """The newest mail of a kind to a person, as it would be sent."""
    return quoting.checked(outbox.render(row(kind, to, **match)))


def row(kind: str, to: User, **match: object) -> Outgoing:
    """The newest mail of a kind to a person, in the outbox."""
    found = Outgoing.objects.filter(kind=kind, recipient=to, **match).select_related("recipient", "address")
    newest = found.order_by("-pk").first()
    assert newest is not None, f"no mail of kind {kind} to {to}"
    return newest


def deliver(
    game: Game, to: User, text: str, *, sender: str = "", html: str = "", answering: str = "", subject: str = ""
) -> Incoming:
    """Let a mail come in at the address of somebody's seat, from himself unless told otherwise, and have it read."""
    message = EmailMessage()
    message["From"] = sender or to.email
    message["To"] = "somebody"
    message["Subject"] = subject or "Re: my turn"
    message["Message-ID"] = make_msgid(domain="example.org")
    if answering:
        message["In-Reply-To"] = answering
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    address = mail.spell(mail.address_for("seat", seat(game, to).pk), "play")
    (incoming,) = mail.receive(
        message.as_bytes(), door="smtp", sender=sender or to.email, recipients=[address], received=datetime.now(UTC)
    )
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    assert incoming.state == Incoming.State.READ, incoming.reason
    return incoming


@contextmanager
def forgotten() -> Iterator[None]:
    """Undo whatever is written meanwhile."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
