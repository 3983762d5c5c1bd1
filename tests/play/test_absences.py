"""Absences: whose deadlines they move, how far, and that they are nobody else's business."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from postspiel.accounts.models import Absence, User
from postspiel.accounts.services import AbsenceError, announce_absence, cancel_absence
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing
from postspiel.play import policies, reliability, services, vacancies
from postspiel.play.clocks import Clock
from postspiel.play.models import DeadlineChange, Game, Sheet, Turn
from postspiel.play.policies import Policy, Span
from postspiel.play.schedule import MOST_MOVED, Schedule
from tests.people import signed_in
from tests.play.conftest import START, hand_in, hours, seat

PLAN = Schedule(hours=48, first_hours=48)
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def days(number: float) -> timedelta:
    return timedelta(days=number)


# --- the rule ---------------------------------------------------------------------------------------------------------


def test_a_deadline_moves_to_a_day_after_the_absence_on_its_own_grid() -> None:
    (move,) = policies.moves(PLAN, NOON, [Span(0, NOON - days(1), NOON + days(2.5))], {0: days(14)})
    assert move == policies.Move(0, NOON, NOON + days(4))


def test_a_deadline_outside_of_absences_stays() -> None:
    spans = [Span(0, NOON + timedelta(seconds=1), NOON + days(2)), Span(1, NOON - days(3), NOON - days(1))]
    assert policies.moves(PLAN, NOON, spans, {0: days(14), 1: days(14)}) == ()


def test_absences_that_overlap_or_follow_each_other_are_charged_each_its_own_part() -> None:
    """Two of one player, and one of another."""
    spans = [Span(0, NOON - days(1), NOON + days(1)), Span(0, NOON, NOON + days(3)), Span(1, NOON, NOON + days(5))]
    moves = policies.moves(PLAN, NOON, spans, {0: days(14), 1: days(14)})
    assert [(move.seat, move.new - move.old) for move in moves] == [(0, days(2)), (0, days(2)), (1, days(2))]
    assert moves[-1].new == NOON + days(6)


def test_an_absence_without_days_left_has_no_say() -> None:
    spans = [Span(0, NOON, NOON + days(3)), Span(1, NOON, NOON + days(1))]
    (move,) = policies.moves(PLAN, NOON, spans, {0: days(1.9), 1: days(2)})
    assert (move.seat, move.new) == (1, NOON + days(2))


def test_the_clock_of_a_schedule_is_kept_over_the_clock_change() -> None:
    """Back on Sunday, 29 March, when Berlin's clocks jump: Tuesday 20:00 there, not an hour off."""
    plan = Schedule(hours=48, clock=Clock("Europe/Berlin", 20 * 60, (1, 4)))
    deadline = datetime(2026, 3, 27, 19, 0, tzinfo=UTC)
    span = Span(0, datetime(2026, 3, 26, 23, 0, tzinfo=UTC), datetime(2026, 3, 29, 22, 0, tzinfo=UTC))
    (move,) = policies.moves(plan, deadline, [span], {0: days(14)})
    assert move.new == datetime(2026, 3, 31, 18, 0, tzinfo=UTC)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-200, 600), st.integers(1, 400)), max_size=8),
    st.lists(st.integers(0, 400), min_size=4, max_size=4),
    st.sampled_from((1, 8, 24, 48, 72, 100)),
)
def test_moves_go_on_never_exceed_what_is_left_and_end_outside_of_what_has_a_say(
    raw: list[tuple[int, int, int]], hours_left: list[int], length: int
) -> None:
    plan = Schedule(hours=length)
    spans = [Span(one, NOON + hours(begin), NOON + hours(begin + long)) for one, begin, long in raw]
    left = {one: hours(number) for one, number in enumerate(hours_left)}
    moves = policies.moves(plan, NOON, spans, left)
    assert all(move.new > move.old for move in moves)
    assert all(a.new == b.old for a, b in pairwise(moves))
    for one, limit in left.items():
        assert sum((move.new - move.old for move in moves if move.seat == one), timedelta()) <= limit
    assert not moves or moves[-1].new <= NOON + MOST_MOVED
    last = moves[-1].new if moves else NOON
    if last <= NOON + days(5) and min(hours_left) >= 300:
        assert not any(span.begins <= last < min(span.ends, last + days(5)) for span in spans)


def test_days_are_whole_days_of_the_players_zone_also_when_clocks_jump() -> None:
    user = User(time_zone="Europe/Berlin")
    spring = Absence(user=user, first=date(2026, 3, 29), last=date(2026, 3, 29))
    autumn = Absence(user=user, first=date(2026, 10, 25), last=date(2026, 10, 25))
    assert (spring.ends - spring.begins, autumn.ends - autumn.begins) == (hours(23), hours(25))
    assert spring.begins == datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
    no_midnight = Absence(user=User(time_zone="Africa/Cairo"), first=date(2026, 4, 24), last=date(2026, 4, 24))
    assert no_midnight.covers(datetime(2026, 4, 24, 10, 0, tzinfo=UTC))
    assert no_midnight.ends - no_midnight.begins in {hours(23), hours(24)}


# --- in a game --------------------------------------------------------------------------------------------------------

type Agreed = Callable[..., Game]


@pytest.fixture
def agreed(clock: time_machine.Traveller, olga: User, ada: User, bert: User) -> Agreed:
    """A function that starts a game of nine rounds between Ada and Bert with the usual policy, or another one."""

    def begun(title: str = "toy", *, anonymous: bool = False, **policy: int) -> Game:
        game = services.create_game(
            organiser=olga,
            title=title,
            name="A game",
            size=2,
            options={"rounds": 9},
            schedule=PLAN,
            terms=services.PressTerms(anonymous=anonymous),
            policy=Policy(**policy),  # type: ignore[arg-type]  # fields by name
        )
        for player in (ada, bert):
            services.join_game(game=game, player=player)
        game.refresh_from_db()
        return game

    return begun


def turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def both_final(game: Game) -> None:
    for index in (0, 1):
        hand_in(game, index, "set 4\ndone")
    services.advance(turn(game).pk)


def away(user: User, first: int, last: int) -> Absence:
    """Announce that somebody is away from the one day after START to the other."""
    today = START.date()
    return announce_absence(user=user, first=today + days(first), last=today + days(last), note="Sailing")


def test_only_turns_that_open_later_wait_and_the_hour_stays(agreed: Agreed, bert: User) -> None:
    """Case 4, diplicity-react#1280, and the rule of docs/deadlines.md."""
    game = agreed()
    away(bert, 1, 4)
    assert turn(game).deadline == START + hours(48), "announced too late for this turn"
    both_final(game)
    assert turn(game).deadline == START + days(6)
    change = DeadlineChange.objects.get()
    assert (change.cause, change.who, change.why, change.seat) == ("absence", None, "", seat(game, 1))
    both_final(game)
    assert (turn(game).deadline, DeadlineChange.objects.count()) == (START + days(6), 2)
    assert vacancies.allowances(bert)[0].days_left == 14 - 4 - 4


def test_who_is_asked_nothing_delays_nobody_by_his_absence(agreed: Agreed, ada: User, bert: User) -> None:
    """Case 4: a player with nothing to decide burned an extension and delayed all."""
    game = agreed("relay")
    away(ada, 1, 4)
    hand_in(game, 0, "set 4\ndone")
    services.advance(turn(game).pk)
    assert turn(game).number == 2
    assert turn(game).deadline == START + hours(48)
    assert vacancies.allowances(ada)[0].days_left == 14


def test_the_limit_of_a_game_holds_and_misses_while_away_are_excused(
    agreed: Agreed, bert: User, clock: time_machine.Traveller
) -> None:
    game = agreed(absence_days=3, excused=0, open_after=1)
    away(bert, 1, 9)
    both_final(game)
    assert turn(game).deadline == START + hours(48), "four days are more than three"
    hand_in(game, 0, "set 4")
    clock.move_to(START + hours(48) + timedelta(seconds=5))
    services.advance(turn(game).pk)
    missed = Sheet.objects.get(missed=True)
    assert (missed.player, missed.excused) == (bert, "absence")
    assert seat(game, 1).player == bert
    assert reliability.of(bert) is None


def test_an_absence_that_a_game_does_not_allow_is_no_penalty(
    agreed: Agreed, bert: User, clock: time_machine.Traveller
) -> None:
    """Case 12, online-go#3446: vacation switched itself on and disqualified its owner."""
    game = agreed(absence_days=0)
    page = signed_in(bert).post(
        reverse("absences"), {"first": "2026-03-03", "last": "2026-03-06", "note": ""}, follow=True
    )
    assert "verschiebt sie keine Frist" in page.content.decode()
    assert Absence.objects.count() == 1, "it counts in his other games"
    both_final(game)
    assert turn(game).deadline == START + hours(48)
    assert (seat(game, 1).player, seat(game, 1).misses) == (bert, 0)
    assert not game.acts.exclude(kind__in=("created", "joined", "started")).exists()


def test_nobody_learns_whose_absence_it_is(agreed: Agreed, ada: User, bert: User) -> None:
    """Another reads the same turn, whoever is away, in his mail and through the API; also in anonymous games."""
    seen = []
    for who in (ada, bert):
        game = agreed(anonymous=True)
        absence = away(who, 1, 4)
        both_final(game)
        letter = outbox.render(Outgoing.objects.get(kind="turn", recipient=ada, data__turn=turn(game).pk))
        text = " ".join(letter.text.split())
        assert "somebody for whom the turn would wait is away" in text
        assert "Sailing" not in text + letter.html
        told = signed_in(ada).get(f"/api/games/{game.key}/").json()
        seen.append((told["turn"], told["seats"], text.partition("is away")[0].partition("turn 2")[2]))
        cancel_absence(absence=absence, user=who)
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("first", "last"),
    ((date(2026, 3, 9), date(2026, 3, 8)), (date(2026, 1, 1), date(2026, 1, 2)), (START.date(), date(2026, 6, 1))),
)
def test_days_that_cannot_be_are_refused_with_a_sentence(
    first: date, last: date, bert: User, clock: time_machine.Traveller
) -> None:
    with pytest.raises(AbsenceError):
        announce_absence(user=bert, first=first, last=last)
    assert not Absence.objects.exists()
    page = signed_in(bert).post(reverse("absences"), {"first": first, "last": last, "note": ""})
    assert page.status_code == 200
    assert not Absence.objects.exists()


def test_an_absence_is_announced_listed_and_cancelled_by_its_owner_only(agreed: Agreed, ada: User, bert: User) -> None:
    agreed()
    days_of = {"first": "2026-03-05", "last": "2026-03-08", "note": "Sailing"}
    signed_in(bert).post(reverse("absences"), days_of)
    page = signed_in(bert).post(reverse("absences"), days_of, follow=True).content.decode()
    assert "Sailing" in page
    assert Absence.objects.count() == 1
    cancel = reverse("absence-cancel", args=[Absence.objects.get().pk])
    signed_in(ada).post(cancel)
    assert Absence.objects.count() == 1
    signed_in(bert).post(cancel)
    assert not Absence.objects.exists()
    assert "Sailing" not in signed_in(bert).get(reverse("absences")).content.decode()
