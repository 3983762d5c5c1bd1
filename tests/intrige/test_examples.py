"""The worked examples E1 to E8 of the rules, played with orders as players write them."""

from __future__ import annotations

from itertools import permutations

from msgspec.structs import replace

from games.engine.contract import Sheet
from games.intrige import TITLE
from games.intrige.groups import form_groups
from games.intrige.income import pay
from games.intrige.state import Scholar, State
from tests.intrige.playing import FreeTable, by_name, codes, position, purses, sheet


def bribe(state: State, **lines: str) -> State:
    """Carry out a bribes turn; each seat's sheet as written, refused lines fail."""
    return turn(state, lines)


def turn(state: State, lines: dict[str, str]) -> State:
    sheets: dict[int, Sheet] = {}
    for name, text in lines.items():
        seat = by_name(name)
        sheets[seat] = sheet(text)
        assert codes(state, seat, text) == [], text
    return TITLE.resolve(state, sheets, FreeTable())


def refused(state: State, name: str, text: str) -> list[str]:
    return codes(state, by_name(name), text)


def test_e1_no_conflict() -> None:
    state = position([32, 29, 31, 32], "red", {}, {"red": ["yellow A", "green P", "blue S"]})
    assert [group.kind for group in state.groups] == ["free"]
    after = bribe(state, yellow="bribe A 4000", green="bribe P +1000 max 8000 else 2000", blue="bribe S 1000")
    assert [bribe.amount for bribe in after.bribes] == [4000, 5000, 1000]
    assert purses(after) == [42, 25, 26, 31]
    ways = 0
    for areas in permutations(("1000", "6000", "10000", "3000"), 3):
        text = "\n".join(
            f"admit {who} {area}" for who, area in zip(("A Yellow", "P Green", "S Blue"), areas, strict=True)
        )
        ways += refused(after, "red", text) == []
        assert seated(turn(after, {"red": text}), "red", areas) == ["yellow A", "green P", "blue S"]
    assert ways == 24


def seated(state: State, court: str, areas: tuple[str, ...]) -> list[str | None]:
    row = state.courts[by_name(court)]
    places = [("1000", "6000", "10000", "3000").index(area) for area in areas]
    return [word(row[place]) for place in places]


def word(scholar: Scholar | None) -> str | None:
    return None if scholar is None else f"{TITLE.about.seats[scholar.seat]} {scholar.craft}"


def test_e2_external_beside_no_conflict() -> None:
    waiting = {"yellow": ["green A", "red A", "blue S"]}
    state = position([42, 25, 26, 31], "yellow", {"yellow": {6000: "blue P"}}, waiting)
    assert [group.kind for group in state.groups] == ["free", "external"]
    after = bribe(state, blue="bribe S 2000", green="bribe A 3000 wish 10000", red="bribe A +1000 max 6000 else 1000")
    assert [(b.scholar.craft, b.amount) for b in after.bribes] == [("S", 2000), ("A", 3000), ("A", 4000)]
    assert purses(after) == [38, 34, 23, 29]
    assert refused(after, "yellow", "admit S Blue 3000\nadmit A Green 10000\nadmit A Red 1000") == ["decided_twice"]
    assert refused(after, "yellow", "admit S Blue 6000") == ["area_taken"]
    neither = TITLE.resolve(after, {1: sheet("admit S Blue 3000")}, FreeTable())
    assert seated(neither, "yellow", ("10000",)) == ["red A"], "the higher bribe, where the host decides nothing"
    done = turn(after, {"yellow": "admit S Blue 3000\nadmit A Green 10000\nsend A Red\nsend P Blue"})
    assert seated(done, "yellow", ("1000", "6000", "10000", "3000")) == [None, "blue P", "green A", "blue S"]
    assert [word(one) for one in done.island] == ["red A"]


