"""What was done to a game, in words: one sentence for each act, the same in its mail and on the game's page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from games.engine.contract import Locale
from postspiel.accounts.models import User
from postspiel.play import positions, times
from postspiel.play.models import Act, DeadlineChange, Game

SHOWN = (
    "started",
    "paused",
    "resumed",
    "extended",
    "prolonged",
    "forced",
    "rolled-back",
    "removed",
    "replaced",
    "swapped",
    "resigned",
    "seat-opened",
    "taken-over",
    "reclaimed",
    "ended-early",
    "ended-by-vote",
    "annulled",
    "acted-for",
    "bot",
    "assistant",
    "assistant-left",
)
"""The acts that everybody who may see the game may read of; what players vote and write is not among them."""

WITH_NAME = (frozenset(SHOWN) | {"message"}) - {"started", "resigned", "seat-opened", "taken-over", "reclaimed"}
"""Acts beside which their author is named: he runs the game, so that this gives nobody away who plays."""

MOST = 20
"""So many of the last acts stand on a game's page."""


@dataclass(frozen=True, slots=True)
class Done:
    """One act as everybody reads it: when, what, by whom ("" where nobody is named) and why ("" without a reason)."""

    made: datetime
    text: str
    who: str
    why: str


def done(game: Game, reader: User) -> list[Done]:
    """Return what was done with a game, the last first, in the active language and the reader's zone. One query."""
    rows = game.acts.filter(kind__in=SHOWN).select_related("who").order_by("-pk")[:MOST]
    locale = positions.locale_or(reader.locale, None)
    return [_done(row, game, reader.zone, locale) for row in rows]


def title_of(act: Act) -> str:
    """Return what happened, short enough for a subject and a heading."""
    known = {
        "paused": _("the game is paused"),
        "resumed": _("the game goes on"),
        "forced": _("a turn was ended"),
        "rolled-back": _("the game was taken back"),
        "removed": _("a player was removed"),
        "swapped": _("seats were swapped"),
        "ended-early": _("the game was ended"),
        "annulled": _("the game was annulled"),
        "acted-for": _("orders were handed in for you"),
        "message": _("a message from the organiser"),
    }
    return known.get(act.kind, act.game.name)


def sentence(act: Act, zone: ZoneInfo, locale: Locale) -> str:
    """Return one sentence that says what was done, in the active language, with moments in the reader's zone."""
    data = act.data
    facts = {
        "turn": data.get("turn", ""),
        "hours": data.get("hours", ""),
        "before": _moment(data.get("before"), zone, locale),
        "after": _moment(data.get("after"), zone, locale),
        "seat": _seats(act.game, data, locale),
        "user": data.get("user", ""),
    }
    return _sentences().get(act.kind, act.kind) % facts


def why_moved(change: DeadlineChange) -> str:
    """Return why a deadline was moved, in the active language. Of an absence nobody is told whose it is."""
    said = {
        DeadlineChange.Cause.ABSENCE: _("somebody for whom the turn would wait is away"),
        DeadlineChange.Cause.REPLACEMENT: _("somebody has taken over a seat and needs time to read"),
        DeadlineChange.Cause.OUTAGE: _("the server was away for a while; you get that time back, a day at most"),
        DeadlineChange.Cause.CLOCK: _("the server's clock was wrong; you get the time back, a day at most"),
        DeadlineChange.Cause.BOUNCES: _("mail from this server came back from many people; you get the time back"),
        DeadlineChange.Cause.SILENCE: _("most players were silent at once, so something may be wrong with the mail"),
        DeadlineChange.Cause.RELEASE: _("nobody needs the time that was given back, so the turn ends now"),
    }
    return said.get(DeadlineChange.Cause(change.cause), change.why)


def by(act: Act) -> str:
    """Return who did it; "" where nobody in particular did, or where that would name a player."""
    return act.who.public_name if act.who and act.kind in WITH_NAME else ""


def _done(act: Act, game: Game, zone: ZoneInfo, locale: Locale) -> Done:
    act.game = game
    return Done(act.made, sentence(act, zone, locale), by(act), str(act.data.get("why", "")))


def _sentences() -> dict[str, str]:
    return {
        "started": _("The game began."),
        "paused": _("The game is paused: its time stands still. Orders may be given, and no turn is resolved."),
        "resumed": _("The game goes on. The time that it stood still is given back: the deadline is %(after)s."),
        "extended": _("The deadline of turn %(turn)s was moved by %(hours)s hours."),
        "prolonged": _("All players wanted more time for turn %(turn)s: the deadline is %(after)s."),
        "forced": _("Turn %(turn)s was ended before its deadline (%(before)s), with the orders that were there."),
        "rolled-back": _(
            "The game was taken back to the beginning of turn %(turn)s. What was played since no longer counts, but is "
            "kept in the record. What had been handed in for that turn is on file again."
        ),
        "removed": _("Who played %(seat)s was removed from the game; the seat is open."),
        "replaced": _("Somebody else plays %(seat)s from now on, as the organiser decided."),
        "swapped": _("The players of %(seat)s changed places."),
        "resigned": _("Who played %(seat)s left the game; the seat is open."),
        "seat-opened": _("Who played %(seat)s has missed too many turns; the seat is open."),
        "taken-over": _("%(seat)s has a player again."),
        "reclaimed": _("Who played %(seat)s has come back."),
        "ended-early": _("The organiser ended the game in turn %(turn)s. Nobody has won."),
        "ended-by-vote": _("All players agreed to end the game. Nobody has won."),
        "annulled": _("The game was annulled: it counts for no ladder."),
        "acted-for": _("The organiser handed in orders for %(seat)s in turn %(turn)s."),
        "message": _("Who organises the game writes:"),
        "bot": _("A bot plays %(seat)s."),
        "assistant": _("%(user)s helps to organise the game."),
        "assistant-left": _("%(user)s no longer helps to organise the game."),
    }


def _seats(game: Game, data: dict[str, object], locale: Locale) -> str:
    """Name the seats of an act: its ``seat``, or those that were swapped."""
    written = str(data.get("seat", data.get("before", "")))
    indices = [int(one) for one in written.split(",") if one.isdecimal() and int(one) < game.size]
    title = positions.title_of(game)
    names = title.names(positions.options_of(game))
    return ", ".join(names[title.about.seats[index]][locale][0] for index in indices)


def _moment(written: object, zone: ZoneInfo, locale: Locale) -> str:
    try:
        return times.moment(datetime.fromisoformat(str(written)), zone, locale)
    except ValueError:
        return ""
