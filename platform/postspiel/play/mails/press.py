"""Press in mails: composed anew, never forwarded (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games.engine.contract import Copy, Heading, Locale, Text
from postspiel.mail import services as mail_services
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import channels, selectors, times
from postspiel.play.mails import codes, frame, rows
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Game, Press, Seat, Turn
from postspiel.play.rendering import Link, Piece, Said


def press(outgoing: Outgoing) -> Letter:
    """The mail that brings one press to one seat."""
    reader = frame.reader_of(outgoing)
    seat = rows.seat_of(outgoing)
    one = Press.objects.select_related("seat", "game").get(pk=outgoing.data["press"])
    writer = frame.seat_name(seat.game, one.seat.index, reader.locale)
    pieces = (
        Heading(_("Press from %(seat)s") % {"seat": writer}),
        said(one, seat, reader),
        *_to_answer(one, seat, reader),
        Link(_("Open the game"), frame.url("game", seat.game.key)),
    )
    what = _("press from %(seat)s") % {"seat": writer}
    return frame.seat_letter(frame.subject(seat.game, what), pieces, seat, reader.locale)


def press_held(outgoing: Outgoing) -> Letter:
    """The question whether a press may name its writer in an anonymous game."""
    reader, seat = frame.reader_of(outgoing), rows.seat_of(outgoing)
    one = Press.objects.select_related("seat", "game").get(pk=outgoing.data["press"])
    pieces = (
        Heading(_("Your press names you")),
        Text(_("In this game nobody is to know who plays what. Your press gives you away, so it was not sent.")),
        said(one, seat, reader),
        Text(_("If you want it sent all the same, answer this mail with this code alone on a line:")),
        Copy((codes.code("press", one.pk),)),
        *frame.confirm_link(outgoing),
        Text(_("If not, do nothing, and send it again without your name.")),
    )
    return frame.seat_letter(frame.subject(seat.game, _("please confirm a press")), pieces, seat, reader.locale)


def press_held_still_due(outgoing: Outgoing) -> bool:
    """Only while the press waits, and the seat is still the reader's."""
    return Press.objects.filter(pk=outgoing.data["press"], held=True).exists() and still_due(outgoing)


def still_due(outgoing: Outgoing) -> bool:
    """Only while the seat is still the reader's."""
    return rows.seat_of(outgoing).player_id == outgoing.recipient_id


def since(seat: Seat, turn: Turn, reader: Reader) -> Iterator[Piece]:
    """Show the press that the seat wrote or got while the turn before was open."""
    before = selectors.before(turn)
    known = [one for one in selectors.press_for(turn.game, seat) if before and one.turn_id == before.pk]
    if known:
        yield Heading(_("Press since the last turn"))
        for row in known:
            yield said(row, seat, reader)


def _to_answer(one: Press, seat: Seat, reader: Reader) -> Iterator[Piece]:
    """Say how a press is answered: to its writer by answering, to all whom it went to by an address for that."""
    if seat.game.press_mode == Game.PressMode.PRIVATE:
        yield Text(how(seat.game, reader.locale), tone="quiet")
    others = None if one.to is None else sorted({one.seat.index, *one.to} - {seat.index})
    if others is None or len(others) > 1:
        yield Text(_("To answer all of them, write to this address; all of your text goes to them:"), tone="quiet")
        yield Copy((address(seat, others),))


def address(seat: Seat, to: Sequence[int] | None) -> str:
    """The address by which a seat writes press to these others (None: to everybody)."""
    names = "all" if to is None else "group" if len(to) > 1 else frame.seat_name(seat.game, to[0], "en")
    return mail_services.spell(channels.address_for(seat, to), names)


def said(one: Press, seat: Seat, reader: Reader) -> Said:
    """Show a press: from whom, to whom, when, and its text."""
    names = [frame.seat_name(seat.game, index, reader.locale) for index in (one.seat.index, *(one.to or ()))]
    when = times.moment(one.sent, reader.zone, reader.locale)
    about = {"from": names[0], "to": ", ".join(names[1:]), "time": when}
    head = _("%(from)s to %(to)s, %(time)s") if one.to is not None else _("%(from)s to everybody, %(time)s")
    return Said(head % about, tuple(one.text.splitlines()))


def how(game: Game, locale: Locale) -> str:
    """Explain how press is written by mail in a game; "" where there is none."""
    begins: dict[Locale, Sequence[str]] = {
        "en": ("press to NAME, NAME:", "press to all:", "end press"),
        "de": ("depesche an NAME, NAME:", "depesche an alle:", "ende depesche"),
    }
    single, everybody, end = begins[locale]
    begin = {"begin": everybody if game.press_mode == Game.PressMode.PUBLIC else single, "end": end}
    told = _(
        "To write to other players, answer any mail of this game: a line “%(begin)s”, then your text, then a line "
        "“%(end)s”."
    )
    answer = _("An answer to a press mail that is nothing but text goes to the writer of that press alone.")
    return {
        Game.PressMode.OFF: "",
        Game.PressMode.PUBLIC: told % begin,
        Game.PressMode.PRIVATE: f"{told % begin} {answer}",
    }[Game.PressMode(game.press_mode)]
