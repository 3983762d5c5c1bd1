"""Days as people write them in a mail: "2026-12-24", "24.12.", "24 December", two of them for a span. Pure."""

from __future__ import annotations

import re
from datetime import date

from games.engine.wording import fold

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ALSO = {"maer": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12}
_ISO = r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})"
_DOTTED = r"(?P<dd>\d{1,2})\.\s?(?P<dm>\d{1,2})(?:\.\s?(?P<dy>\d{4})?|(?=\s|$))"
_NAMED = r"(?P<nd>\d{1,2})(?:\.|st|nd|rd|th)? ?(?P<nm>[a-z]{3,10})\.?,?(?: (?P<ny>\d{4}))?"
_DAY = re.compile(rf"(?<![\d.])(?:{_ISO}|{_DOTTED}|{_NAMED})(?!\d)", re.IGNORECASE)
_JOINTS = "from|to|till|until|through|von|vom|bis|zum|ab|and|und|the|den|dem"
_BETWEEN = re.compile(rf"(?:\s|[,:;.-]|\b(?:{_JOINTS})\b)*", re.IGNORECASE)


def span(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and the last of two days that a text names, or one day twice; None if it says anything else.

    A day without a year is the next such day, seen from `today`; the second one is not before the first.
    """
    found: list[date] = []
    at = 0
    folded = fold(text)
    for match in _DAY.finditer(folded):
        day = _day(match, found[0] if found else today)
        if day is None or not _BETWEEN.fullmatch(folded, at, match.start()):
            return None
        found.append(day)
        at = match.end()
    if not 1 <= len(found) <= 2 or not _BETWEEN.fullmatch(folded, at):
        return None
    return found[0], found[-1]


def _day(match: re.Match[str], earliest: date) -> date | None:
    parts = match.groupdict()
    year = parts["y"] or parts["dy"] or parts["ny"]
    month = _month(parts["nm"]) if parts["nm"] else int(parts["m"] or parts["dm"])
    day = int(parts["d"] or parts["dd"] or parts["nd"])
    years = (int(year),) if year else (earliest.year, earliest.year + 1)
    possible = (_date(one, month, day) for one in years)
    return next((one for one in possible if one is not None and (year or one >= earliest)), None)


def _month(word: str) -> int:
    known = {name: number for number, name in enumerate(_MONTHS, 1)} | _ALSO
    return next((number for name, number in known.items() if word.startswith(name)), 0)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
