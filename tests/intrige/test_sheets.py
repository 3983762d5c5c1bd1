"""Sheets: what is refused and how it is mended, what missing orders come to, bids ahead, standing orders, options."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.contract import Sheet
from games.engine.sheets import merge, missing, owes
from games.intrige import TITLE
from games.intrige.state import Scholar, State
from games.intrige.wording import TEXTS
from tests.intrige.playing import LANGUAGE, FreeTable, by_name, codes, position, purses, scholar, sheet


def bribing(**setting: bool) -> State:
    """Green's court is besieged; Red defends a priest there and applies with a scribe."""
    courts = {"green": {1000: "red P", 10000: "yellow S"}, "blue": {3000: "red D"}}
    waiting = {"green": ["red S", "blue A", "yellow P"], "blue": ["red A", "yellow D"]}
    return position([9, 2, 20, 0], "green", courts, waiting, setting=setting)


def deciding(**setting: bool) -> State:
    """Green decides: one without conflict, two scribes against each other, a priest attacked."""
    courts = {"green": {1000: "red P"}}
    waiting = {"green": ["blue A", "red S", "blue S", "yellow P"]}
    state = position([9, 9, 20, 9], "green", courts, waiting, setting=setting)
    return TITLE.resolve(state, {0: sheet("bribe S 2000"), 3: sheet("bribe S 1000")}, FreeTable())


def sending(**setting: bool) -> State:
    courts = {"red": {6000: "green A"}, "yellow": {1000: "blue D"}}
    return position([9, 9, 9, 9], "green", courts, {"yellow": ["red S"]}, phase="decision", setting=setting)


WRONG_BIDS = (
    ("bribe S", "amount_missing", "bribe S 1000"),
    ("bribe S 1500", "thousands", "bribe S 2000"),
    ("bribe S 400", "thousands", "bribe S 1000"),
    ("bribe S 9000000", "too_rich", "bribe S 1000000"),
    ("bribe S 0", "zero", "bribe S 1000"),
    ("bribe S 3000 max 4000", "max_without_raise", "bribe S 3000"),
    ("bribe S 3000 +1000 max 4000", "amount_and_raise", "bribe S +1000 max 4000"),
    ("bribe S +1000", "max_missing", "bribe S +1000 max 5000"),
    ("bribe S +1500 max 5000", "thousands", "bribe S +2000 max 5000"),
    ("bribe S +1000 max 5500", "thousands", "bribe S +1000 max 6000"),
    ("bribe S +1000 max 5000 else 1", "thousands", "bribe S +1000 max 5000 else 1000"),
    ("bribe S 10000", "cash", "bribe S 9000"),
    ("bribe S +1000 max 12000 else 2000", "cash", "bribe S +1000 max 9000 else 2000"),
    ("bribe 2000", "scholar_missing", "bribe S 2000"),
    ("bribe P 2000", "use_defend", "defend P 2000"),
    ("defend S 2000", "use_bribe", "bribe S 2000"),
    ("bribe A 2000", "elsewhere", "bribe A 2000 at Blue"),
    ("bribe D 2000", "not_waiting", "defend D 2000 at Blue"),
    ("defend D 2000", "elsewhere", "defend D 2000 at Blue"),
    ("bribe S 2000 at White", "nobody", None),
    ("bribe S 2000 at Red", "own_court", "bribe S 2000"),
    ("defend A 2000", "not_attacked", "bribe A 2000 at Blue"),
    ("always bribe S 2000", "standing_general", "always bribe 2000"),
    ("always bribe 0", "thousands", "always bribe 1000"),
    ("admit A Red 1000", "not_deciding", None),
    ("send A Blue", "not_sending", None),
    ("always admit A Red", "standing_highest", "always admit highest"),
    ("admit highest", "standing_highest", "always admit highest"),
)
WRONG_DECISIONS = (
    ("admit A Blue", "area_missing", "admit A Blue 10000"),
    ("admit A Blue 1000", "area_taken", "admit A Blue 10000"),
    ("admit A Red 6000", "no_such_applicant", "admit A Blue 6000"),
    ("admit 6000", "scholar_missing", None),
    ("admit D Red 6000", "no_applicant", None),
    ("admit S Yellow 6000", "no_such_applicant", "admit S Blue 6000"),
    ("admit P Yellow 6000", "seated_already", "replace P Yellow"),
    ("admit P Blue 6000", "seated_already", "keep P Red"),
    ("keep P Yellow", "not_incumbent", "replace P Yellow"),
    ("keep P Blue", "not_incumbent", "keep P Red"),
    ("replace P Blue", "no_such_rival", "keep P Red"),
    ("replace P Red", "no_such_rival", "keep P Red"),
    ("keep S Red", "use_admit", "admit S Red 10000"),
    ("bribe A 2000", "own_court", None),
)
WRONG_SENDS = (
    ("send A Green", "own_court_send", "send A Blue"),
    ("send A White", "nobody", None),
    ("admit A Blue 1000", "not_deciding", None),
)


