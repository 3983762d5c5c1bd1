"""The life of a game: made, joined, started by the last seat, played to its end, resigned, voted off, called off."""

from __future__ import annotations

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services
from postspiel.play.models import Act, Game, Result, Sheet, Turn
from tests.engine.toy import Toy
from tests.play.conftest import START, Make, hand_in, hours, seat


def mails(kind: str) -> list[str]:
    return sorted(Outgoing.objects.filter(kind=kind).values_list("to", flat=True))


def test_the_last_seat_taken_starts_the_game(clock: time_machine.Traveller, make: Make, ada: User, bert: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)
    assert not Turn.objects.exists()

    services.join_game(game=game, player=bert)

    game.refresh_from_db()
    assert (game.status, game.started) == (Game.Status.RUNNING, START)
    assert list(game.turns.order_by("number").values_list("number", "status")) == [(0, "done"), (1, "open")]
    turn = game.turns.get(number=1)
    assert turn.deadline == START + hours(72)
    assert turn.reminder == START + hours(48)
    assert list(Sheet.objects.values_list("status", "asked", "owes")) == [("none", True, True)] * 2
    assert game.turns.get(number=0).rolls.count() == 2
    assert mails("turn") == ["ada@example.org", "bert@example.org"]
    assert [act.kind for act in game.acts.order_by("pk")] == ["created", "joined", "joined", "started"]


def test_a_game_with_free_seats_is_neither_started_nor_due(make: Make, olga: User, ada: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)

    with pytest.raises(services.PlayError, match="free seats"):
        services.start_game(game=game, who=olga)
    services.sweep()

    game.refresh_from_db()
    assert game.status == Game.Status.OPEN
    assert not Turn.objects.exists()
    assert not Act.objects.filter(kind="started").exists()


def test_a_seat_is_taken_once_and_a_player_sits_once(make: Make, ada: User, bert: User, stranger: User) -> None:
    game = make(size=3)
    services.join_game(game=game, player=ada, index=2)

    with pytest.raises(services.PlayError, match="already"):
        services.join_game(game=game, player=ada)
    with pytest.raises(services.PlayError, match="taken"):
        services.join_game(game=game, player=bert, index=2)

    assert services.join_game(game=game, player=bert).index == 0
    assert services.join_game(game=game, player=stranger).index == 1


def test_a_game_that_is_not_listed_is_joined_by_invitation_only(make: Make, ada: User, bert: User) -> None:
    game = make(size=3, listed=False)

    with pytest.raises(services.PlayError, match="invitation"):
        services.join_game(game=game, player=ada)
    services.join_game(game=game, player=ada, invitation=game.invitation)

    assert selectors.lobby(bert) == []
    assert selectors.seat_of(game, ada) is not None


def test_who_leaves_before_the_start_makes_room(make: Make, ada: User, bert: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)
    services.leave_game(game=game, player=ada)
    with pytest.raises(services.PlayError, match="no seat"):
        services.leave_game(game=game, player=ada)

    assert services.join_game(game=game, player=bert).index == 0


def test_nobody_leaves_or_joins_a_game_that_runs(duel: Game, ada: User, stranger: User) -> None:
    with pytest.raises(services.PlayError, match="started"):
        services.leave_game(game=duel, player=ada)
    with pytest.raises(services.PlayError, match="started"):
        services.join_game(game=duel, player=stranger)


def test_only_the_organiser_calls_a_game_off_and_its_players_are_told(make: Make, olga: User, ada: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)
    with pytest.raises(services.PlayError, match="organises"):
        services.cancel_game(game=game, who=ada)

    services.cancel_game(game=game, who=olga)

    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED
    assert mails("cancelled") == ["ada@example.org"]
    with pytest.raises(services.PlayError):
        services.join_game(game=game, player=olga)


@pytest.mark.parametrize(
    ("change", "sentence"),
    (
        ({"title": "chess"}, "no such title"),
        ({"name": " "}, "needs a name"),
        ({"size": 9}, "."),
        ({"options": {"rounds": 99}}, "."),
        ({"options": {"colour": 1}}, "."),
        ({"schedule": services.Schedule(hours=0)}, "cannot be kept"),
        ({"schedule": services.Schedule(hours=1, minimum_minutes=61)}, "least time"),
    ),
)
def test_a_game_that_cannot_be_played_is_not_made(olga: User, change: dict[str, object], sentence: str) -> None:
    right = {"title": "toy", "name": "A game", "size": 2, "options": {}, "schedule": services.Schedule()}
    with pytest.raises(services.PlayError, match=sentence):
        services.create_game(organiser=olga, **(right | change))  # type: ignore[arg-type]
    assert not Game.objects.exists()

    assert services.create_game(organiser=olga, **right).options == {  # type: ignore[arg-type]
        "rounds": 3,
        "mood": "calm",
        "open": False,
    }


def test_a_whole_game_ends_with_one_result_and_a_mail_to_everybody(duel: Game, ada: User, bert: User) -> None:
    for number in (1, 2, 3):
        assert duel.turns.get(status="open").number == number
        hand_in(duel, 0, "set 4\ndone")
        hand_in(duel, 1, "set 5\ndone")
        assert services.advance(duel.turns.get(status="open").pk)

    duel.refresh_from_db()
    assert duel.status == Game.Status.ENDED
    assert not duel.turns.filter(status="open").exists()
    result = Result.objects.get(game=duel)
    assert [entry["user"] for entry in result.entries] == [ada.pk, bert.pk]
    assert result.decided
    assert mails("ended") == ["ada@example.org", "bert@example.org"]
    assert len(mails("turn")) == 6
    assert selectors.position(duel, None) is not None


