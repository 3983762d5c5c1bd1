"""A title's rules as a page: from `docs/<title>.md`, which has a part with a heading of its own for each language."""

import re
from functools import cache

from django.conf import settings
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

from games.engine.contract import LOCALES, Locale

_PART = re.compile(r"^# .*$", re.MULTILINE)


@cache
def rulebook(slug: str, locale: Locale) -> SafeString:
    """The rules in a language, without their main heading; empty if the title has brought none."""
    path = settings.BASE_DIR / "docs" / f"{slug}.md"
    if not path.is_file():
        return SafeString("")
    parts = _PART.split(path.read_text(encoding="utf-8"))[1:]
    number = LOCALES.index(locale)
    text = parts[number] if number < len(parts) else parts[0]
    return SafeString(_markdown().render(text))


def _markdown() -> MarkdownIt:
    """CommonMark with tables; what looks like HTML is shown as it is written."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")
