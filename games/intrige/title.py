"""The title as the platform knows it: the rules, words, texts and bots put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from games.engine.contract import (
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
from games.intrige import asks, checks, rules, show, stats, story
from games.intrige.bots import random_bot
from games.intrige.courtier import courtier_bot
from games.intrige.invariants import invariants
from games.intrige.state import SEATS, State
from games.intrige.wording import TEXTS
from games.intrige.words import NAMES, VERBS

RULES = 1
OPTIONS = ("staged", "sealed", "open_cash", "same_court")
ABOUT = About(
    slug="intrige",
    rules=RULES,
    sizes=(3, 4, 5),
    seats=SEATS,
    options=tuple(Option(name, default=False) for name in OPTIONS),
    names=NAMES,
    texts=TEXTS,
)
BOTS: Mapping[str, Bot[State]] = {"random": random_bot, "courtier": courtier_bot}


class Intrige:
    """Intrige as a ``Title[State]``; every method is explained by the contract."""

    about = ABOUT
    verbs: tuple[Verb, ...] = VERBS
    bots = BOTS

    def names(self, options: Options) -> Mapping[str, Words]:
        return NAMES

    def refuse(self, options: Options, seats: int) -> str | None:
        return "refuse.sealed_open" if options.get("sealed") and options.get("open_cash") else None

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
        return show.show(language(self, {}), seen, seat, locale)

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
        return story.story(events, locale)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def load(self, raw: bytes, rules: int) -> State:
        if rules != RULES:
            raise ValueError(f"Intrige knows no rules version {rules}.")
        return msgspec.json.decode(raw, type=State)

    def invariants(self, state: State) -> Iterable[str]:
        return invariants(state)

    def stats(self, finals: Sequence[State]) -> Stats:
        return stats.stats(finals)


TITLE = Intrige()
