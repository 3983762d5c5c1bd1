"""Whole games as files: exported from the rows when they are over, and imported after they have been verified."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine import branches, registry
from games.engine import records as engine
from games.engine import turns as played
from games.engine.branches import Branch
from games.engine.records import Record, TurnRecord
from postspiel.accounts.models import User
from postspiel.play import ending, games, positions, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Act, Game, Seat, Sheet, Turn
from postspiel.play.schedule import Schedule

LARGEST = 20_000_000
_KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")


def export_record(game: Game) -> bytes:
    """Return a game's record: everything that happened, with the seed, so that anybody can replay and verify it.

    PlayError before the end of the game: nobody, not the organiser and not the host, gets the secrets of one that runs.
    """
    if game.status != Game.Status.ENDED:
        raise PlayError(_("The record of a game is published when it is over."))
    return engine.encode(record_of(game))


def record_of(game: Game) -> Record:
    """Return the record of an ended game, with the runs that were taken back. A dozen queries, however long it was."""
    rows = _resolved(game, status=Turn.Status.DONE)
    after = _behind(game, rows)
    rules = [behind.rules for behind in after]
    return Record(
        title=game.title,
        rules=rules[0],
        options=game.options,
        seats=game.size,
        game_key=game.key,
        commitment=game.commitment,
        turns=tuple(map(_turn, rows, after, [*rules[1:], rules[-1]])),
        seed=bytes(game.seed).hex(),
        players=player_names(game),
        superseded=tuple(_taken_back(game)),
    )


def import_record(raw: bytes, *, organiser: User) -> Game:
    """Make an ended game from a record that somebody brings. It has no players here, and no result: nothing is rated.

    Runs that were taken back come with it, so that it can be exported again as it is. PlayError if it is no record, if
    anything in it does not come out when it is replayed, if it was played under other rules than ours, or if the game
    is here already.
    """
    record = _verified(raw)
    steps = list(engine.replay_steps(record))
    runs = branches.branches(record, steps)
    try:
        with transaction.atomic():
            game = _import(record, steps, runs, organiser, timezone.now())
    except IntegrityError:
        raise PlayError(_("This game is on this server already.")) from None
    return game


class _Behind(msgspec.Struct, frozen=True):
    """What stands behind a turn: the state, its hash, and the rules under which it was resolved."""

    rules: int
    state: bytes
    state_hash: str


def _behind(game: Game, rows: Sequence[Turn]) -> list[_Behind]:
    """Return what stands behind each turn: what the following one starts from, at last the final state."""
    following = [_Behind(row.rules, bytes(row.state), row.state_hash) for row in rows[1:]]
    last = bytes(game.final_state or b"")
    return [*following, _Behind(game.rules, last, hashlib.sha256(last).hexdigest())]


def _resolved(game: Game, **which: str | bool) -> list[Turn]:
    turns_then = game.turns.filter(**which).order_by("number", "pk")
    return list(turns_then.select_related("game").prefetch_related("events", "rolls", "sheets__seat"))


def _taken_back(game: Game) -> Iterator[TurnRecord]:
    """Yield the turns of runs that a rollback took back: what came of each is what the next row of its run starts from.

    That row was made when the turn was resolved, so it is the first one of its number after it.
    """
    rows = _resolved(game, taken_back=True)
    later = list(game.turns.filter(number__in=[row.number + 1 for row in rows]).order_by("pk")) if rows else []
    for row in rows:
        after = next(one for one in later if one.number == row.number + 1 and one.pk > row.pk)
        behind = _Behind(after.rules, bytes(after.state), after.state_hash)
        yield _turn(row, behind, behind.rules)


def _turn(row: Turn, behind: _Behind, rules_then: int) -> TurnRecord:
    """Return a turn's record; with the whole state behind it if other rules come then, so that a replay can go on."""
    game = row.game
    title = positions.title_of(game)
    counted = turns.effective(sorted(row.sheets.all(), key=lambda sheet: sheet.seat.index))
    return TurnRecord(
        number=row.number,
        rules=behind.rules,
        state_hash=behind.state_hash,
        sheets=counted,
        digests=turns.digests(game, row.number, counted),
        rolls=tuple(positions.roll_of(roll) for roll in sorted(row.rolls.all(), key=lambda roll: roll.index)),
        events=tuple(positions.event_of(event) for event in sorted(row.events.all(), key=lambda event: event.index)),
        kept=positions.kept_of(row),
        outcome=title.outcome(title.load(behind.state, behind.rules)),
        state=behind.state.decode() if rules_then != behind.rules else None,
    )


