"""A moment as people read it: said in one place, so that page, mail, report and feed never differ."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import formats, translation

from postspiel.play.models import Turn

_FORMATS = {"en": "l, j F Y, H:i", "de": r"l, j. F Y, H:i \U\h\r"}

_DAYS = {"en": "j F Y", "de": "j. F Y"}


def day(when: date, locale: str | None) -> str:
    """Return a day in a language, English where we do not have it."""
    return formats.date_format(when, _DAYS.get((locale or "")[:2], _DAYS["en"]))


@lru_cache(maxsize=4096)
def moment(when: datetime, zone: ZoneInfo, locale: str) -> str:
    """Return a moment in the reader's zone and language, with the zone's name.

    Kept for a while, as pages with many deadlines are read over and over.
    """
    with translation.override(locale):
        return f"{formats.date_format(when.astimezone(zone), _FORMATS[locale])} ({zone.key})"


def deadline(turn: Turn, zone: ZoneInfo, locale: str) -> str:
    """Return a turn's deadline as the reader is told it everywhere; empty for the set-up, which has none."""
    return moment(turn.deadline, zone, locale) if turn.deadline else ""