def e3() -> State:
    courts = {"green": {1000: "red P", 6000: "blue A", 10000: "yellow S"}}
    return position([38, 34, 23, 29], "green", courts, {"green": ["red S", "blue S", "yellow P"]})


def test_e3_two_internal_conflicts_one_with_several_applicants() -> None:
    state = e3()
    assert [(group.kind, [word(one) for one in group.members]) for group in state.groups] == [
        ("internal", ["red P", "yellow P"]),
        ("internal", ["yellow S", "blue S", "red S"]),
    ]
    after = bribe(
        state,
        red="defend P 1000\nbribe S 3000",
        yellow="bribe P 2000\ndefend S 7000",
        blue="bribe S +1000 max 9000 else 1000",
    )
    assert [b.amount for b in after.bribes] == [1000, 2000, 7000, 8000, 3000]
    assert purses(after) == [34, 25, 44, 21]
    assert all(b.scholar != Scholar(3, "A") for b in after.bribes), "who is not attacked pays nothing"
    done = turn(after, {"green": "replace P Yellow\nkeep S Yellow\nsend A Red\nsend P Yellow"})
    assert seated(done, "green", ("1000", "6000", "10000", "3000")) == ["yellow P", "blue A", "yellow S", None]
    assert sorted(word(one) or "" for one in done.island) == ["blue S", "red P", "red S"]


def test_e4_all_three_classes() -> None:
    waiting = {"red": ["yellow P", "green A", "blue A", "white S"]}
    state = position([20, 9, 20, 20, 20], "red", {"red": {6000: "yellow S"}}, waiting)
    assert [group.kind for group in state.groups] == ["free", "external", "internal"]
    after = bribe(
        state,
        yellow="bribe P 3000\ndefend S 6000",
        green="bribe A 2000",
        blue="bribe A 2000",
        white="bribe S 1000",
    )
    assert [b.amount for b in after.bribes] == [3000, 2000, 2000, 6000, 1000]
    assert purses(after) == [34, 0, 18, 18, 19]
    decided = turn(
        after, {"red": "admit P Yellow 1000\nadmit A Blue 10000\nreplace S White\nsend A Blue\nsend D Green"}
    )
    assert seated(decided, "red", ("1000", "6000", "10000", "3000")) == ["yellow P", "white S", "blue A", None]
    assert sorted(word(one) or "" for one in decided.island) == ["green A", "yellow S"]


def test_e5_a_penniless_defender_and_a_conditional_attacker() -> None:
    courts = {"red": {1000: "yellow P", 6000: "white S", 10000: "blue A"}}
    state = position([34, 0, 18, 18, 19], "red", courts, {"red": ["green P", "white A"]})
    after = bribe(
        state,
        yellow="defend P 0",
        green="bribe P 1000",
        blue="defend A 5000",
        white="bribe A +1000 max 5000 else 2000",
    )
    assert [b.amount for b in after.bribes] == [0, 1000, 5000, 2000]
    assert purses(after) == [42, 0, 17, 13, 17]
    kept = turn(after, {"red": "keep P Yellow\nkeep A Blue\nsend A Blue\nsend D Green"})
    assert seated(kept, "red", ("1000",)) == ["yellow P"]


def test_e6_a_full_court_has_internal_conflicts_only() -> None:
    courts = {"red": {1000: "blue S", 6000: "blue D", 10000: "yellow P", 3000: "green A"}}
    state = position([20, 20, 20, 20], "red", courts, {"red": ["yellow A", "blue A", "green D"]})
    assert [(group.kind, group.area, len(group.members)) for group in form_groups(state)] == [
        ("internal", 3, 3),
        ("internal", 1, 2),
    ], "3000 before 6000"


def test_e7_attacking_oneself() -> None:
    state = position([20, 20, 20], "yellow", {"yellow": {3000: "red P"}}, {"yellow": ["red P"]})
    after = bribe(state, red="defend P 1000\nbribe P 2000")
    assert purses(after) == [17, 23, 20]
    for line in ("keep P Red", "replace P Red"):
        done = turn(after, {"yellow": f"{line}\nsend A Red\nsend P Green"})
        assert seated(done, "yellow", ("3000",)) == ["red P"]
        assert [word(one) for one in done.island] == ["red P"]


