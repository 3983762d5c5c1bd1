"""The mail that tells who runs games, or the whole server, that the outage brake took hold."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.contract import Heading, Text
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play import holds, roles, times
from postspiel.play.mails import frame
from postspiel.play.models import Game, Hold
from postspiel.play.rendering import Link, Piece


def held_back(outgoing: Outgoing) -> Letter:
    """The mail about a hold: what was seen, what was done, how it is released."""
    hold = Hold.objects.select_related("game").get(pk=outgoing.data["hold"])
    pieces = (Heading(subject(hold)), Text(holds.why(hold)), *_done(hold, outgoing))
    return frame.plain_letter(subject(hold), pieces)


def still_due(outgoing: Outgoing) -> bool:
    """A hold that was released meanwhile is no news."""
    return Hold.objects.filter(pk=outgoing.data["hold"], released=None).exists()


def subject(hold: Hold) -> str:
    """Say in a line what a hold does."""
    return _("Your games got more time") if hold.game_id else _("No turn is played for now")


def _done(hold: Hold, outgoing: Outgoing) -> Iterator[Piece]:
    if hold.game_id is None:
        yield Text(_("No turn is resolved and nobody is reminded. Orders are taken as always, and nobody is late."))
        yield from _by_host(hold, outgoing)
        return
    same = Hold.objects.filter(reason=hold.reason, since=hold.since, released=None, game__isnull=False)
    count = same.count() if outgoing.recipient is None else _mine(hold, outgoing)
    told = ngettext("The deadline of %(count)d game was moved.", "The deadlines of %(count)d games were moved.", count)
    yield Text(told % {"count": count})
    yield Text(_("The players are told. If a game does not need that time, let it go on from your page."))
    yield Link(_("Your games"), frame.url("organiser"))


def _mine(hold: Hold, outgoing: Outgoing) -> int:
    assert outgoing.recipient is not None  # noqa: S101 - asked for before
    mine = Game.objects.filter(roles.runs(outgoing.recipient))
    return Hold.objects.filter(reason=hold.reason, since=hold.since, released=None, game__in=mine).count()


def _by_host(hold: Hold, outgoing: Outgoing) -> Iterator[Piece]:
    if hold.reason == Hold.Reason.CLOCK:
        reader = frame.reader_of(outgoing)
        when = times.moment(hold.since, reader.zone, reader.locale)
        right = _("The clock was right for the last time on %(time)s. If it comes right, games go on by themselves.")
        yield Text(right % {"time": when})
    if outgoing.recipient is not None and outgoing.recipient.is_superuser:
        yield Text(_("When you have seen to it, let games go on from your page or by “manage.py hold release”."))
        yield Link(_("Your games"), f"{settings.POSTSPIEL_URL}/organiser/")
    else:
        yield Text(_("The host is told; you need not do anything."))
