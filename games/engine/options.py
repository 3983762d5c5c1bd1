"""What an organiser chose: checked against the title's options, and completed with their defaults."""

from __future__ import annotations

from typing import Any

from games.engine.contract import Choice, Option, Options, Title


class OptionError(ValueError):
    """Options that cannot be played. ``key`` names the title's or the engine's text, ``option`` the culprit if any."""

    def __init__(self, key: str, option: str = "") -> None:
        super().__init__(f"{key}: {option}" if option else key)
        self.key = key
        self.option = option


def complete(title: Title[Any], options: Options, seats: int) -> dict[str, Choice]:
    """Return all options with their values. OptionError if one is unknown or out of range, or they do not fit."""
    if seats not in title.about.sizes:
        raise OptionError("options.seats")
    known = {option.name: option for option in title.about.options}
    for name in options:
        if name not in known:
            raise OptionError("options.unknown", name)
    full = {name: allowed(option, options.get(name, option.default)) for name, option in known.items()}
    refusal = title.refuse(full, seats)
    if refusal is not None:
        raise OptionError(refusal)
    return full


def allowed(option: Option, value: Choice) -> Choice:
    """Return the value if the option may have it; OptionError otherwise."""
    fits = type(value) is type(option.default)
    if fits and not isinstance(value, bool):
        fits = option.low <= value <= option.high if isinstance(value, int) else value in option.choices
    if not fits:
        raise OptionError("options.value", option.name)
    return value
