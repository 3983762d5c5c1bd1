"""Hidden stays hidden: whatever a seat may not know changes no byte of its mails; and a planted leak would be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
import time_machine
from django.utils import timezone

from games.engine import turns as engine
from games.intrige.state import UNIT, Bribe, State
from games.intrige.title import TITLE, Intrige
from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing
from postspiel.play import positions, press
from postspiel.play.mails import rows
from postspiel.play.models import Event, Game, Press, Seat, Sheet, Submission, Turn
from tests.post.conftest import deliver, forward, player, seat, speak, turn

MASK = Intrige.mask
"""The true one, whatever a test plants."""

SECRET = "nobody-else-may-read-this"

type Begin = Callable[..., Game]


def mails(game: Game, who: User) -> dict[str, str]:
    """All mails about the open turn to a seat, as they would be sent now."""
    one, now = seat(game, who), turn(game)
    submission = Submission.objects.filter(seat=one, incoming__isnull=False).order_by("-pk")[0]
    kinds: dict[str, dict[str, int]] = {
        "turn": {"turn": now.pk},
        "reminder": {"turn": now.pk},
        "status": {},
        "orders": {},
        "help": {},
        "receipt": {"submission": submission.pk},
    }
    found = {}
    for kind, data in kinds.items():
        letter = outbox.render(Outgoing(kind=kind, recipient=who, object_id=one.pk, data=data, to=who.email))
        found[kind] = f"{letter.subject}\n{letter.text}\n{letter.html}"
    return found


def others(game: Game, reader: int) -> list[Seat]:
    return list(game.seats.select_related("player").exclude(index=reader))


def change_position(game: Game, reader: int, random: Random) -> None:
    """Change whatever the mask hides from a reader in the open turn's position."""
    now = turn(game)
    state = positions.state_of(now)
    assert isinstance(state, State)
    masked = MASK(TITLE, state, reader)
    cash = tuple(
        mine if masked.cash[index] is not None else random.randrange(40) * UNIT for index, mine in enumerate(state.cash)
    )
    bribes = tuple(_changed(bribe, masked.bribes[at], random) for at, bribe in enumerate(state.bribes))
    changed = msgspec.structs.replace(state, cash=cash, bribes=bribes)
    assert changed != state
    assert MASK(TITLE, changed, reader) == masked
    Turn.objects.filter(pk=now.pk).update(state=engine.encode_state(changed), state_hash="0" * 64)


def _changed(bribe: Bribe, seen: Bribe, random: Random) -> Bribe:
    return bribe if seen.amount is not None else bribe._replace(amount=random.randrange(1, 9) * UNIT)


def change_sheets(game: Game, reader: int, random: Random) -> None:
    """Let the others hand in something else."""
    wish: dict[str, Any] = {"scholar": "A", "amount": random.randrange(1, 9) * UNIT, "wish": SECRET}
    for one in others(game, reader):
        sheets = Sheet.objects.filter(turn=turn(game), seat=one)
        sheets.update(orders=[{"verb": "bribe", "args": wish}], status="final", digest="f" * 64, missed=True)
        Submission.objects.create(
            seat=one, turn=turn(game), door="mail", text=SECRET, ignored=SECRET, received=timezone.now()
        )


def change_events(game: Game, reader: int, random: Random) -> None:
    """Let something happen in the last turn that only the others know."""
    last = Turn.objects.filter(game=game, status="done").order_by("-number")[0]
    names = positions.title_of(game).about.seats
    data = {"seat": names[0], "court": names[1], "scholar": "A", "amount": 7000, "wish": SECRET, "defends": 0}
    kind = random.choice(("bribe", "banished"))
    Event.objects.create(
        turn=last, index=900 + last.events.count(), kind=kind, data=data, to=[one.index for one in others(game, reader)]
    )


def change_press(game: Game, reader: int, random: Random) -> None:
    """Let the others write to each other."""
    one, other = random.sample(others(game, reader), 2)
    last = Turn.objects.filter(game=game, status="done").order_by("-number")[0]
    Press.objects.create(game=game, turn=last, seat=one, to=[other.index], text=SECRET, sent=timezone.now())


CHANGES = (change_position, change_sheets, change_events, change_press)


@pytest.fixture
def midgame(begin: Begin, clock: time_machine.Traveller) -> Callable[..., Game]:
    """A function that plays a game of Intrige to some turn; every seat has sent orders for it."""

    def played(turns: int, **options: bool) -> Game:
        game = begin(**options)
        forward(game, clock, turns)
        for one in game.seats.select_related("player"):
            assert one.player is not None
            speak(one.player, ("en", "de")[one.index % 2])
            deliver(game, one.player, "bribe A 1000 wish peace\nadmit A Red 1000\nsend A Red\nregards")
        return game

    return played


def differences(game: Game, *changes: Callable[[Game, int, Random], None]) -> Iterator[str]:
    """The mails that change when something changes, and then another thing, that their reader may not know."""
    for index in range(3):
        who = player(game, index)
        before = mails(game, who)
        for change in changes:
            change(game, index, Random(index))
            after = mails(game, who)
            yield from (f"{change}: {kind} to seat {index}" for kind in before if before[kind] != after[kind])
            before = after


@pytest.mark.parametrize(
    ("turns", "options"), ((1, {}), (4, {}), (4, {"sealed": True}), (9, {"sealed": True, "staged": True}), (12, {}))
)
def test_nothing_hidden_changes_a_mail(midgame: Callable[..., Game], turns: int, options: dict[str, bool]) -> None:
    assert not list(differences(midgame(turns, **options), *CHANGES))


@pytest.mark.parametrize(
    ("change", "where", "name", "leak"),
    (
        (change_position, Intrige, "mask", lambda self, state, viewer: state),
        (change_sheets, rows, "sheet_of", lambda seat, turn: turn.sheets.exclude(seat=seat).first()),
        (change_events, positions, "may_hear", lambda row, index: True),
        (change_press, press, "may_read", lambda press, index: True),
    ),
)
def test_a_planted_leak_is_found(
    midgame: Callable[..., Game],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Game, int, Random], None],
    where: object,
    name: str,
    leak: Callable[..., object],
) -> None:
    game = midgame(4)
    assert not list(differences(game, change)), "without a leak there is no difference"
    monkeypatch.setattr(where, name, leak)
    assert list(differences(game, lambda game, reader, random: change(game, reader, Random(reader + 9))))
