"""Moving deadlines, reminding, and what the readers are told about it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
import time_machine
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services, times
from postspiel.play.clocks import Clock
from postspiel.play.models import DeadlineChange, Game, Sheet, Turn
from tests.play.conftest import START, Make, hand_in, hours, seat


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def reminded() -> list[str]:
    return sorted(Outgoing.objects.filter(kind="reminder").values_list("to", flat=True))


def test_every_move_is_a_row_with_who_and_why(duel: Game, olga: User) -> None:
    """nJudge 259: a deadline moved for no apparent reason."""
    turn = open_turn(duel)

    change = services.extend(turn=turn, hours=24, who=olga, why="Ada is at a wedding")

    assert (change.old, change.new) == (START + hours(72), START + hours(96))
    assert (change.who, change.why) == (olga, "Ada is at a wedding")
    now = open_turn(duel)
    assert (now.deadline, now.reminder) == (START + hours(96), START + hours(72))
    assert now.due is not None
    assert now.due > START + hours(96)
    assert Outgoing.objects.filter(kind="extended").count() == 2


def test_a_double_click_moves_the_deadline_once(duel: Game, olga: User) -> None:
    """diplicity-react#1057."""
    seen = open_turn(duel).deadline
    services.extend(turn=open_turn(duel), hours=24, who=olga, why="", expected=seen)
    with pytest.raises(services.PlayError, match="meanwhile"):
        services.extend(turn=open_turn(duel), hours=24, who=olga, why="", expected=seen)

    assert DeadlineChange.objects.count() == 1
    assert open_turn(duel).deadline == START + hours(96)


@pytest.mark.parametrize(("by", "sentence"), ((0, "later time"), (-5, "later time"), (24 * 15, "14 days")))
def test_a_move_too_far_or_back_changes_nothing(duel: Game, olga: User, by: int, sentence: str) -> None:
    with pytest.raises(services.PlayError, match=sentence):
        services.extend(turn=open_turn(duel), hours=by, who=olga, why="")
    assert open_turn(duel).deadline == START + hours(72)
    assert not DeadlineChange.objects.exists()


def test_only_the_organiser_moves_and_reminds(duel: Game, ada: User, olga: User) -> None:
    with pytest.raises(services.PlayError, match="organises"):
        services.extend(turn=open_turn(duel), hours=24, who=ada, why="")
    with pytest.raises(services.PlayError, match="organises"):
        services.remind(turn=open_turn(duel), who=ada)
    services.extend(turn=open_turn(duel), hours=24, who=olga, why="")
    services.remind(turn=open_turn(duel), who=olga)


def test_a_turn_that_is_over_cannot_be_moved(duel: Game, olga: User) -> None:
    turn = open_turn(duel)
    for index in (0, 1):
        hand_in(duel, index, "set 4\ndone")
    services.advance(turn.pk)
    with pytest.raises(services.PlayError, match="over"):
        services.extend(turn=turn, hours=24, who=olga, why="")


def test_after_a_moved_deadline_the_next_one_is_on_the_hour(
    duel: Game, olga: User, clock: time_machine.Traveller
) -> None:
    services.extend(turn=open_turn(duel), hours=5, who=olga, why="")
    clock.move_to(START + hours(78))
    services.sweep()
    assert open_turn(duel).deadline == START + hours(72 + 72)


def test_who_is_late_is_reminded_once_by_the_schedule(duel: Game, clock: time_machine.Traveller) -> None:
    """diplicity-react#1033, 1035."""
    hand_in(duel, 1, "nothing")
    clock.move_to(START + hours(47))
    services.sweep()
    assert reminded() == []
    clock.move_to(START + hours(48))
    services.sweep()
    services.sweep()
    assert reminded() == ["ada@example.org"]


