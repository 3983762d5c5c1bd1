"""Which test shows which rule: every sentence of the rules, in short, with the tests that would fail without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.rules_map import Rule, names_in, names_of

SETUP = "test_the_game_begins_with_nestor_seven_offices_five_candidates_and_a_seniority"
INVARIANTS = "test_every_position_of_a_game_keeps_the_invariants"
CHIEF_MAY = "test_what_the_chief_may_do"
WRONG = "test_a_wrong_line_is_refused_with_the_nearest_right_one"
NO_VOTE_RULE = "test_which_voting_order_counts"
AUCTION = "test_settled_results_equal_those_of_an_ascending_auction"

MAP: tuple[Rule, ...] = (
    ("1", "24 politicians with age, marks, waves and a place", (INVARIANTS, SETUP)),
    ("1", "eight offices in rank order, a row of five, people", (INVARIANTS, SETUP)),
    (
        "1",
        "Siberia, wall, honours",
        (INVARIANTS, "test_whoever_reaches_96_leaves_at_the_end_of_the_phase_siberia_included"),
    ),
    (
        "1",
        "the row closes up, newcomers join its end",
        ("test_gaps_are_filled_with_the_oldest_of_the_next_level_that_is_not_empty",),
    ),
    (
        "1",
        "cure: absent; left with the Politburo, kept inside",
        ("test_a_swap_puts_each_exactly_into_the_others_place_and_ends_a_cure_outside",),
    ),
    ("1", "investigation with its year", ("test_only_an_old_investigation_leads_to_an_accusation_and_only_one",)),
    (
        "1",
        "the roster is data",
        (
            "test_the_shipped_roster_and_table_are_those_of_the_rules",
            "test_an_organisers_files_are_found_and_bad_ones_refused",
        ),
    ),
    ("1", "age rises by stress only; no birthday", ("test_there_is_no_birthday",)),
    (
        "1",
        "96: honours at the phase's end, Siberia included",
        ("test_whoever_reaches_96_leaves_at_the_end_of_the_phase_siberia_included",),
    ),
    (
        "1",
        "96: finishes the act in hand, election and parade too",
        (
            "test_at_96_he_finishes_the_act_in_hand_and_begins_no_other",
            "test_a_proposer_of_95_finishes_the_election_in_hand",
            "test_a_chief_of_95_waves_and_then_goes_to_the_honours_list",
        ),
    ),
    ("1", "equal ages", ("test_of_equal_ages_the_one_who_stands_earlier_counts_as_older",)),
    ("1", "Nestor at the start", (SETUP, "test_nestor_does_nothing_but_age_and_parade")),
    ("1", "offices, candidates, seniority drawn and published", (SETUP,)),
    (
        "2",
        "ten ranks, secret, never changed",
        ("test_a_list_is_taken_and_told_to_its_seat_alone", "test_no_door_tells_what_the_mask_hides"),
    ),
    (
        "2",
        "declared: in steps, never above the list, never back",
        ("test_nobody_declares_more_than_his_secret_value", INVARIANTS),
    ),
    (
        "2",
        "most declared controls, more takes over, equal does not",
        ("test_equal_points_never_move_control_and_nobody_is_ever_let_go", INVARIANTS),
    ),
    (
        "2",
        "never controlled: does nothing and abstains",
        (
            "test_an_uncontrolled_holder_blocks_his_power",
            "test_abstentions_also_of_uncontrolled_politicians_are_announced",
        ),
    ),
    (
        "2",
        "takeover between announcement and die or next vote",
        (
            "test_a_cancelled_act_costs_nothing_and_is_published",
            "test_a_takeover_may_change_the_vote_of_a_turn_of_its_own",
        ),
    ),
    ("2", "rehabilitation cannot be stopped", ("test_no_contest_in_phases_7_and_8",)),
    (
        "2",
        "three forms of bids",
        (
            "test_bids_of_7_and_5_against_3_show_6_and_5",
            "test_a_hold_of_9_against_a_bid_of_7_shows_7_and_7",
            "test_triggers_on_a_purge",
        ),
    ),
    ("2", "hold all", ("test_hold_all_defends_with_the_whole_list_and_a_named_hold_goes_before",)),
    (
        "2",
        "a plain bid defends, a triggered one does not",
        ("test_a_plain_bid_defends_like_a_hold_in_its_turn", "test_a_triggered_bid_defends_nothing"),
    ),
    ("2", "always", ("test_standing_bids_and_holds_stay_and_others_do_not",)),
    ("2", "all for the number", ("test_all_stands_for_the_number",)),
    (
        "2",
        "triggers acts, against, votes, phase",
        (
            "test_triggers_on_a_purge",
            "test_against_names_its_victim",
            "test_against_covers_accusation_and_banishment_too",
            "test_triggers_on_a_vote",
            "test_a_vote_is_no_act",
            "test_a_bid_for_a_later_phase_waits_for_it",
        ),
    ),
    ("2", "anybody", ("test_anybody_who_turns_on_somebody_is_seized", WRONG)),
    ("2", "abstentions are announced votes", ("test_abstentions_also_of_uncontrolled_politicians_are_announced",)),
    ("2", "after the second NO no bid fires", ("test_after_the_second_no_of_a_trial_no_bid_fires_on_its_votes",)),
    (
        "2",
        "one consequence: stop, or one order that fits",
        (
            WRONG,
            "test_stop_ends_all_he_does_in_this_phase",
            "test_stop_makes_an_abstention_of_a_vote_and_silence_of_a_nomination",
            "test_a_consequence_that_does_not_fit_the_moment_falls_away",
        ),
    ),
    (
        "2",
        "it replaces the act; then own orders go on",
        (
            "test_a_consequence_replaces_the_pending_act_then_his_own_orders_go_on",
            "test_without_a_consequence_the_new_controllers_orders_apply",
        ),
    ),
    ("2", "none for bids without trigger and with phase", (WRONG,)),
    (
        "2",
        "highest bid of a player, then the first",
        ("test_of_one_players_fired_bids_the_highest_counts_then_the_first_written",),
    ),
    (
        "2",
        "unfired bids stay secret",
        (
            "test_orders_of_which_nothing_came_change_nothing_for_others_nor_who_is_asked",
            "test_bids_that_did_not_fire_and_maxima_of_winners_are_told_to_nobody",
        ),
    ),
    (
        "2",
        "contests before each act and vote, at the start in order",
        (
            "test_bids_are_settled_in_rank_order_then_candidates_people_and_siberia_by_age",
            "test_a_contest_happens_before_a_member_goes_into_cure",
        ),
    ),
    (
        "2",
        "the formula",
        (
            AUCTION,
            "test_bids_of_7_and_5_against_3_show_6_and_5",
            "test_of_equal_bids_the_senior_wins_and_the_junior_shows_his",
            "test_a_bid_of_3_against_3_shows_nothing",
            "test_a_hold_of_9_against_a_bid_of_7_shows_7_and_7",
        ),
    ),
    (
        "2",
        "cancelled at no cost; the contest repeats",
        ("test_a_cancelled_act_costs_nothing_and_is_published", "test_the_contest_repeats_for_what_he_now_does"),
    ),
    ("2", "orders for others sleep", ("test_orders_for_politicians_of_others_sleep_until_one_has_them",)),
    (
        "3",
        "stand-ins; an uncontrolled holder blocks",
        (
            "test_who_stands_in_for_the_kgb_head",
            "test_who_stands_in_for_the_defence_minister",
            "test_who_proposes",
            "test_an_uncontrolled_holder_blocks_his_power",
        ),
    ),
    (
        "3.1",
        "the healthy leave, the sick are sent, left, fetched",
        (
            "test_the_healthy_leave_the_sanatorium_and_the_sick_stay_where_they_are",
            "test_the_controller_sends_and_fetches_and_others_cannot",
        ),
    ),
    (
        "3.1",
        "sick at work +1, per_mark",
        ("test_sickness_at_work_makes_older_by_one_or_by_the_marks", "test_phase_1_of_1951_takes_nestor_from_80_to_82"),
    ),
    ("3.1", "the chief +1", ("test_the_chief_ages_whatever_his_state",)),
    (
        "3.1",
        "in cure: no act, no vote, can be elected and moved",
        (
            "test_present_members_vote_in_rank_order_accuser_and_accused_included",
            "test_a_chief_elected_in_cure_stays_in_cure",
            "test_the_nominee_is_of_level_1_and_never_the_proposer",
        ),
    ),
    ("3.1", "others keep marks without cure", ("test_candidates_and_people_keep_their_marks_and_cannot_go_into_cure",)),
    (
        "3.2",
        "needed, 3 less in cure",
        (
            "test_what_a_purge_needs",
            "test_purge_of_a_chief_in_cure",
            "test_purge_of_level_1_in_cure",
            "test_purge_of_a_candidate",
        ),
    ),
    ("3.2", "targets", ("test_targets_are_members_and_candidates_but_not_oneself",)),
    (
        "3.2",
        "success +1 and on, failure +3 and over",
        ("test_success_costs_one_year_and_goes_on_failure_costs_three_and_ends_it",),
    ),
    (
        "3.3",
        "a: close free, open +1, not twice, others",
        (
            "test_files_are_closed_for_nothing_and_opened_for_a_year_each_and_suspicion_makes_older",
            "test_nobody_is_investigated_twice_nor_by_himself",
        ),
    ),
    ("3.3", "b: suspicion +1", ("test_suspicion_makes_older_even_if_the_minister_follows_nobody",)),
    (
        "3.3",
        "c: one accusation from an earlier year",
        ("test_only_an_old_investigation_leads_to_an_accusation_and_only_one",),
    ),
    (
        "3.3",
        "c: votes, 1 NO convicts, 2 acquit and cost 3",
        (
            "test_trial",
            "test_present_members_vote_in_rank_order_accuser_and_accused_included",
            "test_an_acquittal_removes_the_marker_and_costs_the_accuser_three",
        ),
    ),
    ("3.3", "d: banishment +2", ("test_a_banishment_costs_two_and_there_is_one",)),
    (
        "3.3",
        "markers sleep, and end in Siberia",
        ("test_a_marker_sleeps_outside_of_the_politburo_and_goes_in_siberia",),
    ),
    (
        "3.4",
        "the table, everybody in rank order",
        (
            "test_health",
            "test_every_member_rolls_in_rank_order_at_work_or_in_cure",
            "test_the_shipped_roster_and_table_are_those_of_the_rules",
        ),
    ),
    (
        "3.4",
        "three marks kill, never below 0",
        ("test_a_third_mark_kills", "test_the_dead_leave_their_office_and_marks_never_fall_below_nought"),
    ),
    ("3.5", "only without a chief", ("test_with_a_chief_there_is_no_phase_5",)),
    (
        "3.5",
        "whom he proposes; silence",
        (
            "test_the_nominee_is_of_level_1_and_never_the_proposer",
            "test_silence_and_an_uncontrolled_proposer_mean_the_oldest",
        ),
    ),
    ("3.5", "the only member", ("test_the_only_member_becomes_chief_without_a_vote",)),
    (
        "3.5",
        "the vote; three NO; nominee_votes",
        ("test_nomination", "test_the_proposer_has_no_vote_and_the_nominee_has_unless_the_option_says_no"),
    ),
    (
        "3.5",
        "rebels",
        (
            "test_rebels_are_nominated_second_by_the_earlier_list_and_cost_the_proposer_a_year",
            "test_the_second_nomination_is_the_oldest_rebel_if_nobody_says_whom",
        ),
    ),
    (
        "3.5",
        "the defence minister, stand-ins, the proposer",
        (
            "test_when_both_votes_fail_the_defence_minister_helps_himself",
            "test_two_voters_are_too_few_to_reject_anybody",
        ),
    ),
    ("3.5", "nobody present, no member", ("test_who_proposes", "test_without_any_member_there_is_no_chief_this_year")),
    ("3.5", "a chief in cure stays there", ("test_a_chief_elected_in_cure_stays_in_cure",)),
    (
        "3.6",
        "a: who may move whom, at +1",
        (
            "test_the_chief_swaps_promotes_demotes_and_moves_at_a_year_each",
            CHIEF_MAY,
            "test_a_full_row_takes_nobody",
            "test_an_absent_or_uncontrolled_chief_moves_nobody",
        ),
    ),
    ("3.6", "a: within one level", ("test_after_every_move_everybody_stands_within_one_level_of_where_he_began",)),
    (
        "3.6",
        "a: not the chief's office, not Siberia",
        ("test_nobody_moves_into_or_out_of_the_chiefs_office_nor_from_siberia",),
    ),
    ("3.6", "b, d, f: filling", ("test_gaps_are_filled_with_the_oldest_of_the_next_level_that_is_not_empty",)),
    (
        "3.6",
        "c: level 1 promotes, again but not twice",
        (
            "test_level_1_promotes_to_gaps_below_each_in_turn_and_nobody_the_same_twice",
            "test_whom_the_chief_has_moved_others_may_promote_again",
        ),
    ),
    ("3.6", "e: level 2 promotes people", ("test_level_2_promotes_people_to_candidates_only",)),
    ("3.6", "moved in (b), acts in (c)", ("test_somebody_moved_up_by_age_acts_with_his_new_office",)),
    ("3.6", "impossible moves are skipped", ("test_an_impossible_move_is_skipped_at_no_cost",)),
    ("3.7", "rehabilitation", ("test_rehabilitation_costs_five_years_each_and_is_done_by_present_members",)),
    (
        "3.8",
        "parade",
        (
            "test_the_parade",
            "test_a_chief_in_cure_does_not_parade",
            "test_a_chief_of_95_waves_and_then_goes_to_the_honours_list",
        ),
    ),
    ("3.8", "waves belong to the politician", ("test_the_count_of_waves_survives_deposition",)),
    (
        "4",
        "three waves, 1960, 1961",
        (
            "test_the_third_wave_ends_the_game_and_opens_the_lists",
            "test_a_wave_in_1960_ends_it",
            "test_the_chief_after_phase_5_of_1961_decides",
        ),
    ),
    (
        "4",
        "most secret points, ties, nobody",
        (
            "test_most_secret_points_win_and_a_tie_goes_to_who_does_not_control_him",
            "test_a_tie_between_his_controller_and_another_is_won_by_the_other",
            "test_nobody_wins_if_nobody_has_points_on_him",
        ),
    ),
    ("4", "Nestor", ("test_when_nestor_decides_everybody_loses",)),
    (
        "4",
        "draws",
        (
            "test_an_empty_office_and_nobody_left_to_fill_it_is_a_draw",
            "test_no_chief_after_phase_5_of_1961_is_a_draw",
            "test_full_offices_without_candidates_and_people_are_no_draw",
        ),
    ),
    ("4", "ranking below the winner", ("test_most_secret_points_win_and_a_tie_goes_to_who_does_not_control_him",)),
    (
        "5",
        "turns of both paces",
        (
            "test_the_turns_of_a_year",
            "test_in_the_classic_pace_a_trial_is_a_turn_of_its_own_followed_by_the_banishment_ordered_before",
        ),
    ),
    (
        "5",
        "banishment and second nomination by earlier orders",
        (
            "test_the_banishment_follows_whoever_controls_the_minister_then",
            "test_rebels_are_nominated_second_by_the_earlier_list_and_cost_the_proposer_a_year",
        ),
    ),
    ("5", "everybody is asked", ("test_everybody_is_asked_the_same_whatever_he_controls",)),
    ("5", "turns left out", ("test_a_turn_is_left_out_only_if_nobody_could_act",)),
    ("5", "what is owed", ("test_an_office_with_a_power_owes_its_use", "test_votes_are_not_owed_and_a_list_is")),
    (
        "5",
        "reports hide who has handed in, triggers, maxima, skipped orders",
        (
            "test_orders_of_which_nothing_came_change_nothing_for_others_nor_who_is_asked",
            "test_bids_that_did_not_fire_and_maxima_of_winners_are_told_to_nobody",
        ),
    ),
    (
        "5",
        "a random list, told privately; incomplete lists",
        (
            "test_nothing_valid_gives_a_random_list_and_an_incomplete_one_keeps_its_entries",
            "test_the_list_of_a_silent_player_is_told_to_him_alone",
            "test_a_wrong_list_is_refused",
        ),
    ),
    ("5", "orders of both languages, umlauts", ("test_both_languages_say_the_same",)),
    ("5", "cure rules", ("test_a_rule_sends_whoever_has_so_many_marks",)),
    ("5", "stop after, stop at age; halt", ("test_lines_end_where_they_say", WRONG)),
    ("5", "voting orders; always vote", (NO_VOTE_RULE, "test_opposing_a_nominee_is_a_no", WRONG)),
    ("5", "promote without by", ("test_promote_without_by_is_done_by_the_first_who_legally_can",)),
    ("5", "an office's name", ("test_an_office_means_its_holder_when_carried_out",)),
    ("5", "a missed turn costs nobody a politician", ("test_a_missed_turn_costs_nobody_a_politician",)),
    (
        "5",
        "every refusal",
        (
            WRONG,
            "test_a_wrong_line_of_other_phases_is_refused_too",
            "test_a_wrong_vote_is_refused",
            "test_of_two_lines_that_clash_the_later_is_refused",
        ),
    ),
    ("6", "means of random play", ("test_random_play_comes_out_as_the_independent_models_of_the_rules_did",)),
)
TESTS = names_in(Path(__file__).parent.glob("test_*.py"))


@pytest.mark.parametrize(("section", "rule", "tests"), MAP)
def test_every_rule_names_tests_that_exist(section: str, rule: str, tests: tuple[str, ...]) -> None:
    assert tests, (section, rule)
    assert set(tests) <= TESTS, set(tests) - TESTS


def test_every_test_of_a_phase_a_contest_or_an_end_stands_for_a_rule() -> None:
    files = ("test_phases.py", "test_checks_of_the_page.py")
    assert names_in(Path(__file__).with_name(file) for file in files) <= names_of(MAP)
