"""Mails that answer a player's mail with something else than a receipt: help, the position, his orders, a question."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.engine.contract import Copy, Heading, Text
from postspiel.mail import services as mail_services
from postspiel.mail.letters import Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import channels, selectors
from postspiel.play.mails import codes, frame, organising, press, rows, turns
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Game, Seat, Turn
from postspiel.play.rendering import Link, Piece, Said

MOST_LINES = 40
MOST_TURNS = 30


def help_page(outgoing: Outgoing) -> Letter:
    """The order language of the game's title on one page, and what else can be written."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    game = seat.game
    title = frame.title_name(game, reader.locale)
    pieces = (
        Heading(_("How orders are written in %(title)s") % {"title": title}),
        *frame.language_of(game).help(reader.locale),
        Link(_("Read the rules"), frame.url("title-rules", game.title)),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    return frame.seat_letter(frame.subject(game, _("help")), pieces, seat, reader.locale)


def status(outgoing: Outgoing) -> Letter:
    """The position as it stands now; of a game that does not run, how it stands."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    this = selectors.open_turn(seat.game)
    pieces = _position(seat, this, reader) if this else _not_running(seat.game)
    subject = frame.turn_subject(this, _("status")) if this else frame.subject(seat.game, _("status"))
    link = Link(_("Open the game"), frame.url("game", seat.game.key))
    return frame.seat_letter(subject, (*pieces, link), seat, reader.locale)


def orders(outgoing: Outgoing) -> Letter:
    """What the seat has in force for the open turn."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    this = selectors.open_turn(seat.game)
    pieces = _in_force(seat, this, reader) if this else _not_running(seat.game)
    subject = frame.turn_subject(this, _("your orders")) if this else frame.subject(seat.game, _("your orders"))
    link = Link(_("Open the game"), frame.url("game", seat.game.key))
    return frame.seat_letter(subject, (*pieces, link), seat, reader.locale)


def history(outgoing: Outgoing) -> Letter:
    """What happened turn by turn, as the seat may know it, the newest first; the page has what is too long."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    told = selectors.log(seat.game, seat, reader.locale)[::-1]
    pieces = (
        Heading(_("The story of “%(game)s”") % {"game": seat.game.name}),
        *(piece for one in told[:MOST_TURNS] for piece in _turn_told(one)),
        *([] if told else [Text(_("Nothing has happened yet."))]),
        *([Text(_("Earlier turns are on the page of the game."))] if len(told) > MOST_TURNS else []),
        Link(_("Open the game"), frame.url("game", seat.game.key)),
    )
    return frame.seat_letter(frame.subject(seat.game, _("history")), pieces, seat, reader.locale)


def _turn_told(one: selectors.TurnLog) -> Iterator[Piece]:
    number = {"number": one.turn.number}
    yield Heading(_("What happened in turn %(number)d") % number if one.turn.number else _("How the game began"))
    yield from one.blocks


def addresses(outgoing: Outgoing) -> Letter:
    """All addresses of a seat: for orders, and for press to each other seat and to everybody."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    pieces = (
        Heading(_("Your addresses in “%(game)s”") % {"game": seat.game.name}),
        Text(_("Keep them to yourself: who knows one may try to write in your name. Old ones are no longer read.")),
        Text(_("Orders and commands:")),
        Copy((mail_services.spell(mail_services.address_for("seat", seat.pk), "play"),)),
        *(piece for to in channels.offered(seat) for piece in _channel(seat, to, reader)),
        Link(_("Open the game"), frame.url("game", seat.game.key)),
    )
    return frame.seat_letter(frame.subject(seat.game, _("your addresses")), pieces, seat, reader.locale)


def _channel(seat: Seat, to: list[int] | None, reader: Reader) -> Iterator[Piece]:
    names = _("everybody") if to is None else frame.seat_name(seat.game, to[0], reader.locale)
    yield Text(_("Press to %(names)s; all of your text goes there:") % {"names": names})
    yield Copy((press.address(seat, to),))


