"""What selectors give, to whom, and what it costs: numbers of queries stand still however much there is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.engine.contract import Order
from postspiel.accounts.models import User
from postspiel.play import desk, selectors, services
from postspiel.play.models import Game, Turn
from tests.play.conftest import Make, hand_in, hours, seat


def queries(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as found:
        act()
    return len(found)


def look(user: User, show: desk.Show = desk.Show.RUNNING) -> desk.Desk:
    return desk.look(user, desk.Wanted(show), timezone.now())


def running(make: Make, *players: User) -> Game:
    game = make()
    for player in players:
        services.join_game(game=game, player=player)
    game.refresh_from_db()
    return game


def test_lists_cost_the_same_for_three_games_and_for_thirty(
    clock: time_machine.Traveller, make: Make, olga: User, ada: User, bert: User, stranger: User
) -> None:
    lists: tuple[Callable[[], object], ...] = (
        lambda: selectors.my_games(ada),
        lambda: selectors.lobby(stranger),
        lambda: look(olga),
    )

    def grow(count: int) -> list[int]:
        for _game in range(count):
            hand_in(running(make, ada, bert), 0, "set 4\ndone")
            make()
        return [queries(one) for one in lists]

    few = grow(3)
    many = grow(27)
    assert few == many
    assert max(many) <= 12
    assert len(selectors.my_games(ada)) == 30
    assert len(selectors.lobby(stranger)) == 30
    assert look(olga).counts[desk.Show.RUNNING] == 30
    assert look(olga, desk.Show.FORMING).total == 30


def test_a_turn_costs_the_same_statements_in_a_database_of_many_games(
    clock: time_machine.Traveller, make: Make, ada: User, bert: User
) -> None:
    def cost() -> int:
        game = running(make, ada, bert)
        turn = game.turns.get(status="open")
        Turn.objects.filter(pk=turn.pk).update(due=turn.opened)
        found = queries(lambda: services.advance(turn.pk))
        assert game.turns.filter(number=2).exists()
        return found

    alone = cost()
    for _game in range(30):
        running(make, ada, bert)
    assert cost() == alone


def test_my_games_begin_with_those_that_wait_for_me(
    clock: time_machine.Traveller, make: Make, ada: User, bert: User
) -> None:
    games = []
    for _game in range(3):
        games.append(running(make, ada, bert))
        clock.shift(hours(1))
    hand_in(games[0], 0, "set 4\ndone")
    open_ = make()
    services.join_game(game=open_, player=ada)

    mine = selectors.my_games(ada)

    assert [one.game for one in mine] == [games[1], games[2], games[0], open_]
    assert [one.waits for one in mine] == [True, True, False, False]


def test_the_organiser_sees_who_is_late_but_no_orders(duel: Game, olga: User) -> None:
    hand_in(duel, 0, "set 7")
    [one] = look(olga).rows
    assert (one.handed_in, one.asked) == (1, 2)
    assert one.late == [desk.Place(1, "Bert")]


def test_an_organiser_who_plays_sees_only_how_many_sheets_are_in(
    clock: time_machine.Traveller, make: Make, olga: User, ada: User
) -> None:
    game = running(make, olga, ada)
    hand_in(game, 1, "set 7")
    [one] = look(olga).rows
    assert (one.plays, one.handed_in, one.asked, one.late) == (True, 1, 2, [])
    assert selectors.sheets_in(game.turns.get(status="open")) == (1, 2)


def test_a_seat_reads_what_was_said_to_it_and_nobody_elses_secrets(duel: Game) -> None:
    deals = {
        index: [block.items for block in selectors.log(duel, one)[0].blocks]  # type: ignore[union-attr]
        for index, one in ((0, seat(duel, 0)), (1, seat(duel, 1)), (None, None))
    }
    assert deals == {0: [("dealt",)], 1: [("dealt",)], None: [()]}


def test_seats_are_found_by_who_holds_them(duel: Game, ada: User, stranger: User) -> None:
    found = selectors.seat_of(duel, ada)
    assert found is not None
    assert found.index == 0
    assert selectors.seat_of(duel, stranger) is None
    assert selectors.seat_of(duel, AnonymousUser()) is None
    assert [selectors.seat_name(duel, index, "de") for index in (0, 1)] == ["Änne", "Bobo"]


def test_a_preview_is_the_real_turn_with_one_sheet_and_stops_at_a_roll(duel: Game) -> None:
    """terra-mystica#9: the planner allowed what the engine refused."""
    mine = seat(duel, 0)
    foreseen = selectors.preview(mine, (Order("set", {"number": 9}),))
    assert foreseen is not None
    assert foreseen.state is not None
    assert foreseen.state.numbers == (9, None)
    assert [event.kind for event in foreseen.events] == ["round"]
    assert len(selectors.preview_blocks(mine, (Order("set", {"number": 9}),), "de")) == 1


def test_reading_changes_nothing(duel: Game, ada: User, olga: User, clock: time_machine.Traveller) -> None:
    """eressea 3076: writing the reports changed the game."""

    def hashes() -> list[str]:
        return [hashlib.sha256(bytes(turn.state)).hexdigest() for turn in duel.turns.order_by("number")]

    hand_in(duel, 0, "set 7\nalways guess Bob 3")
    before = (hashes(), list(Game.objects.values()), [list(one.sheets.values()) for one in duel.turns.all()])
    for reader in (seat(duel, 0), seat(duel, 1), None):
        for locale in ("en", "de"):
            selectors.position(duel, reader, locale)
            selectors.log(duel, reader, locale)
        selectors.press_for(duel, reader)
    selectors.preview(seat(duel, 0), (Order("set", {"number": 9}),))
    selectors.my_games(ada), look(olga), selectors.lobby(ada)

    assert before == (hashes(), list(Game.objects.values()), [list(one.sheets.values()) for one in duel.turns.all()])
    assert duel.turns.get(status="open").state_hash == hashes()[-1]


@pytest.mark.parametrize("locale", ("en", "de"))
def test_the_position_is_there_from_the_start_to_the_end_and_after(
    make: Make, clock: time_machine.Traveller, ada: User, bert: User, locale: str
) -> None:
    game = make()
    assert selectors.position(game, None, locale) is None
    for player in (ada, bert):
        services.join_game(game=game, player=player)
    for _turn in range(3):
        game.refresh_from_db()
        assert selectors.position(game, seat(game, 0), locale) is not None
        assert selectors.asks_for(seat(game, 0))
        for index in (0, 1):
            hand_in(game, index, "set 1\ndone")
        services.advance(game.turns.get(status="open").pk)
    game.refresh_from_db()
    assert selectors.position(game, seat(game, 0), locale) is not None
    assert selectors.asks_for(seat(game, 0)) == ()
    assert selectors.sheet_of(seat(game, 0)) is None
