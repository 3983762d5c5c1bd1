"""Schedules with an hour of the day: over all time zones, over summer time, and as data. No database."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import msgspec
import pytest
from django.utils import translation
from hypothesis import assume, given
from hypothesis import strategies as st

from postspiel.play import clocks, pace, schedule
from postspiel.play.clocks import Clock
from postspiel.play.schedule import Schedule

ZONES = sorted(available_timezones())
YEARS = (datetime(2020, 1, 1), datetime(2040, 12, 31))  # noqa: DTZ001 - naive bounds

moments = st.datetimes(*YEARS, timezones=st.just(UTC))
weekdays = st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days)))
off = st.lists(st.dates(date(2020, 1, 1), date(2041, 1, 1)), max_size=5).map(tuple)
plain_clocks = st.builds(Clock, st.sampled_from(ZONES), st.integers(0, 1439), weekdays, off, st.booleans())
plans = st.builds(
    Schedule,
    hours=st.integers(1, 400),
    first_hours=st.integers(1, 400),
    minimum_minutes=st.integers(0, 600),
    further_reminders=st.lists(st.integers(0, 100), max_size=3).map(tuple),
    clock=plain_clocks,
    vote_hours=st.integers(0, 400),
)


def berlin(plan: Clock, day: date) -> datetime:
    return clocks.moment_on(plan, day).astimezone(ZoneInfo(plan.zone))


def exists(wall: datetime, zone: ZoneInfo) -> bool:
    """Whether a zone's clocks ever show this; the counting is independent of the module's own."""
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) == wall


def assert_right(clock: Clock, deadline: datetime) -> None:
    """The deadline shows the clock's hour on one of its days; a later one only on a day without that hour."""
    zone = ZoneInfo(clock.zone)
    local = deadline.astimezone(zone)
    assert local.astimezone(UTC).astimezone(zone) == local
    shown = local.replace(tzinfo=None)
    meant = datetime.combine(local.date(), clock.time)
    if shown != meant:
        day = local.date() if meant <= shown else local.date() - timedelta(days=1)
        meant = datetime.combine(day, clock.time)
        assert not exists(meant, zone)
        assert timedelta(0) < shown - meant <= timedelta(hours=3)
    assert meant.weekday() in clock.weekdays
    assert meant.date() not in clock.off


@given(plans, moments)
def test_a_first_deadline_shows_the_right_hour_and_day_and_leaves_the_least_time(plan: Schedule, now: datetime) -> None:
    assert plan.clock is not None
    times = schedule.first(plan, now)
    assert_right(plan.clock, times.deadline)
    assert times.deadline >= now + timedelta(minutes=plan.minimum_minutes)
    assert times.deadline > now
    assert times.reminder is None or now < times.reminder <= times.deadline


@given(plans, moments, st.lists(st.timedeltas(timedelta(0), timedelta(days=20)), max_size=8))
def test_deadlines_go_on_and_never_drift_however_early_or_late_turns_end(
    plan: Schedule, start: datetime, played: list[timedelta]
) -> None:
    """Early, on time, or after an outage: the hour and the days stay, and there is time to play."""
    assert plan.clock is not None
    now, deadline = start, schedule.first(plan, start).deadline
    for taken in played:
        now += taken
        following = schedule.following(plan, scheduled=deadline, deadline=deadline, now=now).deadline
        assert_right(plan.clock, following)
        assert following >= now + max(timedelta(minutes=plan.minimum_minutes), timedelta(hours=plan.hours) / 2)
        assert now < deadline or following > deadline
        deadline = following


@given(plans, moments, st.booleans())
def test_the_deadline_of_a_vote_is_a_right_one_and_never_later_than_another(
    plan: Schedule, now: datetime, vote: bool
) -> None:
    assert plan.clock is not None
    times = schedule.following(plan, scheduled=now, deadline=now, now=now, vote=vote)
    assert_right(plan.clock, times.deadline)
    if vote and 0 < plan.vote_hours <= plan.hours:
        assert now < times.deadline <= schedule.following(plan, scheduled=now, deadline=now, now=now).deadline


