"""What others keep secret stays so: change it, and every door gives a seat the same bytes; a planted leak shows.

Secret are others' lists, their orders that still count, and the sheets they hand in, as far as nothing came of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine.contract import LOCALES, Ask, Domain, Event, Locale, Options, Order, Page, Problem, Sheet, Table, Text
from games.engine.turns import heard, preview, start
from games.kreml import lists, rules
from games.kreml.state import RANKS, SEATS, State
from games.kreml.title import TITLE, Kreml
from tests.kreml.playing import Dice, somewhere

DOORS = ("mask", "asks", "check", "show", "preview", "story", "bots")
PACES = st.sampled_from(("classic", "brisk"))


def doors(title: Kreml, state: State, viewer: int | None, sheet: Sheet) -> dict[str, bytes]:
    """Everything that reaches a seat (or a watcher) from a position, door by door."""
    seen = title.mask(state, viewer)
    ways: dict[str, object] = {"mask": seen, "show": [title.show(seen, viewer, locale) for locale in LOCALES]}
    if viewer is not None:
        foreseen = preview(title, state, viewer, sheet)
        ways["asks"] = title.asks(seen, viewer)
        ways["check"] = title.check(seen, viewer, sheet)
        ways["preview"] = foreseen
        ways["story"] = [title.story({}, foreseen.events, locale) for locale in LOCALES]
        ways["bots"] = [bot(seen, viewer, Random(1)) for bot in title.bots.values()]
    return {door: msgspec.json.encode(way, order="sorted") for door, way in ways.items()}


def disturbed(state: State, viewer: int | None, random: Random) -> State:
    """The same position with other lists of others (as far as they have not shown them), and other orders of theirs."""

    def shuffled(seat: int, mine: dict[str, int] | None) -> dict[str, int] | None:
        return (
            mine
            if seat == viewer or mine is None
            else {who: rank for rank, who in enumerate(random.sample(lists.ELIGIBLE, RANKS), 1)}
        )

    secret = tuple(shuffled(seat, mine) for seat, mine in enumerate(state.lists))
    other = (Order("banish", {"who": (random.choice(lists.ELIGIBLE),)}),)
    earlier = tuple(mine if seat == viewer else other for seat, mine in enumerate(state.earlier))
    return replace(state, lists=secret, earlier=earlier)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from((3, 5)), pace=PACES)
def test_no_door_tells_what_the_mask_hides(seed: int, seats: int, pace: str) -> None:
    state, seat = somewhere(seed, seats, {"pace": pace})
    sheet = (
        *TITLE.bots["random"](TITLE.mask(state, seat), seat, Random(seed)),
        Order("bid", {"points": 9, "on": "p3"}),
    )
    other = disturbed(state, seat, Random(seed))
    assert doors(TITLE, state, seat, sheet) == doors(TITLE, other, seat, sheet)
    other = disturbed(state, None, Random(seed))
    assert doors(TITLE, state, None, ()) == doors(TITLE, other, None, ())


# --- what is handed in ------------------------------------------------------------------------------------------------


def sleeping(state: State, seat: int, random: Random) -> Sheet:
    """Orders of which nothing comes: bids that cannot fire, votes and rules for whom one does not control, silence."""
    mine = state.lists[seat] or {}
    idle = {*state.candidates, *state.people, *state.siberia} if state.stage != "autumn" else set()
    never = [Order("bid", {"points": mine[who], "on": who}, when=Order("acts")) for who in mine if who in idle]
    low = [
        Order("bid", {"points": points, "on": who})
        for who, points in mine.items()
        if points <= max(state.politicians[who].declared) and state.politicians[who].controller not in (-1, seat)
    ]
    others = [Order("protect", {"who": (random.choice(lists.ELIGIBLE),)}, standing=True)]
    mute = [] if any(one.controller == seat for one in state.politicians.values()) else others
    return tuple(random.sample([*never, *low, *mute], random.randint(0, len([*never, *low, *mute]))))


def after(title: Kreml, state: State, sheets: Mapping[int, Sheet], viewer: int | None) -> bytes:
    """All that a seat has of a turn: what it is told, the position behind it, its page, what it is asked and keeps."""
    table = Dice()
    end = title.resolve(state, sheets, table)
    seen, told = title.mask(end, viewer), heard(table.events, viewer)
    asked = title.asks(seen, viewer) if viewer is not None else ()
    ways = told, title.story({}, told, "de"), seen, title.show(seen, viewer, "en"), asked, table.labels
    return msgspec.json.encode((ways, table.kept.get(viewer if viewer is not None else -1)), order="sorted")


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), pace=PACES)
def test_orders_of_which_nothing_came_change_nothing_for_others_nor_who_is_asked(seed: int, pace: str) -> None:
    state, seat = somewhere(seed, 4, {"pace": pace})
    random = Random(seed)
    viewer = random.choice([one for one in (None, 0, 1, 2, 3) if one != seat])
    base = {one: TITLE.bots["random"](TITLE.mask(state, one), one, random) for one in range(4) if one != seat}
    first = after(TITLE, state, base, viewer)
    assert after(TITLE, state, {**base, seat: sleeping(state, seat, random)}, viewer) == first
    assert after(TITLE, state, {**base, seat: ()}, viewer) == first


def test_bids_that_did_not_fire_and_maxima_of_winners_are_told_to_nobody() -> None:
    state, _ = somewhere(5, 4)
    mine = state.lists[0] or {}
    free = [who for who in mine if state.politicians[who].controller < 0 and mine[who] > 3]
    bids = [tuple(Order("bid", {"points": points, "on": free[0]}) for points in [most]) for most in (2, mine[free[0]])]
    assert after(TITLE, state, {0: bids[0]}, 1) == after(TITLE, state, {0: bids[1]}, 1)


def test_the_list_of_a_silent_player_is_told_to_him_alone() -> None:

    table = Dice()
    end = rules.resolve(start(TITLE, {}, 3, b"seed", "game").state, {}, table)
    assert [event.to for event in table.events if event.kind == "listed"] == [frozenset({seat}) for seat in range(3)]
    assert [mine is None for mine in TITLE.mask(end, 1).lists] == [True, False, True]
    assert not any(SEATS[0] in str(event.data) for event in heard(table.events, 1))


class Leaky(Kreml):
    """The title with a hole in one door: it remembers the true position and lets a little of it out there."""

    def __init__(self, door: str) -> None:
        self.door = door
        self.true = 0

    def mask(self, state: State, viewer: int | None) -> State:
        points = [rank * 25**seat for seat, mine in enumerate(state.lists) if mine for rank in list(mine.values())[:1]]
        names = [int(who[1:]) * 25**seat for seat, mine in enumerate(state.lists) if mine for who in list(mine)[:1]]
        self.true = self.true or sum(points) + sum(names)
        seen = super().mask(state, viewer)
        return replace(seen, tally=replace(seen.tally, turns=self.true)) if self.door == "mask" else seen

    def asks(self, seen: State, seat: int) -> tuple[Ask, ...]:
        hole = (Ask("hold", {"to": Domain(high=self.true)}),) if self.door == "asks" else ()
        return super().asks(seen, seat) + hole

    def check(self, seen: State, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
        hole = (Problem(0, "too_high", {"secret": self.true}),) if self.door == "check" else ()
        return super().check(seen, seat, sheet) + hole

    def resolve(self, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        if self.door == "preview":
            table.tell(Event("phase", {"year": self.true, "phase": 1}))
        return super().resolve(state, sheets, table)

    def show(self, seen: State, seat: int | None, locale: Locale) -> Page:
        page = super().show(seen, seat, locale)
        return replace(page, title=f"{page.title} {self.true}") if self.door == "show" else page

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> Any:
        hole = (Text(str(self.true)),) if self.door == "story" else ()
        return (*super().story(options, events, locale), *hole)


@pytest.mark.parametrize("door", [door for door in DOORS if door != "bots"])
def test_a_planted_leak_is_found(door: str) -> None:
    state, seat = somewhere(4, 4)
    sheet = (Order("bid", {"points": 9, "on": "p3"}),)
    other = disturbed(state, seat, Random(4))
    assert doors(TITLE, state, seat, sheet) == doors(TITLE, other, seat, sheet)
    before, after = doors(Leaky(door), state, seat, sheet), doors(Leaky(door), other, seat, sheet)
    assert before[door] != after[door]
