"""Control and contests (section 2)."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.contract import Order
from games.kreml import events
from games.kreml.contest import settle
from games.kreml.title import TITLE
from tests.kreml.auction import auction
from tests.kreml.playing import IDS, LANGUAGE, board, order, turn

AUCTIONS = 2000


def shown(told: object, name: str) -> tuple[int, ...]:
    return told.person(name).declared  # type: ignore[attr-defined, no-any-return]


# --- the worked examples ----------------------------------------------------------------------------------------------


def test_bids_of_7_and_5_against_3_show_6_and_5() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 7 on Satin", "bid 5 on Satin")
    assert told.controller("satin") == "minsk"
    assert shown(told, "satin") == (6, 5, 3)


@pytest.mark.parametrize(("seniority", "winner"), (((0, 1, 2), "minsk"), ((1, 0, 2), "odessa")))
def test_of_equal_bids_the_senior_wins_and_the_junior_shows_his(seniority: tuple[int, ...], winner: str) -> None:
    told = turn(board(seniority=seniority), "bid 5 on Satin", "bid 5 on Satin")
    assert told.controller("satin") == winner
    assert shown(told, "satin") == (5, 5, 0)


def test_a_bid_of_3_against_3_shows_nothing() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 3 on Satin")
    assert told.controller("satin") == "riga"
    assert not told.all(events.Declared)


def test_a_hold_of_9_against_a_bid_of_7_shows_7_and_7() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 7 on Satin", "", "hold Satin up to 9")
    assert told.controller("satin") == "riga"
    assert shown(told, "satin") == (7, 0, 7)


# --- the formula ------------------------------------------------------------------------------------------------------


def test_settled_results_equal_those_of_an_ascending_auction() -> None:
    compare(AUCTIONS)


def compare(cases: int) -> None:
    """Compare so many random contests with an auction, one point at a time (``make contest-full``: 10,000)."""
    random = Random(7)
    for _ in range(cases):
        seats = random.randint(3, 6)
        seniority = random.sample(range(seats), seats)
        controller = random.choice((-1, *range(seats)))
        declared = [random.randint(0, 6) for _ in range(seats)] if controller >= 0 else [0] * seats
        if controller >= 0:
            declared[controller] = max(declared)
        bids = {seat: random.randint(declared[seat], 10) for seat in range(seats) if random.random() < 0.6}
        bids.pop(controller, None)
        defence = random.randint(0, 10) if controller >= 0 else 0
        settled = settle(controller, defence, bids, declared, seniority)
        assert (settled.winner, settled.declared) == auction(controller, defence, bids, declared, seniority)


# --- when bids fire ---------------------------------------------------------------------------------------------------


def test_an_uncontrolled_politician_follows_the_first_point_shown() -> None:
    told = turn(board(), "bid 7 on Satin")
    assert (told.controller("satin"), shown(told, "satin")) == ("minsk", (1, 0, 0))
    assert told.one(events.Controlled).before == ""


def test_bids_are_settled_in_rank_order_then_candidates_people_and_siberia_by_age() -> None:
    wanted = ("samowarow", "satin", "stempelkow", "aktenjew", "kaviarin", "borschtschuk", "plombenko", "wanzenow")
    bids = "; ".join(f"bid 1 on {name}" for name in reversed(wanted))
    told = turn(board(siberia=("wanzenow", "plombenko")), bids)
    found = [one.who for one in told.all(events.Controlled)]
    assert found == [IDS[name] for name in wanted]


def test_a_plain_bid_defends_like_a_hold_in_its_turn() -> None:
    state = board(follow={"satin": "riga 3"})
    told = turn(state, "bid 7 on Satin; purge Rubelow", "bid 6 on Satin when acts")
    assert told.controller("satin") == "minsk"
    assert shown(told, "satin") == (6, 6, 3)


def test_a_triggered_bid_defends_nothing() -> None:
    state = board(follow={"satin": "riga 3"})
    told = turn(state, "bid 7 on Satin when phase 2", "bid 5 on Satin when acts", "purge Rubelow")
    assert not told.all(events.Cancelled)  # riga's order sleeps once minsk has him
    told = turn(state, "bid 7 on Satin when phase 1; purge Rubelow", "bid 5 on Satin when acts")
    assert told.controller("satin") == "odessa"
    assert shown(told, "satin") == (4, 5, 3)


def test_hold_all_defends_with_the_whole_list_and_a_named_hold_goes_before() -> None:
    lists = {2: {"satin": 8, "rubelow": 9}}
    state = board(follow={"satin": "riga 3", "rubelow": "riga 3"}, lists=lists)
    told = turn(state, "bid 8 on Satin; bid 10 on Rubelow", "", "hold all")
    assert (told.controller("satin"), told.controller("rubelow")) == ("riga", "minsk")
    told = turn(state, "bid 8 on Satin", "", "hold all; hold Satin up to 5")
    assert told.controller("satin") == "minsk"
    assert shown(told, "satin") == (6, 0, 5)


def test_all_stands_for_the_number() -> None:
    told = turn(
        board(follow={"satin": "riga 3"}, lists={0: {"satin": 6}}), "bid all on Satin", "", "hold Satin up to 5"
    )
    assert shown(told, "satin") == (6, 0, 5)


def test_nobody_declares_more_than_his_secret_value() -> None:
    lists = {0: {"satin": 4}, 2: {"satin": 4}}
    told = turn(
        board(follow={"satin": "riga 3"}, lists=lists), "always bid 9 on KGB when acts", "", "hold all; purge Rubelow"
    )
    assert (told.controller("satin"), shown(told, "satin")) == ("riga", (4, 0, 4))


def test_of_one_players_fired_bids_the_highest_counts_then_the_first_written() -> None:
    state = board(follow={"satin": "riga 3"})
    two = "bid 5 on Satin when acts then stop; bid 7 on Satin when against Rubelow then purge Tundrow"
    assert turn(state, two, "", "purge Rubelow").one(events.Purged).who == IDS["tundrow"]
    equal = "bid 5 on Satin when acts then stop; bid 5 on Satin when against Rubelow then purge Tundrow"
    assert not turn(state, equal, "", "purge Rubelow").all(events.Purged)


@pytest.mark.parametrize(
    ("trigger", "fires"),
    (
        ("acts", True),
        ("against Rubelow", True),
        ("against foreign", True),
        ("against Tundrow", False),
        ("votes", False),
        ("phase 2", True),
        ("phase 4", False),
    ),
)
def test_triggers_on_a_purge(trigger: str, fires: bool) -> None:
    told = turn(board(follow={"satin": "riga 3"}), f"bid 7 on Satin when {trigger}", "", "purge Rubelow")
    assert (told.controller("satin") == "minsk") == fires


@pytest.mark.parametrize(
    ("stage", "follow", "lines", "fires"),
    (
        ("spy", "tundrow", "investigate Parolina", True),
        ("spy", "tundrow", "close Parolina", False),
        ("spy", "tundrow", "accuse Datschin", False),
        ("autumn", "samowarow", "swap Parolina with Datschin", True),
        ("autumn", "samowarow", "swap Datschin with Parolina", True),
        ("autumn", "samowarow", "demote Parolina", True),
        ("autumn", "samowarow", "promote Parolina", False),
    ),
)
def test_against_names_its_victim(stage: str, follow: str, lines: str, fires: bool) -> None:
    old = {"parolina": {"opened": 1951}} if "close" in lines else {"datschin": {"opened": 1951}}
    vacant = {"kgb": None} if "promote" in lines else {"sport": None}
    row = ("stempelkow",)
    state = board(stage, follow={follow: "riga 3"}, people=old, seating=vacant, row=row)  # type: ignore[arg-type]
    told = turn(state, f"bid 7 on {follow} when against Parolina then stop", "", lines)
    assert bool(told.all(events.Cancelled)) == fires


def test_against_covers_accusation_and_banishment_too() -> None:
    state = board("spy", follow={"tundrow": "riga 3"}, people={"parolina": {"opened": 1951}})
    told = turn(state, "bid 7 on Tundrow when against Parolina", "", "accuse Parolina")
    assert told.one(events.Cancelled).act == "accuse"
    told = turn(state, "bid 7 on Tundrow when against Aktenjew", "", "banish Aktenjew")
    assert told.one(events.Cancelled).act == "banish"
    assert not told.siberia()


def test_anybody_who_turns_on_somebody_is_seized() -> None:
    state = board(follow={"satin": "riga 3", "tundrow": "riga 2"})
    told = turn(state, "bid 5 on anybody when against Rubelow then stop", "", "purge Rubelow")
    assert (told.controller("satin"), told.controller("tundrow")) == ("minsk", "riga")
    assert not told.siberia()


@pytest.mark.parametrize(
    ("trigger", "fires"), (("votes", True), ("votes no", True), ("votes yes", False), ("acts", False))
)
def test_triggers_on_a_vote(trigger: str, fires: bool) -> None:
    state = board("commission", pace="brisk", seating={"chief": None}, follow={"satin": "riga 3"})
    told = turn(state, f"bid 7 on Satin when {trigger} then vote yes", "", "vote no with Satin")
    assert told.votes()["satin"] == ("yes" if fires else "no")


def test_a_vote_is_no_act() -> None:
    state = board("commission", pace="brisk", seating={"chief": None}, follow={"satin": "riga 3"})
    told = turn(state, "bid 7 on Satin when acts", "", "vote no with Satin")
    assert (told.controller("satin"), told.votes()["satin"]) == ("riga", "no")


def test_abstentions_also_of_uncontrolled_politicians_are_announced() -> None:
    state = board("commission", pace="brisk", seating={"chief": None}, follow={"parolina": "riga 3"})
    told = turn(state, "bid 5 on Satin when votes abstain then vote no; bid 5 on Parolina when votes abstain")
    assert told.votes()["satin"] == "no"
    assert told.votes()["parolina"] == "abstain"
    assert told.controller("parolina") == "minsk"


def test_after_the_second_no_of_a_trial_no_bid_fires_on_its_votes() -> None:
    follow = {
        "tundrow": "riga 1",
        "satin": "odessa 1",
        "rubelow": "odessa 1",
        "parolina": "riga 1",
        "permafrostin": "odessa 1",
    }
    state = board("spy", pace="brisk", follow=follow, people={"datschin": {"opened": 1951}})
    bids = "bid 9 on Rubelow when votes; bid 9 on Parolina when votes; bid 9 on Tundrow when votes"
    told = turn(state, bids, "vote no", "accuse Datschin; vote yes")
    assert told.controller("rubelow") == "minsk"  # the second to vote, after one NO
    told = turn(state, bids.replace("Rubelow", "Permafrostin"), "vote no", "accuse Datschin; vote yes")
    assert [told.controller(name) for name in ("tundrow", "permafrostin", "parolina")] == ["riga", "odessa", "riga"]


def test_stop_ends_all_he_does_in_this_phase() -> None:
    state = board(follow={"satin": "riga 3"})
    told = turn(state, "bid 5 on Satin when acts then stop; purge Tundrow", "", "purge Rubelow")
    assert not told.all(events.Purged)
    assert told.one(events.Cancelled).act == "purge"
    assert told.age("satin") == 65


def test_stop_makes_an_abstention_of_a_vote_and_silence_of_a_nomination() -> None:
    state = board("commission", pace="brisk", seating={"chief": None}, follow={"rubelow": "riga 3", "satin": "riga 3"})
    mine = "bid 9 on Rubelow when acts then stop; bid 9 on Satin when votes no then stop; nominate Satin; vote no"
    told = turn(state, mine, "", "nominate Satin; vote no with Satin")
    assert told.one(events.Nominated).who == IDS["tundrow"]  # the oldest of level 1 but himself
    assert told.one(events.Nominated).silent == 1
    assert told.votes()["satin"] == "abstain"


def test_a_consequence_replaces_the_pending_act_then_his_own_orders_go_on() -> None:
    state = board(follow={"satin": "riga 3"})
    told = turn(state, "bid 5 on Satin when acts then purge Tundrow; purge Parolina", "", "purge Rubelow")
    assert [one.who for one in told.all(events.Purged)] == [IDS["tundrow"], IDS["parolina"]]


def test_without_a_consequence_the_new_controllers_orders_apply() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 5 on Satin when acts; purge Parolina", "", "purge Rubelow")
    assert [one.who for one in told.all(events.Purged)] == [IDS["parolina"]]


def test_the_contest_repeats_for_what_he_now_does() -> None:
    state = board(follow={"satin": "riga 3"})
    told = turn(
        state,
        "bid 5 on Satin when acts then purge Tundrow",
        "bid 8 on Satin when against Tundrow then stop",
        "purge Rubelow",
    )
    assert told.controller("satin") == "odessa"
    assert [one.who for one in told.all(events.Cancelled)] == [IDS["rubelow"], IDS["tundrow"]]


def test_a_consequence_that_does_not_fit_the_moment_falls_away() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 5 on Satin when acts then banish Aktenjew", "", "purge Rubelow")
    assert told.controller("satin") == "minsk"
    assert not told.siberia()


def test_a_consequence_that_is_impossible_is_skipped_too() -> None:
    people = {"parolina": {"opened": 1952}, "datschin": {"opened": 1951}}
    state = board("spy", follow={"tundrow": "riga 3"}, people=people)
    told = turn(state, "bid 5 on Tundrow when acts then accuse Parolina", "", "accuse Datschin")
    assert told.controller("tundrow") == "minsk"
    assert not told.all(events.Accused)


def test_a_takeover_may_change_the_vote_of_a_turn_of_its_own() -> None:
    state = board("nomination", seating={"chief": None}, follow={"rubelow": "riga 1"})
    state = turn(state, "", "", "nominate Satin").state
    told = turn(state, "bid 1 on Tundrow; vote no", "bid 2 on Tundrow when votes no then vote yes")
    assert told.votes()["tundrow"] == "yes"


def test_no_contest_in_phases_7_and_8() -> None:
    state = board("autumn", follow={"satin": "riga 3"}, siberia=("wanzenow",))
    told = turn(state, "bid 9 on Satin when acts then stop", "", "rehabilitate Wanzenow by Satin")
    assert "wanzenow" not in told.siberia()
    assert told.controller("satin") == "riga"
    told = turn(state, "bid 9 on Satin when phase 7", "", "rehabilitate Wanzenow by Satin")
    assert "wanzenow" in told.siberia()  # who has him before the phase decides


def test_a_contest_happens_before_a_member_goes_into_cure() -> None:
    state = board(follow={"parolina": "riga 3"}, people={"parolina": {"marks": 1}})
    assert turn(state, "", "", "cure Parolina").person("parolina").cure
    told = turn(state, "bid 5 on Parolina when acts then stop", "", "cure Parolina")
    assert not told.person("parolina").cure


def test_a_cancelled_act_costs_nothing_and_is_published() -> None:
    told = turn(board(follow={"satin": "riga 3"}), "bid 5 on Satin when acts", "", "purge Rubelow")
    assert told.one(events.Cancelled) == events.Cancelled(IDS["satin"], "purge", IDS["rubelow"], "")
    assert told.age("satin") == 65


def test_equal_points_never_move_control_and_nobody_is_ever_let_go() -> None:
    state = board(follow={"satin": "riga 5"})
    told = turn(state, "bid 5 on Satin", "bid 4 on Satin")
    assert told.controller("satin") == "riga"
    for _ in range(4):
        told = turn(told.state)
        assert told.controller("satin") == "riga"


def test_orders_for_politicians_of_others_sleep_until_one_has_them() -> None:
    state = board(follow={"satin": "riga 3"})
    assert not turn(state, "purge Rubelow").all(events.Purged)
    assert turn(state, "purge Rubelow; bid 4 on Satin").one(events.Purged).who == IDS["rubelow"]


def test_siberia_can_be_bid_on_and_the_dead_cannot() -> None:
    state = board(siberia=("wanzenow",), away=("kaviarin",))
    told = turn(state, "bid 2 on Wanzenow; bid 2 on Kaviarin; bid 2 on Aparatschik")
    assert [one.who for one in told.all(events.Controlled)] == [IDS["wanzenow"]]


# --- what stays for the next turn -------------------------------------------------------------------------------------


def test_standing_bids_and_holds_stay_and_others_do_not() -> None:
    mine = (
        "always bid 3 on Satin; bid 4 on Rubelow when acts; always hold all; hold Satin up to 2; always protect Satin"
    )
    told = turn(board(), mine)
    assert {LANGUAGE.write(one, "en") for one in told.kept[0]} == {
        "always bid 3 on Satin",
        "always hold all",
        "always protect Satin",
    }


def test_a_bid_for_a_later_phase_waits_for_it() -> None:
    told = turn(board(follow={"samowarow": "riga 1"}), "bid 3 on Samowarow when phase 6")
    assert told.kept[0] == (order("bid 3 on Samowarow when phase 6"),)
    told = turn(told.state, "bid 3 on Samowarow when phase 6")
    assert told.controller("samowarow") == "riga"
    told = turn(told.state, "bid 3 on Samowarow when phase 6")
    assert told.controller("samowarow") == "minsk"
    assert told.kept[0] == ()


def test_standing_orders_for_the_dead_are_dropped() -> None:
    told = turn(board("spy", people={"satin": {"marks": 2}}), "always hold Satin up to 5", health=[20, 7])
    assert IDS["satin"] in told.state.wall
    assert told.kept[0] == ()


def test_a_missed_turn_costs_nobody_a_politician() -> None:
    told = turn(board(follow={"satin": "riga 3"}))
    assert told.controller("satin") == "riga"
    assert Order("bid") not in told.kept.get(2, ())
    assert TITLE.outcome(told.state) is None