def test_the_organiser_reminds_once_an_hour_and_only_who_is_late(
    duel: Game, olga: User, clock: time_machine.Traveller
) -> None:
    hand_in(duel, 1, "set 3")
    assert services.remind(turn=open_turn(duel), who=olga) == 1
    with pytest.raises(services.PlayError, match="last hour"):
        services.remind(turn=open_turn(duel), who=olga)
    clock.shift(hours(2))
    services.remind(turn=open_turn(duel), who=olga)
    assert reminded() == ["ada@example.org"] * 2

    hand_in(duel, 0, "set 3")
    clock.shift(hours(2))
    with pytest.raises(services.PlayError, match="handed in"):
        services.remind(turn=open_turn(duel), who=olga)
    assert not selectors.is_late(seat(duel, 0), open_turn(duel))


def test_one_row_that_raises_stops_no_other(
    duel: Game, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture, make: object, olga: User, ada: User
) -> None:
    other = make()  # type: ignore[operator]
    services.seat_bot(game=other, index=0, bot="five")
    services.join_game(game=other, player=ada)
    Turn.objects.filter(game=duel, status="open").update(state=b"broken")
    clock.shift(hours(73))

    services.sweep()

    assert open_turn(other).number == 2
    assert open_turn(duel).number == 1
    assert open_turn(duel).due == START + hours(73) + timedelta(minutes=5)
    assert "raised at its due" in caplog.text


@pytest.mark.parametrize(
    ("zone", "locale", "text"),
    (
        ("Europe/Berlin", "de", "Sonntag, 29. März 2026, 03:30 Uhr (Europe/Berlin)"),
        ("Europe/Berlin", "en", "Sunday, 29 March 2026, 03:30 (Europe/Berlin)"),
        ("America/New_York", "en", "Saturday, 28 March 2026, 21:30 (America/New_York)"),
        ("Asia/Kathmandu", "en", "Sunday, 29 March 2026, 07:15 (Asia/Kathmandu)"),
    ),
)
def test_a_deadline_is_told_in_the_readers_zone_and_the_zone_is_named(zone: str, locale: str, text: str) -> None:
    """lichobile#2121: the text of a deadline comes from one place; here half an hour after the clocks went forward."""
    turn = Turn(deadline=datetime(2026, 3, 29, 1, 30, tzinfo=UTC))
    assert times.deadline(turn, ZoneInfo(zone), locale) == text
    assert times.deadline(Turn(), ZoneInfo(zone), locale) == ""


# --- schedules with an hour, with grace, with several reminders -------------------------------------------------------

BERLIN = Clock("Europe/Berlin", 20 * 60)
type Running = Callable[..., Game]


@pytest.fixture
def running(clock: time_machine.Traveller, make: Make, ada: User, bert: User) -> Running:
    """A function that starts a game between Ada and Bert by a schedule, at START: a Monday, 20:00 in Berlin."""

    def started(**schedule: Any) -> Game:
        game = make(**schedule)
        services.join_game(game=game, player=ada)
        services.join_game(game=game, player=bert)
        game.refresh_from_db()
        return game

    return started


def test_early_turns_keep_the_hour_and_the_days_over_the_clock_change(
    running: Running, clock: time_machine.Traveller
) -> None:
    """diplicity-react#1059, nJudge 369."""
    game = running(hours=24, first_hours=24 * 24, clock=Clock("Europe/Berlin", 20 * 60, (3, 6)))
    assert open_turn(game).deadline == datetime(2026, 3, 26, 19, tzinfo=UTC)
    clock.move_to(datetime(2026, 3, 26, 19, 1, tzinfo=UTC))
    services.sweep()
    assert open_turn(game).deadline == datetime(2026, 3, 29, 18, tzinfo=UTC)
    clock.shift(hours(30))
    for index in (0, 1):
        hand_in(game, index, "set 4\ndone")
    services.sweep()
    assert open_turn(game).number == 3
    assert open_turn(game).deadline == datetime(2026, 3, 29, 18, tzinfo=UTC)


