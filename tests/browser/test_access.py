"""Every page can be used by everybody: WCAG 2.2 AA, in both themes, on a phone and on a desk."""

from datetime import timedelta

import pytest
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.accounts.services import announce_absence
from postspiel.play import services
from postspiel.play.models import Game, Seat
from postspiel.play.policies import Policy

from .conftest import Open, check_for_everybody

GUEST_PAGES = (
    "/", "/about/", "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/nowhere/",
)  # fmt: skip
OWN_PAGES = (
    "/profile/", "/accounts/email/", "/accounts/password/change/", "/accounts/logout/", "/accounts/reauthenticate/",
)  # fmt: skip


@pytest.mark.parametrize("path", GUEST_PAGES)
def test_a_guests_page(opened: Open, path: str) -> None:
    check_for_everybody(opened(path))


@pytest.mark.parametrize("path", OWN_PAGES)
def test_a_persons_own_page(opened: Open, olga: User, path: str) -> None:
    check_for_everybody(opened(path, user=olga))


def test_absences_standing_by_and_a_seat_that_waits(opened: Open, olga: User, paul: User) -> None:
    game = game_with_an_open_seat(olga, paul)
    page = opened("/profile/absences/", user=olga)
    check_for_everybody(page)
    for path in ("/stand-by/", f"/games/{game.key}/seats/1/"):
        page.goto(path)
        check_for_everybody(page)


def game_with_an_open_seat(organiser: User, leaver: User) -> Game:
    """A running game whose organiser may take the seat that another has left, and who is away sometimes."""
    policy = Policy(invite=False, absence_days=14)
    plan = services.Schedule(hours=48, first_hours=72)
    game = services.create_game(
        organiser=organiser, title="intrige", name="Winter in Florenz", size=3, options={}, schedule=plan, policy=policy
    )
    services.seat_bot(game=game, index=0, bot="random")
    services.join_game(game=game, player=leaver, index=1)
    services.seat_bot(game=game, index=2, bot="random")
    services.resign(seat=Seat.objects.get(game=game, index=1), who=leaver)
    services.stand_by(user=organiser, title="kreml")
    days = [timezone.now().date() + timedelta(days=number) for number in (20, 30)]
    announce_absence(user=organiser, first=days[0], last=days[1], note="Alps")
    game.refresh_from_db()
    return game
