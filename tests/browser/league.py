"""A league as one organiser has it before her on a Friday morning: twelve games that run, and what is wrong with them.

Two players never hand in (Simon and Sue), mail to Bianca comes back, Hanna is on holiday over a deadline, a seat is
open and Stella stands by for it, a mail is held and another one was given up, a game is paused, and a turn got time
back because the server was away. All of it is made by the services, with a clock that goes on from Monday to Friday.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from unittest import mock

import time_machine
from django.test import override_settings

from postspiel.accounts import services as accounts
from postspiel.accounts.models import User
from postspiel.mail import bouncing
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.wire import Permanent
from postspiel.play import selectors, services
from postspiel.play.models import Game
from postspiel.play.policies import NONE, Policy
from postspiel.play.schedule import Schedule
from tests.mail.test_bouncing import REPORT
from tests.people import person
from tests.play_helpers import seed_for_red, seeded

MONDAY = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)
NOW = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)
"""Friday morning."""

SECRET_LIST = (
    "rank 10 Mikrofonow 9 Quotenko 8 Wanzenow 7 Schlangestow 6 Ordenskaja "
    "5 Planowitsch 4 Borschtschuk 3 Stempelkow 2 Satin 1 Parolina"
)
"""What everybody owes in the first turn of Kreml."""


def build() -> None:
    """Make everything, from Monday evening to Friday morning."""
    with time_machine.travel(MONDAY, tick=False) as clock:
        for name in ("Paul", "Carl", "Simon", "Sue", "Bianca", "Hanna", "Stella"):
            person(name)
        person("Olga", time_zone="Europe/London")
        _monday()
        clock.move_to(MONDAY + timedelta(hours=25))
        _tuesday()
        clock.move_to(MONDAY + timedelta(hours=48, seconds=3))
        _wednesday()
        clock.move_to(MONDAY + timedelta(hours=73))
        _thursday()
        _outage(clock)
        _friday()


def game(name: str) -> Game:
    """One of the games, as its row is now."""
    return Game.objects.get(name=name)


def who(name: str) -> User:
    """One of the people."""
    return User.objects.get(display_name=name)


def _monday() -> None:
    _intrige("Alder", ("Simon",), bots=2, first=48, hours=48)
    _intrige("Cedar", ("Sue",), bots=3, first=48, hours=72)
    _intrige("Hazel", ("Simon", "Paul"), bots=1, first=48, policy=Policy(excused=0, open_after=1))
    _intrige("Pine", ("Paul",), bots=2, first=96)
    _kreml("Elm", ("Bianca", "Carl"), first=120)
    _kreml("Fir", ("Hanna", "Paul"), first=120, policy=Policy())
    _kreml("Juniper", ("Paul", "Carl"), first=84)
    _kreml("Larch", ("Paul", "Carl"), first=96)
    _kreml("Maple", ("Carl", "Paul"), first=144)
    _kreml("Oak", ("Paul", "Sue"), first=144)
    _kreml("Rowan", ("Carl", "Simon", "Paul"), first=168)
    _create("intrige", "Willow", ("Paul", "Carl"), 4, Schedule(), NONE)


def _tuesday() -> None:
    services.sweep()
    _hand_in("Pine", "Paul", "send A Yellow\nsend A Green\ndone")
    services.sweep()
    for name, player in (("Elm", "Carl"), ("Fir", "Paul"), ("Maple", "Paul"), ("Rowan", "Carl"), ("Rowan", "Paul")):
        _hand_in(name, player, f"{SECRET_LIST}\ndone")
    _comes_back("Bianca")


def _wednesday() -> None:
    services.sweep()
    services.pause_game(game=game("Oak"), who=who("Olga"), why="Sue moves house")


def _thursday() -> None:
    services.sweep()
    accounts.announce_absence(user=who("Hanna"), first=date(2026, 3, 7), last=date(2026, 3, 14), note="Skiing")
    services.stand_by(user=who("Stella"), title="intrige")


def _outage(clock: time_machine.Traveller) -> None:
    """For three hours of the night nothing goes: the turn that would have ended meanwhile gets them back."""
    with override_settings(POSTSPIEL_BRAKE_MINUTES=30):
        for hour in (5, 8):
            clock.move_to(NOW.replace(hour=hour, minute=0))
            services.sweep()


def _friday() -> None:
    with time_machine.travel(NOW - timedelta(hours=2), tick=False):
        _kreml("Birch", ("Paul", "Sue"), first=1, grace_minutes=24 * 60)
        _hand_in("Birch", "Paul", f"{SECRET_LIST}\ndone")
    with time_machine.travel(NOW - timedelta(minutes=15), tick=False):
        _is_held("Larch", "Paul")
        _is_given_up("Maple", "Carl")


def _intrige(name: str, players: Collection[str], *, bots: int, policy: Policy = NONE, **times: int) -> None:
    made = _create("intrige", name, players, len(players) + bots, _schedule(**times), policy)
    seeded(made, seed_for_red(made))
    for _bot in range(bots):
        services.seat_bot(game=made, index=None, bot="random")


def _kreml(name: str, players: Collection[str], *, policy: Policy = NONE, **times: int) -> None:
    made = _create("kreml", name, players, len(players) + 1, _schedule(**times), policy)
    services.seat_bot(game=made, index=None, bot="random")


def _schedule(*, first: int, hours: int = 72, grace_minutes: int = 0) -> Schedule:
    return Schedule(hours=hours, first_hours=first, grace_minutes=grace_minutes)


def _create(title: str, name: str, players: Collection[str], size: int, plan: Schedule, policy: Policy) -> Game:
    made = services.create_game(
        organiser=who("Olga"), title=title, name=name, size=size, options={}, schedule=plan, policy=policy
    )
    for player in players:
        services.join_game(game=made, player=who(player))
    return made


def _hand_in(name: str, player: str, text: str) -> None:
    seat = selectors.seat_of(game(name), who(player))
    assert seat is not None
    services.hand_in(seat=seat, text=text, door="form", writer=who(player), received=datetime.now(UTC))


def _comes_back(player: str) -> None:
    """Three of the mails to somebody are reported as undeliverable for good."""
    row = Outgoing.objects.filter(recipient=who(player)).latest("pk")
    for number in range(bouncing.MOST):
        _came(bouncing.envelope_sender(row), REPORT.format(number=number, action="failed", status="5.1.1"), "")


def _is_held(name: str, player: str) -> None:
    """A mail comes to a seat from an address that is not its player's."""
    seat = selectors.seat_of(game(name), who(player))
    assert seat is not None
    letter = EmailMessage()
    letter["From"], letter["Message-ID"] = "paul.at.work@example.com", "<from-work@example.com>"
    letter.set_content("done")
    to = mail.spell(mail.address_for("seat", seat.pk), "play")
    row = _came(to, letter.as_string(), "paul.at.work@example.com")
    assert row.verdict == Incoming.Verdict.HELD, row.reason


def _came(to: str, raw: str, sender: str) -> Incoming:
    now = datetime.now(UTC)
    (row,) = mail.receive(raw.encode(), door="smtp", sender=sender, recipients=[to], received=now)
    mail.read(row.pk)
    row.refresh_from_db()
    return row


def _is_given_up(name: str, player: str) -> None:
    """A mail of a game is refused for good by its reader's server."""
    address = selectors.seat_of(game(name), who(player))
    assert address is not None
    row = Outgoing.objects.filter(address=mail.address_for("seat", address.pk), kind="turn").latest("pk")
    with mock.patch("postspiel.mail.outbox.open_wire", _refusing):
        mail.send(row.pk)
    row.refresh_from_db()
    assert row.state == Outgoing.State.FAILED, row.state


class _Refusing:
    delivers, unreachable = True, False

    def send(self, to: str, raw: bytes, *, sender: str) -> str:
        raise Permanent(f"552 5.2.2 The mailbox of {to} is full")


@contextmanager
def _refusing() -> Iterator[_Refusing]:
    yield _Refusing()
