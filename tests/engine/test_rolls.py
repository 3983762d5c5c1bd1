"""Rolls: known answers, even dice, and that nothing but seed, game, turn and sheets goes in."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Event, Order
from games.engine.rolls import (
    MOST_SIDES,
    LiveTable,
    PreviewTable,
    RecordedTable,
    Roll,
    RollMismatch,
    RollNeeded,
    bot_random,
    commitment,
    roll_opening,
    roll_value,
    sheet_digest,
)

SEED = bytes(range(32))
KNOWN_SIX = [2, 2, 2, 4, 3, 3, 5, 4]
KNOWN_TWENTY = [1, 14, 7, 3]
KNOWN_DIGEST = "b07f7afb133e5626fa6790d7c12468cbfb6d7ed369bdaf5729894af06cb2db04"


def rolls(table: LiveTable, sides: int, count: int) -> list[int]:
    return [table.roll("die", sides) for _ in range(count)]


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_known_answers() -> None:
    assert rolls(LiveTable(SEED, "game", 3, ("aa", "bb")), 6, 8) == KNOWN_SIX
    assert rolls(LiveTable(SEED, "game", 0), 20, 4) == KNOWN_TWENTY
    assert sheet_digest(SEED, "game", 3, 1, (Order("set", {"number": 4}),)) == KNOWN_DIGEST


def test_a_roll_can_be_computed_with_nothing_but_hmac_and_json() -> None:
    message = b'["roll","game",3,["aa","bb"]]["die",0,0]'
    number = int.from_bytes(hmac.new(SEED, message, hashlib.sha256).digest(), "big")
    assert LiveTable(SEED, "game", 3, ("aa", "bb")).roll("die", 6) == number % 6 + 1


def test_a_sheets_digest_can_be_computed_with_nothing_but_hmac_and_json() -> None:
    salt = hmac.new(SEED, b'["salt","game",3,1]', hashlib.sha256).digest()
    sheet: list[object] = [{"verb": "set", "args": {"number": 4}, "when": None, "then": [], "standing": False}]
    plain = json.dumps(sheet, separators=(",", ":"), ensure_ascii=False).encode()
    order = Order("set", {"number": 4})
    assert sheet_digest(SEED, "game", 3, 1, (order,)) == hmac.new(salt, plain, hashlib.sha256).hexdigest()


def test_the_sequence_of_arguments_does_not_change_a_digest() -> None:
    one, other = Order("x", {"a": 1, "b": 2}), Order("x", {"b": 2, "a": 1})
    assert sheet_digest(SEED, "g", 1, 0, (one,)) == sheet_digest(SEED, "g", 1, 0, (other,))


def test_every_side_comes_equally_often() -> None:
    counts = Counter(rolls(LiveTable(SEED, "chi", 1), 20, 20_000))
    chi = sum((counts[side] - 1000) ** 2 / 1000 for side in range(1, 21))
    assert set(counts) == set(range(1, 21))
    assert 5 < chi < 43.8  # 19 degrees of freedom: 0.1 % on either side


def test_neighbouring_rolls_do_not_hang_together() -> None:
    seen = rolls(LiveTable(SEED, "pairs", 1), 6, 18_000)
    pairs = Counter(zip(seen[::2], seen[1::2], strict=True))
    chi = sum((pairs[a, b] - 250) ** 2 / 250 for a in range(1, 7) for b in range(1, 7))
    assert 12 < chi < 66.6  # 35 degrees of freedom


@given(sides=st.integers(1, MOST_SIDES), index=st.integers(0, 9))
def test_a_roll_is_within_its_sides(sides: int, index: int) -> None:
    assert 1 <= roll_value(SEED, roll_opening("g", 1, ()), "x", index, sides) <= sides


@pytest.mark.parametrize("sides", (0, -1, MOST_SIDES + 1))
def test_an_impossible_die_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        LiveTable(SEED, "g", 1).roll("x", sides)


def test_a_number_beyond_the_last_full_multiple_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([(1 << 256) - 1, (1 << 256) - 4, 11])  # 2^256 = 4 modulo 6: the last four numbers do not count
    monkeypatch.setattr("games.engine.rolls._number", lambda *_: next(numbers))
    assert roll_value(SEED, b"", "x", 0, 6) == 6
    numbers = iter([(1 << 256) - 5])
    assert roll_value(SEED, b"", "x", 0, 6) == 6


@given(data=st.data())
def test_whatever_goes_in_changes_the_rolls(data: st.DataObject) -> None:
    whole = (SEED, "game", 3, ("aa", "bb"))
    other = data.draw(
        st.sampled_from(
            [
                (SEED[::-1], "game", 3, ("aa", "bb")),
                (SEED, "game2", 3, ("aa", "bb")),
                (SEED, "game", 4, ("aa", "bb")),
                (SEED, "game", 3, ("bb", "aa")),
                (SEED, "game", 3, ("aa",)),
                (SEED, 'game",3,["aa', 3, ("bb",)),
            ]
        )
    )
    assert rolls(LiveTable(*whole), 1000, 12) != rolls(LiveTable(*other), 1000, 12)
    assert rolls(LiveTable(*whole), 1000, 12) == rolls(LiveTable(*whole), 1000, 12)


def test_digests_are_only_computed_if_something_is_rolled() -> None:
    asked: list[int] = []

    def digests() -> tuple[str, ...]:
        asked.append(1)
        return ("aa", "bb")

    table = LiveTable(SEED, "game", 3, digests)
    table.tell(Event("x"))
    assert not asked
    assert rolls(table, 6, 8) == KNOWN_SIX
    assert len(asked) == 1


def test_a_preview_stops_at_the_first_roll_and_keeps_what_was_told() -> None:
    table = PreviewTable()
    table.tell(Event("before"))
    with pytest.raises(RollNeeded) as stopped:
        table.roll("storm", 6)
    assert (stopped.value.label, stopped.value.sides) == ("storm", 6)
    assert [event.kind for event in table.events] == ["before"]


def test_a_recorded_table_gives_the_same_rolls_and_no_others() -> None:
    table = RecordedTable((Roll("a", 6, 0, 5), Roll("b", 6, 1, 2)))
    assert table.roll("a", 6) == 5
    assert table.unused() == 1
    with pytest.raises(RollMismatch, match="“b”"):
        table.roll("b", 20)
    assert table.roll("b", 6) == 2
    with pytest.raises(RollMismatch, match="not in the record"):
        table.roll("c", 6)


def test_bots_have_a_stream_of_their_own_for_each_turn_and_seat() -> None:
    first = bot_random(SEED, "g", 1, 0).random()
    assert first == bot_random(SEED, "g", 1, 0).random()
    assert len({bot_random(SEED, "g", t, s).random() for t in range(5) for s in range(5)}) == 25
