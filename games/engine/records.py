"""A game as a file: everything that happened, so that anybody can replay it and verify its rolls (docs/rolls.md).

The record of a running game holds secrets (sheets, rolls, hashes); before the end it stays on the server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.engine import registry
from games.engine.contract import Choice, Event, Locale, Options, Outcome, Sheet, Title
from games.engine.language import Language, Unwritable, language
from games.engine.options import OptionError, complete
from games.engine.rolls import (
    RecordedTable,
    Roll,
    RollMismatch,
    commitment,
    roll_opening,
    roll_value,
    sheet_digest,
)
from games.engine.texts import text
from games.engine.turns import Step, encode_state, state_hash

FORMAT = "postspiel record 1"
_JSON = msgspec.json.Encoder(order="deterministic")


class RecordError(ValueError):
    """A file that is no record, or a record that cannot be replayed; the message is a sentence for people."""


class TurnRecord(Struct, frozen=True, omit_defaults=True):
    """One resolved turn (0: the set-up), by seat where a seat matters.

    ``rules`` is the version under which it was resolved. ``sheets`` are the effective ones, ``digests`` their salted
    digests. ``state`` is the whole state behind the turn, as JSON; only needed where the rules version changes next.
    """

    number: int
    rules: int
    state_hash: str
    sheets: dict[int, Sheet] = {}
    digests: dict[int, str] = {}
    rolls: tuple[Roll, ...] = ()
    events: tuple[Event, ...] = ()
    kept: dict[int, Sheet] = {}
    outcome: Outcome | None = None
    state: str | None = None


class Record(Struct, frozen=True, omit_defaults=True):
    """A whole game. ``seed`` (hexadecimal) is there once the game is over; ``players`` are names, by seat.

    ``superseded`` are turns of branches that a rollback took back. ``seal`` is the digest of all the rest.
    """

    title: str
    rules: int
    options: dict[str, Choice]
    seats: int
    game_key: str
    commitment: str
    turns: tuple[TurnRecord, ...]
    seed: str | None = None
    superseded: tuple[TurnRecord, ...] = ()
    players: tuple[str, ...] = ()
    seal: str = ""
    format: str = FORMAT


class Verification(Struct, frozen=True):
    """What ``verify`` found: nothing wrong (``ok``), what is wrong, and what could not be checked."""

    ok: bool
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def turn_record(
    title: Title[Any],
    number: int,
    step: Step,
    sheets: Mapping[int, Sheet],
    seed: bytes,
    game_key: str,
) -> TurnRecord:
    """Write down a turn that was just resolved under the title's present rules."""
    digests = {seat: sheet_digest(seed, game_key, number, seat, sheet) for seat, sheet in sheets.items()}
    return TurnRecord(
        number,
        title.about.rules,
        state_hash(step.state),
        dict(sheets),
        digests,
        step.rolls,
        step.events,
        step.kept,
        step.outcome,
    )


def with_state(turn: TurnRecord, state: Any) -> TurnRecord:
    """Return the turn with its whole state, from which a later rules version can go on."""
    return replace(turn, state=encode_state(state).decode())


def sealed(record: Record) -> Record:
    """Return the record with its seal."""
    return replace(record, seal=_seal(record))


def encode(record: Record) -> bytes:
    """Return the record as a file: sealed canonical JSON."""
    return _json(sealed(record))


def decode(raw: bytes) -> Record:
    """Read a record. RecordError says why it is none; whether it is true only ``verify`` can tell."""
    try:
        record = msgspec.json.decode(raw, type=Record)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as wrong:
        raise RecordError(f"This is not the record of a game: {wrong}.") from wrong
    if record.format != FORMAT:
        raise RecordError(f"This is a record of another format (“{record.format[:40]}”), not “{FORMAT}”.")
    return record


def replay(record: Record) -> Any:
    """Play a record again from its recorded rolls and return the last state. RecordError if that fails."""
    state = None
    for step in replay_steps(record):
        state = step.state
    return state


def replay_steps(record: Record) -> Iterator[Step]:
    """Yield every turn of a record as it comes out again, beginning with the set-up.

    Turns under other rules than today's are passed over; the first one after them needs the stored state. RecordError
    if a turn cannot be played, or asks for other rolls than the recorded ones.
    """
    title = _title(record)
    state: Any = None
    for turn in record.turns:
        if turn.rules != title.about.rules:
            state = title.load(turn.state.encode(), turn.rules) if turn.state is not None else None
            continue
        step = _again(title, record, turn, state)
        state = step.state
        yield step


def play_again(record: Record, turn: TurnRecord, before: Any) -> Step:
    """Play one turn of a record again, from any position. RecordError if it cannot be played, or rolls differ."""
    return _again(_title(record), record, turn, before)


def verify(record: Record, locale: Locale = "en") -> Verification:
    """Check everything that a record claims: seal, commitment, digests, rolls, events, states, outcome."""
    check = _Check(record, locale)
    check.whole()
    return Verification(not check.findings, tuple(check.findings), tuple(check.notes))


