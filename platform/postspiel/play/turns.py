"""The turn cycle: opening turns and resolving them, each once (DESIGN section 4).

A turn takes no lease. `advance` claims it by one conditional UPDATE at the head of its only transaction: a second
worker finds no row, a killed one leaves nothing behind, and the sweep comes again. Whoever writes a sheet updates the
turn's row first (`claim`), so that no sheet slips in while its turn is resolved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.engine import rolls
from games.engine import sheets as handed
from games.engine import turns as engine
from games.engine.contract import Sheet as Orders
from postspiel import rows
from postspiel.mail import selectors as mail
from postspiel.mail.bell import ring
from postspiel.mail.models import Address, Incoming
from postspiel.play import absences, bots, brake, ending, heartbeats, missing, notices, positions, readiness, schedule
from postspiel.play.models import DeadlineChange, Game, Hold, Seat, Sheet, Turn

ADVANCE = "play.advance"
ADVANCED_TOGETHER = 5
"""So many turns may share a message: each takes far longer than a message."""

_CLAIM = rows.Update(Turn, "revision = revision + 1", "game_id = %s AND status = 'open'")
_GAME = rows.Select(Game, "WHERE this.id = %s")


def advance(turn_id: int) -> bool:
    """Resolve a turn if it is open and due, and open the next one or end the game; one transaction, all or nothing.

    May be called at any time, by any number of workers: False if there was nothing to do.
    """
    now = timezone.now()
    with transaction.atomic():
        if brake.stands(now) or mail_is_waiting(turn_id, now) or not _close(turn_id, now):
            return False
        turn = Turn.objects.select_related("game").get(pk=turn_id)
        if _waits_for_the_silent(turn, now):
            return False
        play_out(turn, now)
    return True


def play_out(turn: Turn, now: datetime) -> None:
    """Resolve a turn that has just been closed, and open the next one or end the game.

    Nobody misses a turn that was ended before its deadline.
    """
    Hold.objects.filter(turn=turn, released=None).update(released=now)
    sheets = list(Sheet.objects.filter(turn=turn).select_related("seat__player").order_by("seat__index"))
    lost = missing.note(turn, sheets) if now >= closes(turn) else []
    step = resolve(turn, sheets)
    positions.save_step(turn, step)
    if step.outcome is None:
        missing.open_seats(turn.game, lost, turn.number, now)
    _go_on(turn, step, [sheet.seat for sheet in sheets], now)


def resolve(turn: Turn, sheets: Collection[Sheet]) -> engine.Step:
    """Return what becomes of a turn with these sheets. Stores nothing."""
    game = turn.game
    title, state = positions.title_of(game), positions.state_of(turn)
    return engine.advance(title, state, effective(sheets), bytes(game.seed), game.key, turn.number)


def effective(sheets: Collection[Sheet]) -> dict[int, Orders]:
    """Return the orders that count, by seat: on file and final in full, else what was in force already, if anything.

    Seats that are missing here are played by the rules' defaults.
    """
    return {
        sheet.seat.index: positions.sheet_of(sheet)
        for sheet in sheets
        if sheet.orders or sheet.status != Sheet.Status.NONE
    }


def digests(game: Game, number: int, sheets: Mapping[int, Orders]) -> dict[int, str]:
    """Return the salted digest of each sheet of a turn, by seat: what receipts carry and rolls depend on."""
    seed = bytes(game.seed)
    return {seat: rolls.sheet_digest(seed, game.key, number, seat, sheet) for seat, sheet in sheets.items()}


def open_turn(*, game: Game, number: int, step: engine.Step, times: schedule.Times, seats: Collection[Seat]) -> Turn:
    """Open a turn: its row, a sheet for every seat, a mail to everybody who holds one."""
    title = positions.title_of(game)
    turn = Turn(
        game=game,
        number=number,
        rules=title.about.rules,
        state=engine.encode_state(step.state),
        state_hash=engine.state_hash(step.state),
        opened=times.opened,
        earliest=times.earliest,
        deadline=times.deadline,
        reminder=None if game.paused else times.reminder,
    )
    sheets = [_sheet(turn, seat, step) for seat in seats]
    changes = absences.move(turn, sheets)
    turn.due, turn.owing = readiness.due(turn, sheets, times.opened), readiness.owing(sheets)
    turn.save()
    Sheet.objects.bulk_create(sheets)
    DeadlineChange.objects.bulk_create(changes)
    notices.turn_opened(turn, seats)
    ring_if_due(turn, times.opened)
    return turn


def claim(game_id: int) -> Turn | None:
    """Take the game's open turn for writing until the end of the transaction; None if there is none."""
    turn = _CLAIM.taken(game_id)
    if turn is not None:
        turn.game = _GAME.get(game_id)
    return turn


