"""The title as the platform knows it: the rules, words, texts and bots put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from games.engine.contract import (
    LOCALES,
    About,
    Ask,
    Block,
    Bot,
    Event,
    Locale,
    Option,
    Options,
    Outcome,
    Page,
    Problem,
    Sheet,
    Stats,
    Table,
    Verb,
    Words,
)
from games.engine.language import language
from games.engine.texts import read_texts
from games.kreml import asks, checks, data, ending, rules, show, stats, story, words
from games.kreml.bots import BOTS
from games.kreml.invariants import invariants
from games.kreml.state import SEATS, State
from games.kreml.words import VERBS

RULES = 1
ROSTERS, TABLES = data.names("rosters"), data.names("health")
OPTIONS = (
    Option("pace", default="classic", choices=("classic", "brisk")),
    Option("per_mark", default=False),
    Option("nominee_votes", default=True),
    Option("roster", default=ROSTERS[0], choices=ROSTERS),
    Option("health", default=TABLES[0], choices=TABLES),
)


def _texts(locale: Locale) -> Mapping[str, str]:
    """All texts: the pages', the problems', and the labels of the data files."""
    labels = {f"option.roster.{name}": data.roster(name).label[locale] for name in ROSTERS}
    labels |= {f"option.health.{name}": data.health(name).label[locale] for name in TABLES}
    return {**read_texts("games.kreml", locale), **read_texts("games.kreml.problems", locale), **labels}


ABOUT = About(
    slug="kreml",
    rules=RULES,
    sizes=(3, 4, 5, 6),
    seats=SEATS,
    options=OPTIONS,
    names=words.names(ROSTERS[0]),
    texts={locale: _texts(locale) for locale in LOCALES},
    votes=True,
)


class Kreml:
    """Kreml as a ``Title[State]``; every method is explained by the contract."""

    about = ABOUT
    verbs: tuple[Verb, ...] = VERBS
    bots: Mapping[str, Bot[State]] = BOTS

    def names(self, options: Options) -> Mapping[str, Words]:
        return words.names(str(options.get("roster", ROSTERS[0])))

    def refuse(self, options: Options, seats: int) -> str | None:
        return None

    def setup(self, options: Options, seats: int, table: Table) -> State:
        return rules.setup(options, seats, table)

    def mask(self, state: State, viewer: int | None) -> State:
        return rules.mask(state, viewer)

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        return asks.asks(seen, seat)

    def check(self, seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
        return checks.check(seen, seat, sheet)

    def resolve(self, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        return rules.resolve(state, sheets, table)

    def show(self, seen: State, seat: int | None, locale: Locale) -> Page:
        return show.show(language(self, {"roster": seen.setting.roster}), seen, seat, locale)

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
        return story.story(options, events, locale)

    def outcome(self, state: State) -> Outcome | None:
        return ending.outcome(state)

    def load(self, raw: bytes, rules: int) -> State:
        if rules != RULES:
            raise ValueError(f"Kreml knows no rules version {rules}.")
        return msgspec.json.decode(raw, type=State)

    def invariants(self, state: State) -> Iterable[str]:
        return invariants(state)

    def stats(self, finals: Sequence[State]) -> Stats:
        return stats.stats(finals)


TITLE = Kreml()
