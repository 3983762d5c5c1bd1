"""Records: what is written can be read, replayed and verified; what is tampered with is found."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from games.engine.contract import LOCALES, Order
from games.engine.playing import fuzz, play
from games.engine.records import Record, RecordError, decode, encode, replay, replay_steps, sealed, verify, with_state
from games.engine.turns import state_hash
from tests.engine.toy import OPTIONS, TOY, random_bot

pytestmark = pytest.mark.usefixtures("toy_installed")


def whole(seed: bytes = b"\x07" * 32) -> Record:
    played = fuzz(TOY, OPTIONS, 3, seed, recorded=True)
    assert played.record is not None
    return played.record


def game_with_rolls() -> Record:
    """A record of a legal game in which somebody guessed right."""
    for number in range(40):
        played = play(TOY, OPTIONS, 3, bytes([number] * 32), [random_bot, guesser, random_bot], recorded=True)
        assert played.record is not None
        if any(turn.rolls for turn in played.record.turns[1:]):
            return played.record
    raise AssertionError("Nobody ever guessed right.")


def guesser(seen: Any, seat: int, rng: Any) -> tuple[Order, ...]:
    return (Order("set", {"number": 1}, standing=True), Order("guess", {"seat": "ann", "number": rng.randint(0, 9)}))


def test_a_record_survives_being_written_and_is_true() -> None:
    record = game_with_rolls()
    assert decode(encode(record)) == record
    assert encode(decode(encode(record))) == encode(record)
    assert verify(record) == verify(decode(encode(record)))
    assert verify(record).ok, verify(record).findings
    assert verify(record).notes == ()


def test_a_replay_comes_to_the_same_last_state() -> None:
    record = game_with_rolls()
    assert state_hash(replay(record)) == record.turns[-1].state_hash
    assert [step.events for step in replay_steps(record)] == [turn.events for turn in record.turns]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every single value in JSON."""
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in leaves(inner, (*path, name))]
    if isinstance(value, list):
        return [leaf for at, inner in enumerate(value) for leaf in leaves(inner, (*path, at))]
    return [path]


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("b" if value[:1] != "b" else "c") + value[1:]
    return 1


def tampered(raw: bytes, path: tuple[Any, ...]) -> bytes:
    whole_ = json.loads(raw)
    inner = whole_
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = changed(inner[path[-1]])
    return json.dumps(whole_).encode()


def sound(raw: bytes) -> bool:
    try:
        return verify(decode(raw)).ok
    except RecordError:
        return False


def test_whatever_is_tampered_with_is_found() -> None:
    raw = encode(game_with_rolls())
    assert sound(raw)
    paths = leaves(json.loads(raw))
    assert len(paths) > 80
    assert [path for path in paths if sound(tampered(raw, path))] == []


def test_tampering_is_found_even_if_the_record_is_sealed_anew() -> None:
    raw = encode(game_with_rolls())
    missed = []
    for path in leaves(json.loads(raw)):
        if path[0] in {"seal", "format"}:
            continue
        try:
            record = sealed(decode(tampered(raw, path)))
        except RecordError:
            continue
        found = verify(record)
        if found.ok and not found.notes:
            missed.append(path)
    harmless = {("options", "mood"), ("options", "open")}  # options that change nothing in this title
    assert set(missed) <= harmless


def test_a_left_out_turn_or_roll_is_found() -> None:
    record = game_with_rolls()
    at = next(turn.number for turn in record.turns[1:] if turn.rolls)
    turns = list(record.turns)
    turns[at] = msgspec.structs.replace(turns[at], rolls=())
    assert not verify(sealed(msgspec.structs.replace(record, turns=tuple(turns)))).ok
    assert not verify(sealed(msgspec.structs.replace(record, turns=record.turns[:1] + record.turns[2:]))).ok
    turns = [*record.turns, msgspec.structs.replace(record.turns[-1], number=len(record.turns))]
    assert not verify(sealed(msgspec.structs.replace(record, turns=tuple(turns)))).ok


def test_without_the_seed_the_game_is_replayed_and_the_rolls_are_not_claimed() -> None:
    record = sealed(msgspec.structs.replace(game_with_rolls(), seed=None))
    found = verify(record)
    assert found.ok
    assert len(found.notes) == 1


def test_turns_under_other_rules_have_their_rolls_checked_and_are_not_replayed() -> None:
    record = game_with_rolls()
    old = [msgspec.structs.replace(turn, rules=0) for turn in record.turns[:2]]
    old[1] = with_state(old[1], next(s.state for s in list(replay_steps(record))[1:]))
    record = sealed(msgspec.structs.replace(record, rules=0, turns=(*old, *record.turns[2:])))
    found = verify(record)
    assert found.ok, found.findings
    assert len(found.notes) == 2
    assert state_hash(replay(record)) == record.turns[-1].state_hash
    at = next(turn.number for turn in record.turns if turn.rolls)
    turns = list(record.turns)
    wrong = msgspec.structs.replace(turns[at].rolls[0], value=turns[at].rolls[0].value % 6 + 1)
    turns[at] = msgspec.structs.replace(turns[at], rolls=(wrong, *turns[at].rolls[1:]))
    assert not verify(sealed(msgspec.structs.replace(record, turns=tuple(turns)))).ok


def test_messy_sheets_that_reached_the_rules_replay_too() -> None:
    record = whole()
    assert state_hash(replay(record)) == record.turns[-1].state_hash


@pytest.mark.parametrize(
    "raw", (b"", b"{", b"[]", b"null", b'{"title":"toy"}', b"\xff\xfe", b"[" * 100_000, b'{"format":3}')
)
def test_what_is_no_record_is_refused_with_a_sentence(raw: bytes) -> None:
    with pytest.raises(RecordError, match="not the record of a game"):
        decode(raw)


def test_a_record_of_an_unknown_title_is_told() -> None:
    record = msgspec.structs.replace(whole(), title="chess")
    with pytest.raises(RecordError, match="chess"):
        replay(record)
    for locale in LOCALES:
        assert any("chess" in finding for finding in verify(sealed(record), locale).findings)


def test_a_title_that_breaks_on_a_strange_record_is_a_finding() -> None:
    record = whole()
    turn = msgspec.structs.replace(record.turns[1], sheets={0: (Order("fly"),), 9: ()})
    found = verify(sealed(msgspec.structs.replace(record, turns=(record.turns[0], turn))))
    assert not found.ok
