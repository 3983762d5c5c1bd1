"""The book of a game as HTML: what WeasyPrint gets. Templates only place what is worded and counted here."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from django.template.loader import render_to_string
from django.utils import formats, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.contract import Locale
from postspiel.play.models import Game
from postspiel.play.rendering import as_html
from postspiel.reports.book import Book, Chapter, gather
from tournaments.selectors import Change, Opponent

type Context = dict[str, object]

_DAYS = {"en": "j F Y", "de": "j. F Y"}
_MARKS = {"en": "j M", "de": "j. n."}
_TIMES = {"en": "j M Y, H:i", "de": "j.n.Y, H:i"}
_MINUS = "\N{MINUS SIGN}"


def html(game: Game, locale: Locale) -> str:
    """The whole book of an ended game in one language. NotOver if it is not over."""
    with translation.override(locale):
        book = gather(game, locale)
        return render_to_string("report/book.html", context(book))


def record_name(game: Game) -> str:
    """What the attached record is called."""
    return f"postspiel-{game.key}.json"


def context(book: Book) -> Context:
    """What the templates place. The book's language must be active."""
    ended = book.game.ended
    return {
        "book": book,
        "author": "Postspiel",
        "description": _("A game of %(title)s, turn by turn") % {"title": book.title},
        "ended_stamp": ended.isoformat(timespec="seconds") if ended else "",
        "kind_of_book": _("A game of %(title)s, turn by turn") % {"title": book.title},
        "won": _won(book),
        "dates": _dates(book),
        "mark": {"day": _day(book, ended, _MARKS), "year": _day(book, ended, {"en": "Y", "de": "Y"})},
        "facts": _facts(book),
        "chapters": [_chapter(book, chapter) for chapter in book.chapters],
        "final": as_html(book.final.blocks, "pdf"),
        "changes": [_change(change) for change in book.changes],
        **_proof(book),
    }


# --- cover and result -------------------------------------------------------------------------------------------------


def _won(book: Book) -> str:
    if not book.winners:
        return _("The game ended without a winner.")
    names = _and(book.winners)
    return ngettext("Won by %(names)s", "Won together by %(names)s", len(book.winners)) % {"names": names}


def _and(names: tuple[str, ...]) -> str:
    *some, last = names
    return _("%(some)s and %(last)s") % {"some": ", ".join(some), "last": last} if some else last


def _dates(book: Book) -> str:
    days = {"started": _day(book, book.game.started), "ended": _day(book, book.game.ended)}
    if days["started"] == days["ended"]:
        return _("Played on %(ended)s") % days
    return _("Played from %(started)s to %(ended)s") % days


def _day(book: Book, when: datetime | None, how: dict[str, str] = _DAYS) -> str:
    return formats.date_format(when.astimezone(book.zone), how[book.locale]) if when else ""


def _facts(book: Book) -> list[tuple[str, str]]:
    hours = book.game.schedule.get("hours")
    facts = [
        (_("Started"), _moment(book, book.game.started)),
        (_("Ended"), _moment(book, book.game.ended)),
        (_("Turns"), str(book.turns)),
        (_("Organised by"), book.game.organiser.public_name),
    ]
    if hours:
        pace = ngettext("%(hours)s hour a turn", "%(hours)s hours a turn", hours) % {"hours": hours}
        facts.insert(3, (_("Pace"), pace))
    return facts


def _moment(book: Book, when: datetime | None) -> str:
    return formats.date_format(when.astimezone(book.zone), _TIMES[book.locale]) if when else ""


# --- turn by turn -----------------------------------------------------------------------------------------------------


def _chapter(book: Book, chapter: Chapter) -> Context:
    return {
        "number": chapter.number,
        "heading": chapter.heading,
        "closed": _moment(book, chapter.closed),
        "story": as_html(chapter.story, "pdf"),
        "said": as_html(chapter.said, "pdf"),
        "picture": as_html((chapter.picture,), "pdf") if chapter.picture else "",
    }


# --- ratings ----------------------------------------------------------------------------------------------------------


def _change(change: Change) -> Context:
    way: Literal["up", "down", ""] = "up" if change.points > 0 else "down" if change.points < 0 else ""
    return {
        "name": change.name,
        "before": change.before,
        "after": change.after,
        "points": _signed(change.points),
        "way": way,
        "reason": _("%(name)s: %(points)s with K %(k)s")
        % {"name": change.name, "points": _signed(change.points), "k": change.k},
        "pairs": [_pair(pair) for pair in change.pairs],
    }


def _pair(pair: Opponent) -> str:
    said = {
        "name": pair.name,
        "rating": pair.rating,
        "score": {1.0: "1", 0.5: "½"}.get(pair.score, "0"),
        "expected": formats.number_format(pair.expected, 2),
        "points": _signed(pair.points),
    }
    return _("against %(name)s (%(rating)s): %(score)s, expected %(expected)s, %(points)s") % said


def _signed(points: float) -> str:
    size = formats.number_format(abs(points), 1)
    return f"{'+' if points >= 0 else _MINUS}{size}"


# --- proof ------------------------------------------------------------------------------------------------------------


def _proof(book: Book) -> Context:
    name = record_name(book.game)
    sha = f"import hashlib; print(hashlib.sha256(bytes.fromhex('{book.seed}')).hexdigest())"
    zone = _("All times in this book are times of %(zone)s.") % {"zone": book.zone.key}
    return {
        "record_name": name,
        "one_liner": f'python3 -c "{sha}"',
        "verify_command": f"python manage.py verify {name}",
        "colophon": " ".join((zone, _("Set by Postspiel in Linux Libertine."))),
    }