@pytest.mark.parametrize(
    ("state", "name", "line", "code", "fix"),
    (
        *((bribing(), "red", *row) for row in WRONG_BIDS),
        *((deciding(), "green", *row) for row in WRONG_DECISIONS),
        *((sending(), "green", *row) for row in WRONG_SENDS),
        (bribing(sealed=True), "red", "bribe S +1000 max 5000", "sealed_condition", "bribe S 1000"),
        (bribing(sealed=True), "red", "always defend +1000 max 5000", "sealed_condition", "always defend 1000"),
    ),
)
def test_a_wrong_line_is_refused_with_the_nearest_right_one(
    state: State, name: str, line: str, code: str, fix: str | None
) -> None:
    seat = by_name(name)
    problems = TITLE.check(TITLE.mask(state, seat), seat, sheet(line))
    assert [problem.code for problem in problems if problem.refuses] == [code]
    assert fix == (LANGUAGE.write(problems[0].fix, "en") if problems[0].fix else None)
    assert fix is None or codes(state, seat, fix) in ([], ["cash"]), "the fix stands"
    for texts in TEXTS.values():
        assert "{" not in texts[f"problem.{code}"].format(**problems[0].data)


def test_of_two_lines_that_clash_the_later_is_refused() -> None:
    for state, name, text, code in (
        (bribing(), "red", "bribe S 1000\nbribe S 2000 at Green", "bid_twice"),
        (bribing(), "red", "always bribe 1000\nalways bribe 2000", "standing_twice"),
        (bribing(), "red", "always admit highest\nalways admit highest", "standing_twice"),
        (deciding(), "green", "keep P Red\nreplace P Yellow", "decided_twice"),
        (deciding(), "green", "admit S Red 3000\nadmit S Blue 6000", "decided_twice"),
        (deciding(), "green", "admit A Blue 3000\nadmit S Blue 3000", "area_twice"),
        (sending(), "green", "send P Red\nsend S Red", "court_twice"),
        (sending(), "green", "send P Red\nsend S Blue\nsend S Yellow", "sent_enough"),
        (sending(), "green", "send A Red\nsend A Blue", "not_home"),
    ):
        seat = by_name(name)
        problems = [p for p in TITLE.check(TITLE.mask(state, seat), seat, sheet(text)) if p.refuses]
        assert [(p.order, p.code) for p in problems] == [(len(text.splitlines()) - 1, code)]


