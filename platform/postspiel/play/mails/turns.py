"""Mails about one turn: the turn itself, the reminder, a deadline that was moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games.engine.contract import Block, Copy, Grid, Heading, Items, Locale, Text
from postspiel.accounts.models import User
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import anonymity, deeds, selectors, times
from postspiel.play.mails import frame, press, rows
from postspiel.play.mails.frame import Reader
from postspiel.play.mails.position_file import position_file
from postspiel.play.models import DeadlineChange, Game, Seat, Sheet, Turn
from postspiel.play.rendering import Link, Piece

LEFT = timedelta(hours=12)
"""So much of a turn must be left after the digest; otherwise its mails come at once."""


def turn(outgoing: Outgoing) -> Letter:
    """The mail of a turn: what happened, the position, what is asked, orders to copy, how to answer, press."""
    return with_position(outgoing, ())


def with_position(outgoing: Outgoing, before: Iterable[Piece]) -> Letter:
    """Return the mail of a turn, with something said before it."""
    reader, seat, this = frame.reader_of(outgoing), rows.seat_of(outgoing), rows.turn_of(outgoing)
    sheet = rows.sheet_of(seat, this)
    page = selectors.position_at(this, seat, reader.locale)
    pieces = (
        *before,
        Heading(frame.turn_heading(this)),
        *due(this, sheet, reader),
        *_moved(this),
        *happened(seat, this, reader.locale),
        *(begun(this.game, outgoing.recipient, reader.locale) if this.number == 1 else ()),
        Heading(page.title),
        *ready_to_copy(page.blocks, reader.locale),
        *in_force(sheet, reader.locale),
        *how_to_answer(this.game, sheet, reader.locale),
        Link(_("Open the game"), frame.url("game", this.game.key)),
        *press.since(seat, this, reader),
    )
    written = frame.seat_letter(frame.turn_subject(this, page.title), pieces, seat, reader.locale)
    wants_file = outgoing.recipient is not None and outgoing.recipient.position_file
    return replace(written, attachments=(position_file(seat, this),)) if wants_file else written


def reminder(outgoing: Outgoing) -> Letter:
    """The mail to a seat that owes orders and has handed in none, or none that are final, some time before the end."""
    reader, seat, this = frame.reader_of(outgoing), rows.seat_of(outgoing), rows.turn_of(outgoing)
    sheet = rows.sheet_of(seat, this)
    page = selectors.position_at(this, seat, reader.locale)
    copies = [block for block in page.blocks if isinstance(block, Copy)]
    pieces = (
        Heading(frame.turn_heading(this)),
        Text(_("A reminder: your orders for this turn are still missing.")),
        *due(this, sheet, reader),
        *ready_to_copy(copies, reader.locale),
        *in_force(sheet, reader.locale),
        *how_to_answer(this.game, sheet, reader.locale),
        Link(_("Open the game"), frame.url("game", this.game.key)),
    )
    return frame.seat_letter(frame.turn_subject(this, _("reminder")), pieces, seat, reader.locale)


def extended(outgoing: Outgoing) -> Letter:
    """The mail that says that a deadline was moved: from when to when, by whom, why."""
    reader, seat, this = frame.reader_of(outgoing), rows.seat_of(outgoing), rows.turn_of(outgoing)
    change = DeadlineChange.objects.select_related("who").get(pk=outgoing.data["change"])
    pieces = (
        Heading(frame.turn_heading(this)),
        Text(_("The deadline of this turn was moved.")),
        Items(
            (
                _("New deadline: %(time)s") % {"time": times.moment(change.new, reader.zone, reader.locale)},
                _("Old deadline: %(time)s") % {"time": times.moment(change.old, reader.zone, reader.locale)},
                *([_("Moved by: %(name)s") % {"name": change.who.public_name}] if change.who else []),
                *([_("Reason: %(why)s") % {"why": why}] if (why := deeds.why_moved(change)) else []),
            )
        ),
        Text(_("Orders that you have handed in stay as they are.")),
        Link(_("Open the game"), frame.url("game", this.game.key)),
    )
    return frame.seat_letter(frame.turn_subject(this, _("new deadline")), pieces, seat, reader.locale)


# --- whether a mail still says anything -------------------------------------------------------------------------------


def turn_still_due(outgoing: Outgoing) -> bool:
    """A turn that is over is told by the mail of the next; a seat that changed hands is no longer the reader's."""
    return (
        rows.turn_of(outgoing).status == Turn.Status.OPEN and rows.seat_of(outgoing).player_id == outgoing.recipient_id
    )


def urgent(outgoing: Outgoing, until: datetime) -> bool:
    """Whether who reads a mail only at that time has too little left of his turn: less than `LEFT`."""
    this = rows.turn_of(outgoing)
    sheet = rows.sheet_of(rows.seat_of(outgoing), this)
    return sheet is not None and sheet.asked and this.deadline is not None and this.deadline < until + LEFT


def reminder_still_due(outgoing: Outgoing) -> bool:
    """Who has handed in meanwhile is not reminded."""
    sheet = rows.sheet_of(rows.seat_of(outgoing), rows.turn_of(outgoing))
    return turn_still_due(outgoing) and sheet is not None and sheet.status == Sheet.Status.NONE


# --- parts ------------------------------------------------------------------------------------------------------------