def digest_answer(outgoing: Outgoing) -> Letter:
    """The answer to an answered digest: nothing was done, and where each of the reader's games is written to."""
    reader, subject = frame.reader_of(outgoing), _("Your answer to the digest reached no game")
    mine = [one for one in selectors.my_games(outgoing.recipient) if one.turn] if outgoing.recipient else []
    pieces = (
        Heading(subject),
        Text(_("A digest is about many games, so nothing in your answer was carried out."), tone="strong"),
        *(piece for one in mine for piece in _where(one.game, one.seat, reader)),
        Text(_("Orders can also be given on the page of the game.")) if mine else Text(_("You play no running game.")),
    )
    return frame.plain_letter(subject, pieces)


def _where(game: Game, seat: Seat, reader: Reader) -> Iterator[Piece]:
    yield Heading(game.name, 3)
    name = frame.seat_name(game, seat.index, reader.locale)
    address = mail_services.spell(mail_services.address_for("seat", seat.pk), "play")
    yield Text(_("Write orders for %(seat)s to this address:") % {"seat": name})
    yield Copy((address,))
    yield Link(_("Open the game"), frame.url("game", game.key))


def held(outgoing: Outgoing) -> Letter:
    """The question whether a mail counts that this server does not carry out unasked."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    data = outgoing.data
    asks = bool(data["text"].strip())
    mine = data["reason"] not in {"unknown-sender", "other-player", "sender-check", "no-token"}
    heading = (_("Do you mean this?") if mine else _("Is this mail yours?")) if asks else _("Nothing to carry out")
    pieces = (
        Heading(heading),
        Text(_doubt(data["reason"]) % {"sender": data["sender"] or _("an unreadable address")}),
        *(_question(outgoing) if asks else _nothing_to_ask()),
        *_add_address(data),
    )
    what = _("please confirm a mail") if asks else _("no orders found")
    return frame.seat_letter(frame.subject(seat.game, what), pieces, seat, reader.locale)


def _question(outgoing: Outgoing) -> Iterator[Piece]:
    lines = outgoing.data["text"].splitlines()
    yield Said(_("It says:"), (*lines[:MOST_LINES], "…") if len(lines) > MOST_LINES else tuple(lines))
    yield Text(_("If you want it carried out, answer this mail with this code alone on a line:"))
    yield Copy((codes.code("held", outgoing.data["incoming"]),))
    yield from frame.confirm_link(outgoing)
    yield Text(_("If not, do nothing: it will never be carried out."))
    yield Text(_("Your deadline does not wait for this. A confirmed mail counts from the moment it came in."))


def _nothing_to_ask() -> Iterator[Piece]:
    yield Text(_("Beside what it quotes or passes on it says nothing, so there is nothing to confirm."))
    yield Text(_("To give orders, write them above the quotation in an answer to this mail."))


def _add_address(data: dict[str, str]) -> Iterator[Piece]:
    """Say how a player makes an address his own, so that he is not asked again."""
    if data["reason"] == "unknown-sender" and data["sender"]:
        yield Text(_("If it is your address, add it to your profile; then mails from it count at once."))
        yield Link(_("Open your profile"), frame.url("profile"))


def _doubt(reason: str) -> str:
    """Return why a mail is held."""
    return {
        "unknown-sender": _(
            "A mail for your seat came from %(sender)s. That is no address of yours that we know, so nothing in it was "
            "carried out."
        ),
        "other-player": _(
            "A mail for your seat came from another player of this game, so nothing in it was carried out, and your "
            "secret address was renewed: please answer this mail or newer ones from now on."
        ),
        "sender-check": _(
            "A mail for your seat came under your address %(sender)s, but it could not be checked that you sent it. So "
            "nothing in it was carried out."
        ),
        "no-token": _(
            "A mail under your address %(sender)s answers a mail of your game, but did not come to your seat's own "
            "address, so nothing in it was carried out. If it is yours: please answer to the address in Reply-To."
        ),
        "edited-quote": _(
            "In your mail, orders inside the quotation of our mail were changed. That may be meant or an accident, so "
            "nothing was carried out."
        ),
        "forwarded": _(
            "You passed a mail on to us. What stands in the mail that you passed on never counts; whether the rest is "
            "meant for us is not clear, so nothing was carried out."
        ),
        "bodies-differ": _(
            "Your mail has two forms, plain text and HTML, and they have different orders. So nothing was carried out."
        ),
        "list": _(
            "A mail for your seat came through a mailing list, where others read the address of your seat. So nothing "
            "in it was carried out."
        ),
        "attachment": _(
            "A file attached to your mail has orders that the mail itself has not, so nothing was carried out."
        ),
        "garbled": _("At least one order in your mail was garbled on its way to us, so nothing in it was carried out."),
    }[reason]


def held_still_due(outgoing: Outgoing) -> bool:
    """Only while the mail is still held, and the seat still the reader's."""
    waits = Incoming.objects.filter(pk=outgoing.data["incoming"], verdict=Incoming.Verdict.HELD).exists()
    return waits and rows.seat_of(outgoing).player_id == outgoing.recipient_id


