"""How templates say things that belong to games: moments, names, blocks, schedules."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.engine.contract import Block
from postspiel.play import deeds, rendering, selectors, times
from postspiel.play.models import DeadlineChange, Game, Hold
from postspiel.web import wording

register = template.Library()


@register.filter
def moment(when: datetime | None) -> str:
    """A moment in the reader's language and zone, the zone named; empty for none."""
    if when is None:
        return ""
    said = times.moment(when, timezone.get_current_timezone(), wording.locale())
    return format_html('<time datetime="{}">{}</time>', when.isoformat(), said)


@register.filter
def blocks(shown: Iterable[Block]) -> SafeString:
    """A title's blocks as HTML."""
    return rendering.as_html(shown)


@register.filter
def held_why(hold: Hold) -> str:
    """Why turns are held back."""
    return selectors.held_why(hold)


@register.filter
def why_moved(change: DeadlineChange) -> str:
    """Why a deadline was moved."""
    return deeds.why_moved(change)


@register.filter
def title_name(game: Game) -> str:
    """What the game's title is called."""
    return wording.title_text(game.title, "title")


@register.filter
def seat_name(game: Game, index: int) -> str:
    """What a seat is called."""
    return selectors.seat_name(game, index)


@register.filter
def schedule(game: Game) -> str:
    """The game's schedule in one or two sentences."""
    return wording.schedule_text(game)


@register.filter
def policy(game: Game) -> str:
    """What is agreed on about missed turns, absences and open seats."""
    return wording.policy_text(game)


@register.filter
def title_of(slug: str) -> str:
    """What a title is called."""
    return wording.title_text(slug, "title")


@register.filter
def day(when: date) -> str:
    """A day in the reader's language."""
    return times.day(when, get_language())


@register.filter
def options(game: Game) -> list[str]:
    """What was chosen when the game was made, as far as it differs from what is usual."""
    return wording.options_text(game)


@register.filter
def of(values: Mapping[int, int], key: int) -> int:
    """What stands in a table under a key that a template holds in a variable."""
    return values[key]


@register.filter
def act(kind: str) -> str:
    """What was done, for a kind of act."""
    return wording.act(kind)


@register.filter
def mail_kind(kind: str) -> str:
    """What a kind of mail is called."""
    return wording.mail_kind(kind)


@register.filter
def badge(state: str) -> dict[str, str]:
    """The word for a state of a game, a sheet or a mail, with the class that colours it."""
    return wording.badge(state)