def test_a_turn_does_not_end_before_its_hour_if_the_schedule_says_so(
    running: Running, clock: time_machine.Traveller
) -> None:
    game = running(clock=msgspec.structs.replace(BERLIN, wait=True))
    clock.shift(hours(5))
    for index in (0, 1):
        hand_in(game, index, "set 4\ndone")
    services.sweep()
    assert (open_turn(game).number, open_turn(game).due) == (1, START + hours(24))
    clock.move_to(START + hours(24) + timedelta(seconds=5))
    hand_in(game, 0, "set 5\ndone")
    services.sweep()
    assert open_turn(game).number == 2
    assert open_turn(game).deadline == START + hours(72)


def test_grace_is_for_who_is_late_and_ends_with_him(running: Running, clock: time_machine.Traveller) -> None:
    game = running(grace_minutes=120)
    hand_in(game, 1, "set 3")
    clock.move_to(START + hours(73))
    services.sweep()
    turn = open_turn(game)
    assert (turn.number, selectors.time_is_up(turn, timezone.now())) == (1, False)

    assert hand_in(game, 0, "set 4").verdict == "accepted"
    services.sweep()
    assert open_turn(game).number == 2
    assert not Sheet.objects.filter(missed=True).exists()


def test_without_anybody_late_there_is_no_grace_and_after_it_nothing_counts(
    running: Running, clock: time_machine.Traveller
) -> None:
    prompt, slow = running(grace_minutes=120), running(grace_minutes=120)
    for index in (0, 1):
        hand_in(prompt, index, "set 3")
    clock.move_to(START + hours(72) + timedelta(seconds=5))
    services.sweep()
    assert (open_turn(prompt).number, open_turn(slow).number) == (2, 1)

    clock.move_to(START + hours(74) + timedelta(seconds=1))
    assert hand_in(slow, 0, "set 4").understood.reason == "late"
    clock.shift(timedelta(seconds=5))
    services.sweep()
    assert open_turn(slow).number == 2
    assert Sheet.objects.filter(missed=True, turn__game=slow).count() == 2


def test_each_reminder_of_several_comes_once(running: Running, clock: time_machine.Traveller) -> None:
    running(reminder_hours=24, further_reminders=(2,))
    told = []
    for before in (24, 2, 1):
        clock.move_to(START + hours(72 - before))
        services.sweep()
        services.sweep()
        told.append(len(reminded()))
    assert told == [2, 4, 4]


def test_votes_are_shorter_and_the_turns_between_keep_their_hour(
    running: Running, clock: time_machine.Traveller
) -> None:
    """Also if a vote ends early, and if a game is taken back to one."""
    game = running(title="poll", hours=72, first_hours=72, vote_hours=12, reminder_hours=0)
    found = []
    for early in (0, 5, 0):
        turn = open_turn(game)
        assert turn.deadline is not None
        found.append(turn.deadline - START)
        clock.move_to(turn.deadline - hours(early))
        if early:
            for index in (0, 1):
                hand_in(game, index, "set 4\ndone")
        clock.shift(10)
        services.advance(turn.pk)
    assert found == [hours(72), hours(84), hours(72 + 96)]
    clock.move_to(START + hours(200))
    turn = services.roll_back(game=game, to=2, who=game.organiser, why="", expected=3)
    assert turn.deadline == START + hours(216)
    for index in (0, 1):
        services.propose(seat=seat(game, index), motion="prolong")
    assert open_turn(game).deadline == START + hours(216 + 12)


@pytest.mark.parametrize(
    ("title", "votes", "sentence"), (("toy", 12, "No turn of this title"), ("poll", 49, "longer than another"))
)
def test_votes_that_cannot_be_are_refused(make: Make, title: str, votes: int, sentence: str) -> None:
    with pytest.raises(services.PlayError, match=sentence):
        make(title, vote_hours=votes)
    with pytest.raises(services.PlayError, match="least time to think"):
        make("poll", vote_hours=1, minimum_minutes=61)


def test_a_zone_that_does_not_exist_is_refused(make: Make) -> None:
    with pytest.raises(services.PlayError, match="Europe/Atlantis"):
        make(clock=Clock("Europe/Atlantis"))
    assert make(clock=Clock("Europe/Athens")).pk