def test_bots_play_a_game_to_its_end_without_anybody_waiting(clock: time_machine.Traveller, make: Make) -> None:
    game = make()
    services.seat_bot(game=game, index=None, bot="five")
    services.seat_bot(game=game, index=None, bot="five")

    for number in (1, 2, 3):
        assert services.advance(game.turns.get(number=number).pk)

    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert not Outgoing.objects.exists()


def test_bots_alone_never_end_a_turn_before_the_least_time_to_think(
    clock: time_machine.Traveller, make: Make, ada: User
) -> None:
    game = make("relay", minimum_minutes=60)
    services.seat_bot(game=game, index=0, bot="five")
    services.join_game(game=game, player=ada)
    turn = game.turns.get(number=1)

    assert not services.advance(turn.pk)
    clock.shift(hours(1))
    assert services.advance(turn.pk)

    hand_in(game, 1, "set 3\ndone")
    assert services.advance(game.turns.get(number=2).pk)


def test_who_resigns_leaves_an_open_seat_that_nobody_waits_for(duel: Game, ada: User, bert: User) -> None:
    hand_in(duel, 0, "set 4\nalways guess Bob 3")
    one = seat(duel, 0)
    with pytest.raises(services.PlayError, match="not your seat"):
        services.resign(seat=one, who=bert)

    services.resign(seat=one, who=ada)

    assert seat(duel, 0).player is None
    sheet = Sheet.objects.get(turn__number=1, seat__index=0)
    assert (sheet.status, sheet.orders) == ("none", [])
    hand_in(duel, 1, "set 5\ndone")
    assert services.advance(duel.turns.get(number=1).pk)
    assert not Sheet.objects.filter(missed=True).exists()
    assert hand_in(duel, 0, "set 1", writer=ada).understood.reason == "not-yours"


def test_a_game_ends_by_vote_when_all_who_hold_a_seat_agree(duel: Game) -> None:
    hand_in(duel, 0, "set 4")
    assert not services.propose_end(seat=seat(duel, 0))
    services.withdraw_end(seat=seat(duel, 0))
    assert not services.propose_end(seat=seat(duel, 1))
    assert selectors.wants_end(duel) == [1]

    assert services.propose_end(seat=seat(duel, 0))

    duel.refresh_from_db()
    assert duel.status == Game.Status.ENDED
    assert duel.turns.get(number=1).status == "superseded"
    result = Result.objects.get(game=duel)
    assert not result.decided
    assert [entry["place"] for entry in result.entries] == [1, 1]
    with pytest.raises(services.PlayError, match="does not run"):
        services.propose_end(seat=seat(duel, 0))


def test_bots_and_open_seats_have_no_vote(clock: time_machine.Traveller, make: Make, ada: User, bert: User) -> None:
    game = make(size=3)
    services.seat_bot(game=game, index=0, bot="five")
    services.join_game(game=game, player=ada)
    services.join_game(game=game, player=bert)
    services.propose_end(seat=seat(game, 1))
    with pytest.raises(services.PlayError, match="Nobody holds"):
        services.propose_end(seat=seat(game, 0))

    services.resign(seat=seat(game, 2), who=bert)

    game.refresh_from_db()
    assert game.status == Game.Status.ENDED


def test_a_bot_takes_an_open_seat_of_a_running_game(duel: Game, ada: User, bert: User, olga: User) -> None:
    hand_in(duel, 1, "set 5\ndone")
    with pytest.raises(services.PlayError, match="taken"):
        services.put_bot(game=duel, index=0, bot="five", who=olga)
    services.resign(seat=seat(duel, 0), who=ada)
    with pytest.raises(services.PlayError, match="organises"):
        services.put_bot(game=duel, index=0, bot="five", who=bert)
    with pytest.raises(services.PlayError, match="no bot"):
        services.put_bot(game=duel, index=0, bot="six", who=olga)

    assert services.put_bot(game=duel, index=0, bot="five", who=olga).bot == "five"

    sheet = Sheet.objects.get(turn__number=1, seat__index=0)
    assert (sheet.status, sheet.automatic, len(sheet.orders)) == ("final", True, 1)
    assert services.advance(duel.turns.get(number=1).pk)


def test_a_bot_that_raises_stops_no_game(
    clock: time_machine.Traveller, make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(seen: object, index: int, random: object) -> tuple[()]:
        raise ZeroDivisionError

    monkeypatch.setattr(Toy, "bots", {"five": broken})
    game = make()
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="five")
    for number in (1, 2, 3):
        assert services.advance(game.turns.get(number=number).pk)
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert "ZeroDivisionError" in caplog.text


def test_the_demo_game_waits_for_nobody_but_its_player(clock: time_machine.Traveller, bert: User) -> None:
    game = services.make_demo_game(bert)

    assert (game.title, game.status, game.name) == ("intrige", Game.Status.RUNNING, "Eine erste Partie")
    assert [one.player for one in selectors.seats_of(game)].count(bert) == 1
    for _turn in range(60):
        services.sweep()
        turn = selectors.open_turn(game)
        if turn is None:
            break
        sheet = turn.sheets.get(seat__player=bert)
        if sheet.asked:
            hand_in(game, sheet.seat.index, "nothing\ndone")
        else:
            assert turn.due == START
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert mails("ended") == ["bert@example.org"]
