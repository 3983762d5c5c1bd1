"""Mails about a whole game: somebody joined, it ended, it was called off."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.engine.contract import Grid, Heading, Text
from postspiel.accounts.models import User
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import anonymity, selectors
from postspiel.play.mails import frame, organising, rows, turns
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Game, Result, Seat
from postspiel.play.rendering import Link, Piece


def joined(outgoing: Outgoing) -> Letter:
    """The mail that tells an organiser that somebody took a seat."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    game = seat.game
    free = game.seats.filter(player=None, bot="").count()
    known = seat.player if anonymity.knows_players(game, outgoing.recipient) else None
    who = {"player": known.public_name if known else _("Somebody"), "seat": _seat(seat, reader), "count": free}
    pieces = (
        Heading(_("Somebody joined your game")),
        Text(_("%(player)s plays %(seat)s.") % who),
        Text(_("Seats that are still free: %(count)d.") % who if free else _("All seats are taken: you can start it.")),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    return organising.letter(outgoing, game, _("%(player)s joined") % who, pieces)


def joined_still_due(outgoing: Outgoing) -> bool:
    """Who left again before the mail went out is no news."""
    return rows.seat_of(outgoing).player_id is not None


def cancelled(outgoing: Outgoing) -> Letter:
    """The mail that tells who had joined that the game will not be played."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    name = {"game": seat.game.name}
    pieces = (
        Heading(_("This game will not be played")),
        Text(_("Its organiser called “%(game)s” off before it began. You need not do anything.") % name),
    )
    return frame.seat_letter(frame.subject(seat.game, _("called off")), pieces, seat, reader.locale)


def ended(outgoing: Outgoing) -> Letter:
    """The mail that ends a game: the table, what happened last, the last position, where everything is kept."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    game = seat.game
    page = selectors.position(game, seat, reader.locale)
    pieces = (
        Heading(_("“%(game)s” has ended") % {"game": game.name}),
        *_result(game, seat, reader),
        *_last_turn(seat, reader),
        *((Heading(_("The last position")), *page.blocks) if page else ()),
        *_kept(game, reader),
    )
    return frame.seat_letter(frame.subject(game, _("the result")), pieces, seat, reader.locale)


def ended_still_due(outgoing: Outgoing) -> bool:
    """A game that goes on, because its end was taken back, has not ended."""
    return rows.seat_of(outgoing).game.status == Game.Status.ENDED


def _result(game: Game, seat: Seat, reader: Reader) -> Iterator[Piece]:
    result = Result.objects.get(game=game)
    entries = sorted(result.entries, key=lambda entry: (entry["place"], entry["seat"]))
    people = User.objects.in_bulk([entry["user"] for entry in entries if entry["user"]])
    if not result.decided:
        yield Text(_("Nobody won: the game ended undecided."))
    else:
        mine = next(entry["place"] for entry in entries if entry["seat"] == seat.index)
        yield Text(_("You came in at place %(place)d.") % {"place": mine}, tone="strong")
    rows = tuple(
        (
            str(entry["place"]),
            frame.seat_name(game, entry["seat"], reader.locale),
            people[entry["user"]].public_name if entry["user"] in people else entry["bot"] or "-",
            str(entry["score"]),
        )
        for entry in entries
    )
    yield Grid(_("The result"), (_("Place"), _("Seat"), _("Player"), _("Score")), rows, numeric=(0, 3))


def _last_turn(seat: Seat, reader: Reader) -> Iterator[Piece]:
    last = selectors.last_turn(seat.game)
    if last:
        yield from turns.story(seat, last, reader.locale, _("What happened in the last turn"))


def _kept(game: Game, reader: Reader) -> Iterator[Piece]:
    yield Text(
        _(
            "The game is kept with all orders and all rolls: anybody can read it, and check that no roll was touched. "
            "The report is being printed and is ready in a few minutes."
        )
    )
    yield Link(_("Read the report (PDF)"), frame.url("game-report", game.key, reader.locale))
    yield Link(_("Download the record"), frame.url("game-record", game.key))
    yield Link(_("See the ladder"), frame.url("ladder", game.title))


def _seat(seat: Seat, reader: Reader) -> str:
    return frame.seat_name(seat.game, seat.index, reader.locale)
