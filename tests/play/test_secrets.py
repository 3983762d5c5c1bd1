"""Hidden stays hidden: whatever is changed that a seat may not know, what it reads stays the same, byte for byte.

For each way out a leak is planted, and the comparison then fails: so it looks where it should.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import time_machine
from msgspec.structs import replace

from games.engine import turns as engine
from games.intrige import TITLE
from games.intrige.title import Intrige
from postspiel.accounts.models import User
from postspiel.play import positions, press, selectors, services
from postspiel.play.models import Event, Game, Press, Sheet, Submission, Turn
from tests.play.conftest import START, Make, seat

READER = 1


@pytest.fixture(params=(0, 2))
def intrige(
    request: pytest.FixtureRequest,
    clock: time_machine.Traveller,
    make: Make,
    ada: User,
    bert: User,
    stranger: User,
) -> Game:
    """A game in the middle: some turns played at random, press between all, sheets on file for the open turn."""
    game = make("intrige", size=3)
    for player in (ada, bert, stranger):
        services.join_game(game=game, player=player)
    random = Random(request.param)
    for _turn in range(3 + 4 * request.param):
        order(game, random, "done")
        assert services.advance(game.turns.get(status="open").pk)
    order(game, random, "")
    for writer, to in ((0, [1]), (0, [2]), (2, [0]), (2, None)):
        services.send_press(seat=seat(game, writer), to=to, text=f"secret of {writer} and {to}")
    Event.objects.create(
        turn=game.turns.get(number=1),
        index=99,
        kind="sent",
        data={"seat": "red", "scholar": "A", "court": "green"},
        to=[0],
    )
    game.refresh_from_db()
    return game


def order(game: Game, random: Random, text: str) -> None:
    """Have every seat that is asked hand in what a random player would."""
    turn = game.turns.select_related("game").get(status="open")
    for sheet in turn.sheets.select_related("seat__player").filter(asked=True):
        orders = TITLE.bots["random"](positions.seen(turn, sheet.seat.index), sheet.seat.index, random)
        handed = services.hand_in(
            seat=sheet.seat, text="", orders=orders, door="form", writer=sheet.seat.player, received=START,
            replace=True, done=bool(text),
        )  # fmt: skip
        assert handed.verdict == "accepted", handed.understood


def change_what_is_hidden(game: Game) -> None:
    """Change the purses, sheets, messages and events that the reader's seat may not know."""
    turn = game.turns.select_related("game").get(status="open")
    state = positions.state_of(turn)
    cash = [purse if index == READER else purse + 5000 for index, purse in enumerate(state.cash)]
    changed = replace(state, cash=tuple(cash))
    Turn.objects.filter(pk=turn.pk).update(
        state=engine.encode_state(changed), state_hash=engine.state_hash(changed), revision=77
    )
    others = Sheet.objects.filter(turn=turn).exclude(seat__index=READER)
    others.update(orders=[], digest="changed")
    Submission.objects.exclude(seat__index=READER).update(text="changed", reading={})
    Press.objects.filter(text__in=["secret of 0 and [2]", "secret of 2 and [0]"]).update(text="changed")
    Event.objects.filter(index=99).update(data={"seat": "green", "scholar": "D", "court": "red"})
    Game.objects.filter(pk=game.pk).update(seed=b"changed")


def what_it_reads(game_id: int) -> dict[str, str]:
    """All that play gives to the reader's seat, by the way it goes out."""
    game = Game.objects.get(pk=game_id)
    one = seat(game, READER)
    sheet = selectors.sheet_of(one)
    assert sheet is not None
    assert one.player is not None
    turn = selectors.open_turn(game)
    assert turn is not None
    orders = selectors.orders_of(sheet)
    return {
        "position": repr([selectors.position(game, one, locale) for locale in ("en", "de")]),
        "log": repr([log.blocks for locale in ("en", "de") for log in selectors.log(game, one, locale)]),
        "press": repr([row.text for row in selectors.press_for(game, one)]),
        "asks": repr(selectors.asks_for(one)),
        "sheet": repr(orders),
        "preview": repr((selectors.preview(one, orders), selectors.preview_blocks(one, orders, "en"))),
        "lists": repr([(m.game.name, m.waits, m.sheet and m.sheet.orders) for m in selectors.my_games(one.player)]),
        "numbers": repr((selectors.sheets_in(turn), selectors.wants_end(game))),
    }


def test_nothing_hidden_reaches_a_seat(intrige: Game) -> None:
    before = what_it_reads(intrige.pk)
    change_what_is_hidden(intrige)
    assert what_it_reads(intrige.pk) == before


def unmasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intrige, "mask", lambda self, state, viewer: state)


def overheard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "may_hear", lambda row, index: True)


def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "may_read", lambda row, index: True)


@pytest.mark.parametrize(
    ("plant", "ways"),
    ((unmasked, {"position", "preview"}), (overheard, {"log"}), (opened, {"press"})),
)
def test_a_planted_leak_is_found(
    intrige: Game, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], ways: set[str]
) -> None:
    plant(monkeypatch)
    before = what_it_reads(intrige.pk)
    change_what_is_hidden(intrige)
    after = what_it_reads(intrige.pk)
    assert {way for way in before if before[way] != after[way]} >= ways


def test_a_watcher_sees_what_is_public_only(intrige: Game) -> None:
    def watched() -> str:
        game = Game.objects.get(pk=intrige.pk)
        texts = [row.text for row in selectors.press_for(game, None)]
        return repr((selectors.position(game, None), [log.blocks for log in selectors.log(game, None)], texts))

    before = watched()
    change_what_is_hidden(intrige)
    assert watched() == before
    assert "secret of 2 and None" in before
    assert "secret of 0" not in before