def reckon(turn: Turn, now: datetime, sheets: Collection[Sheet] = ()) -> None:
    """Set when the turn is due and how many owe it, after its sheets, its seats or its deadline have changed.

    ``sheets`` are the turn's with their seats, if they are at hand as they are now.
    """
    sheets = sheets or list(turn.sheets.select_related("seat"))
    before, after = (turn.due, turn.owing), (readiness.due(turn, sheets, now), readiness.owing(sheets))
    if after != before:
        turn.due, turn.owing = after
        turn.save(update_fields=["due", "owing"])
    ring_if_due(turn, now)


def move(turn: Turn, deadline: datetime, change: DeadlineChange) -> DeadlineChange:
    """Give a claimed turn another deadline, keep the change, and tell everybody who holds a seat."""
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    now = change.made
    change.turn, change.old, change.new = turn, turn.deadline, deadline
    turn.deadline, turn.reminder = deadline, schedule.reminder(positions.schedule_of(turn.game), now, deadline)
    turn.save(update_fields=["deadline", "reminder"])
    reckon(turn, now)
    change.save()
    notices.deadline_moved(turn, turn.game.seats.select_related("player"), change.pk)
    return change


def hold(turn: Turn, deadline: datetime, why: Hold) -> None:
    """Give a claimed turn more time for no fault of its players, and tell who runs the game, too."""
    why.game, why.turn = turn.game, turn
    Hold.objects.filter(game=turn.game, released=None).update(released=why.made)
    why.save()
    move(turn, deadline, DeadlineChange(cause=why.reason, given_back=True, made=why.made))
    notices.held(why)


def ring_if_due(turn: Turn, now: datetime) -> None:
    """Ring for a worker if the turn can be resolved now."""
    if turn.due is not None and turn.due <= now:
        ring(ADVANCE, turn.pk, most=ADVANCED_TOGETHER)


def scheduled(turn: Turn) -> datetime:
    """Return the deadline that the turn had when it opened, however often it was moved."""
    change = DeadlineChange.objects.filter(turn=turn).order_by("pk").first()
    moment = change.old if change else turn.deadline
    assert moment is not None  # noqa: S101 - only the set-up has no deadline
    return moment


def closes(turn: Turn) -> datetime:
    """Return until when orders for an open turn count: its deadline, and the grace that the schedule gives."""
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    return schedule.closes(positions.schedule_of(turn.game), turn.deadline)


def is_late(turn: Turn, moment: datetime) -> bool:
    """Whether orders that came then are too late for an open turn. Nobody is late while nothing can be resolved."""
    return moment > closes(turn) and turn.game.paused is None and not brake.stands(timezone.now())


def mail_is_waiting(turn_id: int, now: datetime) -> bool:
    """Whether a mail to one of the game's seats was accepted in time and has not been read yet.

    With a single mailbox only reading tells whose game a mail is for; and once the deadline has passed, mailboxes are
    looked into first. Two minutes after the turn became due, or the server came back, nobody waits any more.
    """
    turn = Turn.objects.select_related("game").filter(pk=turn_id).first()
    if turn is None or turn.due is None or not heartbeats.patient(turn.due, now):
        return False
    until = closes(turn)
    if now >= until and mail.unread_since(until):
        return True
    return unread(turn).filter(received__lte=until).exists()


