"""What commands that play games read from their arguments: the title and its options. Faults are CommandErrors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError

from games.engine import registry
from games.engine.contract import Choice, Title
from games.engine.options import OptionError, complete
from games.engine.texts import text

FLAGS = {"true": True, "yes": True, "1": True, "": True, "false": False, "no": False, "0": False}


def title_named(slug: str) -> Title[Any]:
    """Return the title of that slug."""
    try:
        return registry.title(slug)
    except registry.UnknownTitle as wrong:
        raise CommandError(str(wrong)) from wrong


def options_from(title: Title[Any], written: Sequence[str], seats: int) -> dict[str, Choice]:
    """Read ``NAME=VALUE`` pairs (a flag may stand alone) and complete them for a game of so many seats."""
    if seats not in title.about.sizes:
        sizes = ", ".join(map(str, title.about.sizes))
        raise CommandError(f"{title.about.slug} is played by {sizes}; ask for one of these with --seats.")
    pairs = [pair.partition("=") for pair in written]
    try:
        return complete(title, {name: _choice(title, name, value) for name, _equals, value in pairs}, seats)
    except OptionError as wrong:
        sentence = title.about.texts["en"].get(wrong.key) or text("en", wrong.key, {"option": wrong.option})
        raise CommandError(f"{sentence} Options: {_known(title)}.") from wrong


def _choice(title: Title[Any], name: str, value: str) -> Choice:
    """Read an option's value as the kind that its default is of; what cannot be read is left as it is."""
    default = next((option.default for option in title.about.options if option.name == name), "")
    if isinstance(default, bool):
        return FLAGS.get(value.lower(), value)
    return int(value) if isinstance(default, int) and value.lstrip("-").isdigit() else value


def _known(title: Title[Any]) -> str:
    return ", ".join(f"{option.name}={option.default}" for option in title.about.options) or "none"
