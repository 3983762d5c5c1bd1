"""What all letters about games share: the reader's language and zone, the frame around the matter, links, subjects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.engine import controls
from games.engine.contract import Locale, Text
from games.engine.controls import Control
from games.engine.language import Language, language
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.mail.reading.judging import means_something
from postspiel.play import positions, questions, selectors
from postspiel.play.models import Game, Seat, Turn
from postspiel.play.rendering import IsOrder, Link, Piece, as_html, as_text

_LONGEST_NAME = 40


class Reader(NamedTuple):
    """Who reads a letter: his language and his time zone."""

    locale: Locale
    zone: ZoneInfo


def reader_of(outgoing: Outgoing) -> Reader:
    """Return who reads a mail. The outbox has made his language and zone the active ones; titles want them by name."""
    person = outgoing.recipient
    zone = person.zone if person else ZoneInfo(settings.TIME_ZONE)
    return Reader(positions.locale_or(person.locale if person else None, settings.LANGUAGE_CODE), zone)


def plain_letter(subject: str, pieces: Iterable[Piece]) -> Letter:
    """Return a letter that is about no single game."""
    return _framed(subject, pieces, sender="", foot="", is_order=None)


def letter(
    *, subject: str, pieces: Iterable[Piece], game: Game, foot: str = "", is_order: IsOrder | None = None
) -> Letter:
    """Put a frame around what a letter says. `is_order` keeps its prose from being read as orders when it is quoted."""
    return _framed(subject, pieces, sender=short(game.name), foot=foot, is_order=is_order)


def _framed(subject: str, pieces: Iterable[Piece], *, sender: str, foot: str, is_order: IsOrder | None) -> Letter:
    pieces = tuple(pieces)
    about = {"foot": foot or _("Postspiel: games by mail.")}
    text = as_text(pieces, is_order=is_order)
    body = as_html(pieces, "mail")
    html = {**about, "body": body, "subject": subject, "locale": translation.get_language()}
    return Letter(
        subject=subject,
        text=render_to_string("mail/letter.txt", {**about, "body": text}),
        html=render_to_string("mail/letter.html", html),
        sender=sender,
        inner=text,
        inner_html=body,
    )


def seat_letter(subject: str, pieces: Iterable[Piece], seat: Seat, locale: Locale) -> Letter:
    """Return a letter to who holds a seat."""
    return letter(
        subject=subject,
        pieces=pieces,
        game=seat.game,
        foot=_foot(seat, locale),
        is_order=order_test(seat.game),
    )


def order_test(game: Game) -> IsOrder:
    """Return whether a line means anything to the game's order language."""
    return means_something(language_of(game))


def language_of(game: Game) -> Language:
    """Return the game's order language."""
    return language(positions.title_of(game), positions.options_of(game))


def control(word: str, locale: Locale) -> str:
    """Return how a control word (done, help, ...) is written."""
    return controls.written(Control(word), locale)


def confirm_link(outgoing: Outgoing) -> Iterator[Piece]:
    """Yield the way to the page on which a question can be answered instead."""
    yield Text(_("Or confirm it on this page; it asks once more before it does anything:"))
    yield Link(_("Look and confirm"), url("confirm", questions.token(outgoing)))


def url(name: str, *args: object) -> str:
    """Return the full address of a page."""
    return f"{settings.POSTSPIEL_URL}{reverse(name, args=args)}"


def subject(game: Game, what: str) -> str:
    """Return a subject: the game's name, what it is about, and a tag by which people sort their mail."""
    return _("%(game)s: %(what)s [%(key)s]") % {"game": short(game.name), "what": what, "key": game.key}


def turn_subject(turn: Turn, what: str) -> str:
    """Return a subject that names the turn."""
    return subject(turn.game, _("turn %(number)d, %(what)s") % {"number": turn.number, "what": what})


def turn_heading(turn: Turn) -> str:
    """Return the heading by which a mail names its turn."""
    return _("%(game)s, turn %(number)d") % {"game": turn.game.name, "number": turn.number}


def short(name: str) -> str:
    """Return a game's name, cut so that a subject stays readable."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"


def _foot(seat: Seat, locale: Locale) -> str:
    """Say why this mail came."""
    return _("You get this mail because you play %(seat)s in the game “%(game)s”.") % {
        "seat": seat_name(seat.game, seat.index, locale),
        "game": seat.game.name,
    }


def seat_name(game: Game, index: int, locale: Locale) -> str:
    """Return what a seat is called in this game."""
    return selectors.seat_name(game, index, locale)


def title_name(game: Game, locale: Locale) -> str:
    """Return what the kind of game is called."""
    return positions.title_of(game).about.texts[locale]["title"]