def unread(turn: Turn) -> QuerySet[Incoming]:
    """Return the mails that were accepted, may be for seats of a turn's game, and have not been read yet."""
    seats = Seat.objects.filter(game=turn.game_id).values("pk")
    ours = Q(address__in=Address.objects.filter(kind="seat", object_id__in=seats))
    if settings.POSTSPIEL_MAIL_SCHEME == "single":
        ours |= Q(address=None)
    return Incoming.objects.filter(ours, state__in=(Incoming.State.WAITING, Incoming.State.READING))


def _close(turn_id: int, now: datetime) -> bool:
    due = Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN, due__lte=now)
    return due.update(status=Turn.Status.DONE, closed=now) == 1


def _waits_for_the_silent(turn: Turn, now: datetime) -> bool:
    """Open a turn again that was just closed, for longer, if most of its players are silent at once."""
    sheets = turn.sheets.select_related("seat") if brake.applies() and turn.game.size >= brake.SILENT else ()
    more = brake.silence(turn, list(sheets))
    if more is None:
        return False
    turn.status, turn.closed = Turn.Status.OPEN, None
    turn.save(update_fields=["status", "closed"])
    hold(turn, now + more, Hold(reason=Hold.Reason.SILENCE, since=now, made=now))
    return True


def _go_on(turn: Turn, step: engine.Step, seats: Collection[Seat], now: datetime) -> None:
    game = turn.game
    if step.outcome is not None:
        ending.finish(game=game, state=step.state, outcome=step.outcome, seats=seats, now=now)
        return
    assert turn.deadline is not None and turn.due is not None  # noqa: S101, PT018 - only the set-up has none
    times = following(turn, step.state, min(turn.due, turn.deadline), now)
    open_turn(game=game, number=turn.number + 1, step=step, times=times, seats=seats)


def following(turn: Turn, state: Any, ended: datetime, now: datetime) -> schedule.Times:
    """Return the moments of the turn that opens now from a state, after one that ended then."""
    game, plan = turn.game, positions.schedule_of(turn.game)
    vote = bool(plan.vote_hours) and engine.is_vote(positions.title_of(game), state, game.size)
    return schedule.following(plan, scheduled=_ordinary(turn, plan), deadline=ended, now=now, vote=vote)


def hours(turn: Turn) -> int:
    """Return how long an open turn is by its game's schedule."""
    plan = positions.schedule_of(turn.game)
    if plan.vote_hours and engine.is_vote(positions.title_of(turn.game), positions.state_of(turn), turn.game.size):
        return plan.vote_hours
    return plan.hours


def _ordinary(turn: Turn, plan: schedule.Schedule) -> datetime:
    """Return a deadline that an ordinary turn was scheduled for: of a vote it may lie beside the game's hours."""
    first = turn.game.turns.filter(number=1).order_by("pk").first() if plan.vote_hours else None
    return scheduled(first or turn)


def renew_sheet(turn: Turn, seat: Seat) -> None:
    """Give a seat that changed hands in the midst of a claimed turn a new sheet: nothing of the old one counts.

    A bot that sits there now hands in at once.
    """
    step = engine.Step(positions.state_of(turn))
    Sheet.objects.filter(turn=turn, seat=seat).delete()
    _sheet(turn, seat, step).save()


def _sheet(turn: Turn, seat: Seat, step: engine.Step) -> Sheet:
    """Return a seat's new sheet, not saved yet: what is in force already, what is asked, and what a bot orders."""
    game = turn.game
    title = positions.title_of(game)
    seen = title.mask(step.state, seat.index)
    orders = step.kept.get(seat.index, ()) if seat.vacant is None else ()
    asked = any(not ask.early for ask in title.asks(seen, seat.index))
    if seat.bot and asked:
        orders = bots.orders(title, seen, seat, game, turn.number)
    owes = any(ask.must for ask in handed.missing(title, seen, seat.index, orders))
    final = asked and (bool(seat.bot) or (seat.always_done and not owes))
    return Sheet(
        turn=turn,
        seat=seat,
        status=Sheet.Status.FINAL if final else Sheet.Status.NONE,
        orders=positions.write_orders(orders),
        asked=asked,
        owes=owes,
        player=seat.player if owes else None,
        automatic=final,
    )
