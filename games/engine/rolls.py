"""Provably fair rolls (DESIGN section 3): a published commitment, one HMAC a roll, and the tables a reducer may use.

A roll is made from the game's secret seed and the salted digests of all sheets of the turn, so no player can know or
steer it, and after the game, when the seed is published, everybody can compute it again. ``docs/rolls.md`` says how.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from random import Random

import msgspec
from msgspec import Struct

from games.engine.contract import Event, Sheet

_JSON = msgspec.json.Encoder(order="deterministic")
_SPAN = 1 << 256
MOST_SIDES = 1 << 62
"""Rolls are stored as JSON numbers, which have to fit 64 bits."""

type Digests = Sequence[str] | Callable[[], Sequence[str]]


class Roll(Struct, frozen=True):
    """One random number: the ``index``-th of its turn (0-based), from 1 to ``sides``, and what it was for."""

    label: str
    sides: int
    index: int
    value: int


class RollNeeded(Exception):  # noqa: N818 - a signal to the preview, not an error
    """A preview came to a roll, beyond which nobody can see."""

    def __init__(self, label: str, sides: int) -> None:
        super().__init__(f"The roll “{label}” (1 to {sides}) is not made before the turn ends.")
        self.label = label
        self.sides = sides


class RollMismatch(ValueError):  # noqa: N818
    """A recorded game asks for another roll than the one that was recorded."""


def commitment(seed: bytes) -> str:
    """Return what is published at the start: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def sheet_digest(seed: bytes, game_key: str, turn: int, seat: int, sheet: Sheet) -> str:
    """Return the salted digest of a sheet, in hexadecimal: what a receipt carries, and what the rolls depend on.

    The salt comes from the seed, so that nobody can guess a sheet from its digest while the game runs.
    """
    return hmac.digest(_salt(seed, game_key, turn, seat), _JSON.encode(sheet), "sha256").hex()


def sheet_digests(seed: bytes, game_key: str, turn: int, sheets: Iterable[tuple[int, Sheet]]) -> tuple[str, ...]:
    """Return the digests of a turn's effective sheets, given as (seat, sheet), in seat order."""
    return tuple(sheet_digest(seed, game_key, turn, seat, sheet) for seat, sheet in sorted(sheets))


def bot_random(seed: bytes, game_key: str, turn: int, seat: int) -> Random:
    """Return a bot's own source of randomness, apart from the rolls, the same for the same game, turn and seat."""
    return Random(_hmac(seed, "bot", game_key, turn, seat))  # noqa: S311 - bots play, they keep no secrets


def roll_value(seed: bytes, opening: bytes, label: str, index: int, sides: int) -> int:
    """Return a roll from 1 to ``sides``: HMACs of the opening (see ``roll_opening``), label, index and attempt.

    A number beyond the largest multiple of ``sides`` is thrown away (rejection sampling), so every side is equally
    likely. ValueError if ``sides`` is out of range.
    """
    if not 1 <= sides <= MOST_SIDES:
        raise ValueError(f"A roll needs 1 to {MOST_SIDES} sides, not {sides}.")
    limit = _SPAN - _SPAN % sides
    attempt = 0
    while (number := _number(seed, opening, label, index, attempt)) >= limit:
        attempt += 1
    return number % sides + 1


def roll_opening(game_key: str, turn: int, digests: Sequence[str]) -> bytes:
    """Return the part of the hashed message that all rolls of a turn share, as JSON."""
    return _JSON.encode(("roll", game_key, turn, tuple(digests)))


class Notes:
    """What every table writes down: ``events`` and the orders ``kept`` for the next turn, by seat."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.kept: dict[int, Sheet] = {}

    def tell(self, event: Event) -> None:
        """Add an event to the turn's log."""
        self.events.append(event)

    def keep(self, seat: int, sheet: Sheet) -> None:
        """Remember the orders of a seat that are in force for the next turn already."""
        self.kept[seat] = sheet


class LiveTable(Notes):
    """The table of a real turn: rolls come from the seed, and are written down in ``rolls``.

    ``digests`` may be a function, which is called at the first roll: most turns of most titles roll nothing.
    """

    def __init__(self, seed: bytes, game_key: str, turn: int, digests: Digests = ()) -> None:
        super().__init__()
        self.rolls: list[Roll] = []
        self._seed, self._game_key, self._turn, self._digests = seed, game_key, turn, digests
        self._opening = b""

    def roll(self, label: str, sides: int) -> int:
        """Return a new random number from 1 to ``sides``."""
        index = len(self.rolls)
        if not self._opening:
            digests = self._digests() if callable(self._digests) else self._digests
            self._opening = roll_opening(self._game_key, self._turn, digests)
        value = roll_value(self._seed, self._opening, label, index, sides)
        self.rolls.append(Roll(label, sides, index, value))
        return value


class PreviewTable(Notes):
    """A table that holds no seed: it stops at the first roll with RollNeeded, and keeps the events until then."""

    def roll(self, label: str, sides: int) -> int:
        """Raise RollNeeded."""
        raise RollNeeded(label, sides)


class RecordedTable(Notes):
    """A table that hands out recorded rolls again; RollMismatch if another one is asked for."""

    def __init__(self, rolls: Sequence[Roll]) -> None:
        super().__init__()
        self.rolls: list[Roll] = []
        self._recorded = rolls

    def roll(self, label: str, sides: int) -> int:
        """Return the next recorded number."""
        index = len(self.rolls)
        if index >= len(self._recorded):
            raise RollMismatch(f"Roll {index} (“{label}”) is not in the record.")
        known = self._recorded[index]
        if (known.label, known.sides, known.index) != (label, sides, index):
            raise RollMismatch(f"Roll {index} is recorded as “{known.label}”, but “{label}” is asked for.")
        self.rolls.append(known)
        return known.value

    def unused(self) -> int:
        """Return how many recorded rolls nobody asked for."""
        return len(self._recorded) - len(self.rolls)


def _hmac(seed: bytes, *parts: str | int) -> bytes:
    return hmac.digest(seed, _JSON.encode(parts), "sha256")


def _salt(seed: bytes, game_key: str, turn: int, seat: int) -> bytes:
    return _hmac(seed, "salt", game_key, turn, seat)


def _number(seed: bytes, opening: bytes, label: str, index: int, attempt: int) -> int:
    message = opening + _JSON.encode((label, index, attempt))
    return int.from_bytes(hmac.digest(seed, message, "sha256"))
