"""A whole game of Intrige between four people, played through the platform's own services."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import time_machine

from games.engine import registry, sheets
from games.engine.contract import Sheet
from postspiel.accounts.models import User
from postspiel.play import positions, selectors, services
from postspiel.play.models import Game, Seat

KINDS = (
    "turn",
    "receipt",
    "reminder",
    "press",
    "ended",
    "started",
    "joined",
    "cancelled",
    "extended",
    "resign-confirm",
)
MAIL_KINDS = {kind: {"render": "unused"} for kind in KINDS}
START = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)
PLAYERS = (("Ada", "en"), ("Benedikt", "de"), ("Cleo", "en"), ("Dov", "de"))


def four_players() -> list[User]:
    return [
        User.objects.create_user(f"{name.lower()}@example.org", display_name=name, locale=locale)
        for name, locale in PLAYERS
    ]


def new_game(players: list[User], **options: bool | int | str) -> Game:
    """A running game; its seats are the players', in their order."""
    game = services.create_game(
        organiser=players[0],
        title="intrige",
        name="Der Winter in Ferrara & “Briefe”",
        size=len(players),
        options=options,
        schedule=services.Schedule(hours=48),
    )
    for index, player in enumerate(players):
        services.join_game(game=game, player=player, index=index)
    game.refresh_from_db()
    return game


def chances(count: int) -> list[Random]:
    """Sources of randomness for so many turns."""
    return [Random(number) for number in range(count)]


def orders_for(game: Game, seat: Seat, chance: Random | None = None) -> Sheet:
    """What a random player would order in the open turn, as far as the rules take it."""
    turn = selectors.open_turn(game)
    assert turn is not None
    title, seen = registry.title(game.title), positions.seen(turn, seat.index)
    return sheets.replace(title, seen, seat.index, title.bots["random"](seen, seat.index, chance or Random(1))).sheet


def hand_in_something(game: Game, seat: Seat, chance: Random | None = None) -> None:
    """The player of a seat hands in a final sheet, now."""
    services.hand_in(
        seat=seat,
        text="",
        orders=orders_for(game, seat, chance),
        door="form",
        writer=seat.player,
        received=datetime.now(UTC),
        done=True,
    )


def one_turn(game: Game, chance: Random, clock: time_machine.Traveller) -> None:
    """Everybody hands in what a random player would, and the turn is resolved."""
    turn = selectors.open_turn(game)
    assert turn is not None
    assert turn.deadline is not None
    clock.move_to(turn.opened + timedelta(hours=20))
    for seat in Seat.objects.filter(game=game).select_related("player", "game"):
        hand_in_something(game, seat, chance)
    clock.move_to(turn.deadline + timedelta(minutes=5))
    services.advance(turn.pk)
    game.refresh_from_db()


def whole_game(clock: time_machine.Traveller, **options: bool | int | str) -> Game:
    """An ended game, with some public press and a private one."""
    clock.move_to(START)
    game = new_game(four_players(), **options)
    seats = selectors.seats_of(game)
    chance, turns = Random(7), 0
    while game.status == Game.Status.RUNNING:
        if turns == 1:
            services.send_press(seat=seats[0], to=None, text="Good evening!\nWhoever seats my priest has a friend.")
            services.send_press(seat=seats[1], to=[2], text="A secret treaty between us two.")
        if turns == 6:
            services.send_press(seat=seats[3], to=None, text="Das Schiff zur Insel ist <b>voll</b> & fährt heute.")
        one_turn(game, chance, clock)
        turns += 1
        assert turns < 60
    return game
