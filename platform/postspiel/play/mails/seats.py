"""Mails about a seat that changes hands: lost, offered to who stands by, taken over, and the news to all others."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.engine.contract import Heading, Items, Text
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import anonymity, selectors, standing_by
from postspiel.play.mails import frame, rows, turns
from postspiel.play.models import Game, Seat
from postspiel.play.rendering import Link, Piece


def lost(outgoing: Outgoing) -> Letter:
    """The mail to who lost his seat: why, and how he comes back."""
    seat = rows.seat_of(outgoing)
    names = _names(outgoing, seat)
    missed = outgoing.data["why"] == "missed"
    back = _("You are welcome back: as long as nobody has taken the seat over, you can take it again by one click.")
    pieces = (
        Heading(_("You have lost your seat")),
        Text(
            _("You have missed so many turns of “%(game)s” in a row that %(seat)s now waits for another player.")
            % names
            if missed
            else _("The organiser of “%(game)s” has taken %(seat)s from you.") % names
        ),
        *_reason(outgoing),
        Text(_("What you had ordered is not carried out any more. Mail to the seat's address is no longer read.")),
        *((Text(back), Link(_("Come back"), _seat_url(seat))) if missed else ()),
    )
    return frame.letter(subject=frame.subject(seat.game, _("your seat")), pieces=pieces, game=seat.game)


def offered(outgoing: Outgoing) -> Letter:
    """The mail to who stands by, or is asked by name: a seat waits. It tells nothing but what a watcher sees."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    names = _names(outgoing, seat) | {"title": frame.title_name(seat.game, reader.locale)}
    turn = selectors.open_turn(seat.game)
    number = turn.number if turn else 0
    pieces = (
        Heading(_("A seat waits for you")),
        Text(_("In “%(game)s”, a game of %(title)s, %(seat)s has no player any more.") % names),
        Text(_("The game is in turn %(number)d. Who comes first gets the seat.") % {"number": number}),
        Link(_("Look, and take it over"), _seat_url(seat)),
        *_because(seat, outgoing, names),
    )
    return frame.letter(subject=frame.subject(seat.game, _("a seat waits")), pieces=pieces, game=seat.game)


def taken(outgoing: Outgoing) -> Letter:
    """The mail to who has taken a seat over: all that he needs to play on."""
    seat = rows.seat_of(outgoing)
    welcome = (
        Heading(_("%(seat)s is yours") % _names(outgoing, seat)),
        Text(
            _(
                "Here is the position as your seat sees it. On the page of the game stands all that the seat has been "
                "told from the beginning, its press included. Its addresses are new; orders of its former player do "
                "not count."
            )
        ),
    )
    return turns.with_position(outgoing, welcome)


def news(outgoing: Outgoing) -> Letter:
    """The mail to all others of a game: a seat has lost its player, or has a new one."""
    seat = Seat.objects.select_related("game", "player").get(pk=outgoing.data["seat"])
    names = _names(outgoing, seat)
    if outgoing.data["what"] == "left":
        heading, text = _("%(seat)s has lost its player") % names, _left(seat) % names
    else:
        heading, text = _("%(seat)s has a player again") % names, _came(outgoing, seat) % names
    link = Link(_("Open the game"), frame.url("game", seat.game.key))
    pieces = (Heading(heading), Text(text), *_reason(outgoing), link)
    subject = frame.subject(seat.game, heading)
    own = rows.seat_of(outgoing)
    if own.pk == seat.pk:
        foot = _("You get this mail because you organise this game.")
        return frame.letter(subject=subject, pieces=pieces, game=seat.game, foot=foot)
    return frame.seat_letter(subject, pieces, own, frame.reader_of(outgoing).locale)


def offered_still_due(outgoing: Outgoing) -> bool:
    """Only as long as the same seat waits, and the reader stands by or was asked by name."""
    seat, reader = rows.seat_of(outgoing), outgoing.recipient
    waits = seat.game.status == Game.Status.RUNNING and str(seat.vacant) == outgoing.data["vacant"]
    return waits and reader is not None and reader.is_active and standing_by.is_called(seat, reader)


def news_still_due(outgoing: Outgoing) -> bool:
    """Only while the game runs, and the reader's seat is his."""
    own = rows.seat_of(outgoing)
    mine = own.pk == outgoing.data["seat"] or own.player_id == outgoing.recipient_id
    return mine and own.game.status == Game.Status.RUNNING


def _because(seat: Seat, outgoing: Outgoing, names: dict[str, str]) -> tuple[Piece, ...]:
    """Say why the reader is asked, and how he is not any more."""
    if outgoing.recipient is not None and standing_by.is_named(seat, outgoing.recipient):
        return (Text(_("You get this mail because who organises the game asks you.")),)
    why = Text(_("You get this mail because you stand by for %(title)s.") % names)
    return (why, Link(_("Stand by no longer"), frame.url("stand-by")))


def _reason(outgoing: Outgoing) -> tuple[Piece, ...]:
    why = str(outgoing.data.get("reason", ""))
    return (Items((_("Reason: %(why)s") % {"why": why},)),) if why else ()


def _left(seat: Seat) -> str:
    if seat.bot:
        return _("Until somebody takes the seat over, the bot %(bot)s plays it.")
    return _("Until somebody takes the seat over, the rules' defaults play it.")


def _came(outgoing: Outgoing, seat: Seat) -> str:
    if seat.player is not None and anonymity.knows_players(seat.game, outgoing.recipient):
        return _("%(player)s plays it from now on.")
    return _("Somebody plays it from now on.")


def _names(outgoing: Outgoing, seat: Seat) -> dict[str, str]:
    name = frame.seat_name(seat.game, seat.index, frame.reader_of(outgoing).locale)
    known = seat.player if seat.player and anonymity.knows_players(seat.game, outgoing.recipient) else None
    player = known.public_name if known else ""
    return {"game": seat.game.name, "seat": name, "bot": seat.bot, "player": player}


def _seat_url(seat: Seat) -> str:
    return frame.url("game-seat", seat.game.key, seat.index)