def test_the_worst_case_of_an_admission_fits_the_cash() -> None:
    state = bribing()
    assert codes(state, 0, "bribe S 4000\ndefend P 5000") == []
    assert codes(state, 0, "bribe S 4000\ndefend P 6000") == ["cash"]
    assert codes(state, 0, "bribe S +1000 max 8000 else 1000\ndefend P 2000") == ["cash"]
    assert codes(state, 0, "bribe S 9000\nbribe A 9000 at Blue") == [], "another admission"
    assert codes(state, 0, "bribe A 10000 at Blue") == [], "cash may come until then"
    assert codes(state, 0, "bribe A 10000 at Blue", hints=True) == ["cash_ahead"]
    poor = position([1, 9, 9], "green", {"green": {1000: "red P"}}, {"green": ["red S", "yellow P"]})
    assert codes(poor, 0, "defend P 1000\nbribe S 0") == [], "he cannot pay for both"
    assert codes(poor, 0, "defend P 1000\nbribe S 1000") == ["cash"]


def test_a_penniless_player_pays_nothing_and_keeps_his_rights() -> None:
    state = bribing()
    assert codes(state, 3, "bribe A 0 wish any corner will do") == []
    problem = TITLE.check(state, 3, sheet("bribe A 1000"))[0]
    assert problem.fix is not None
    assert LANGUAGE.write(problem.fix, "en") == "bribe A 0"
    after = TITLE.resolve(state, {3: sheet("bribe A 0")}, FreeTable())
    assert [b.amount for b in after.bribes if b.scholar == scholar("blue A")] == [0]
    done = TITLE.resolve(after, {2: sheet("admit A Blue 6000")}, FreeTable())
    assert done.courts[2][1] == scholar("blue A")


def test_a_bribe_of_nothing_counts_as_an_earlier_one() -> None:
    state = position([0, 9, 9], "green", {"green": {1000: "red P"}}, {"green": ["yellow P"]})
    after = TITLE.resolve(state, {1: sheet("bribe P +1000 max 9000 else 7000")}, FreeTable())
    assert [b.amount for b in after.bribes] == [0, 1000]


def test_a_conditional_bid_looks_at_the_highest_earlier_one_and_may_reach_its_limit() -> None:
    waiting = {"green": ["blue P", "red P", "yellow P"]}
    state = position([20, 20, 20, 20], "green", {}, waiting)
    for limit, wanted in ((6000, 6000), (5000, 3000)):
        bids = {3: "bribe P 5000", 0: "bribe P 2000", 1: f"bribe P +1000 max {limit} else 3000"}
        after = TITLE.resolve(state, {seat: sheet(text) for seat, text in bids.items()}, FreeTable())
        assert [b.amount for b in after.bribes] == [5000, 2000, wanted]


def test_a_bribe_is_cut_to_the_cash_at_hand_and_is_at_least_a_thousand() -> None:
    state = position([3, 9, 9], "green", {"green": {1000: "red P"}}, {"green": ["red S", "yellow P"]})
    after = TITLE.resolve(state, {0: sheet("bribe S 2000\ndefend P 8000")}, FreeTable())
    assert {b.scholar.craft: b.amount for b in after.bribes if b.scholar.seat == 0} == {"S": 2000, "P": 1000}
    after = TITLE.resolve(state, {0: sheet("bribe S 0")}, FreeTable())
    assert [b.amount for b in after.bribes if b.scholar == scholar("red S")] == [1000]


# --- missed turns -----------------------------------------------------------------------------------------------------


def test_a_missed_bribe_is_a_thousand_in_bribing_order_while_cash_lasts() -> None:
    state = position([1, 9, 9], "green", {"green": {1000: "red P"}}, {"green": ["red S", "yellow P"]})
    after = TITLE.resolve(state, {}, FreeTable())
    assert [(b.scholar.craft, b.amount) for b in after.bribes] == [("S", 1000), ("P", 0), ("P", 1000)]
    assert purses(after) == [0, 8, 11]


