"""What ``mask`` hides stays hidden: change it, and every door a seat has gives the same bytes; a planted leak shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine.contract import LOCALES, Ask, Domain, Event, Locale, Options, Order, Page, Problem, Sheet, Table
from games.engine.turns import heard, preview
from games.intrige import TITLE
from games.intrige.state import Bribe, Entry, State
from games.intrige.title import Intrige
from tests.intrige.playing import FreeTable, play

DOORS = ("mask", "asks", "check", "show", "preview", "story", "bot")
OPTIONS: tuple[dict[str, bool], ...] = ({}, {"sealed": True}, {"staged": True, "sealed": True}, {"same_court": True})


def doors(title: Intrige, state: State, viewer: int | None, sheet: Sheet) -> dict[str, bytes]:
    """Everything that reaches a seat (or a watcher) from a position, door by door."""
    seen = title.mask(state, viewer)
    ways: dict[str, object] = {
        "mask": seen,
        "show": [title.show(seen, viewer, locale) for locale in LOCALES],
        "preview": (),
    }
    if viewer is not None:
        foreseen = preview(title, state, viewer, sheet)
        ways["asks"] = title.asks(seen, viewer)
        ways["check"] = title.check(seen, viewer, sheet)
        ways["preview"] = foreseen
        ways["story"] = [title.story({}, foreseen.events, locale) for locale in LOCALES]
        ways["bot"] = title.bots["courtier"](seen, viewer, Random(1))
    return {door: msgspec.json.encode(way, order="sorted") for door, way in ways.items()}


def disturbed(state: State, viewer: int | None, random: Random) -> State:
    """The same position with other secrets: what ``mask`` must hide from the viewer is changed at random."""

    def bribe(one: Bribe, host: int) -> Bribe:
        mine = not state.setting.sealed or viewer in (one.scholar.seat, host)
        return one if mine else one._replace(amount=1000 * random.randrange(20))

    cash = tuple(
        purse if seat == viewer or state.setting.open_cash else 1000 * random.randrange(200)
        for seat, purse in enumerate(state.cash)
    )
    book = tuple(Entry(one.round, one.court, bribe(one.bribe, one.court)) for one in state.book)
    return replace(state, cash=cash, bribes=tuple(bribe(one, state.active) for one in state.bribes), book=book)


def somewhere(seed: int, seats: int, options: Mapping[str, bool]) -> tuple[State, Sheet, int]:
    """A position in the midst of a game, a sheet of some orders for it, and a seat."""
    random = Random(seed)
    states = play(seed, seats, options)[:-1]
    state = random.choice(states)
    seat = random.randrange(seats)
    sheet = TITLE.bots["random"](TITLE.mask(state, seat), seat, random)
    return state, (*sheet, Order("bribe", {"scholar": "P", "amount": 90000}), Order("send", {"scholar": "A"})), seat


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from((3, 4, 5)), options=st.sampled_from(OPTIONS))
def test_no_door_tells_what_the_mask_hides(seed: int, seats: int, options: dict[str, bool]) -> None:
    state, sheet, seat = somewhere(seed, seats, options)
    other = disturbed(state, seat, Random(seed))
    assert doors(TITLE, state, seat, sheet) == doors(TITLE, other, seat, sheet)
    other = disturbed(state, None, Random(seed))
    assert doors(TITLE, state, None, ()) == doors(TITLE, other, None, ())


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from((4, 5)), staged=st.booleans())
def test_sealed_amounts_reach_nobody_else_by_what_happens(seed: int, seats: int, staged: bool) -> None:
    """Two runs of a bribes turn that differ in the amounts alone look the same to whoever neither pays nor gets."""
    random = Random(seed)
    states = [s for s in play(seed, seats, {"sealed": True, "staged": staged})[:-1] if s.phase == "bribes"]
    state = random.choice(states)
    state = replace(state, cash=tuple((purse or 0) + 50000 for purse in state.cash))
    first, second = told(state, 2000), told(state, 1000 * random.randrange(3, 12))
    payers = {member.seat for group in state.groups for member in group.members}
    for viewer in (None, *(set(range(seats)) - payers - {state.active})):
        assert first[viewer] == second[viewer]
    assert first[state.active] != second[state.active]


def told(state: State, amount: int) -> dict[int | None, bytes]:
    """What everybody has of a bribes turn in which all pay the same: events, story, the position after it, its page."""
    bids = tuple(Order(verb, {"amount": amount}, standing=True) for verb in ("bribe", "defend"))
    table = FreeTable()
    after = TITLE.resolve(state, dict.fromkeys(range(state.seats), bids), table)
    found: dict[int | None, bytes] = {}
    for viewer in (None, *range(state.seats)):
        events, seen = heard(table.events, viewer), TITLE.mask(after, viewer)
        whole = events, TITLE.story({}, events, "en"), seen, TITLE.show(seen, viewer, "en")
        found[viewer] = msgspec.json.encode(whole, order="sorted")
    return found


class Leaky(Intrige):
    """The title with a hole in one door: it remembers the true position and lets a little of it out there."""

    def __init__(self, door: str) -> None:
        self.door = door
        self.true = 0

    def mask(self, state: State, viewer: int | None) -> State:
        self.true = self.true or sum((purse or 0) * 7**seat for seat, purse in enumerate(state.cash))
        seen = super().mask(state, viewer)
        return replace(seen, banked=seen.banked + self.true) if self.door == "mask" else seen

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        hole = (Ask("bribe", {"max": Domain(high=self.true)}),) if self.door == "asks" else ()
        return super().asks(seen, seat) + hole

    def check(self, seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
        hole = (Problem(0, "cash", {"left": self.true}),) if self.door == "check" else ()
        return super().check(seen, seat, sheet) + hole

    def resolve(self, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        if self.door == "preview":
            table.tell(Event("hole", {"amount": self.true}))
        return super().resolve(state, sheets, table)

    def show(self, seen: State, seat: int | None, locale: Locale) -> Page:
        page = super().show(seen, seat, locale)
        return replace(page, title=f"{page.title} {self.true}") if self.door == "show" else page

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> tuple[object, ...]:  # type: ignore[override]
        hole = (self.true,) if self.door == "story" else ()
        return (*super().story(options, events, locale), *hole)


@pytest.mark.parametrize("door", [door for door in DOORS if door != "bot"])
def test_a_planted_leak_is_found(door: str) -> None:
    state, sheet, seat = somewhere(4, 4, {})
    other = disturbed(state, seat, Random(4))
    tight, holed = doors(TITLE, state, seat, sheet), doors(TITLE, other, seat, sheet)
    assert tight == holed
    before, after = doors(Leaky(door), state, seat, sheet), doors(Leaky(door), other, seat, sheet)
    assert before[door] != after[door]
