"""When turns end: the rule of docs/turns.md by example and by hypothesis. No database, no clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postspiel.play import schedule
from postspiel.play.schedule import Schedule, TooFar

MONDAY = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
TWO_DAYS = Schedule(hours=48, first_hours=72, minimum_minutes=0, reminder_hours=24)

moments = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - naive bounds
schedules = st.builds(
    Schedule,
    hours=st.integers(1, 500),
    first_hours=st.integers(1, 500),
    minimum_minutes=st.integers(0, 600),
    reminder_hours=st.integers(0, 100),
    vote_hours=st.integers(0, 500),
)
spans = st.timedeltas(timedelta(0), timedelta(days=30))


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def following(plan: Schedule, scheduled: datetime, now: datetime, moved: timedelta = timedelta(0)) -> datetime:
    return schedule.following(plan, scheduled=scheduled, deadline=scheduled + moved, now=now).deadline


def test_the_first_turn_is_longer_and_has_its_reminder() -> None:
    times = schedule.first(TWO_DAYS, MONDAY)
    assert (times.opened, times.earliest) == (MONDAY, MONDAY)
    assert times.deadline == MONDAY + hours(72)
    assert times.reminder == MONDAY + hours(48)


def test_a_turn_that_ended_on_time_is_followed_a_whole_length_later() -> None:
    assert following(TWO_DAYS, MONDAY, MONDAY + timedelta(seconds=20)) == MONDAY + hours(48)


def test_three_early_turns_keep_the_hour() -> None:
    """diplicity-react#1059: deadlines drifted off the daily hour after early processing."""
    now, deadline = MONDAY + hours(3), MONDAY + hours(48)
    for pause in (5, 7, 11):
        deadline = following(TWO_DAYS, deadline, now)
        assert deadline.hour == 20
        assert hours(48) <= deadline - now < hours(72)
        now += hours(pause)


def test_a_turn_of_twelve_hours_keeps_both_its_hours() -> None:
    plan = Schedule(hours=12, reminder_hours=0)
    assert following(plan, MONDAY, MONDAY - hours(5)) == MONDAY + hours(12)
    assert following(plan, MONDAY, MONDAY - hours(13)) == MONDAY


def test_after_a_moved_deadline_the_hour_comes_back() -> None:
    assert following(TWO_DAYS, MONDAY, MONDAY + hours(6), hours(6)) == MONDAY + hours(72)
    assert following(TWO_DAYS, MONDAY, MONDAY + hours(24), hours(24)) == MONDAY + hours(72)


def test_after_an_outage_there_is_still_time_to_play() -> None:
    """webDiplomacy#855: games stood after an outage; here they go on, and nobody gets a minute only."""
    assert following(TWO_DAYS, MONDAY, MONDAY + hours(47.9)) == MONDAY + hours(72)
    assert following(TWO_DAYS, MONDAY, MONDAY + hours(2)) == MONDAY + hours(48)
    assert following(TWO_DAYS, MONDAY, MONDAY + hours(24 * 365)) == MONDAY + hours(24 * 366)


def test_a_reminder_that_would_come_with_the_turn_is_left_out() -> None:
    plan = Schedule(hours=12, first_hours=12, reminder_hours=12)
    assert schedule.first(plan, MONDAY).reminder is None
    assert schedule.first(Schedule(first_hours=12, reminder_hours=0), MONDAY).reminder is None
    assert schedule.first(Schedule(first_hours=12, reminder_hours=11), MONDAY).reminder == MONDAY + hours(1)


def test_a_deadline_is_moved_by_fourteen_days_at_most() -> None:
    """diplicity-react#1057: six clicks, 85 days."""
    deadline = MONDAY
    for _click in range(6):
        deadline = schedule.moved(scheduled=MONDAY, deadline=deadline, hours=56)
    assert deadline == MONDAY + timedelta(days=14)
    with pytest.raises(TooFar) as refused:
        schedule.moved(scheduled=MONDAY, deadline=deadline, hours=1)
    assert refused.value.limit == MONDAY + timedelta(days=14)


@given(schedules, moments, spans, spans, spans)
def test_a_following_deadline_lies_on_the_grid_and_leaves_enough_time(
    plan: Schedule, scheduled: datetime, moved: timedelta, early: timedelta, late: timedelta
) -> None:
    deadline = scheduled + moved
    for now in (deadline - early, deadline + late):
        times = schedule.following(plan, scheduled=scheduled, deadline=deadline, now=now)
        step = timedelta(hours=gcd(plan.hours, 24))

        assert not (times.deadline - scheduled) % step
        assert times.deadline - now >= max(hours(plan.hours) / 2, timedelta(minutes=plan.minimum_minutes))
        assert times.deadline >= min(now, deadline) + hours(plan.hours)
        least = max(min(now, deadline) + hours(plan.hours), now + max(hours(plan.hours) / 2, times.earliest - now))
        assert times.deadline - least < step
        assert times.earliest == now + timedelta(minutes=plan.minimum_minutes)
        assert times.reminder is None or now < times.reminder < times.deadline


def test_a_vote_is_shorter_and_the_hour_comes_back_after_it() -> None:
    plan = Schedule(hours=72, vote_hours=12)
    vote = schedule.following(plan, scheduled=MONDAY, deadline=MONDAY, now=MONDAY, vote=True).deadline
    assert vote == schedule.vote_after(plan, MONDAY) == MONDAY + hours(12)
    assert following(plan, MONDAY, vote, vote - MONDAY) == MONDAY + hours(96)
    assert following(plan, MONDAY, MONDAY) == MONDAY + hours(72)
    assert schedule.vote_after(Schedule(hours=72), MONDAY) is None


@given(schedules, moments, st.lists(st.tuples(st.booleans(), spans), max_size=8))
def test_votes_have_their_own_length_and_move_no_other_deadline_off_the_hour(
    plan: Schedule, start: datetime, played: list[tuple[bool, timedelta]]
) -> None:
    first = deadline = schedule.first(plan, start).deadline
    now = start
    for vote, taken in played:
        ended, now = min(deadline, now + taken), now + taken
        deadline = schedule.following(plan, scheduled=first, deadline=ended, now=now, vote=vote).deadline
        length = (vote and plan.vote_hours) or plan.hours
        assert not (deadline - first) % timedelta(hours=gcd(length, 24))
        assert deadline >= max(ended + hours(length), now + hours(length) / 2)


@given(schedules, moments, st.lists(spans, max_size=6))
def test_games_that_end_their_turns_early_never_drift(plan: Schedule, start: datetime, played: list[timedelta]) -> None:
    """In UTC hours, whatever summer time does."""
    first = schedule.first(plan, start)
    deadline, now = first.deadline, start
    for taken in played:
        now = min(now + taken, deadline)
        deadline = following(plan, deadline, now)
    assert not (deadline - first.deadline) % timedelta(hours=gcd(plan.hours, 24))