def test_missed_decisions_follow_the_bribes() -> None:
    courts = {"green": {1000: "red P"}}
    waiting = {"green": ["blue A", "white D", "red S", "blue S", "yellow P"]}
    state = position([9, 9, 20, 9, 9], "green", courts, waiting)
    bids = {
        0: sheet("bribe S 3000\ndefend P 2000"),
        1: sheet("bribe P 2000"),
        3: sheet("bribe A 1000\nbribe S 3000"),
        4: sheet("bribe D 1000"),
    }
    after = TITLE.resolve(state, bids, FreeTable())
    done = TITLE.resolve(after, {}, FreeTable())
    assert done.courts[2] == (
        scholar("red P"),  # equal bribes: the incumbent
        scholar("blue A"),  # 1000, and before White in bribing order
        scholar("blue S"),  # as much as Red's, but earlier in bribing order; the dearest gets the best area
        scholar("white D"),
    )
    half = TITLE.resolve(after, {2: sheet("admit A Blue 10000\nreplace P Yellow\nadmit S White 3000")}, FreeTable())
    assert half.courts[2] == (scholar("yellow P"), scholar("blue S"), scholar("blue A"), scholar("white D"))


def sent(state: State, text: str = "") -> list[tuple[object, object]]:
    table = FreeTable()
    TITLE.resolve(state, {2: sheet(text)} if text else {}, table)
    return [(event.data["scholar"], event.data["court"]) for event in table.told("sent")]


def test_missed_sendings_avoid_conflicts_then_go_near() -> None:
    assert sent(sending()) == [("A", "blue"), ("P", "red")], "near courts, early letters, no conflict"
    assert sent(sending(), "send S Red") == [("A", "blue"), ("S", "red")]
    assert sent(sending(), "send D Yellow") == [("A", "blue"), ("D", "yellow")]
    external = position([9] * 4, "green", {}, {"blue": ["red A"], "red": ["yellow A"]}, phase="decision")
    assert sent(external) == [("P", "blue"), ("P", "red")], "P twice: the two P go to different courts"
    full = {"red": {1000: "yellow A", 3000: "blue P"}, "blue": {1000: "yellow A", 3000: "red P"}}
    seated = position([9] * 3 + [9], "green", {**full, "yellow": {1000: "red S"}}, {}, phase="decision")
    assert sent(seated) == [("S", "blue"), ("S", "red")]


def test_missed_sendings_attack_own_scholars_only_if_they_must() -> None:
    courts = {
        "red": {1000: "green S", 3000: "green D"},
        "yellow": {1000: "green A", 6000: "red S", 10000: "red D", 3000: "green P"},
    }
    state = position([9, 9, 9], "green", courts, {}, phase="decision")
    state = with_home(state, "SD")
    assert sent(state) == [("S", "red"), ("D", "yellow")], "both attack one of Red's court at least"
    assert codes(state, 2, "send D Red", hints=True) == ["attacks_own"]


def test_missed_sendings_attack_others_rather_than_oneself() -> None:
    courts = {"blue": {1000: "green S"}, "red": {1000: "blue S"}, "yellow": {1000: "blue S", 3000: "green D"}}
    state = with_home(position([9, 9, 9, 9], "green", courts, {}, phase="decision"), "S")
    assert sent(state) == [("S", "red")]


def with_home(state: State, home: str) -> State:
    homes = list(state.home)
    homes[state.active] = home
    return replace(state, home=tuple(homes))


# --- ahead and standing -----------------------------------------------------------------------------------------------


def test_bids_ahead_wait_until_their_court_is_active_and_then_need_no_name() -> None:
    table = FreeTable()
    state = bribing()
    written = sheet("bribe S 2000\nbribe A 3000 at Blue wish 10000\ndefend D 1000 at Blue\nalways defend 2000")
    after = TITLE.resolve(state, {0: written}, table)
    assert kept(table, 0) == ["always defend 2000", "bribe A 3000 at Blue wish 10000", "defend D 1000 at Blue"]
    after = TITLE.resolve(after, {0: table.kept[0]}, table)
    assert (after.active, after.phase) == (3, "bribes")
    assert kept(table, 0) == ["always defend 2000", "bribe A 3000 wish 10000", "defend D 1000"]
    assert codes(after, 0, "\n".join(kept(table, 0))) == []
    after = TITLE.resolve(after, {0: table.kept[0]}, table)
    paid = {(b.scholar.craft, b.defends): (b.amount, b.wish) for b in after.bribes if b.scholar.seat == 0}
    assert paid == {("A", False): (3000, "10000"), ("D", True): (1000, "")}
    assert kept(table, 0) == ["always defend 2000"]


