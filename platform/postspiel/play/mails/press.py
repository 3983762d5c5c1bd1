"""Press in mails: composed anew, never forwarded (DESIGN section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games.engine.contract import Heading, Locale, Text
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, times
from postspiel.play.mails import frame, rows
from postspiel.play.mails.frame import Reader
from postspiel.play.models import Press, Seat, Turn
from postspiel.play.rendering import Link, Piece, Said

_SECRET_ADDRESS = re.compile(r"[\w.+-]*[a-z2-7]{26}@[\w.-]+", re.IGNORECASE)


def press(outgoing: Outgoing) -> Letter:
    """The mail that brings one press to one seat."""
    reader = frame.reader_of(outgoing)
    seat = rows.seat_of(outgoing)
    one = Press.objects.select_related("seat", "game").get(pk=outgoing.data["press"])
    writer = frame.seat_name(seat.game, one.seat.index, reader.locale)
    pieces = (
        Heading(_("Press from %(seat)s") % {"seat": writer}),
        said(one, seat, reader),
        Text(how(reader.locale), tone="quiet"),
        Link(_("Open the game"), frame.url("game", seat.game.key)),
    )
    what = _("press from %(seat)s") % {"seat": writer}
    return frame.seat_letter(frame.subject(seat.game, what), pieces, seat, reader.locale)


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


def said(one: Press, seat: Seat, reader: Reader) -> Said:
    """Show a press: from whom, to whom, when, and its text without addresses that are keys."""
    names = [frame.seat_name(seat.game, index, reader.locale) for index in (one.seat.index, *(one.to or ()))]
    when = times.moment(one.sent, reader.zone, reader.locale)
    about = {"from": names[0], "to": ", ".join(names[1:]), "time": when}
    head = _("%(from)s to %(to)s, %(time)s") if one.to is not None else _("%(from)s to everybody, %(time)s")
    return Said(head % about, tuple(scrubbed(one.text).splitlines()))


def scrubbed(text: str) -> str:
    """Return a text without reply addresses: who knows one could write in its owner's name."""
    return _SECRET_ADDRESS.sub("(…)", text)


def how(locale: Locale) -> str:
    """Explain how press is written by mail."""
    example: dict[Locale, Sequence[str]] = {
        "en": ("press to NAME, NAME:", "end press"),
        "de": ("depesche an NAME, NAME:", "ende depesche"),
    }
    begin, end = example[locale]
    return _(
        "To write to other players, answer any mail of this game: a line “%(begin)s”, then your text, then a line "
        "“%(end)s”. An answer to a press mail that is nothing but text goes to the writer of that press alone."
    ) % {"begin": begin, "end": end}