class _Check:
    """One verification in the making."""

    def __init__(self, record: Record, locale: Locale) -> None:
        self.record = record
        self.locale = locale
        self.findings: list[str] = []
        self.notes: list[str] = []

    def whole(self) -> None:
        record = self.record
        self._unless(record.seal == _seal(record), "seal")
        self._unless([turn.number for turn in record.turns] == list(range(len(record.turns))), "numbers")
        self._unless(bool(record.turns) and record.turns[0].rules == record.rules, "rules")
        self._seed()
        try:
            title = _title(record)
            complete(title, record.options, record.seats)
        except (RecordError, OptionError) as wrong:
            self._find("header", what=str(wrong))
        else:
            self._play(title)

    def _seed(self) -> None:
        seed = _bytes(self.record.seed)
        if self.record.seed is None:
            self.notes.append(text(self.locale, "verify.no_seed"))
        elif seed is None or commitment(seed) != self.record.commitment:
            self._find("commitment")
        else:
            for turn in (*self.record.turns, *self.record.superseded):
                self._rolls(turn, seed)

    def _rolls(self, turn: TurnRecord, seed: bytes) -> None:
        key = self.record.game_key
        seats = sorted(turn.sheets)
        digests = [sheet_digest(seed, key, turn.number, seat, turn.sheets[seat]) for seat in seats]
        self._unless(turn.digests == dict(zip(seats, digests, strict=True)), "digest", turn=turn.number)
        opening = roll_opening(key, turn.number, digests)
        for at, roll in enumerate(turn.rolls):
            if roll.index != at or not _rolled(seed, opening, roll):
                self._find("roll", turn=turn.number, roll=at, label=roll.label)

    def _play(self, title: Title[Any]) -> None:
        state: Any = None
        over = False
        words = language(title, self.record.options)
        for turn in self.record.turns:
            self._unless(not over, "after_end", turn=turn.number)
            over = turn.outcome is not None
            if turn.rules != title.about.rules:
                state = title.load(turn.state.encode(), turn.rules) if turn.state is not None else None
                self.notes.append(text(self.locale, "verify.other_rules", {"turn": turn.number, "rules": turn.rules}))
            elif (state := self._turn(title, words, turn, state)) is None:
                return

    def _turn(self, title: Title[Any], words: Language, turn: TurnRecord, state: Any) -> Any:
        """Play one turn again and compare; the state behind it, None if it could not be played."""
        try:
            _accept(words, turn, self.record.seats)
            step = _again(title, self.record, turn, state)
        except (RecordError, Unwritable) as wrong:
            self._find("unplayable", turn=turn.number, what=str(wrong))
            return None
        self._unless(state_hash(step.state) == turn.state_hash, "state", turn=turn.number)
        self._unless(turn.state is None or encode_state(step.state).decode() == turn.state, "state", turn=turn.number)
        self._unless(step.events == turn.events, "events", turn=turn.number)
        self._unless(step.kept == turn.kept, "kept", turn=turn.number)
        self._unless(step.outcome == turn.outcome, "outcome", turn=turn.number)
        return step.state

    def _unless(self, right: bool, code: str, **data: int | str) -> None:
        if not right:
            self._find(code, **data)

    def _find(self, code: str, **data: int | str) -> None:
        self.findings.append(text(self.locale, f"verify.{code}", data))


def _title(record: Record) -> Title[Any]:
    try:
        return registry.title(record.title)
    except registry.UnknownTitle as wrong:
        raise RecordError(str(wrong)) from wrong


def _again(title: Title[Any], record: Record, turn: TurnRecord, state: Any) -> Step:
    """Play one turn again, whatever a strange record brings about."""
    table = RecordedTable(turn.rolls)
    if turn.number and state is None:
        raise RecordError(f"The position before turn {turn.number} is not known.")
    try:
        after = _resolved(title, record, turn, state, table)
        step = Step(after, tuple(table.rolls), tuple(table.events), table.kept, title.outcome(after))
    except RollMismatch as wrong:
        raise RecordError(str(wrong)) from wrong
    except Exception as wrong:
        raise RecordError(f"Turn {turn.number} cannot be played: {wrong!r}.") from wrong
    if table.unused():
        raise RecordError(f"Turn {turn.number} has {table.unused()} recorded rolls too many.")
    return step


def _resolved(title: Title[Any], record: Record, turn: TurnRecord, state: Any, table: RecordedTable) -> Any:
    if turn.number == 0:
        options: Options = record.options
        return title.setup(options, record.seats, table)
    return title.resolve(state, turn.sheets, table)


def _accept(words: Language, turn: TurnRecord, seats: int) -> None:
    """Unwritable or RecordError if the sheets hold what no player can have ordered."""
    for seat, sheet in turn.sheets.items():
        if not 0 <= seat < seats:
            raise RecordError(f"There is no seat {seat}.")
        for order in sheet:
            words.accept(order)


def _rolled(seed: bytes, opening: bytes, roll: Roll) -> bool:
    try:
        return roll_value(seed, opening, roll.label, roll.index, roll.sides) == roll.value
    except ValueError:
        return False


def _bytes(seed: str | None) -> bytes | None:
    try:
        return bytes.fromhex(seed or "")
    except ValueError:
        return None


def _seal(record: Record) -> str:
    return hashlib.sha256(_json(replace(record, seal=""))).hexdigest()


def _json(record: Record) -> bytes:
    return _JSON.encode(msgspec.to_builtins(record, str_keys=True))