def kept(table: FreeTable, seat: int) -> list[str]:
    return [LANGUAGE.write(order, "en") for order in table.kept[seat]]


def test_standing_orders_bid_for_whoever_has_no_order() -> None:
    state = bribing()
    standing = sheet("always defend 3000\nalways bribe +1000 max 5000 else 4000")
    after = TITLE.resolve(state, {0: (*standing, *sheet("bribe S 4000"))}, FreeTable())
    mine = {(b.scholar.craft, b.defends): b.amount for b in after.bribes if b.scholar.seat == 0}
    assert mine == {("P", True): 3000, ("S", False): 4000}
    after = TITLE.resolve(state, {0: standing, 1: sheet("defend S 2000")}, FreeTable())
    assert [b.amount for b in after.bribes if b.scholar == scholar("red S")] == [2000], "one above Yellow's last 1000"


def test_standing_orders_answer_what_is_owed() -> None:
    state = bribing()
    seen = TITLE.mask(state, 0)
    assert owes(TITLE, seen, 0)
    assert [ask.verb for ask in missing(TITLE, seen, 0, ()) if ask.must] == ["defend", "bribe"]
    assert not [ask for ask in missing(TITLE, seen, 0, sheet("always defend 2000\nalways bribe 1000")) if ask.must]
    seen = TITLE.mask(deciding(), 2)
    left = [ask.verb for ask in missing(TITLE, seen, 2, sheet("always admit highest")) if ask.must]
    assert left == ["send", "send"]
    done = sheet("admit A Blue 3000\nadmit S Red 6000\nreplace P Yellow\nsend A Blue\nsend D Red")
    assert not [ask for ask in missing(TITLE, seen, 2, done) if ask.must]


def test_a_later_mail_changes_one_decision_or_one_court() -> None:
    state = deciding()
    seen = TITLE.mask(state, 2)
    first = sheet("admit A Blue 3000\nadmit S Red 6000\nkeep P Red\nsend A Blue\nsend D Red")
    merged = merge(TITLE, seen, 2, first, sheet("replace P Yellow\nadmit S Blue 6000\nsend S Red"))
    assert merged.refused == merged.lapsed == ()
    lines = {LANGUAGE.write(order, "en") for order in merged.sheet}
    assert lines == {"admit A Blue 3000", "admit S Blue 6000", "replace P Yellow", "send A Blue", "send S Red"}


# --- options ----------------------------------------------------------------------------------------------------------


