"""The page of one game for who runs it, in a real browser: a deed is at most two clicks from the desk."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from tests.play_helpers import opened as made

from .conftest import Open, check_access


@pytest.mark.parametrize("scripts", (True, False))
def test_pause_and_end_from_the_desk(opened: Open, olga: User, paul: User, scripts: bool) -> None:
    game = made(olga)
    services.join_game(game=game, player=paul)
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    page = opened(reverse("organiser"), user=olga, java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    page.get_by_role("link", name="All deeds").click()
    if scripts:
        check_access(page)
    pause = page.get_by_role("form", name="Pause the game")
    pause.get_by_label("Why").fill("Holidays")
    pause.get_by_role("button").click()
    expect(page.get_by_role("status")).to_contain_text("is paused")

    end = page.get_by_role("form", name="End the game", exact=True)
    end.get_by_label("Why").fill("Enough")
    end.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("End the game at once?")
    if scripts:
        check_access(page)
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_role("status")).to_contain_text("is over")
    assert Game.objects.get(pk=game.pk).status == Game.Status.ENDED