def due(turn: Turn, sheet: Sheet | None, reader: Reader) -> Iterator[Text]:
    """Say until when orders are wanted, and what silence means."""
    when = {"deadline": times.deadline(turn, reader.zone, reader.locale)}
    if sheet is None or not sheet.asked:
        yield Text(_("You have nothing to order in this turn. It ends at the latest on %(deadline)s.") % when)
    elif sheet.owes:
        yield Text(_("Your orders are due by %(deadline)s.") % when, tone="strong")
        yield Text(_("You owe orders: if none come in time, the turn counts as missed and the rules play for you."))
    else:
        yield Text(_("You may give orders until %(deadline)s.") % when, tone="strong")
        yield Text(_("You owe none: without them the rules play for you, and nothing counts as missed."))


def _moved(turn: Turn) -> Iterator[Text]:
    """Say that a turn opened with a later deadline, because somebody is away."""
    cause = DeadlineChange.Cause.ABSENCE
    if DeadlineChange.objects.filter(turn=turn, cause=cause).exists():
        yield Text(_("The deadline is later than usual: somebody for whom the turn would wait is away."))


def happened(seat: Seat, turn: Turn, locale: Locale) -> Iterator[Piece]:
    """Tell what happened in the turn before, as that seat may know it."""
    before = selectors.before(turn)
    if before:
        heading = _("What happened in turn %(number)d") if before.number else _("How the game began")
        yield from story(seat, before, locale, heading % {"number": before.number})
        yield from _missed(rows.sheet_of(seat, before))


def _missed(sheet: Sheet | None) -> Iterator[Piece]:
    if sheet and sheet.missed:
        missed = _("No orders of yours came in time for turn %(number)d, so the rules played for you.")
        yield Text(missed % {"number": sheet.turn.number}, tone="strong")


def begun(game: Game, reader: User | None, locale: Locale) -> Iterator[Piece]:
    """Tell who plays, and the seal of the seed, so that nobody needs to trust the server's rolls."""
    knows = anonymity.knows_players(game, reader)
    players = tuple(
        (selectors.seat_name(game, seat.index, locale), _holder(seat, knows)) for seat in selectors.seats_of(game)
    )
    yield Grid(_("Who plays"), (_("Seat"), _("Player")), players)
    sealed = _("Every roll of this game follows from a number that is secret until the end. Its SHA-256 is %(seal)s.")
    yield Text(sealed % {"seal": game.commitment}, tone="quiet")


def _holder(seat: Seat, knows: bool) -> str:
    if seat.player is None:
        return seat.bot or "-"
    return seat.player.public_name if knows else _("hidden until the end")


def story(seat: Seat, turn: Turn, locale: Locale, heading: str) -> Iterator[Piece]:
    """Tell one turn as that seat may know it, under a heading; nothing if there is nothing to tell."""
    told = selectors.log_of(turn, seat, locale).blocks
    if told:
        yield Heading(heading)
        yield from told


def ready_to_copy(blocks: Sequence[Block], locale: Locale) -> Iterator[Block]:
    """Let the last block of orders to copy end with the word that makes them final."""
    last = max((place for place, block in enumerate(blocks) if isinstance(block, Copy)), default=-1)
    done = frame.control("done", locale)
    for place, block in enumerate(blocks):
        ends = isinstance(block, Copy) and place == last and done not in block.lines
        yield Copy((*block.lines, done)) if ends and isinstance(block, Copy) else block


def in_force(sheet: Sheet | None, locale: Locale) -> Iterator[Piece]:
    """Show what the seat has in force for a turn that opens: standing orders, and those given ahead of time."""
    if sheet and sheet.orders:
        yield Text(_("These orders of yours are in force already:"))
        yield Copy(written(sheet, locale))
    if sheet and sheet.status == Sheet.Status.FINAL:
        yield Text(state_of(sheet.status, locale))


def on_file(sheet: Sheet | None, locale: Locale) -> Iterator[Piece]:
    """Show what the seat has in force now, and whether it is final."""
    if sheet and sheet.orders:
        yield Text(_("Your orders in force:"))
        yield Copy(written(sheet, locale))
    if sheet:
        yield Text(state_of(sheet.status, locale))


def written(sheet: Sheet, locale: Locale) -> tuple[str, ...]:
    """Return a sheet's orders as canonical lines."""
    write = frame.language_of(sheet.turn.game).write
    return tuple(write(order, locale) for order in selectors.orders_of(sheet))


def state_of(status: str, locale: Locale) -> str:
    """Say whether a sheet is none, on file or final, and what that means."""
    words = {"done": frame.control("done", locale), "wait": frame.control("wait", locale)}
    if status == Sheet.Status.FINAL:
        return _("Your orders are final: nobody waits for you. A line “%(wait)s” takes that back.") % words
    if status == Sheet.Status.ON_FILE:
        return (
            _(
                "Your orders are on file and count at the deadline. A line “%(done)s” makes them final, so that nobody "
                "needs to wait for you."
            )
            % words
        )
    return _("You have handed in nothing for this turn yet.")


def how_to_answer(game: Game, sheet: Sheet | None, locale: Locale) -> Iterator[Piece]:
    """Explain how orders are given by mail."""
    words = {word: frame.control(word, locale) for word in ("done", "help", "status", "orders")}
    yield Heading(_("How to answer"), 3)
    if sheet and sheet.asked:
        yield Text(
            _("Answer this mail and write one order on each line. Our text may stay below or be deleted, as you like.")
        )
        yield Text(
            _(
                "A line “%(done)s” says that your orders are final. Orders without it count too, but then everybody "
                "waits until the deadline. You may change your orders until then: a new line replaces the old one "
                "about the same thing, and the rest stays."
            )
            % words
        )
    yield Text(
        _(
            "Every mail of yours is answered by a receipt. Lines with “%(help)s”, “%(status)s” or “%(orders)s” send "
            "you the order language, the position, or what you have on file."
        )
        % words
    )
    if told := press.how(game, locale):
        yield Text(told)