def test_staged_each_group_bribes_and_is_decided_before_the_next() -> None:
    state = bribing(staged=True)
    table = FreeTable()
    assert [group.kind for group in state.groups] == ["free", "internal", "internal"]
    assert [ask.verb for ask in TITLE.asks(TITLE.mask(state, 3), 3) if ask.must] == ["bribe"]
    assert not owes(TITLE, TITLE.mask(state, 0), 0)
    ahead: Sheet = sheet("defend P 2000\nbribe S 3000")
    assert codes(state, 0, "defend P 2000\nbribe S 3000") == [], "later groups may be bid for already"
    state = TITLE.resolve(state, {0: ahead}, table)
    assert (state.phase, state.stage, [b.scholar for b in state.bribes]) == ("decision", 0, [scholar("blue A")])
    assert [ask.verb for ask in TITLE.asks(state, 2) if ask.must] == ["admit"], "nobody is sent yet"
    assert codes(state, 2, "send A Blue") == ["not_sending"]
    assert codes(state, 3, "bribe A 2000") == ["not_waiting"], "that group has bribed"
    state = TITLE.resolve(state, {0: table.kept[0], 2: sheet("admit A Blue 6000")}, table)
    assert (state.phase, state.stage) == ("bribes", 1)
    state = TITLE.resolve(state, {0: table.kept[0]}, table)
    assert [b.amount for b in state.bribes if b.scholar.seat == 0] == [2000]
    state = TITLE.resolve(state, {0: table.kept[0]}, table)
    state = TITLE.resolve(state, {0: table.kept[0]}, table)
    assert [b.amount for b in state.bribes if b.scholar == scholar("red S")] == [3000]
    assert [ask.verb for ask in TITLE.asks(state, 2) if ask.must] == ["keep", "replace", "send", "send"]
    state = TITLE.resolve(state, {}, table)
    assert state.active == 3


def test_sealed_amounts_are_known_to_payer_and_owner_only_until_the_end() -> None:
    table = FreeTable()
    state = TITLE.resolve(bribing(sealed=True), {0: sheet("bribe S 4000 wish 10000")}, table)
    for viewer, wanted in ((0, {4000}), (2, {4000}), (1, {None}), (None, {None})):
        seen = TITLE.mask(state, viewer)
        assert {b.amount for b in seen.bribes if b.scholar == scholar("red S")} == wanted
        assert {e.bribe.amount for e in seen.book if e.bribe.scholar == scholar("red S")} == wanted
    known = {event.data["amount"] for event in table.told("amount") if event.to == frozenset({0, 2})}
    assert 4000 in known
    assert all("amount" not in event.data and event.to is None for event in table.told("bribe"))
    assert "10000" in {event.data["wish"] for event in table.told("bribe")}, "wishes are spoken aloud"
    while state.phase != "over":
        state = TITLE.resolve(state, {}, table)
    opened = [event for event in table.told("opened") if event.data["amount"] == 4000]
    assert len(opened) == 1
    assert opened[0].to is None


def test_sealed_and_open_cash_do_not_go_together() -> None:
    assert TITLE.refuse({"sealed": True, "open_cash": True}, 4) == "refuse.sealed_open"
    assert TITLE.refuse({"sealed": True}, 4) is TITLE.refuse({"open_cash": True}, 4) is None
    assert all("refuse.sealed_open" in texts for texts in TEXTS.values())


def test_open_cash_is_seen_by_everybody_and_closed_cash_by_its_owner() -> None:
    assert TITLE.mask(bribing(open_cash=True), None).cash == (9000, 2000, 20000, 0)
    assert TITLE.mask(bribing(), 1).cash == (None, 2000, None, None)
    assert TITLE.mask(bribing(), None).cash == (None,) * 4


def test_same_court_lets_both_go_to_one_court_and_bids_count_in_the_order_written() -> None:
    state = sending(same_court=True)
    assert codes(state, 2, "send P Blue\nsend P Blue") == []
    assert codes(sending(), 2, "send P Blue\nsend P Blue") == ["court_twice"]
    state = TITLE.resolve(state, {2: sheet("send P Blue\nsend P Blue")}, FreeTable())
    assert [(g.kind, g.members) for g in state.groups] == [("external", (Scholar(2, "P"), Scholar(2, "P")))]
    assert codes(state, 2, "bribe P 3000\nbribe P 1000\nbribe P 1000") == ["bid_twice"]
    after = TITLE.resolve(state, {2: sheet("bribe P 1000\nbribe P 3000")}, FreeTable())
    assert [b.amount for b in after.bribes] == [1000, 3000]
    done = TITLE.resolve(after, {3: sheet("admit P Green 6000")}, FreeTable())
    assert (done.courts[3][1], done.island) == (Scholar(2, "P"), (Scholar(2, "P"),))