@given(plans, moments, st.timedeltas(timedelta(0), timedelta(days=14)))
def test_a_turn_resolved_on_time_is_followed_strictly_later_also_if_it_was_moved(
    plan: Schedule, start: datetime, moved: timedelta
) -> None:
    scheduled = schedule.first(plan, start).deadline
    deadline = scheduled + moved
    late = deadline + timedelta(seconds=20)
    following = schedule.following(plan, scheduled=scheduled, deadline=deadline, now=late).deadline
    assert following > deadline


@given(st.sampled_from(ZONES), st.integers(0, 1439), moments)
def test_a_daily_game_has_one_deadline_a_day_whatever_the_clocks_do(zone: str, minute: int, start: datetime) -> None:
    """nJudge 369: not at its clock time after a change of the clocks. Here over a whole year, each day once."""
    plan = Schedule(hours=24, first_hours=1, clock=Clock(zone, minute))
    assume(start.year < 2040)
    deadlines = schedule.coming(plan, start, 370)
    meant = [clocks.wall_of(Clock(zone, minute), moment) for moment in deadlines]
    assert {later - earlier for earlier, later in pairwise(meant)} == {timedelta(days=1)}


@given(plain_clocks, moments)
def test_who_waits_for_the_hour_waits_for_the_first_one(clock: Clock, moment: datetime) -> None:
    plan = Schedule(clock=msgspec.structs.replace(clock, wait=True))
    assert plan.clock is not None
    end = schedule.ends(plan, moment)
    assert end >= moment
    assert_right(plan.clock, end)
    assert schedule.ends(plan, end) == end
    days = (end - moment) // timedelta(days=1)
    between = [moment.astimezone(ZoneInfo(clock.zone)).date() + timedelta(days=n) for n in range(-1, days + 1)]
    allowed = [day for day in between if day.weekday() in clock.weekdays and day not in clock.off]
    assert not any(moment <= clocks.moment_on(clock, day) < end for day in allowed)
    assert schedule.ends(Schedule(clock=msgspec.structs.replace(clock, wait=False)), moment) == moment


@pytest.mark.parametrize(
    ("zone", "spring", "shown", "autumn"),
    (
        ("Europe/Berlin", date(2026, 3, 29), "03:30 +0200", date(2026, 10, 25)),
        ("America/New_York", date(2026, 3, 8), "03:30 -0400", date(2026, 11, 1)),
        ("Australia/Lord_Howe", date(2026, 10, 4), "02:30 +1100", date(2026, 4, 5)),
        ("Antarctica/Troll", date(2026, 3, 29), "04:30 +0200", date(2026, 10, 25)),
    ),
)
def test_half_past_two_on_the_days_of_the_clock_change(zone: str, spring: date, shown: str, autumn: date) -> None:
    """nJudge 369, at its worst hour. On Lord Howe clocks go forward by half an hour, from two to half past two."""
    clock = Clock(zone, 150)
    assert f"{berlin(clock, spring):%H:%M %z}" == shown
    twice = berlin(clock, autumn)
    assert twice.time() == time(2, 30) or zone == "Australia/Lord_Howe"
    assert clocks.moment_on(clock, autumn) >= twice.replace(fold=0).astimezone(UTC)
    plan = Schedule(hours=7 * 24, first_hours=24, clock=Clock(zone, 150, (6,)))
    for change in (spring, autumn):
        before = change - timedelta(days=10)
        walls = [clocks.wall_of(clock, moment) for moment in schedule.coming(plan, clocks.moment_on(clock, before), 4)]
        assert change in {wall.date() for wall in walls}
        assert {(wall.time(), wall.weekday()) for wall in walls} == {(time(2, 30), 6)}


def test_a_monday_and_thursday_game_over_easter() -> None:
    plan = Schedule(hours=48, first_hours=48, clock=Clock("Europe/Berlin", 1200, (0, 3), (date(2026, 4, 6),)))
    deadlines = schedule.coming(plan, datetime(2026, 3, 26, 19, 5, tzinfo=UTC), 4)
    assert [f"{one.astimezone(ZoneInfo('Europe/Berlin')):%a %d %H:%M}" for one in deadlines] == [
        "Mon 30 20:00",
        "Thu 02 20:00",
        "Thu 09 20:00",
        "Mon 13 20:00",
    ]
    assert [one.hour for one in deadlines] == [18, 18, 18, 18]


