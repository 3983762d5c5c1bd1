"""Moving deadlines, reminding, and what the readers are told about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services, times
from postspiel.play.models import DeadlineChange, Game, Turn
from tests.play.conftest import START, hand_in, hours, seat


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