def resign_confirm(outgoing: Outgoing) -> Letter:
    """The question whether a player really wants to give his seat up."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    code = codes.code("resign", outgoing.event)
    pieces = (
        Heading(_("Do you want to leave this game?")),
        Text(
            _("You asked to give up %(seat)s in “%(game)s”. So far nothing has changed.")
            % {"seat": frame.seat_name(seat.game, seat.index, reader.locale), "game": seat.game.name}
        ),
        Text(_("To leave, answer this mail with this code alone on a line:")),
        Copy((code,)),
        *frame.confirm_link(outgoing),
        Text(_("To stay, do nothing.")),
    )
    return frame.seat_letter(frame.subject(seat.game, _("please confirm")), pieces, seat, reader.locale)


def resigned(outgoing: Outgoing) -> Letter:
    """The mail that says that a seat was given up."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    pieces = (
        Heading(_("You have left this game")),
        Text(
            _("%(seat)s in “%(game)s” is no longer yours. Mail to its address is no longer read.")
            % {"seat": frame.seat_name(seat.game, seat.index, reader.locale), "game": seat.game.name}
        ),
        Text(_("Thank you for saying so instead of staying silent; the others can play on.")),
    )
    subject = frame.subject(seat.game, _("you have left"))
    return frame.letter(subject=subject, pieces=pieces, game=seat.game)


def refused(outgoing: Outgoing) -> Letter:
    """The one answer to mail for a seat that is no longer its writer's; it shows nothing of the game."""
    seat = rows.seat_of(outgoing)
    pieces = (
        Heading(_("This address is no longer yours")),
        Text(
            _("Your mail to “%(game)s” was not read: you no longer play there, or the address was renewed.")
            % {"game": seat.game.name}
        ),
        Text(_("If you still play, answer the newest mail of that game instead.")),
    )
    return frame.letter(subject=frame.subject(seat.game, _("not read")), pieces=pieces, game=seat.game)


def alarm(outgoing: Outgoing) -> Letter:
    """Tell an organiser that a player's secret address is known to another player, and was renewed."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    names = {
        "seat": frame.seat_name(seat.game, seat.index, reader.locale),
        "other": frame.seat_name(seat.game, outgoing.data["other"], reader.locale),
    }
    pieces = (
        Heading(_("A mail came to the wrong seat's address")),
        Text(_("%(other)s wrote to the secret address of %(seat)s. Nothing in that mail was carried out.") % names),
        Text(_("It may be a mistake, such as an answer to a mail that was passed on.")),
        Text(_("The address was renewed; both go on playing.")),
        Link(_("Open the game"), frame.url("game", seat.game.key)),
    )
    return organising.letter(outgoing, seat.game, _("a wrong sender"), pieces)


def _position(seat: Seat, this: Turn, reader: Reader) -> Iterator[Piece]:
    sheet = rows.sheet_of(seat, this)
    page = selectors.position_at(this, seat, reader.locale)
    yield Heading(frame.turn_heading(this))
    yield from turns.due(this, sheet, reader)
    yield Heading(page.title)
    yield from turns.ready_to_copy(page.blocks, reader.locale)
    yield from turns.on_file(sheet, reader.locale)


def _in_force(seat: Seat, this: Turn, reader: Reader) -> Iterator[Piece]:
    sheet = rows.sheet_of(seat, this)
    yield Heading(frame.turn_heading(this))
    yield from turns.due(this, sheet, reader)
    yield from turns.on_file(sheet, reader.locale)


def _not_running(game: Game) -> Iterator[Piece]:
    sentences = {
        Game.Status.OPEN: _("This game has not begun yet."),
        Game.Status.ENDED: _("This game has ended."),
        Game.Status.CANCELLED: _("This game was called off."),
    }
    yield Heading(game.name)
    yield Text(sentences.get(Game.Status(game.status), _("No turn is open just now.")))
