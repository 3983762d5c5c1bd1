"""The engine's own texts, and how a problem is told: format strings over its data, ids shown by their names."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from games.engine.contract import Locale, Options, Problem, Title, Value, Words


@cache
def texts(locale: Locale) -> Mapping[str, str]:
    """Return the engine's texts in a language, by key."""
    return read_texts("games.engine", locale)


def read_texts(package: str, locale: Locale) -> Mapping[str, str]:
    """Read ``texts/<locale>.toml`` of a package; nested tables become dotted keys."""
    raw = resources.files(package).joinpath("texts", f"{locale}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(raw), ""))


def text(locale: Locale, key: str, data: Mapping[str, Value] | None = None) -> str:
    """Return an engine's text, filled in."""
    return fill(texts(locale)[key], data or {}, {}, locale)


def problem_text(title: Title[Any], options: Options, problem: Problem, locale: Locale) -> str:
    """Return the sentence that tells a player what is wrong with an order."""
    known = title.about.texts[locale]
    form = known.get(f"problem.{problem.code}") or texts(locale)["problem.unnamed"]
    return fill(form, {"code": problem.code, **problem.data}, title.names(options), locale)


def roll_text(title: Title[Any], options: Options, label: str, locale: Locale) -> str:
    """Return a roll's label as people read it: by the title's text ``roll.<what>``, where a label is "what of whom"."""
    what, _, of = label.partition(" of ")
    names = title.names(options)
    form = title.about.texts[locale].get(f"roll.{what}")
    return str(shown(label, names, locale)) if form is None else fill(form, {"of": of}, names, locale)


def fill(form: str, data: Mapping[str, Value], names: Mapping[str, Words], locale: Locale) -> str:
    """Fill a format string; ids become names, several are listed, and a datum that lacks shows as its name."""
    return form.format_map(_Shown({name: shown(value, names, locale) for name, value in data.items()}))


def shown(value: Value, names: Mapping[str, Words], locale: Locale) -> str | int:
    """Return a datum as people read it."""
    if isinstance(value, tuple):
        return ", ".join(str(shown(one, names, locale)) for one in value)
    if isinstance(value, str) and value in names:
        return names[value][locale][0]
    return value


class _Shown(dict[str, str | int]):
    def __missing__(self, key: str) -> str:
        return f"({key})"


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        found += _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else [(prefix + name, str(value))]
    return found
