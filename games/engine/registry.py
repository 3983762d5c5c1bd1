"""Which titles there are: packages under ``games`` and installed ones (entry points ``postspiel.titles``)."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

import games
from games.engine.contract import Title

GROUP = "postspiel.titles"


class UnknownTitle(ValueError):  # noqa: N818 - says what is the matter, as Django's DoesNotExist does
    """No title of that slug is installed."""

    def __init__(self, slug: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no title called “{slug}”; there are: {', '.join(known) or 'none'}.")


@cache
def titles() -> Mapping[str, Title[Any]]:
    """Return all titles by slug, in alphabetical order. A slug that is taken twice is a ValueError."""
    found: dict[str, Title[Any]] = {}
    for one in (*_built_in(), *_installed()):
        if found.setdefault(one.about.slug, one) is not one:
            raise ValueError(f"Two titles are called “{one.about.slug}”.")
    return MappingProxyType(dict(sorted(found.items())))


def title(slug: str) -> Title[Any]:
    """Return the title of that slug; UnknownTitle (a ValueError) says which ones there are."""
    known = titles()
    if slug not in known:
        raise UnknownTitle(slug, tuple(known))
    return known[slug]


def _built_in() -> Iterator[Title[Any]]:
    for info in pkgutil.iter_modules(games.__path__, "games."):
        if info.ispkg and info.name != "games.engine":
            found = getattr(import_module(info.name), "TITLE", None)
            if found is not None:
                yield found


def _installed() -> Iterator[Title[Any]]:
    for point in entry_points(group=GROUP):
        yield point.load()
