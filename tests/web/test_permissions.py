"""Who may see and do what: an organiser who does not play, a player, a stranger, a guest."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.play import selectors
from postspiel.play.models import Game, Seat, Sheet
from tests.people import signed_in

POSTS = (
    "game-orders", "game-preview", "game-always", "game-press", "game-join", "game-leave", "game-start",
    "game-cancel", "game-invite", "game-bot", "game-clear", "game-end-vote", "game-resign",
)  # fmt: skip
PAGES = ("game", "game-sheet", "game-resign", "game-cancel")
FOR_PLAYERS = ("game-orders", "game-preview", "game-always", "game-press", "game-end-vote", "game-resign")
FOR_ORGANISERS = ("game-start", "game-cancel", "game-invite", "game-bot")


@pytest.mark.parametrize("name", (*POSTS, *PAGES))
def test_a_private_game_does_not_exist_for_strangers(running: Game, stella: User, hugo: User, name: str) -> None:
    address = reverse(name, args=[running.key])
    for outsider in (stella, hugo):
        client = signed_in(outsider)
        assert client.post(address).status_code in ({405} if name in {"game", "game-sheet"} else {404})
        assert client.get(address).status_code in ({404} if name in PAGES else {405})


@pytest.mark.parametrize("name", (*POSTS, *PAGES))
def test_a_guest_is_asked_to_sign_in(running: Game, client: Client, name: str) -> None:
    address = reverse(name, args=[running.key])

    answer = client.get(address) if name in PAGES else client.post(address)

    assert answer.headers["Location"] == f"{reverse('account_login')}?next={address}"


@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_what_players_do_is_not_for_an_organiser_who_does_not_play(running: Game, olga: User, name: str) -> None:
    assert signed_in(olga).post(reverse(name, args=[running.key])).status_code == 403


@pytest.mark.parametrize("name", FOR_ORGANISERS)
def test_what_an_organiser_does_is_not_for_players(running: Game, paul: User, name: str) -> None:
    assert signed_in(paul).post(reverse(name, args=[running.key])).status_code == 403


@pytest.mark.parametrize("name", POSTS)
def test_acts_need_post_and_a_token(running: Game, paul: User, name: str) -> None:
    address = reverse(name, args=[running.key])
    if name not in PAGES:
        assert signed_in(paul).get(address).status_code == 405

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(paul)
    assert strict.post(address).status_code == 403


def test_each_sees_the_running_game_as_his_seat_does(running: Game, olga: User, paul: User) -> None:
    address = reverse("game", args=[running.key])

    player, organiser = (signed_in(user).get(address).content.decode() for user in (paul, olga))

    assert 'id="order-form"' in player
    assert 'id="order-form"' not in organiser
    assert "32000" in player
    assert "32000" not in organiser


def test_a_listed_game_can_be_watched(running: Game, stella: User) -> None:
    Game.objects.update(listed=True)

    page = signed_in(stella).get(reverse("game", args=[running.key]))

    assert page.status_code == 200
    assert 'id="order-form"' not in page.content.decode()
    assert signed_in(stella).post(reverse("game-orders", args=[running.key])).status_code == 403


def test_a_receipt_is_shown_to_its_writer_only(running: Game, olga: User, paul: User) -> None:
    Game.objects.update(listed=True)
    sent = signed_in(paul).post(reverse("game-orders", args=[running.key]), {"way": "text", "text": "bribe unicorn"})
    receipt = sent.headers["Location"]

    assert "unicorn" in signed_in(paul).get(receipt).content.decode()
    assert "unicorn" not in signed_in(olga).get(receipt).content.decode()


def test_a_turn_is_in_the_hands_of_its_organiser(running: Game, olga: User, paul: User, client: Client) -> None:
    turn = selectors.open_turn(running)
    assert turn is not None
    address, sent = reverse("organiser-remind"), {"turn": turn.pk}

    assert client.post(address, sent).headers["Location"].startswith(reverse("account_login"))
    assert signed_in(paul).post(address, sent).status_code == 404
    assert signed_in(olga).get(address).status_code == 405
    assert [signed_in(olga).post(address, {"turn": one}).status_code for one in ("", "x", "9" * 30)] == [404] * 3
    assert signed_in(olga).post(address, sent).status_code == 302


def test_the_postbox_is_for_the_host_alone(hugo: User, olga: User, client: Client) -> None:
    address = reverse("postbox")

    assert client.get(address).headers["Location"].startswith(reverse("account_login"))
    assert signed_in(olga).get(address).status_code == 404
    assert signed_in(hugo).get(address).status_code == 200


def test_nobody_can_write_for_another_seat(running: Game, paul: User, stella: User) -> None:
    """Stella holds a seat of her own in another game; here she is a stranger."""
    Game.objects.update(listed=True)
    other = Seat.objects.exclude(player=paul).filter(game=running).first()
    assert other is not None

    signed_in(stella).post(reverse("game-orders", args=[running.key]), {"way": "text", "text": "nothing"})

    assert not Sheet.objects.filter(seat__player=paul).exclude(status=Sheet.Status.NONE).exists()


def _iso(when: datetime | None) -> str:
    assert when is not None
    return when.isoformat()
