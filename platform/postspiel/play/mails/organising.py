"""Mails to who runs a game, its organiser or an assistant: answers to commands, questions, what can be written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games.engine.contract import Copy, Heading, Items, Text
from postspiel.accounts.models import User
from postspiel.mail.letters import Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import anonymity, commands, roles, selectors, times
from postspiel.play.mails import codes, frame, rows
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Game, Seat
from postspiel.play.rendering import Folded, Link, Piece, Said

PURPOSE = "organise"


def answer(outgoing: Outgoing) -> Letter:
    """What became of an organiser's commands, and what he asked to see."""
    game, data = _game(outgoing), outgoing.data
    nothing = not data["said"] and not data["show"]
    pieces = (
        Heading(game.name),
        *([Items(tuple(data["said"]))] if data["said"] else []),
        *_shown(game, outgoing, data),
        *([Text(_("No command was found in your mail."), tone="strong"), *_help(outgoing)] if nothing else []),
        *([Folded(_("These lines of your mail are no commands:"), tuple(data["ignored"]))] if data["ignored"] else []),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    return letter(outgoing, game, _("your commands"), pieces)


def help_page(outgoing: Outgoing) -> Letter:
    """What an organiser can write to the address that this mail comes from."""
    game = _game(outgoing)
    pieces = (
        Heading(_("Organising “%(game)s” by mail") % {"game": game.name}),
        Text(_("Answer this mail, or write to its sender from an address that you have confirmed.")),
        *_help(outgoing),
        Text(
            _(
                "If our mail server cannot be sure that you wrote a mail, you are asked at your registered address "
                "before anything happens. Keep the address to yourself."
            )
        ),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    return letter(outgoing, game, _("commands by mail"), pieces)


def held(outgoing: Outgoing) -> Letter:
    """The question whether a mail with an organiser's commands is his."""
    game, data = _game(outgoing), outgoing.data
    pieces = (
        Heading(_("Is this mail yours?")),
        Text(
            _("A mail with commands for this game came from %(sender)s. It is not sure that you wrote it.")
            % {"sender": data["sender"] or _("an unreadable address")}
        ),
        Said(_("It says:"), tuple(data["text"].splitlines()[:20])),
        Text(_("If you want it carried out, answer this mail with this code alone on a line:")),
        Copy((codes.code(PURPOSE, data["incoming"]),)),
        *frame.confirm_link(outgoing),
        Text(_("If not, do nothing: it will never be carried out.")),
    )
    return letter(outgoing, game, _("please confirm a mail"), pieces)


def held_still_due(outgoing: Outgoing) -> bool:
    """Only while the mail is still held, and the game still the reader's."""
    waits = Incoming.objects.filter(pk=outgoing.data["incoming"], verdict=Incoming.Verdict.HELD).exists()
    return waits and roles.may_command(_game(outgoing), outgoing.recipient)


def player_mail(outgoing: Outgoing) -> Letter:
    """What is the matter with a player's mail: he may be away, gets none, or sends many without orders."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    game = seat.game
    who = {"who": _late(game, seat, reader, knows=anonymity.knows_players(game, outgoing.recipient))}
    told = {
        "away": _("A machine answered our mail to %(who)s: perhaps with a note of absence.") % who,
        "challenge": _(
            "The mailbox of %(who)s wants whoever writes to click on a link first. No machine can do that, so our "
            "mails may not arrive there."
        )
        % who,
        "silent": _(
            "So many mails of %(who)s had no orders that the next ones are not answered for a while. Mails with orders "
            "still are. Perhaps two machines write to each other."
        )
        % who,
    }
    what = {"away": _("a player may be away"), "challenge": _("a player's mail"), "silent": _("a player's mail")}
    pieces = (
        Heading(game.name),
        Text(told[outgoing.data["what"]]),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    return letter(outgoing, game, what[outgoing.data["what"]], pieces)


def letter(outgoing: Outgoing, game: Game, what: str, pieces: tuple[Piece, ...]) -> Letter:
    """Return a letter to the organiser of a game, or to an assistant."""
    mine = outgoing.recipient_id == game.organiser_id
    foot = (
        _("You get this mail because you organise this game.")
        if mine
        else _("You get this mail because you help to organise this game.")
    )
    return frame.letter(subject=frame.subject(game, what), pieces=pieces, game=game, foot=foot)


def _game(outgoing: Outgoing) -> Game:
    return Game.objects.select_related("organiser").get(pk=outgoing.object_id or 0)


def _shown(game: Game, outgoing: Outgoing, data: dict[str, Any]) -> Iterator[Piece]:
    reader = frame.reader_of(outgoing)
    if {"late", "status"} & set(data["show"]):
        yield from _standing(game, outgoing.recipient, reader)
    if "status" in data["show"]:
        page = selectors.position(game, None, reader.locale)
        if page is not None:
            yield Heading(page.title)
            yield from page.blocks
    if "help" in data["show"]:
        yield from _help(outgoing)


def _standing(game: Game, organiser: User | None, reader: Reader) -> Iterator[Piece]:
    """Tell the deadline, how many sheets are in, and, unless he plays himself, who is late."""
    turn = selectors.open_turn(game)
    if turn is None:
        yield Text(_("No turn is open just now."))
        return
    yield Heading(frame.turn_heading(turn), 3)
    yield Text(_("Deadline: %(deadline)s.") % {"deadline": times.deadline(turn, reader.zone, reader.locale)})
    handed, asked = selectors.sheets_in(turn)
    yield Text(_("%(handed)d of %(asked)d sheets are in.") % {"handed": handed, "asked": asked})
    if organiser is not None and selectors.seat_of(game, organiser) is not None:
        yield Text(_("You play yourself, so you are not told who is late."), tone="quiet")
    elif late := selectors.late_seats(turn):
        yield Text(_("Who owes orders and has handed in nothing:"))
        yield Items(tuple(_late(game, seat, reader) for seat in late))
    else:
        yield Text(_("Nobody is late."))


def _late(game: Game, seat: Seat, reader: Reader, *, knows: bool = True) -> str:
    name = frame.seat_name(game, seat.index, reader.locale)
    return f"{name} ({seat.player.public_name})" if seat.player and knows else name


def _help(outgoing: Outgoing) -> Iterator[Piece]:
    german = frame.reader_of(outgoing).locale == "de"
    said: dict[commands.Word, str] = {
        "extend": _("move the deadline by so many hours (“d” behind the number: days), and tell the players why"),
        "pause": _("let the game stand still"),
        "resume": _("let it go on, with the time given back"),
        "late": _("who owes orders and has handed in nothing"),
        "status": _("the same, and the position as everybody may see it"),
        "help": _("this list"),
    }
    example = {"extend": _("24 holidays"), "pause": _("holidays")}
    written = {word: f"{commands.WRITTEN[word][german]} {example.get(word, '')}".strip() for word in said}
    yield Text(_("Write one command on a line:"))
    yield Items(tuple(f"{written[word]}: {told}" for word, told in said.items()))
