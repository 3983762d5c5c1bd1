"""Faults that other play-by-mail systems had in the turn cycle, tried here: which test shows which case.

The numbers are those of the list of cases that the turn cycle is measured by. Most cases stand beside what they are
about; here stand those that go through several parts, and the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.urls import reverse
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services, times
from postspiel.play.models import DeadlineChange, Game, Sheet, Turn
from tests.people import signed_in
from tests.play.conftest import START, Make, hand_in, hours, seat

TESTS = Path(__file__).parent.parent

CASES = range(1, 40)
"""The numbers of that list."""

SHOWN = {
    1: ("play/test_crashes.py::test_workers_that_come_at_once_do_everything_once",),
    2: ("play/test_crashes.py::test_a_sweep_between_any_two_statements_of_a_start_finds_nothing_to_do",),
    3: ("play/test_sheets.py::test_all_on_file_and_none_final_all_count_at_the_deadline",),
    4: ("play/test_cases.py::test_who_has_nothing_to_decide_delays_nobody_not_even_by_grace",),
    5: ("play/test_cases.py::test_a_replayed_request_moves_a_deadline_once_and_no_clicks_pass_the_cap",),
    6: ("play/test_deadlines.py::test_early_turns_keep_the_hour_and_the_days_over_the_clock_change",),
    7: ("play/test_clocks.py::test_half_past_two_on_the_days_of_the_clock_change",),
    8: ("play/test_deadlines.py::test_every_move_is_a_row_with_who_and_why",),
    9: ("play/test_brake.py::test_after_an_outage_over_a_deadline_time_is_given_back_and_everybody_is_told",),
    10: ("play/test_cases.py::test_orders_that_lay_unread_while_the_worker_was_away_count",),
    11: ("play/test_cases.py::test_a_deadline_reads_the_same_on_the_page_in_mails_and_in_the_api",),
    12: ("play/test_absences.py::test_an_absence_that_a_game_does_not_allow_is_no_penalty",),
    13: ("play/test_sheets.py::test_the_second_of_the_deadline_counts",),
    14: ("play/test_sheets.py::test_seats_that_are_not_asked_are_never_missed_and_not_waited_for",),
    15: ("play/test_brake.py::test_a_clock_that_jumps_changes_nothing_and_is_told",),
    16: ("play/test_seats.py::test_orders_of_who_left_are_never_carried_out",),
    17: ("play/test_seats.py::test_an_explicit_nothing_is_no_miss",),
    18: ("play/test_seats.py::test_a_new_player_has_time_but_who_takes_his_own_seat_again_stretches_nothing",),
    19: ("play/test_seats.py::test_all_who_stand_by_are_asked_and_the_first_gets_it",),
    20: ("play/test_seats.py::test_a_game_whose_only_other_player_left_goes_on_to_its_end",),
    21: ("play/test_replacements.py::test_a_seat_changes_hands_at_every_step_of_random_games",),
    22: ("play/test_rules.py::test_all_that_people_do_is_written_down_and_the_game_replays",),
    23: ("play/test_rules.py::test_half_played_games_go_on_under_new_rules_and_each_turn_says_which",),
    24: ("results/test_reports.py::test_a_rollback_takes_back_result_rating_and_report_and_the_record_has_both_runs",),
    25: ("play/test_rules.py::test_live_preview_replay_and_import_are_one_function",),
    26: (
        "web/test_secrets.py::test_nothing_hidden_reaches_a_players_page",
        "api/test_secrets.py::test_nothing_hidden_changes_a_byte",
        "post/test_secrecy.py::test_nothing_hidden_changes_a_mail",
        "results/test_reports.py::test_what_was_private_stays_out_of_the_book",
        "play/test_secrets.py::test_nothing_hidden_reaches_a_seat",
    ),
    27: ("play/test_sheets.py::test_a_mail_for_another_turn_is_refused_and_names_both",),
    28: ("play/test_rules.py::test_no_page_mail_or_report_changes_the_game",),
    29: (
        "play/test_rules.py::test_what_was_refused_is_not_carried_out",
        "play/test_sheets.py::test_a_refused_order_leaves_the_sheet_as_it_was",
    ),
    30: ("play/test_rules.py::test_live_preview_replay_and_import_are_one_function",),
    31: ("play/test_rules.py::test_every_rule_holds_by_mail_by_form_and_by_program",),
    32: ("play/test_crashes.py::test_workers_that_come_at_once_do_everything_once",),
    33: ("post/test_turn_mails.py::test_who_handed_in_is_not_reminded",),
    34: ("post/test_anonymous.py::test_no_page_mail_head_or_link_names_another_player",),
    35: ("play/test_cases.py::test_an_out_of_office_reply_is_no_order_no_bounce_and_stops_no_mail",),
    36: ("post/test_inbox.py::test_press_behind_a_failure_is_not_sent",),
    37: ("play/test_cases.py::test_a_mail_is_answered_whatever_its_subject_is",),
    38: ("play/test_cases.py::test_orders_are_read_whatever_signs_a_program_puts_between",),
    39: ("play/test_sheets.py::test_orders_of_others_are_refused",),
}


def test_every_case_has_its_test() -> None:
    assert sorted(SHOWN) == list(CASES)


@pytest.mark.parametrize("case", SHOWN)
def test_the_table_names_tests_that_are_there(case: int) -> None:
    for shown in SHOWN[case]:
        file, name = shown.split("::")
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), shown


# --- deadlines --------------------------------------------------------------------------------------------------------


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


@pytest.mark.parametrize("asked", (True, False))
def test_who_has_nothing_to_decide_delays_nobody_not_even_by_grace(
    asked: bool, clock: time_machine.Traveller, make: Make, ada: User, bert: User
) -> None:
    """Case 4, diplicity-react#1280: in a game where one seat a turn is asked, only that one can be waited for."""
    game = make("toy" if asked else "relay", grace_minutes=600)
    for player in (ada, bert):
        services.join_game(game=game, player=player)
    hand_in(game, 0, "set 4")
    clock.move_to(START + hours(72) + timedelta(seconds=5))
    services.sweep()
    assert open_turn(game).number == (1 if asked else 2)


