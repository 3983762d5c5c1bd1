"""Votes for a pause on the page of a game."""

from __future__ import annotations

from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from tests.people import signed_in


def start(organiser: User, *players: User) -> Game:
    game = services.create_game(
        organiser=organiser, title="intrige", name="Carnival", size=3, options={}, schedule=services.Schedule()
    )
    for player in players:
        services.join_game(game=game, player=player)
    return game


def people() -> list[User]:
    return [User.objects.create_user(f"{name}@example.org", display_name=name) for name in ("olga", "ada", "bert", "c")]


def test_players_vote_for_a_pause_on_the_page(db: None) -> None:
    olga, *players = people()
    game = start(olga, *players)
    for who in players:
        signed_in(who).post(reverse("game-vote", args=[game.key]), {"motion": "pause"})
    game.refresh_from_db()
    assert game.paused is not None
