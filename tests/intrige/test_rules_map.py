"""Which test shows which rule: every sentence of the rules, in short, with the tests that would fail without it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.rules_map import Rule, names_in, names_of

MAP: tuple[Rule, ...] = (
    ("1", "four areas, their pay", ("test_income_is_paid_for_every_foreign_area", "test_a_changed_number_is_noticed")),
    ("1", "eight scholars, two of each craft", ("test_every_position_of_a_game_keeps_the_invariants",)),
    ("1", "letters and words of both languages", ("test_words_of_both_languages_abbreviated_and_spelt_loosely",)),
    (
        "1",
        "32000 ducats; the bank never runs dry",
        ("test_5_only_income_changes_the_total_and_comes_in_rounds_2_to_5_and_at_the_end",),
    ),
    ("1", "the island takes the banished for good", ("test_6_at_the_end_seated_and_banished_are_all",)),
    ("1", "clockwise; the first player is drawn", ("test_a_roll_draws_the_first_player_and_seats_run_clockwise",)),
    (
        "1",
        "cash is secret, all else public",
        ("test_no_door_tells_what_the_mask_hides", "test_open_cash_is_seen_by_everybody_and_closed_cash_by_its_owner"),
    ),
    ("2.1", "income for every area at other courts", ("test_e8_payouts", "test_income_is_paid_for_every_foreign_area")),
    ("2.2", "no conflict: one bribing round", ("test_e1_no_conflict",)),
    (
        "2.2",
        "external: groups A, P, S, D",
        ("test_e2_external_beside_no_conflict", "test_groups_follow_crafts_then_pay"),
    ),
    (
        "2.2",
        "internal: incumbent and applicants, by pay",
        (
            "test_e3_two_internal_conflicts_one_with_several_applicants",
            "test_e6_a_full_court_has_internal_conflicts_only",
        ),
    ),
    (
        "2.2",
        "groups settled in that order",
        ("test_e4_all_three_classes", "test_staged_each_group_bribes_and_is_decided_before_the_next"),
    ),
    (
        "2.2",
        "incumbent first, then clockwise, own by craft",
        ("test_e3_two_internal_conflicts_one_with_several_applicants", "test_groups_follow_crafts_then_pay"),
    ),
    (
        "2.2",
        "at least 1000, multiples, at most the cash",
        (
            "test_a_wrong_line_is_refused_with_the_nearest_right_one",
            "test_a_bribe_is_cut_to_the_cash_at_hand_and_is_at_least_a_thousand",
        ),
    ),
    ("2.2", "announced with its wish", ("test_a_story_tells_bribes_wishes_decisions_and_the_island",)),
    (
        "2.2",
        "penniless: bribe 0, rights kept",
        (
            "test_a_penniless_player_pays_nothing_and_keeps_his_rights",
            "test_e5_a_penniless_defender_and_a_conditional_attacker",
        ),
    ),
    (
        "2.2",
        "the host decides, bound by nothing",
        ("test_e2_external_beside_no_conflict", "test_e5_a_penniless_defender_and_a_conditional_attacker"),
    ),
    (
        "2.3",
        "two of those at home, two different foreign courts",
        (
            "test_of_two_lines_that_clash_the_later_is_refused",
            "test_3_eight_are_sent_in_rounds_1_to_4_and_nobody_is_left_waiting",
        ),
    ),
    (
        "2.3",
        "attacking an own scholar is legal",
        ("test_e7_attacking_oneself", "test_missed_sendings_attack_own_scholars_only_if_they_must"),
    ),
    (
        "2",
        "after round 5 one more income; most money wins, ties share",
        ("test_most_money_wins_and_equal_money_shares", "test_e8_payouts"),
    ),
    ("3.1", "nobody lacks an area", ("test_1_nobody_lacks_an_area_and_a_filled_area_never_empties",)),
    (
        "3.2",
        "groups are independent, at most four",
        ("test_2_groups_are_known_when_admission_begins_and_do_not_share_a_craft",),
    ),
    ("3.3", "sent in rounds 1-4, none waiting", ("test_3_eight_are_sent_in_rounds_1_to_4_and_nobody_is_left_waiting",)),
    ("3.4", "6 - r payouts", ("test_4_who_is_sent_in_round_r_and_never_displaced_is_paid_6_minus_r_times",)),
    ("3.5", "money", ("test_5_only_income_changes_the_total_and_comes_in_rounds_2_to_5_and_at_the_end",)),
    ("3.6", "seated + island", ("test_6_at_the_end_seated_and_banished_are_all",)),
    ("3.7", "self-attack with three", ("test_7_only_with_three_players_somebody_can_be_forced_to_attack_himself",)),
    ("3.8", "means of random play", ("test_random_play_ends_with_the_cash_that_the_rules_page_names",)),
    (
        "4",
        "bribes turn, decision turn, both skipped if empty, 10 n - 3",
        (
            "test_every_position_of_a_game_keeps_the_invariants",
            "test_turns_in_which_nobody_has_anything_to_do_are_left_out",
        ),
    ),
    ("4", "staged", ("test_staged_each_group_bribes_and_is_decided_before_the_next",)),
    (
        "4",
        "sealed",
        (
            "test_sealed_amounts_are_known_to_payer_and_owner_only_until_the_end",
            "test_sealed_amounts_reach_nobody_else_by_what_happens",
            "test_sealed_and_open_cash_do_not_go_together",
        ),
    ),
    ("4", "every form of order", ("test_both_languages_say_the_same", "test_every_order_survives_text_and_back")),
    (
        "4",
        "conditional bids",
        (
            "test_a_conditional_bid_looks_at_the_highest_earlier_one_and_may_reach_its_limit",
            "test_e1_no_conflict",
            "test_e5_a_penniless_defender_and_a_conditional_attacker",
        ),
    ),
    (
        "4",
        "standing orders",
        ("test_standing_orders_bid_for_whoever_has_no_order", "test_standing_orders_answer_what_is_owed"),
    ),
    ("4", "at COURT, bids ahead", ("test_bids_ahead_wait_until_their_court_is_active_and_then_need_no_name",)),
    ("4", "0 counts as an earlier bribe", ("test_a_bribe_of_nothing_counts_as_an_earlier_one",)),
    ("4", "worst case fits the cash", ("test_the_worst_case_of_an_admission_fits_the_cash",)),
    (
        "4",
        "areas, winners, stock, courts are checked",
        (
            "test_a_wrong_line_is_refused_with_the_nearest_right_one",
            "test_of_two_lines_that_clash_the_later_is_refused",
        ),
    ),
    (
        "4",
        "every applicant placed",
        ("test_missed_decisions_follow_the_bribes", "test_standing_orders_answer_what_is_owed"),
    ),
    ("4", "missed bribe", ("test_a_missed_bribe_is_a_thousand_in_bribing_order_while_cash_lasts",)),
    ("4", "missed decisions", ("test_missed_decisions_follow_the_bribes",)),
    (
        "4",
        "missed sendings",
        ("test_missed_sendings_avoid_conflicts_then_go_near", "test_missed_sendings_attack_others_rather_than_oneself"),
    ),
    (
        "4",
        "valid lines of a partly wrong sheet count",
        ("test_missed_decisions_follow_the_bribes", "test_whole_games_survive_any_sheets"),
    ),
    ("4", "same_court", ("test_same_court_lets_both_go_to_one_court_and_bids_count_in_the_order_written",)),
)
TESTS = names_in(Path(__file__).parent.glob("test_*.py"))


@pytest.mark.parametrize(("section", "rule", "tests"), MAP)
def test_every_rule_names_tests_that_exist(section: str, rule: str, tests: tuple[str, ...]) -> None:
    assert tests, (section, rule)
    assert set(tests) <= TESTS, set(tests) - TESTS


def test_every_worked_example_and_property_is_named() -> None:
    wanted = {name for name in TESTS if re.match(r"test_(e?\d)_", name)}
    assert wanted <= names_of(MAP)
