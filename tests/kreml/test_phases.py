"""The year, phase by phase (section 3), and the set-up (section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.turns import start
from games.kreml import events
from games.kreml.data import NESTOR, PEOPLE
from games.kreml.phases.purges import NEEDED
from games.kreml.state import OFFICES, State
from games.kreml.title import TITLE
from tests.kreml.playing import IDS, ROW, SEATING, board, names, turn

FOLLOW = dict.fromkeys(SEATING.values(), "minsk 1")


def ill(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """These people, in cure."""
    return {name: {"marks": 1, "cure": True} for name in names}


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_the_game_begins_with_nestor_seven_offices_five_candidates_and_a_seniority() -> None:
    step = start(TITLE, {}, 5, b"seed", "game")
    state: State = step.state
    assert state.offices["chief"] == NESTOR
    assert (state.politicians[NESTOR].age, state.politicians[NESTOR].marks) == (80, 1)
    assert tuple(state.offices) == OFFICES
    assert (len(state.candidates), len(state.people), len(PEOPLE)) == (5, 11, 24)
    assert sorted(state.seniority) == [0, 1, 2, 3, 4]
    (told,) = [events.read(event) for event in step.events]
    assert told.members == tuple(state.offices.values())
    assert told.candidates == state.candidates
    assert start(TITLE, {}, 5, b"other", "game").state.offices != state.offices


def test_nestor_does_nothing_but_age_and_parade() -> None:
    state = board("autumn", seating={"chief": "nestor"}, people={"nestor": {"age": 80, "marks": 0}}, year=1951)
    told = turn(state, "bid 5 on Nestor; swap Parolina with Datschin; rehabilitate Wanzenow by chief")
    assert not told.all(events.Declared)
    assert not told.all(events.Moved)
    assert told.one(events.Parade).who == NESTOR


# --- phase 0 ----------------------------------------------------------------------------------------------------------

LIST = (
    "rank 10 Satin, 9 Rubelow, 8 Tundrow, 7 Parolina, 6 Datschin, 5 Quotenko, 4 Wanzenow, 3 Kaviarin, 2 Aktenjew, "
    "1 Eisbärski"
)


def test_a_list_is_taken_and_told_to_its_seat_alone() -> None:
    told = turn(start(TITLE, {}, 3, b"seed", "game").state, LIST, LIST, LIST)
    mine = told.state.lists[0]
    assert mine is not None
    assert (mine[IDS["satin"]], mine[IDS["eisbärski"]], len(mine)) == (10, 1, 10)
    assert [event.to for event in told.events if event.kind == "listed"] == [frozenset({seat}) for seat in range(3)]
    assert not told.labels
    assert (told.state.stage, told.state.year) == ("purges", 1951)


def test_nothing_valid_gives_a_random_list_and_an_incomplete_one_keeps_its_entries() -> None:
    told = turn(start(TITLE, {}, 3, b"seed", "game").state, "rank 10 Satin, 9 Satin, 3 Rubelow, 2 Nestor", "")
    assert told.state.lists[0] == {IDS["satin"]: 10, IDS["rubelow"]: 3}
    for mine in told.state.lists[1:]:
        assert mine is not None
        assert sorted(mine.values()) == list(range(1, 11))
        assert NESTOR not in mine
    assert [one.drawn for one in told.all(events.Listed)] == [0, 1, 1]
    assert {label.split()[-1] for label in told.labels} == {"odessa", "riga"}


# --- phase 1 ----------------------------------------------------------------------------------------------------------


def test_the_healthy_leave_the_sanatorium_and_the_sick_stay_where_they_are() -> None:
    people: dict[str, dict[str, Any]] = {
        "satin": {"cure": True},
        "rubelow": {"cure": True, "marks": 1},
        "tundrow": {"marks": 2},
    }
    told = turn(board(follow=FOLLOW, people=people))
    assert [told.person(name).cure for name in ("satin", "rubelow", "tundrow")] == [False, True, False]
    assert told.one(events.Returned).who == IDS["satin"]


def test_the_controller_sends_and_fetches_and_others_cannot() -> None:
    people = {"satin": {"marks": 1}, "rubelow": {"cure": True, "marks": 1}, "tundrow": {"marks": 2}}
    state = board(follow={"satin": "minsk 1", "rubelow": "minsk 1", "tundrow": "riga 1"}, people=people)
    told = turn(state, "cure Satin, Tundrow; recall Rubelow")
    assert [told.person(name).cure for name in ("satin", "rubelow", "tundrow")] == [True, False, False]


@pytest.mark.parametrize(("rule", "cured"), (("cure from 1", (True, True)), ("cure from ++", (False, True))))
def test_a_rule_sends_whoever_has_so_many_marks(rule: str, cured: tuple[bool, bool]) -> None:
    state = board(follow=FOLLOW, people={"satin": {"marks": 1}, "tundrow": {"marks": 2}})
    told = turn(state, rule)
    assert (told.person("satin").cure, told.person("tundrow").cure) == cured
    told = turn(state, f"always {rule}; recall Tundrow")
    assert not told.person("tundrow").cure


@pytest.mark.parametrize(("per_mark", "age"), ((False, 73), (True, 74)))
def test_sickness_at_work_makes_older_by_one_or_by_the_marks(per_mark: bool, age: int) -> None:
    people = {"satin": {"marks": 1}, "tundrow": {"marks": 2}, "rubelow": {"marks": 2, "cure": True}}
    told = turn(board(people=people, per_mark=per_mark))
    assert (told.age("satin"), told.age("tundrow"), told.age("rubelow")) == (66, age, 67)


@pytest.mark.parametrize("fields", ({}, {"marks": 1, "cure": True}))
def test_the_chief_ages_whatever_his_state(fields: dict[str, Any]) -> None:
    assert turn(board(people={"samowarow": fields})).age("samowarow") == 75


def test_candidates_and_people_keep_their_marks_and_cannot_go_into_cure() -> None:
    state = board(people={"aktenjew": {"marks": 1}}, follow={"aktenjew": "minsk 1"})
    told = turn(state, "cure Aktenjew")
    assert (told.person("aktenjew").marks, told.person("aktenjew").cure, told.age("aktenjew")) == (1, False, 61)


# --- phase 2 ----------------------------------------------------------------------------------------------------------


def test_what_a_purge_needs() -> None:
    assert NEEDED == (18, 14, 10, 6)
    for victim, needed in (("samowarow", 18), ("rubelow", 14), ("parolina", 10), ("ordenskaja", 6)):
        for roll in (needed, needed - 1):
            told = turn(board(follow=FOLLOW), f"purge {victim}", purge=roll)
            assert (told.one(events.Purged).needed, victim in told.siberia()) == (needed, roll == needed)


def test_success_costs_one_year_and_goes_on_failure_costs_three_and_ends_it() -> None:
    told = turn(board(follow=FOLLOW), "purge Rubelow, Parolina, Datschin", purge=[14, 9])
    assert [one.success for one in told.all(events.Purged)] == [1, 0]
    assert told.age("satin") == 65 + 1 + 3
    assert told.siberia() == {"rubelow"}


@pytest.mark.parametrize(
    ("cured", "vacant", "purger"),
    (
        ((), (), "satin"),
        (("satin",), (), "permafrostin"),
        (("permafrostin",), ("kgb",), "samowarow"),
        (("samowarow",), ("kgb", "ideologist"), "parolina"),
        (("parolina", "samowarow"), ("kgb", "ideologist"), ""),
    ),
)
def test_who_stands_in_for_the_kgb_head(cured: tuple[str, ...], vacant: tuple[str, ...], purger: str) -> None:
    people = ill(cured)
    state = board(follow=FOLLOW, people=people, seating=dict.fromkeys(vacant))
    told = turn(state, "purge Datschin")
    assert [one.by for one in told.all(events.Purged)] == ([IDS[purger]] if purger else [])
    assert told.one(events.Power).who == (IDS[purger] if purger else "")


def test_an_uncontrolled_holder_blocks_his_power() -> None:
    told = turn(board(follow={"permafrostin": "minsk 1"}), "purge Datschin; bid 1 on Wanzenow")
    assert not told.all(events.Purged)
    assert told.one(events.Power).controlled == 0


def test_targets_are_members_and_candidates_but_not_oneself() -> None:
    told = turn(board(follow=FOLLOW), "purge Satin, Wanzenow, Aktenjew")
    assert told.siberia() == set()  # a name that makes no sense refuses the line
    told = turn(board(follow=FOLLOW), "purge Satin, Aktenjew")
    assert told.siberia() == {"aktenjew"}


def test_lines_end_where_they_say() -> None:
    everybody = "purge Rubelow, Parolina, Datschin"
    assert len(turn(board(follow=FOLLOW), f"{everybody} stop after 2").siberia()) == 2
    assert len(turn(board(follow=FOLLOW), f"{everybody} stop at age 66").siberia()) == 1
    assert turn(board(follow=FOLLOW), f"{everybody} stop at age 65").siberia() == set()
    two = "purge Rubelow stop after 1; purge Parolina"
    assert turn(board(follow=FOLLOW), two).siberia() == {"rubelow", "parolina"}
    assert turn(board(follow=FOLLOW), f"{two}; stop after 1").siberia() == {"rubelow"}
    assert turn(board(follow=FOLLOW), f"{two}; stop at age 66").siberia() == {"rubelow"}


def test_an_office_means_its_holder_when_carried_out() -> None:
    state = board("autumn", follow=FOLLOW)
    told = turn(state, "swap KGB with sport; swap KGB with Datschin")
    assert (told.holder("sport"), told.holder("kgb"), told.holder("agriculture")) == ("satin", "datschin", "pelzmützin")


# --- phase 3 ----------------------------------------------------------------------------------------------------------


def test_files_are_closed_for_nothing_and_opened_for_a_year_each_and_suspicion_makes_older() -> None:
    people = {"parolina": {"opened": 1951}, "tundrow": {"opened": 1951}}
    told = turn(board("spy", follow=FOLLOW, people=people), "close Parolina, Tundrow; investigate Satin, Rubelow")
    assert [told.person(name).opened for name in ("parolina", "tundrow", "satin", "rubelow")] == [0, 0, 1952, 1952]
    assert (told.age("tundrow"), told.age("satin"), told.age("parolina")) == (74, 66, 68)


def test_suspicion_makes_older_even_if_the_minister_follows_nobody() -> None:
    assert turn(board("spy", people={"parolina": {"opened": 1951}})).age("parolina") == 69


def test_nobody_is_investigated_twice_nor_by_himself() -> None:
    told = turn(board("spy", follow=FOLLOW), "investigate Tundrow, Satin; investigate Rubelow, Satin")
    assert [one.who for one in told.all(events.Investigated)] == [IDS["satin"], IDS["rubelow"]]


@pytest.mark.parametrize(
    ("away", "actor"),
    ((1, "rubelow"), (2, "satin"), (3, "samowarow"), (4, "parolina"), (5, "")),
)
def test_who_stands_in_for_the_defence_minister(away: int, actor: str) -> None:
    people = ill(("tundrow", "rubelow", "satin", "samowarow", "parolina")[:away])
    told = turn(board("spy", follow=FOLLOW, people=people), "banish Aktenjew")
    assert [one.by for one in told.all(events.Banished)] == ([IDS[actor]] if actor else [])


def test_only_an_old_investigation_leads_to_an_accusation_and_only_one() -> None:
    people = {"parolina": {"opened": 1952}, "datschin": {"opened": 1951}, "satin": {"opened": 1951}}
    told = turn(board("spy", follow=FOLLOW, people=people), "accuse Datschin else Satin")
    assert told.one(events.Accused).who == IDS["datschin"]
    told = turn(board("spy", follow=FOLLOW, people=people), "close Datschin; accuse Datschin else Satin")
    assert told.one(events.Accused).who == IDS["satin"]
    told = turn(board("spy", follow=FOLLOW, people=people), "accuse Parolina")
    assert not told.all(events.Accused)


def test_in_the_classic_pace_a_trial_is_a_turn_of_its_own_followed_by_the_banishment_ordered_before() -> None:
    state = board("spy", follow=FOLLOW, people={"datschin": {"opened": 1951}})
    told = turn(state, "accuse Datschin; banish Aktenjew", "banish Ordenskaja")
    assert (told.state.stage, told.siberia()) == ("trial", set())
    told = turn(told.state, "vote yes; banish Mikrofonow")
    assert told.siberia() == {"datschin", "aktenjew"}
    assert told.age("tundrow") == 72 + 2
    assert [one.phase for one in told.all(events.Phase)] == [4]
    assert told.state.stage == "autumn"


def test_the_banishment_follows_whoever_controls_the_minister_then() -> None:
    state = board("spy", follow=FOLLOW, people={"datschin": {"opened": 1951}})
    told = turn(state, "accuse Datschin; banish Aktenjew", "banish Ordenskaja")
    told = turn(told.state, "", "bid 5 on Tundrow")
    assert told.siberia() == {"datschin", "ordenskaja"}


def test_present_members_vote_in_rank_order_accuser_and_accused_included() -> None:
    state = board(
        "spy", pace="brisk", follow=FOLLOW, people={"datschin": {"opened": 1951}, "satin": {"marks": 1, "cure": True}}
    )
    told = turn(state, "accuse Datschin")
    assert list(told.votes()) == [who for who in SEATING.values() if who != "satin"]
    assert set(told.votes().values()) == {"abstain"}
    assert told.siberia() == {"datschin"}


def test_an_acquittal_removes_the_marker_and_costs_the_accuser_three() -> None:
    state = board("spy", pace="brisk", follow=FOLLOW, people={"datschin": {"opened": 1951}})
    told = turn(state, "accuse Datschin; vote no")
    assert told.one(events.Acquitted).no == tuple(IDS[who] for who in SEATING.values())
    assert (told.person("datschin").opened, told.age("tundrow")) == (0, 75)


def test_a_banishment_costs_two_and_there_is_one() -> None:
    told = turn(board("spy", follow=FOLLOW), "banish Aktenjew, Ordenskaja")
    assert (told.siberia(), told.age("tundrow")) == ({"aktenjew"}, 74)


def test_a_marker_sleeps_outside_of_the_politburo_and_goes_in_siberia() -> None:
    people = {"aktenjew": {"opened": 1951}, "datschin": {"opened": 1951}}
    state = board(follow=FOLLOW, people=people)
    told = turn(turn(state, "purge Datschin").state)
    assert (told.person("aktenjew").opened, told.age("aktenjew")) == (1951, 61)
    assert told.person("datschin").opened == 0


@pytest.mark.parametrize(
    ("orders", "vote"),
    (
        ("vote yes; protect Datschin", "yes"),
        ("protect Datschin", "no"),
        ("always protect Datschin", "no"),
        ("protect Satin", "abstain"),
        ("vote yes on Datschin; vote no", "yes"),
        ("vote yes with Rubelow; vote no on Datschin", "yes"),
        ("vote yes with Rubelow on Datschin; vote no with Rubelow", "yes"),
        ("vote yes with foreign; vote no with Rubelow", "no"),
        ("vote yes with Satin", "abstain"),
        ("", "abstain"),
    ),
)
def test_which_voting_order_counts(orders: str, vote: str) -> None:
    state = board("spy", pace="brisk", follow=FOLLOW, people={"datschin": {"opened": 1951}})
    assert turn(state, f"accuse Datschin; {orders}").votes()["rubelow"] == vote


# --- phase 4 ----------------------------------------------------------------------------------------------------------


def test_every_member_rolls_in_rank_order_at_work_or_in_cure() -> None:
    people = {"satin": {"marks": 1, "cure": True}, "rubelow": {"marks": 2}}
    told = turn(board("spy", people=people), health=[20, 9, 18, 3])
    found = told.all(events.Examined)
    assert [next(names([one.who])) for one in found] == list(SEATING.values())
    assert [(one.roll, one.result) for one in found[:4]] == [(20, "none"), (9, "heals"), (18, "heals"), (3, "two")]
    assert (told.person("satin").marks, told.person("rubelow").marks, told.person("tundrow").marks) == (0, 1, 2)


def test_the_dead_leave_their_office_and_marks_never_fall_below_nought() -> None:
    told = turn(board("spy"), health=[1, 20])
    assert "chief" not in told.state.offices
    assert (IDS["samowarow"] in told.state.wall, told.person("satin").marks) == (True, 0)
    assert told.state.stage == "nomination"


# --- phase 5 ----------------------------------------------------------------------------------------------------------


def vacancy(stage: str = "nomination", **more: Any) -> State:
    return board(stage, seating={"chief": None, **more.pop("seating", {})}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("away", range(8))
def test_who_proposes(away: int) -> None:
    line = ("rubelow", "permafrostin", "satin", "parolina", "datschin", "pelzmützin", "tundrow")
    people = ill(line[:away])
    told = turn(vacancy(follow=FOLLOW, people=people), "")
    if away < 7:
        assert told.one(events.Nominated).by == IDS[line[away]]
    else:
        assert (told.holder("chief"), told.one(events.Elected).how) == ("tundrow", "oldest")
        assert told.person("tundrow").cure


def test_the_nominee_is_of_level_1_and_never_the_proposer() -> None:
    told = turn(vacancy(follow=FOLLOW, people={"satin": {"marks": 1, "cure": True}}), "nominate Parolina, Satin")
    assert told.one(events.Nominated).who == IDS["satin"]
    told = turn(vacancy(follow=FOLLOW, seating={"kgb": None, "defence": None}), "nominate Parolina")
    assert told.one(events.Nominated).who == IDS["parolina"]


def test_silence_and_an_uncontrolled_proposer_mean_the_oldest() -> None:
    for orders in ("", "nominate Satin"):
        told = turn(vacancy(), orders)
        assert (told.one(events.Nominated).who, told.one(events.Nominated).silent) == (IDS["tundrow"], 1)


def test_the_only_member_becomes_chief_without_a_vote() -> None:
    seating = dict.fromkeys(("kgb", "foreign", "defence", "ideologist", "industry", "agriculture"))
    told = turn(vacancy("spy", seating=seating))
    assert (told.holder("chief"), told.one(events.Elected).how) == ("pelzmützin", "alone")
    assert told.state.stage == "autumn"


def test_without_any_member_there_is_no_chief_this_year() -> None:
    seating = dict.fromkeys(("kgb", "foreign", "defence", "ideologist", "industry", "agriculture", "sport"))
    told = turn(vacancy("commission", pace="brisk", seating=seating))
    assert told.one(events.Headless).year == 1952
    assert told.one(events.Unattended).who == ""


def test_the_proposer_has_no_vote_and_the_nominee_has_unless_the_option_says_no() -> None:
    for nominee_votes in (True, False):
        state = vacancy("commission", pace="brisk", follow=FOLLOW, nominee_votes=nominee_votes)
        told = turn(state, "nominate Satin; vote yes")
        assert ("satin" in told.votes()) == nominee_votes
        assert "rubelow" not in told.votes()
        assert told.holder("chief") == "satin"
        assert told.holder("kgb") != "satin"


def test_rebels_are_nominated_second_by_the_earlier_list_and_cost_the_proposer_a_year() -> None:
    told = turn(vacancy(follow=FOLLOW), "nominate Satin, Parolina, Datschin")
    assert told.state.stage == "election"
    told = turn(told.state, "vote no with Parolina; vote no with Datschin; vote no with Tundrow; vote yes")
    assert told.age("rubelow") == 68
    assert (told.one(events.Nominated).who, told.state.stage) == (IDS["parolina"], "rebels")
    told = turn(told.state, "vote yes")
    assert (told.holder("chief"), told.one(events.Elected).how, told.state.stage) == ("parolina", "vote", "autumn")


def test_the_second_nomination_is_the_oldest_rebel_if_nobody_says_whom() -> None:
    state = turn(vacancy(follow=FOLLOW), "nominate Satin").state
    told = turn(state, "vote no with sport; vote no with industry; vote no with agriculture")
    assert told.one(events.Nominated).who == IDS["parolina"]


@pytest.mark.parametrize("away", range(4))
def test_when_both_votes_fail_the_defence_minister_helps_himself(away: int) -> None:
    helpers = ("tundrow", "rubelow", "satin", "parolina")
    state = vacancy("commission", pace="brisk", follow=FOLLOW, people=ill(helpers[:away]))
    told = turn(state, "vote no")
    assert (told.holder("chief"), told.one(events.Elected).how) == (helpers[away], "defence")


def test_two_voters_are_too_few_to_reject_anybody() -> None:
    """So the proposer, who comes last among those who would help themselves, never has to."""
    people = ill(("tundrow", "rubelow", "satin", "parolina"))
    told = turn(vacancy("commission", pace="brisk", follow=FOLLOW, people=people), "vote no")
    assert told.one(events.Elected).how == "vote"


def test_opposing_a_nominee_is_a_no() -> None:
    state = vacancy("commission", pace="brisk", follow=FOLLOW)
    assert set(turn(state, "nominate Satin; always oppose Satin").votes().values()) == {"no"}
    assert set(turn(state, "nominate Satin; always protect Satin").votes().values()) == {"abstain"}


def test_a_chief_elected_in_cure_stays_in_cure() -> None:
    state = vacancy("commission", pace="brisk", follow=FOLLOW, people={"satin": {"marks": 1, "cure": True}})
    told = turn(state, "nominate Satin")
    assert (told.holder("chief"), told.person("satin").cure) == ("satin", True)


def test_with_a_chief_there_is_no_phase_5() -> None:
    told = turn(board("spy"))
    assert (told.state.stage, [one.phase for one in told.all(events.Phase)]) == ("autumn", [3, 4])


def test_a_proposer_of_95_finishes_the_election_in_hand() -> None:
    state = vacancy("commission", pace="brisk", follow=FOLLOW, people={"rubelow": {"age": 95}})
    told = turn(state, "nominate Satin, Datschin; vote no on Satin; vote yes on Datschin; vote yes with Satin")
    assert [one.by for one in told.all(events.Nominated)] == [IDS["rubelow"]] * 2
    assert (told.holder("chief"), IDS["rubelow"] in told.state.honours) == ("datschin", True)


# --- phase 6 ----------------------------------------------------------------------------------------------------------


def test_the_chief_swaps_promotes_demotes_and_moves_at_a_year_each() -> None:
    state = board("autumn", follow=FOLLOW, seating={"sport": None, "foreign": None}, row=ROW[:4])
    told = turn(
        state, "swap Satin with Stempelkow; promote Parolina; demote Tundrow to sport; move Datschin to industry"
    )
    done = [(one.act, one.source, one.target) for one in told.all(events.Moved)]
    assert done == [
        ("promote", "industry", "foreign"),
        ("demote", "defence", "sport"),
        ("move", "agriculture", "industry"),
    ]
    assert told.age("samowarow") == 74 + 3


@pytest.mark.parametrize(
    ("line", "done"),
    (
        ("swap Satin with Rubelow", True),
        ("swap Satin with Parolina", True),
        ("swap Satin with Aktenjew", False),
        ("swap Parolina with Aktenjew", True),
        ("swap Aktenjew with Ordenskaja", True),
        ("swap Aktenjew with Wanzenow", True),
        ("swap Kaviarin with Wanzenow", False),
        ("promote Parolina", False),
        ("promote Aktenjew to sport", True),
        ("promote Aktenjew to foreign", False),
        ("promote Wanzenow", True),
        ("demote Satin", True),
        ("demote Parolina", True),
        ("demote Aktenjew", True),
        ("demote Wanzenow", False),
        ("move Parolina to sport", True),
        ("move Parolina to agriculture", False),
        ("move Satin to sport", False),
    ),
)
def test_what_the_chief_may_do(line: str, done: bool) -> None:
    told = turn(board("autumn", follow=FOLLOW, seating={"sport": None}, row=ROW[:4]), line)
    assert [one.by for one in told.all(events.Moved)] == ([IDS["samowarow"]] if done else [])


def test_a_full_row_takes_nobody() -> None:
    told = turn(board("autumn", follow=FOLLOW), "promote Wanzenow by chief; demote Parolina")
    assert not told.all(events.Moved)


def test_after_every_move_everybody_stands_within_one_level_of_where_he_began() -> None:
    told = turn(
        board("autumn", follow=FOLLOW), "swap Satin with Parolina; swap Satin with Aktenjew; swap Satin with Datschin"
    )
    assert [(one.source, one.target) for one in told.all(events.Moved)] == [
        ("kgb", "industry"),
        ("industry", "agriculture"),
    ]
    told = turn(board("autumn", follow=FOLLOW), "swap Parolina with Aktenjew; swap Aktenjew with Satin")
    assert [one.who for one in told.all(events.Moved)] == [IDS["parolina"]]
    state = board("autumn", follow=FOLLOW, seating={"sport": None}, row=ROW[:4])
    told = turn(state, "promote Wanzenow by chief; promote Wanzenow to sport by chief")
    assert [one.target for one in told.all(events.Moved)] == ["candidates"]


def test_nobody_moves_into_or_out_of_the_chiefs_office_nor_from_siberia() -> None:
    state = board("autumn", follow=FOLLOW, siberia=("wanzenow",))
    told = turn(state, "swap Satin with Samowarow; swap chief with KGB; swap Wanzenow with Aktenjew; promote Satin")
    assert not told.all(events.Moved)


def test_a_swap_puts_each_exactly_into_the_others_place_and_ends_a_cure_outside() -> None:
    people = {"parolina": {"marks": 1, "cure": True}, "datschin": {"marks": 1, "cure": True}}
    told = turn(
        board("autumn", follow=FOLLOW, people=people), "swap Parolina with Mikrofonow; swap Datschin with Satin"
    )
    assert told.state.candidates[2] == IDS["parolina"]
    assert (told.holder("industry"), told.person("parolina").cure) == ("mikrofonow", False)
    assert (told.holder("kgb"), told.person("datschin").cure) == ("datschin", True)


@pytest.mark.parametrize("who", ("absent", "uncontrolled"))
def test_an_absent_or_uncontrolled_chief_moves_nobody(who: str) -> None:
    people = {"samowarow": {"marks": 1, "cure": who == "absent"}}
    follow = FOLLOW if who == "absent" else {}
    assert not turn(board("autumn", follow=follow, people=people), "swap Satin with Rubelow").all(events.Moved)


def test_gaps_are_filled_with_the_oldest_of_the_next_level_that_is_not_empty() -> None:
    told = turn(board("autumn", seating={"kgb": None, "defence": None}))
    filled = [(next(names([one.who])), one.source, one.target) for one in told.all(events.Filled)]
    assert filled == [
        ("permafrostin", "ideologist", "kgb"),
        ("parolina", "industry", "defence"),
        ("stempelkow", "candidates", "ideologist"),
        ("aktenjew", "candidates", "industry"),
        ("schukrutoff", "people", "candidates"),
        ("eisbärski", "people", "candidates"),
    ]
    empty = dict.fromkeys(("kgb", "ideologist", "industry", "agriculture", "sport"))
    told = turn(board("autumn", seating=empty, row=()))
    assert told.holder("kgb") == "schukrutoff"


def test_of_equal_ages_the_one_who_stands_earlier_counts_as_older() -> None:
    ages = {name: {"age": 80} for name in ("datschin", "parolina", "ordenskaja", "mikrofonow")}
    told = turn(board("autumn", seating={"kgb": None}, people=ages))
    assert (told.holder("kgb"), told.holder("industry")) == ("parolina", "mikrofonow")
    ages = {name: {"age": 80} for name in ("eisbärski", "schukrutoff", "kaviarin")}
    told = turn(board("autumn", row=ROW[:4], people=ages))
    assert told.state.candidates[-1] == IDS["schukrutoff"]


def test_level_1_promotes_to_gaps_below_each_in_turn_and_nobody_the_same_twice() -> None:
    state = board("autumn", follow=FOLLOW, seating={"sport": None}, row=ROW[:4])
    told = turn(state, "promote Wanzenow by KGB; promote Wanzenow by KGB; promote Aktenjew to sport by defence")
    done = [(one.by, one.who, one.target) for one in told.all(events.Moved)]
    assert done == [(IDS["satin"], IDS["wanzenow"], "candidates"), (IDS["tundrow"], IDS["aktenjew"], "sport")]
    told = turn(state, "promote Wanzenow by KGB; promote Wanzenow by foreign")
    assert [one.target for one in told.all(events.Moved)] == ["candidates", "sport"]
    assert (told.age("satin"), told.age("rubelow")) == (66, 68)


def test_whom_the_chief_has_moved_others_may_promote_again() -> None:
    state = board("autumn", follow=FOLLOW, seating={"sport": None}, row=ROW[:4])
    told = turn(state, "promote Wanzenow by chief; promote Wanzenow to sport by KGB")
    assert [one.target for one in told.all(events.Moved)] == ["candidates", "sport"]


def test_level_2_promotes_people_to_candidates_only() -> None:
    state = board("autumn", follow=FOLLOW, row=ROW[:4])
    told = turn(state, "promote Wanzenow by sport")
    assert told.one(events.Moved).by == IDS["pelzmützin"]
    told = turn(board("autumn", follow=FOLLOW, seating={"agriculture": None}), "promote Aktenjew by sport")
    assert not told.all(events.Moved)


def test_promote_without_by_is_done_by_the_first_who_legally_can() -> None:
    state = board("autumn", follow=FOLLOW, row=ROW[:4])
    assert turn(state, "promote Wanzenow").one(events.Moved).by == IDS["samowarow"]
    people = {"samowarow": {"marks": 1, "cure": True}, "satin": {"marks": 1, "cure": True}}
    state = board("autumn", follow=FOLLOW, row=ROW[:4], people=people)
    assert turn(state, "promote Wanzenow").one(events.Moved).by == IDS["rubelow"]


def test_somebody_moved_up_by_age_acts_with_his_new_office() -> None:
    state = board("autumn", follow=FOLLOW, seating={"kgb": None}, row=ROW[:4])
    told = turn(state, "promote Wanzenow by KGB")
    assert told.one(events.Moved).by == IDS["permafrostin"]


def test_an_impossible_move_is_skipped_at_no_cost() -> None:
    told = turn(board("autumn", follow=FOLLOW), "move Parolina to sport; swap Satin with Rubelow")
    assert told.one(events.Moved).act == "swap"
    assert told.age("samowarow") == 75


# --- phases 7 and 8 ---------------------------------------------------------------------------------------------------


def test_rehabilitation_costs_five_years_each_and_is_done_by_present_members() -> None:
    state = board("autumn", follow=FOLLOW, siberia=("wanzenow", "quotenko"))
    told = turn(state, "rehabilitate Wanzenow, Quotenko by Satin")
    assert (told.age("satin"), told.siberia()) == (75, set())
    assert IDS["wanzenow"] in told.state.people
    absent = board("autumn", follow=FOLLOW, siberia=("wanzenow",), people={"satin": {"marks": 1, "cure": True}})
    assert turn(absent, "rehabilitate Wanzenow by Satin").siberia() == {"wanzenow"}


@pytest.mark.parametrize(
    ("marks", "roll", "years", "waved"), ((0, 1, 0, 1), (1, 7, 1, 0), (1, 8, 1, 1), (2, 14, 2, 0), (2, 15, 2, 1))
)
def test_the_parade(marks: int, roll: int, years: int, waved: int) -> None:
    told = turn(board("autumn", people={"samowarow": {"marks": marks}}), parade=roll)
    assert (told.one(events.Parade).waved, told.age("samowarow")) == (waved, 74 + years)
    assert (told.person("samowarow").waves, told.state.year, told.state.stage) == (waved, 1953, "purges")


def test_a_chief_in_cure_does_not_parade() -> None:
    told = turn(board("autumn", people={"samowarow": {"marks": 1, "cure": True}}))
    assert (told.one(events.Unattended).who, told.state.tally.parades) == (IDS["samowarow"], 0)


def test_the_count_of_waves_survives_deposition() -> None:
    state = board(follow=FOLLOW, people={"samowarow": {"waves": 2}})
    told = turn(state, "purge Samowarow")
    assert (told.siberia(), told.person("samowarow").waves) == ({"samowarow"}, 2)


# --- age 96 -----------------------------------------------------------------------------------------------------------


def test_whoever_reaches_96_leaves_at_the_end_of_the_phase_siberia_included() -> None:
    people = {"samowarow": {"age": 95}, "wanzenow": {"age": 96}}
    told = turn(board(people=people, siberia=("wanzenow",)))
    assert {IDS["samowarow"], IDS["wanzenow"]} == set(told.state.honours)
    assert {one.place for one in told.all(events.Honoured)} == {"chief", "siberia"}


def test_at_96_he_finishes_the_act_in_hand_and_begins_no_other() -> None:
    state = board(follow=FOLLOW, people={"satin": {"age": 95}})
    told = turn(state, "purge Rubelow, Parolina")
    assert told.siberia() == {"rubelow"}
    assert IDS["satin"] in told.state.honours
    state = board("autumn", follow=FOLLOW, people={"samowarow": {"age": 95}})
    assert len(turn(state, "swap Satin with Rubelow; swap Satin with Rubelow").all(events.Moved)) == 1
    state = board("autumn", follow=FOLLOW, people={"satin": {"age": 92}}, siberia=("wanzenow", "quotenko"))
    assert turn(state, "rehabilitate Wanzenow, Quotenko by Satin").siberia() == {"quotenko"}


def test_there_is_no_birthday() -> None:
    told = turn(turn(turn(board()).state).state)
    assert (told.state.year, told.age("satin"), told.age("wanzenow")) == (1953, 65, 50)
    assert told.age("samowarow") == 75
