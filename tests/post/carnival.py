"""A game of Intrige that stands still in a position of its own: what the letters of `tests/mail/cases` answer.

Ada holds Red and is host. She has decided the three conflicts in her court and owes two scholars to be sent: most
letters say `send A Green` and `send D Blue`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine
from allauth.account.models import EmailAddress
from django.db import transaction
from django.test import override_settings

from games.engine import rolls
from games.engine.turns import Step
from games.intrige.invariants import invariants
from games.intrige.state import Bribe, Group, Scholar, Setting, State
from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import services, turns
from postspiel.play.models import Game, Seat, Turn
from postspiel.play.schedule import Schedule, Times

NOW = datetime(2026, 6, 1, 7, 0, tzinfo=UTC)
OPENED, DEADLINE = datetime(2026, 6, 1, 6, 0, tzinfo=UTC), datetime(2026, 6, 8, 18, 0, tzinfo=UTC)
ON_FILE = "keep A\nkeep S\nkeep P"
SENT = Path(__file__).parents[1] / "mail" / "cases" / "sent.eml"
MESSAGE_ID = "<sent@play.example.org>"
AUTHSERV = "mx.play.example.org"

RED, YELLOW, GREEN, BLUE = range(4)
_AT_HOME = [Scholar(YELLOW, "A"), Scholar(GREEN, "S"), Scholar(BLUE, "P")]
_RIVALS = [Scholar(GREEN, "A"), Scholar(BLUE, "S"), Scholar(YELLOW, "P")]
POSITION = State(
    setting=Setting(),
    first=RED,
    round=3,
    active=RED,
    phase="decision",
    cash=(32000, 30000, 41000, 45000),
    courts=(
        (*_AT_HOME, None),
        (Scholar(BLUE, "A"), Scholar(RED, "S"), Scholar(BLUE, "D"), None),
        (None, Scholar(YELLOW, "D"), None, None),
        (Scholar(YELLOW, "S"), Scholar(GREEN, "D"), Scholar(GREEN, "P"), Scholar(RED, "A")),
    ),
    waiting=(tuple(_RIVALS), (Scholar(RED, "P"),), (Scholar(RED, "S"),), ()),
    home=("APDD", "APSD", "APSD", "APSD"),
    groups=tuple(Group("internal", place, pair) for place, pair in enumerate(zip(_AT_HOME, _RIVALS, strict=True))),
    bribes=tuple(
        Bribe(one, 1000 * (1 + place), "", place % 2 == 0)
        for place, one in enumerate(one for pair in zip(_AT_HOME, _RIVALS, strict=True) for one in pair)
    ),
    banked=20000,
)


@contextmanager
def playing() -> Iterator[Game]:
    """The game in its third turn, as long as the block runs; nothing is left of it."""
    mail = {
        "POSTSPIEL_MAIL_DOMAIN": "play.example.org",
        "POSTSPIEL_MAIL_FROM": "Postspiel <postspiel@play.example.org>",
        "POSTSPIEL_MAIL_SCHEME": "plus",
        "POSTSPIEL_MAIL_AUTHSERV": AUTHSERV,
        "POSTSPIEL_URL": "https://play.example.org",
    }
    with override_settings(**mail), time_machine.travel(NOW, tick=False), transaction.atomic():
        yield _played()
        transaction.set_rollback(True)


def _played() -> Game:
    game = _begun()
    before = turns.claim(game.pk)
    assert before is not None
    Turn.objects.filter(pk=before.pk).update(status=Turn.Status.DONE, closed=OPENED)
    assert not list(invariants(POSITION))
    times = Times(OPENED, OPENED, DEADLINE, DEADLINE - timedelta(days=1))
    seats = list(game.seats.select_related("player", "game"))
    turn = turns.open_turn(game=game, number=3, step=Step(POSITION), times=times, seats=seats)
    red = game.seats.select_related("game", "player").get(index=RED)
    services.hand_in(seat=red, text=ON_FILE, door="form", writer=red.player, received=OPENED, turn_number=3)
    EmailAddress.objects.create(user=red.player, email="ada@work.example", verified=True)
    EmailAddress.objects.create(user=red.player, email="ada@unsure.example", verified=False)
    _sent(turn, RED, MESSAGE_ID)
    _sent(turn, YELLOW, "<sent-to-bert@play.example.org>")
    _sent(before, RED, "<older@play.example.org>")
    return game


def _sent(turn: Turn, index: int, message_id: str) -> None:
    """Let the mail of a turn be one that was sent, word for word as `sent.eml`."""
    rows = Outgoing.objects.filter(kind="turn", data__turn=turn.pk, object_id=turn.game.seats.get(index=index).pk)
    assert rows.update(message_id=message_id, raw=SENT.read_bytes(), state=Outgoing.State.SENT, sent=OPENED) == 1


def _begun() -> Game:
    people = [_person(name) for name in ("Ada", "Bert", "Cleo", "Dora")]
    game = services.create_game(
        organiser=_person("Olga"),
        title="intrige",
        name="Carnival",
        size=4,
        options={},
        schedule=Schedule(hours=168, first_hours=168),
    )
    seed = bytes(32)
    Game.objects.filter(pk=game.pk).update(key="carnival", seed=seed, commitment=rolls.commitment(seed))
    game.refresh_from_db()
    for one in people:
        services.join_game(game=game, player=one)
    game.refresh_from_db()
    _seated(game, people)
    return game


def _seated(game: Game, people: list[User]) -> None:
    """Let each hold the seat of his letter, whatever was drawn."""
    Seat.objects.filter(game=game).update(player=None)
    for index, one in enumerate(people):
        Seat.objects.filter(game=game, index=index).update(player=one)


def _person(name: str) -> User:
    email = f"{name.lower()}@example.com"
    user = User.objects.create_user(email, display_name=name, locale="en", time_zone="Europe/Berlin")
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user