def test_a_replayed_request_moves_a_deadline_once_and_no_clicks_pass_the_cap(duel: Game, olga: User) -> None:
    """Case 5, diplicity-react#1057: six clicks, 85 days."""
    turn = open_turn(duel)
    page, desk = reverse("game-deed", args=[duel.key, "extend"]), signed_in(olga)
    assert turn.deadline is not None
    once = {"hours": "240", "why": "Holidays", "deadline": turn.deadline.isoformat()}
    for _click in range(3):
        desk.post(page, once)
    moved = open_turn(duel).deadline
    assert moved == turn.deadline + hours(240)
    for _click in range(6):
        desk.post(page, once | {"deadline": moved.isoformat()})
    assert open_turn(duel).deadline == moved
    assert [change.why for change in DeadlineChange.objects.all()] == ["Holidays"]


def test_a_deadline_reads_the_same_on_the_page_in_mails_and_in_the_api(duel: Game, ada: User, bert: User) -> None:
    """Case 11, lichobile#2121: the client showed time left, the server had closed."""
    duel.listed = True
    duel.save()
    turn = open_turn(duel)
    assert turn.deadline is not None
    for who in (ada, bert):
        who.time_zone = "America/New_York"
        who.save()
        said = times.deadline(turn, who.zone, who.locale)
        row = Outgoing.objects.get(kind="turn", recipient=who)
        assert said in " ".join(outbox.render(row).text.split())
        assert said in signed_in(who).get(reverse("game", args=[duel.key])).content.decode()
        told = signed_in(who).get(f"/api/games/{duel.key}/").json()["turn"]["deadline"]
        assert datetime.fromisoformat(told) == turn.deadline


# --- mail -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def post(duel: Game, ada: User, settings: Settings) -> Callable[..., Incoming]:
    """A function that brings a mail of Ada's to the address of her seat; it is not read yet."""
    settings.POSTSPIEL_MAIL_DOMAIN = "play.example.org"
    EmailAddress.objects.create(user=ada, email=ada.email, primary=True, verified=True)
    to = mail.spell(mail.address_for("seat", seat(duel, 0).pk), "play")

    def brought(body: bytes, *head: str, received: datetime | None = None) -> Incoming:
        lines = (f"From: {ada.email}", f"To: {to}", "Message-ID: <1@example.org>", *head)
        raw = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        now = received or datetime.now(UTC)
        (incoming,) = mail.receive(raw, door="smtp", sender=ada.email, recipients=[to], received=now)
        return incoming

    return brought


