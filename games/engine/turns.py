"""Playing turns: one reducer for the live game, the preview, the replay and the fuzzer (DESIGN section 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from games.engine.contract import Event, Options, Outcome, Sheet, Title
from games.engine.rolls import LiveTable, PreviewTable, Roll, RollNeeded, sheet_digests

_JSON = msgspec.json.Encoder(order="deterministic")


class Step(Struct, frozen=True):
    """What a turn came to: the new state, what was rolled, what happened, which orders stay, and whether it is over."""

    state: Any
    rolls: tuple[Roll, ...] = ()
    events: tuple[Event, ...] = ()
    kept: dict[int, Sheet] = {}
    outcome: Outcome | None = None


class Preview(Struct, frozen=True):
    """What a seat may know of its turn beforehand, if nobody else orders anything.

    ``state`` is what the seat would see after it (None: the turn stopped at a roll), ``events`` what it would be told
    until then, ``stopped_at`` the label of the roll that cannot be foreseen.
    """

    state: Any | None
    events: tuple[Event, ...]
    stopped_at: str | None = None


def start(title: Title[Any], options: Options, seats: int, seed: bytes, game_key: str) -> Step:
    """Set a game up (turn 0). Its rolls depend on the seed and the game's key alone.

    ``game_key`` is any text that names the game for good; it keeps two games with one seed apart. ``options`` must be
    complete and allowed (see ``options.complete``).
    """
    table = LiveTable(seed, game_key, 0)
    return _step(title, title.setup(options, seats, table), table)


def advance(title: Title[Any], state: Any, sheets: Mapping[int, Sheet], seed: bytes, game_key: str, turn: int) -> Step:
    """Resolve turn number ``turn`` (1 is the first) with the effective sheets, by seat. Total: any sheets will do."""
    table = LiveTable(seed, game_key, turn, lambda: sheet_digests(seed, game_key, turn, sheets.items()))
    return _step(title, title.resolve(state, sheets, table), table)


def preview(title: Title[Any], state: Any, seat: int, sheet: Sheet) -> Preview:
    """Return what would come of a seat's sheet alone. Computed from what the seat may see, and from no seed."""
    table = PreviewTable()
    try:
        after = title.resolve(title.mask(state, seat), {seat: sheet}, table)
    except RollNeeded as stop:
        return Preview(None, heard(table.events, seat), stop.label)
    return Preview(title.mask(after, seat), heard(table.events, seat))


def is_vote(title: Title[Any], state: Any, seats: int) -> bool:
    """Whether the turn that starts from a state is a vote: a schedule may make it shorter."""
    return title.about.votes and any(
        ask.vote for seat in range(seats) for ask in title.asks(title.mask(state, seat), seat)
    )


def heard(events: list[Event] | tuple[Event, ...], seat: int | None) -> tuple[Event, ...]:
    """Return the events that a seat (None: a watcher) may know."""
    return tuple(event for event in events if event.to is None or seat in event.to)


def encode_state(state: Any) -> bytes:
    """Return a state as canonical JSON: equal states give equal bytes. ``title.load`` reads it."""
    return _JSON.encode(state)


def state_hash(state: Any) -> str:
    """Return the SHA-256 of a state's canonical JSON, in hexadecimal."""
    return hashlib.sha256(encode_state(state)).hexdigest()


def _step(title: Title[Any], state: Any, table: LiveTable) -> Step:
    return Step(state, tuple(table.rolls), tuple(table.events), table.kept, title.outcome(state))