def test_several_reminders_come_one_after_the_other() -> None:
    now = datetime(2026, 3, 2, 20, tzinfo=UTC)
    plan = Schedule(reminder_hours=24, further_reminders=(4, 48))
    due = now + timedelta(hours=72)
    seen = [now]
    while (moment := schedule.reminder(plan, seen[-1], due)) is not None:
        seen.append(moment)
    assert [(due - moment) / timedelta(hours=1) for moment in seen[1:]] == [48, 24, 4]


def test_the_schedule_of_an_old_row_is_read_as_it_was_meant() -> None:
    old = {"hours": 48, "first_hours": 72, "minimum_minutes": 5, "reminder_hours": 12}
    assert msgspec.convert(old, Schedule) == Schedule(48, 72, 5, 12, (), 0, None)
    assert msgspec.convert({}, Schedule) == Schedule()


@given(plans)
def test_a_schedule_survives_its_row(plan: Schedule) -> None:
    row = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(plan)))
    assert msgspec.convert(row, Schedule) == plan


FULL = Schedule(
    48,
    96,
    60,
    24,
    (2,),
    90,
    Clock("Europe/Berlin", 1230, (0, 3), (date(2026, 12, 24), date(2026, 12, 31)), wait=True),
    12,
)


@pytest.mark.parametrize(
    ("locale", "plan", "text"),
    (
        ("en", Schedule(48, 48, 0, 0), "A turn lasts 2 days at most."),
        (
            "en",
            FULL,
            (
                "A turn lasts 2 days, the first one 4 days, and then until the next deadline. Deadlines are at 20:30 "
                "(Europe/Berlin), on these days: Monday, Thursday. None is on 24 December 2026 or 31 December 2026. If "
                "everybody is final before, the turn ends at the next such hour. A turn in which only a vote is taken "
                "lasts 12 hours instead. While orders are owed, it stays open "
                "for 90 minutes more. It never ends by itself before 60 minutes. A reminder comes 1 day and 2 hours "
                "before the deadline."
            ),
        ),
        (
            "de",
            FULL,
            (
                "Ein Zug dauert 2 Tage, der erste 4 Tage, und dann bis zur nächsten Frist. Fristen enden um 20:30 Uhr "
                "(Europe/Berlin), an diesen Tagen: Montag, Donnerstag. Keine liegt auf: 24. Dezember 2026 oder 31. "
                "Dezember 2026. Sind alle vorher fertig, endet der Zug zur nächsten solchen Stunde. Ein Zug, in dem "
                "nur abgestimmt wird, dauert stattdessen 12 Stunden. Solange Befehle ausstehen, bleibt er danach noch "
                "offen (90 Minuten). Von selbst endet er nie vor 60 Minuten. Erinnert wird vor Ablauf der Frist (1 Tag "
                "und 2 Stunden)."
            ),
        ),
        (
            "de",
            Schedule(24, 24, 0, 0, clock=Clock("Asia/Kathmandu", 0)),
            (
                "Ein Zug dauert 1 Tag und dann bis zur nächsten Frist. Fristen enden um 00:00 Uhr (Asia/Kathmandu), an "
                "jedem Tag."
            ),
        ),
    ),
)
def test_all_of_a_schedule_is_said_in_words(locale: str, plan: Schedule, text: str) -> None:
    with translation.override(locale):
        assert pace.sentence(plan) == text


@pytest.mark.parametrize(
    ("deadline", "ended", "following"),
    (
        ("05 20:00", "05 20:00", "09 20:00"),
        ("09 20:00", "06 12:00", "09 20:00"),
        ("09 20:00", "08 12:00", "12 20:00"),
        ("07 10:00", "07 10:00", "09 20:00"),
        ("08 10:00", "08 10:00", "12 20:00"),
        ("05 20:00", "09 19:00", "12 20:00"),
    ),
)
def test_the_table_of_the_documentation(deadline: str, ended: str, following: str) -> None:
    """docs/deadlines.md; the days are of March 2026, where the 5th is a Thursday."""

    def at(text: str) -> datetime:
        return datetime.strptime(f"2026-03-{text} +0100", "%Y-%m-%d %H:%M %z")

    plan = Schedule(hours=48, clock=Clock("Europe/Berlin", 1200, (0, 3)))
    times = schedule.following(plan, scheduled=at("05 20:00"), deadline=at(deadline), now=at(ended))
    assert times.deadline == at(following)
