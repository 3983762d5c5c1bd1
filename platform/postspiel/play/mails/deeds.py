"""The mail about something that was done to a game: paused, taken back, a player removed, a message, ..."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.engine.contract import Heading, Items, Text
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import deeds
from postspiel.play.mails import frame, rows
from postspiel.play.models import Act
from postspiel.play.rendering import Folded, Link, Piece


def act(outgoing: Outgoing) -> Letter:
    """Tell one reader what was done, by whom and why."""
    reader = frame.reader_of(outgoing)
    done = Act.objects.select_related("game__organiser", "who").get(pk=outgoing.data["act"])
    game, title = done.game, deeds.title_of(done)
    pieces = (
        Heading(_("%(game)s: %(what)s") % {"game": game.name, "what": title}),
        Text(deeds.sentence(done, reader.zone, reader.locale)),
        *_said(done),
        *_facts(done),
        Link(_("Open the game"), frame.url("game", game.key)),
    )
    subject = frame.subject(game, title)
    if outgoing.object_id is None:
        foot = _("You get this mail because it concerns a game that you organise or played in.")
        return frame.letter(subject=subject, pieces=pieces, game=game, foot=foot, is_order=frame.order_test(game))
    return frame.seat_letter(subject, pieces, rows.seat_of(outgoing), reader.locale)


def _said(done: Act) -> Iterator[Piece]:
    """Bring the text of a message, or the lines that were handed in for the reader."""
    text = str(done.data.get("text", ""))
    if text and done.kind == "acted-for":
        yield Folded(_("The lines:"), tuple(text.splitlines()))
        yield Text(_("You may change them as you may your own, until the deadline."))
    elif text:
        yield from (Text(part.strip()) for part in text.split("\n\n") if part.strip())


def _facts(done: Act) -> Iterator[Piece]:
    who, why = deeds.by(done), str(done.data.get("why", ""))
    facts = ([_("By: %(name)s") % {"name": who}] if who else []) + (
        [_("Reason: %(why)s") % {"why": why}] if why else []
    )
    if facts:
        yield Items(tuple(facts))
