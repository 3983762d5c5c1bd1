"""Time to think is neither lost nor won by pauses: by hypothesis, over all zones and 2020 to 2040, and by the services.

Another bookkeeping than the platform's is kept beside it: how long a turn's time has run, and how much it was given.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import gcd

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from postspiel.accounts.models import User
from postspiel.play import brake, schedule, services
from postspiel.play.models import Game, Turn
from postspiel.play.schedule import Schedule
from tests.play import test_clocks, test_schedule
from tests.play.conftest import hand_in, hours

ZERO = timedelta(0)

plans = st.one_of(test_schedule.schedules, test_clocks.plans)
spans = st.timedeltas(ZERO, timedelta(days=9))
deeds = st.lists(st.tuples(st.sampled_from(("wait", "pause", "extend", "outage", "early")), spans), max_size=12)


@dataclass
class Turned:
    """One turn: its moments as the platform keeps them, and beside them the time that ran and what was given."""

    times: schedule.Times
    deadline: datetime
    earliest: datetime
    ran: timedelta = ZERO
    given: timedelta = ZERO
    moved: timedelta = ZERO

    @classmethod
    def of(cls, times: schedule.Times) -> Turned:
        return cls(times, times.deadline, times.earliest)

    def check(self, now: datetime) -> None:
        """What has run and what is left are what the schedule gave, and what was given by hand or after an outage."""
        whole = self.times.deadline - self.times.opened
        assert self.ran + (self.deadline - now) == whole + self.given
        assert self.earliest - now + self.ran == self.times.earliest - self.times.opened


@given(plans, test_clocks.moments, deeds)
def test_pauses_give_back_just_what_they_took_whatever_else_happens(
    plan: Schedule, start: datetime, done: list[tuple[str, timedelta]]
) -> None:
    """DESIGN section 4: the sum of the time to think is constant over pauses; and no pause moves a later deadline."""
    now, turn = start, Turned.of(schedule.first(plan, start))
    first = turn.times.deadline
    for deed, span in done:
        if deed == "pause":
            left = turn.deadline - now
            stood = schedule.stood(opened=turn.times.opened, since=now, now=now + span)
            now, turn.deadline, turn.earliest = now + span, turn.deadline + stood, turn.earliest + stood
            assert turn.deadline - now == left
        elif deed == "extend":
            _extend(turn, span)
        elif deed == "outage":
            now = _outage(turn, now, span)
        else:
            spent = min(span, max(turn.deadline - now, ZERO))
            now, turn.ran = now + spent, turn.ran + spent
        turn.check(now)
        if deed == "early" or now >= turn.deadline:
            turn = _next(plan, first, turn, now)


def _extend(turn: Turned, span: timedelta) -> None:
    try:
        later = schedule.moved(scheduled=turn.deadline - turn.moved, deadline=turn.deadline, hours=span // hours(1))
    except schedule.TooFar:
        return
    turn.given += later - turn.deadline
    turn.moved += later - turn.deadline
    turn.deadline = later
    assert turn.moved <= schedule.MOST_MOVED


def _outage(turn: Turned, now: datetime, span: timedelta) -> datetime:
    """An outage's time runs; afterwards there is at least as much left as it took, a day at most, and never less."""
    since, now = now, now + span
    left = turn.deadline - now
    new = schedule.given_back(deadline=turn.deadline, since=since, now=now, most=brake.MOST_BACK)
    assert new - now == max(left, min(span, timedelta(days=1)))
    turn.ran += span
    turn.given += new - turn.deadline
    turn.deadline = new
    return now


def _next(plan: Schedule, first: datetime, turn: Turned, now: datetime) -> Turned:
    """The turn that follows is at the game's own hour again, whatever was given of the one before."""
    times = schedule.following(plan, scheduled=first, deadline=min(now, turn.deadline), now=now)
    assert times.deadline - now >= hours(plan.hours) / 2
    if plan.clock is None:
        assert not (times.deadline - first) % hours(gcd(plan.hours, 24))
    else:
        test_clocks.assert_right(plan.clock, times.deadline)
    return Turned.of(times)


# --- by the services --------------------------------------------------------------------------------------------------

acts = st.lists(
    st.tuples(st.sampled_from(("wait", "pause", "pause", "extend", "early")), st.integers(1, 40)), max_size=7
)


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts)
def test_the_services_keep_the_same_books(
    duel: Game, olga: User, clock: time_machine.Traveller, done: list[tuple[str, int]]
) -> None:
    clock.move_to(open_turn(duel).opened)
    with transaction.atomic():
        _live(duel, olga, clock, done)
        transaction.set_rollback(True)


def _live(game: Game, olga: User, clock: time_machine.Traveller, done: list[tuple[str, int]]) -> None:
    """Do acts to a game, each for so many hours, and compare what is left of its turn with what ran of it."""
    number, ran, whole = 0, ZERO, ZERO
    for deed, span in done:
        turn = open_turn(game)
        assert turn.deadline is not None
        if turn.number != number:
            number, ran, whole = turn.number, ZERO, turn.deadline - turn.opened
        left = whole - ran
        if deed == "pause":
            services.pause_game(game=game, who=olga, why="")
            clock.shift(hours(span))
            services.sweep()
            services.resume_game(game=game, who=olga)
        elif deed == "extend":
            services.extend(turn=turn, hours=span, who=olga, why="")
            whole += hours(span)
        elif hours(span) < left:
            clock.shift(hours(span))
            ran += hours(span)
        if deed == "early":
            if not _end(game):
                return
            continue
        deadline = open_turn(game).deadline
        assert deadline is not None
        assert deadline - datetime.now(UTC) == whole - ran


def _end(game: Game) -> bool:
    """Let everybody be done; whether the game goes on."""
    for index in (0, 1):
        hand_in(game, index, "set 4\ndone")
    services.advance(open_turn(game).pk)
    game.refresh_from_db()
    return game.status == Game.Status.RUNNING


def test_the_books_would_find_a_pause_that_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    books = test_pauses_give_back_just_what_they_took_whatever_else_happens.hypothesis.inner_test  # type: ignore[attr-defined]
    paused = (Schedule(), datetime(2026, 3, 2, tzinfo=UTC), [("pause", hours(3))])
    books(*paused)
    monkeypatch.setattr(schedule, "stood", lambda **_moments: ZERO)
    with pytest.raises(AssertionError):
        books(*paused)
