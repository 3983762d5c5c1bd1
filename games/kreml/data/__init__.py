"""What an organiser may swap: rosters of politicians and health tables, one file each (docs/kreml.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal

import msgspec
from msgspec import Struct

PEOPLE = tuple(f"p{number}" for number in range(1, 25))
"""The ids of the politicians, in the order that breaks ties between equal ages (section 1)."""

NESTOR = PEOPLE[0]
FRAILEST = 11
"""The greatest b of the health table."""

type Labels = dict[Literal["en", "de"], str]


class Entry(Struct, frozen=True):
    """One politician of a roster."""

    age: int
    given: str
    surname: str


class Roster(Struct, frozen=True):
    """24 politicians by id, and what the roster is called."""

    label: Labels
    people: dict[str, Entry]

    def __post_init__(self) -> None:
        if tuple(self.people) != PEOPLE:
            raise ValueError(f"A roster names {PEOPLE[0]} to {PEOPLE[-1]}, in this order.")


class Limits(Struct, frozen=True):
    """The lines of a health table for members at work, or in cure: one figure for each b from 0 to 11."""

    sudden: tuple[int, ...]
    two: tuple[int, ...]
    one: tuple[int, ...]
    heals: tuple[int, ...]

    def __post_init__(self) -> None:
        if {len(self.sudden), len(self.two), len(self.one), len(self.heals)} != {FRAILEST + 1}:
            raise ValueError(f"Each line of a health table has {FRAILEST + 1} figures.")


class Health(Struct, frozen=True):
    """A health table, and what it is called."""

    label: Labels
    work: Limits
    cure: Limits


def names(kind: Literal["rosters", "health"]) -> tuple[str, ...]:
    """What files there are of a kind, the shipped ones first."""
    found = sorted(path.name.removesuffix(".toml") for path in _folder(kind).iterdir() if path.name.endswith(".toml"))
    return tuple(sorted(found, key=lambda name: name != "classic"))


@cache
def roster(name: str) -> Roster:
    """Read a roster. A file that is none is a msgspec.ValidationError."""
    return msgspec.convert(_read("rosters", name), Roster)


@cache
def health(name: str) -> Health:
    """Read a health table. A file that is none is a msgspec.ValidationError."""
    return msgspec.convert(_read("health", name), Health)


def _folder(kind: str) -> Traversable:
    return resources.files(__name__).joinpath(kind)


def _read(kind: str, name: str) -> Mapping[str, object]:
    return tomllib.loads(_folder(kind).joinpath(f"{name}.toml").read_text("utf-8"))