def test_orders_that_lay_unread_while_the_worker_was_away_count(
    duel: Game, post: Callable[..., Incoming], clock: time_machine.Traveller
) -> None:
    """Case 10, lila#13630: a restart around the deadline cost players the game.

    The door takes mail, the worker is away from an hour before the deadline until three hours after it. However the
    sweeps fall out, the turn waits until the mail is read, or two minutes if nobody reads it.
    """
    clock.move_to(START + hours(71))
    services.sweep()
    post(b"set 9\r\ndone\r\n", received=START + hours(71.5))
    late = post(b"set 1\r\n", "X-Other: mail", received=START + hours(73))
    clock.move_to(START + hours(75))

    services.advance(open_turn(duel).pk)
    services.sweep()
    clock.shift(20)
    services.sweep()
    assert open_turn(duel).number == 1
    mail.read_waiting()
    services.sweep()

    assert open_turn(duel).number == 2
    sheet = Sheet.objects.get(turn__game=duel, turn__number=1, seat__index=0)
    assert (sheet.status, sheet.missed) == ("final", False)
    assert "9" in str(sheet.orders)
    late.refresh_from_db()
    assert late.verdict != "accepted"
    assert open_turn(duel).deadline == START + hours(120)


def test_nobody_waits_for_a_reader_that_does_not_come_back(
    duel: Game, post: Callable[..., Incoming], clock: time_machine.Traveller
) -> None:
    """Case 10, the other way round."""
    clock.move_to(START + hours(71))
    services.sweep()
    post(b"set 9\r\ndone\r\n")
    clock.move_to(START + hours(75))
    for number in (1, 1, 1, 2):
        services.sweep()
        assert open_turn(duel).number == number
        clock.shift(50)


@pytest.mark.parametrize(
    "head",
    (
        ("Subject: Out of office: Postspiel", "Auto-Submitted: auto-replied"),
        ("Subject: Abwesenheitsnotiz", "X-Auto-Response-Suppress: All", "Precedence: bulk"),
        ("Subject: Automatic reply", "X-Autoreply: yes"),
    ),
)
def test_an_out_of_office_reply_is_no_order_no_bounce_and_stops_no_mail(
    head: tuple[str, ...], duel: Game, post: Callable[..., Incoming], ada: User, clock: time_machine.Traveller
) -> None:
    """Case 35, online-go#685."""
    incoming = post(b"set 9\r\ndone\r\n", *head)
    mail.read_waiting()

    incoming.refresh_from_db()
    assert incoming.state == "read"
    assert Sheet.objects.get(seat=seat(duel, 0), turn__number=1).status == "none"
    assert not Outgoing.objects.filter(kind="receipt").exists()
    clock.move_to(START + hours(73))
    services.sweep()
    mail.send_due()
    assert Outgoing.objects.get(kind="turn", recipient=ada, data__turn=open_turn(duel).pk).state == "sent"


@pytest.mark.parametrize("head", ((), ("Subject: ",), ("Subject: RE: AW: Re: AW: turn 1",), ("Subject: =?utf-8?q?=",)))
def test_a_mail_is_answered_whatever_its_subject_is(
    head: tuple[str, ...], duel: Game, post: Callable[..., Incoming], ada: User
) -> None:
    """Case 37, nJudge 446, 460."""
    post(b"set 9\r\ndone\r\n", *head)
    mail.read_waiting()

    assert Sheet.objects.get(seat=seat(duel, 0), turn__number=1).status == "final"
    assert Outgoing.objects.get(kind="receipt").recipient == ada


@pytest.mark.parametrize(
    "body",
    (
        "set\u00a09\u00a0\r\ndone\r\n".encode(),
        "\ufeffset 9\r\n\ufeffdone\r\n".encode(),
        "set\u202f9\r\ndone\u200b\r\n".encode(),
        b"set\xa09\r\ndone\r\n-- \r\nJ\xfcrgen\r\n",
    ),
    ids=("no-break spaces", "byte order marks", "narrow and empty spaces", "Latin-1 that nobody declared"),
)
def test_orders_are_read_whatever_signs_a_program_puts_between(
    body: bytes, duel: Game, post: Callable[..., Incoming]
) -> None:
    """Case 38, eressea 2753."""
    declared = () if b"\xfc" in body else ("Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit")
    post(body, "MIME-Version: 1.0", *declared)
    mail.read_waiting()

    sheet = Sheet.objects.get(seat=seat(duel, 0), turn__number=1)
    assert (sheet.status, "9" in str(sheet.orders)) == ("final", True)
