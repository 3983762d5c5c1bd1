"""What stands in the book of an ended game: gathered from rows, in one language, before anything is laid out.

Only what everybody may know is gathered: events told to all, press to all (where the game opens it at its end, private
press too), the position as a watcher sees it. The seed and the record come in because the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from msgspec import Struct

from games.engine.contract import Block, Locale, Options, Page, Picture, Title
from postspiel.play import positions, selectors
from postspiel.play.models import Game, Press, Seat, Turn
from postspiel.play.records import player_names
from postspiel.play.rendering import Piece, Said
from tournaments import selectors as ladders

MOST_PICTURES = 6
"""So many positions are drawn on the way, evenly spread; more would make a book of a hundred pages of a long game."""


class NotOver(ValueError):  # noqa: N818 - says what is the matter, as Django's DoesNotExist does
    """Only of an ended game is there a book: it tells the seed and the record."""


class Line(Struct, frozen=True):
    """A seat in the final table."""

    place: int
    seat: str
    player: str
    score: int


class Setting(Struct, frozen=True):
    """An option of the game, in words."""

    label: str
    choice: str


class Chapter(Struct, frozen=True):
    """One turn: what was to be decided, what happened, what was said in public, and perhaps the position behind it."""

    number: int
    heading: str
    closed: datetime | None
    story: tuple[Block, ...]
    said: tuple[Piece, ...]
    picture: Picture | None = None


class RollLine(Struct, frozen=True):
    """A roll, with the turn that it was made in."""

    turn: int
    label: str
    sides: int
    value: int


class Book(Struct, frozen=True):
    """A whole game in one language."""

    game: Game
    locale: Locale
    zone: ZoneInfo
    title: str
    tagline: str
    lines: tuple[Line, ...]
    decided: bool
    settings: tuple[Setting, ...]
    chapters: tuple[Chapter, ...]
    final: Page
    changes: tuple[ladders.Change, ...]
    rolls: tuple[RollLine, ...]
    seed: str

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won; nobody if the game was not decided."""
        return tuple(line.player for line in self.lines if line.place == 1) if self.decided else ()

    @property
    def turns(self) -> int:
        """How many turns were played; the set-up is none."""
        return sum(chapter.number > 0 for chapter in self.chapters)


def gather(game: Game, locale: Locale) -> Book:
    """Gather the book of an ended game; the language must be active. NotOver if it is not over."""
    final = selectors.position(game, None, locale) if game.status == Game.Status.ENDED else None
    if final is None:
        raise NotOver(f"The game {game.key} is not over.")
    title, options = positions.title_of(game), positions.options_of(game)
    texts = title.about.texts[locale]
    return Book(
        game=game,
        locale=locale,
        zone=game.organiser.zone,
        title=texts["title"],
        tagline=texts["tagline"],
        lines=tuple(_lines(game, title, options, locale)),
        decided=bool(game.outcome and game.outcome["decided"]),
        settings=tuple(_settings(title, options, locale)),
        chapters=tuple(_chapters(game, locale)),
        final=final,
        changes=tuple(ladders.changes_of(game)),
        rolls=tuple(_rolls(game)),
        seed=bytes(game.seed).hex(),
    )


# --- the result -------------------------------------------------------------------------------------------------------


def _lines(game: Game, title: Title[Any], options: Options, locale: Locale) -> list[Line]:
    outcome, names = positions.outcome_of(game), title.names(options)
    assert outcome is not None  # noqa: S101 - an ended game has one
    holders = imported_holders(game) if game.imported else [holder(seat) for seat in selectors.seats_of(game)]
    lines = [
        Line(outcome.places[at], names[title.about.seats[at]][locale][0], held_by, outcome.scores[at])
        for at, held_by in enumerate(holders)
    ]
    return sorted(lines, key=lambda line: (line.place, -line.score))


def imported_holders(game: Game) -> list[str]:
    """Who held the seats of a game that came as a record: the names that the record has."""
    return [name or _("nobody") for name in player_names(game)]


def holder(seat: Seat) -> str:
    """Who held a seat at the end: a player, a bot by its name, or nobody."""
    if seat.player is not None:
        return seat.player.public_name
    return _("%(bot)s (bot)") % {"bot": seat.bot} if seat.bot else _("nobody")


def _settings(title: Title[Any], options: Options, locale: Locale) -> Iterator[Setting]:
    texts = title.about.texts[locale]
    for option in title.about.options:
        choice = options.get(option.name, option.default)
        if isinstance(choice, bool):
            said = _("yes") if choice else _("no")
        else:
            said = texts.get(f"option.{option.name}.{choice}", str(choice))
        yield Setting(texts[f"option.{option.name}"], said)


# --- turn by turn -----------------------------------------------------------------------------------------------------


def _chapters(game: Game, locale: Locale) -> Iterator[Chapter]:
    turns = list(game.turns.filter(status=Turn.Status.DONE).order_by("number"))
    pages = {turn.number: _page(game, turn, locale) for turn in turns if turn.number}
    press = _press_by_turn(game, locale)
    step = max(1, ceil(len(pages) / MOST_PICTURES))
    for log in selectors.log(game, None, locale):
        number = log.turn.number
        # The position behind a turn is the one that the next turn starts from; the last one has its own part.
        after = pages.get(number + 1) if number and number % step == 0 else None
        yield Chapter(
            number=number,
            heading=pages[number].title if number else _("The beginning"),
            closed=log.turn.closed,
            story=log.blocks,
            said=tuple(press.get(log.turn.pk, ())),
            picture=_picture(after) if after else None,
        )


def _page(game: Game, turn: Turn, locale: Locale) -> Page:
    turn.game = game
    return selectors.position_at(turn, None, locale)


def _picture(page: Page) -> Picture | None:
    return next((block for block in page.blocks if isinstance(block, Picture)), None)


def _press_by_turn(game: Game, locale: Locale) -> dict[int | None, list[Said]]:
    found: dict[int | None, list[Said]] = {}
    for row in selectors.press_for(game, None):
        found.setdefault(row.turn_id, []).append(_said(game, row, locale))
    return found


def _said(game: Game, row: Press, locale: Locale) -> Said:
    names = {"seat": selectors.seat_name(game, row.seat.index, locale)}
    if row.to is None:
        return Said(_("%(seat)s to everybody") % names, tuple(row.text.splitlines()))
    names["others"] = ", ".join(selectors.seat_name(game, index, locale) for index in row.to)
    return Said(_("%(seat)s to %(others)s") % names, tuple(row.text.splitlines()))


def _rolls(game: Game) -> Iterator[RollLine]:
    for turn in game.turns.filter(status=Turn.Status.DONE).order_by("number").prefetch_related("rolls"):
        for roll in sorted(turn.rolls.all(), key=lambda roll: roll.index):
            yield RollLine(turn.number, roll.label, roll.sides, roll.value)