def player_names(game: Game) -> tuple[str, ...]:
    """Return who held each seat at the end, in seat order: public names, bots by theirs, "" for nobody.

    An imported game has no players here; theirs come from its record.
    """
    imported = Act.objects.filter(game=game, kind="imported").first()
    if imported is not None:
        return tuple(imported.data["players"])
    return tuple(_player(seat) for seat in game.seats.select_related("player").order_by("index"))


def _player(seat: Seat) -> str:
    return seat.player.public_name if seat.player else seat.bot


def _verified(raw: bytes) -> Record:
    if len(raw) > LARGEST:
        raise PlayError(_("This file is too large for the record of a game."))
    try:
        record = engine.decode(raw)
    except engine.RecordError as error:
        raise PlayError(str(error)) from error
    if record.seed is None or not _KEY.fullmatch(record.game_key):
        raise PlayError(_("This is not the record of a game that is over."))
    found = branches.verify(record, positions.locale_or(None, get_language()))
    if not found.ok:
        raise PlayError(_("This record does not hold: %(what)s") % {"what": found.findings[0]})
    every = (*record.turns, *record.superseded)
    if any(turn.rules != registry.title(record.title).about.rules for turn in every):
        raise PlayError(_("This game was played under rules that this server does not play any more."))
    return record


def _import(
    record: Record, steps: Sequence[played.Step], runs: Sequence[Branch], organiser: User, now: datetime
) -> Game:
    outcome = record.turns[-1].outcome or ending.drawn(record.seats)
    game = Game.objects.create(
        key=record.game_key,
        title=record.title,
        name=_("Imported game %(key)s") % {"key": record.game_key},
        options=dict(record.options),
        size=record.seats,
        schedule=msgspec.to_builtins(Schedule()),
        organiser=organiser,
        listed=False,
        imported=True,
        invitation=secrets.token_urlsafe(24),
        status=Game.Status.ENDED,
        rules=record.rules,
        seed=bytes.fromhex(record.seed or ""),
        commitment=record.commitment,
        created=now,
        started=now,
        ended=now,
        final_state=played.encode_state(steps[-1].state),
        outcome=msgspec.to_builtins(outcome),
    )
    seats = Seat.objects.bulk_create(Seat(game=game, index=index) for index in range(record.seats))
    for branch in branches.in_order(runs):
        _import_branch(game, seats, branch, now)
    before: Any = None
    for turn, step in zip(record.turns, steps, strict=True):
        row = _row(game, turn.number, turn.rules, before, now)
        _import_turn(row, seats, turn, step)
        before = step.state
    games.note(game, organiser, "imported", players=list(record.players))
    return game


def _import_branch(game: Game, seats: Sequence[Seat], branch: Branch, now: datetime) -> None:
    """Import a turn that was taken back; behind the last one of a run stands the position that it came to."""
    turn, superseded = branch.turn, Turn.Status.SUPERSEDED
    row = _row(game, turn.number, turn.rules, branch.before, now, status=superseded, taken_back=True)
    _import_turn(row, seats, turn, branch.step)
    if not branch.then:
        _row(game, turn.number + 1, turn.rules, branch.step.state, now, status=superseded)


def _row(game: Game, number: int, rules: int, before: Any, now: datetime, **fields: Any) -> Turn:
    return Turn.objects.create(
        game=game,
        number=number,
        rules=rules,
        state=b"" if before is None else played.encode_state(before),
        state_hash="" if before is None else played.state_hash(before),
        opened=now,
        closed=now,
        **{"status": Turn.Status.DONE} | fields,
    )


def _import_turn(row: Turn, seats: Sequence[Seat], turn: TurnRecord, step: played.Step) -> None:
    positions.save_step(row, step)
    Sheet.objects.bulk_create(_sheet(row, seat, turn) for seat in seats if turn.number)


def _sheet(row: Turn, seat: Seat, turn: TurnRecord) -> Sheet:
    sheet = turn.sheets.get(seat.index)
    return Sheet(
        turn=row,
        seat=seat,
        status=Sheet.Status.NONE if sheet is None else Sheet.Status.FINAL,
        orders=positions.write_orders(sheet or ()),
        digest=turn.digests.get(seat.index, ""),
    )
