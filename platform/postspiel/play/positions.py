"""What rows mean to a title: positions, sheets and options read from the database, and written back.

Nothing else in `play` looks into the JSON of a state or of a sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

import msgspec

from games.engine import registry, turns
from games.engine.contract import Event, Locale, Options, Outcome, Sheet, Title, Value
from games.engine.rolls import Roll
from postspiel.play import models, policies
from postspiel.play.policies import Policy
from postspiel.play.schedule import Schedule

type Data = dict[str, Value]


def title_of(game: models.Game) -> Title[Any]:
    """Return the title that the game is one of."""
    return registry.title(game.title)


def options_of(game: models.Game) -> Options:
    """Return the game's options, complete."""
    return cast("Options", game.options)


def schedule_of(game: models.Game) -> Schedule:
    """Return the game's schedule."""
    return msgspec.convert(game.schedule, Schedule)


def policy_of(game: models.Game) -> Policy:
    """Return the game's policy about missed turns, absences and open seats."""
    return msgspec.convert(game.policy, Policy) if game.policy else policies.NONE


def state_of(turn: models.Turn) -> Any:
    """Return the position that a turn starts from. The turn's game must be loaded."""
    return title_of(turn.game).load(bytes(turn.state), turn.rules)


def final_state_of(game: models.Game) -> Any:
    """Return the position that an ended game ended in."""
    return title_of(game).load(bytes(game.final_state or b""), game.rules)


def outcome_of(game: models.Game) -> Outcome | None:
    """Return how the game ended, if it did."""
    return msgspec.convert(game.outcome, Outcome) if game.outcome else None


def seen(turn: models.Turn, index: int | None) -> Any:
    """Return the position of a turn as a seat (None: a watcher) may know it."""
    return title_of(turn.game).mask(state_of(turn), index)


def sheet_of(row: models.Sheet) -> Sheet:
    """Return the orders of a stored sheet."""
    return read_orders(row.orders)


def read_orders(raw: Any) -> Sheet:
    """Read orders from JSON data; a ValueError says what is wrong with them."""
    orders: Sheet = msgspec.convert(raw, Sheet)
    return orders


def write_orders(sheet: Sheet) -> list[Any]:
    """Return orders as JSON data."""
    return cast("list[Any]", msgspec.to_builtins(sheet))


def event_of(row: models.Event) -> Event:
    """Return a stored event."""
    return Event(row.kind, msgspec.convert(row.data, Data), None if row.to is None else frozenset(row.to))


def roll_of(row: models.Roll) -> Roll:
    """Return a stored roll."""
    return Roll(row.label, row.sides, row.index, row.value)


def write_event(turn: models.Turn, index: int, event: Event) -> models.Event:
    """Return the row of an event, not saved yet."""
    to = None if event.to is None else sorted(event.to)
    return models.Event(turn=turn, index=index, kind=event.kind, data=msgspec.to_builtins(event.data), to=to)


def may_hear(row: models.Event, index: int | None) -> bool:
    """Whether a seat (None: a watcher) may know of an event."""
    return row.to is None or index in row.to


def write_kept(kept: Mapping[int, Sheet]) -> dict[str, Any]:
    """Return the orders that stay in force, by seat, as JSON data."""
    return {str(seat): write_orders(sheet) for seat, sheet in kept.items()}


def kept_of(row: models.Turn) -> dict[int, Sheet]:
    """Return the orders that stayed in force behind a turn, by seat."""
    return {int(seat): read_orders(sheet) for seat, sheet in row.kept.items()}


def save_step(turn: models.Turn, step: turns.Step) -> None:
    """Store what happened in a turn, what was rolled, and which orders stay."""
    models.Event.objects.bulk_create(write_event(turn, i, event) for i, event in enumerate(step.events))
    models.Roll.objects.bulk_create(
        models.Roll(turn=turn, index=roll.index, label=roll.label, sides=roll.sides, value=roll.value)
        for roll in step.rolls
    )
    if step.kept:
        turn.kept = write_kept(step.kept)
        turn.save(update_fields=["kept"])


def locale_or(locale: str | None, active: str | None) -> Locale:
    """Return the language asked for, or the active one where we have it, or English."""
    wanted: Iterable[str] = (locale or "", (active or "")[:2])
    return cast("Literal['en', 'de']", next((one for one in wanted if one in {"en", "de"}), "en"))