def test_e8_payouts() -> None:
    """Green sends in round 2 to Blue, seated the same round, and to Red, seated in round 3 before Green's turn."""
    state = position([20, 20, 20, 20], "green", turn_round=2, phase="decision")
    table = FreeTable()
    state = TITLE.resolve(state, {2: sheet("send A Blue\nsend P Red")}, table)
    paid: dict[str, list[int]] = {"blue:10000": [], "red:10000": []}
    while state.phase != "over":
        table.events = []
        state = TITLE.resolve(state, {}, table)
        for event in table.told("income"):
            posts = event.data["posts"]
            assert isinstance(posts, tuple)
            for post in set(posts) & set(paid) if event.data["seat"] == "green" else ():
                paid[post].append(6 if state.phase == "over" else state.round)
    assert paid == {"blue:10000": [3, 4, 5, 6], "red:10000": [3, 4, 5, 6]}, "6 - 2 payouts each"


def test_income_is_paid_for_every_foreign_area() -> None:
    state = position([1, 1, 1], "red", {"green": {10000: "red A"}, "yellow": {1000: "red P", 3000: "green A"}})
    assert pay(state, 0, FreeTable()).cash == (12000, 1000, 1000)


def test_groups_follow_crafts_then_pay() -> None:
    """Free ones first, then external conflicts A, P, S, D; players clockwise from the left, one's scholars by craft."""
    waiting = {"green": ["yellow D", "blue D", "red P", "blue P", "yellow S", "red A", "red S"]}
    state = position([9, 9, 9, 9], "green", {}, waiting)
    names = [[word(one) for one in group.members] for group in state.groups]
    assert names == [["red A"], ["blue P", "red P"], ["red S", "yellow S"], ["blue D", "yellow D"]]
    free = position([9, 9, 9, 9], "green", {}, {"green": ["red D", "yellow S", "red A", "blue P"]})
    assert [word(one) for one in free.groups[0].members] == ["blue P", "red A", "red D", "yellow S"]


def test_a_roll_draws_the_first_player_and_seats_run_clockwise() -> None:
    firsts = {TITLE.setup({}, 5, FreeTable(seed)).first for seed in range(60)}
    assert firsts == set(range(5))
    state = TITLE.setup({}, 3, FreeTable(5))
    order = [state.active]
    for _ in range(8):
        state = TITLE.resolve(state, {}, FreeTable())
        order += [state.active] if state.active != order[-1] else []
    assert order[:4] == [(order[0] + step) % 3 for step in range(4)]


def test_turns_in_which_nobody_has_anything_to_do_are_left_out() -> None:
    """The first player of a game only sends; in round 5 the last two have no guests, or at least nobody to send."""
    state = TITLE.setup({}, 4, FreeTable())
    assert (state.round, state.phase, state.groups) == (1, "decision", ())
    idle = position([9] * 4, "green", {}, {"red": ["green A"]}, turn_round=5, phase="decision")
    idle = replace(idle, home=("",) * 4, first=2)
    after = TITLE.resolve(idle, {}, FreeTable())
    assert (after.active, after.phase) == (0, "bribes"), "Blue has neither guests nor scholars to send"


def test_most_money_wins_and_equal_money_shares() -> None:
    state = replace(position([50, 70, 70], "green"), phase="over")
    end = TITLE.outcome(state)
    assert end is not None
    assert (end.places, end.scores) == ((3, 1, 1), (50000, 70000, 70000))
    assert TITLE.outcome(TITLE.mask(replace(state, phase="bribes"), 0)) is None
    page = TITLE.show(state, None, "en")
    assert "Yellow and Green share the win with 70000 ducats each." in str(page)
