"""Hidden stays hidden in JSON: whatever changes that the viewer may not know, he reads the same bytes.

Leaks are planted too, and the comparison finds each of them: so it looks where it should.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine import turns as engine
from games.intrige.title import Intrige
from postspiel.play import positions, press, selectors, services
from postspiel.play.models import Event, Game, Press, Sheet, Turn
from tests.api.conftest import client
from tests.results import played

pytestmark = pytest.mark.django_db

VIEWER = 0

purses = st.lists(st.integers(0, 90).map(lambda number: 1000 * number), min_size=4, max_size=4)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
words = st.text("abc ÄÖÜß<&>\"'\\", min_size=1, max_size=30)


@pytest.fixture
def secretive(game: Game) -> Game:
    """A game with a private press, a private event, and sheets on file; Ada may know none of them."""
    seats = selectors.seats_of(game)
    services.send_press(seat=seats[1], to=[2], text="a secret treaty")
    sent = {"seat": "red", "scholar": "A", "court": "green"}
    Event.objects.create(turn=game.turns.get(number=1), index=99, kind="sent", data=sent, to=[1])
    for seat in seats[1:]:
        played.hand_in_something(game, seat)
    game.refresh_from_db()
    assert selectors.open_turn(game) is not None
    return game


def read(game: Game) -> bytes:
    return bytes(client("Ada").get(f"/api/games/{game.key}/").content)


def change(game: Game, cash: list[int], digest: str, text: str) -> None:
    """Change everything that Ada's seat may not know."""
    turn = Turn.objects.select_related("game").get(game=game, status="open")
    state = positions.state_of(turn)
    changed = replace(state, cash=(state.cash[VIEWER], *cash[1:]))
    Turn.objects.filter(pk=turn.pk).update(state=engine.encode_state(changed), state_hash=digest)
    others = Sheet.objects.filter(turn=turn).exclude(seat__index=VIEWER)
    others.update(digest=digest, orders=[{"verb": "bribe", "args": {"scholar": "A", "amount": cash[0]}}])
    Press.objects.filter(game=game, seat__index=1).update(text=text)
    Event.objects.filter(index=99).update(data={"seat": "green", "scholar": "DPS"[len(text) % 3], "court": "red"})
    Game.objects.filter(pk=game.pk).update(seed=digest.encode()[:32])


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(cash=purses, digest=digests, text=words)
def test_nothing_hidden_changes_a_byte(secretive: Game, cash: list[int], digest: str, text: str) -> None:
    before = read(secretive)
    change(secretive, cash, digest, text)

    assert read(secretive) == before


def test_what_is_her_own_is_read_again(secretive: Game) -> None:
    before = read(secretive)
    turn = Turn.objects.select_related("game").get(game=secretive, status="open")
    state = positions.state_of(turn)
    richer = replace(state, cash=(99000, *state.cash[1:]))
    Turn.objects.filter(pk=turn.pk).update(state=engine.encode_state(richer))

    assert read(secretive) != before


def unmasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intrige, "mask", lambda self, state, viewer: state)


def overheard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "may_hear", lambda row, index: True)


def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "may_read", lambda row, index: True)


def of_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        selectors, "sheet_of", lambda seat: Sheet.objects.filter(turn__status="open", seat__index=1).get()
    )


@pytest.mark.parametrize("plant", (unmasked, overheard, opened, of_another_seat))
def test_a_planted_leak_is_found(
    secretive: Game, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)
    before = read(secretive)
    change(secretive, [7000] * 4, "0" * 64, "changed")

    assert read(secretive) != before
