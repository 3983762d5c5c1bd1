"""The page of one game for who runs it, in a real browser: a deed is at most two clicks from the desk."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from postspiel.accounts.models import User
from postspiel.play import services
from postspiel.play.models import Game
from tests.play_helpers import opened as made

from .conftest import Open, check_access


@pytest.mark.parametrize("scripts", (True, False))
def test_pause_and_end_from_the_desk(opened: Open, olga: User, paul: User, scripts: bool) -> None:
    game = _running(olga, paul)
    page = opened(reverse("organiser"), user=olga, java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    _choose(page, game, "Pause the game")
    if scripts:
        check_access(page)
    page.get_by_label("Why").fill("Holidays")
    page.get_by_role("button", name="Pause the game").click()
    expect(page.get_by_role("status")).to_contain_text("is paused")

    if scripts:
        check_access(page)
    _choose(page, game, "End the game")
    expect(page.get_by_role("heading", level=1)).to_have_text("End the game at once?")
    if scripts:
        check_access(page)
    page.get_by_label("Why").fill("Enough")
    page.get_by_role("button", name="End the game").click()
    expect(page.get_by_role("status")).to_contain_text("is over")
    assert Game.objects.get(pk=game.pk).status == Game.Status.ENDED


def test_the_desk_refreshes_only_while_nobody_does_anything_on_it(opened: Open, olga: User, paul: User) -> None:
    game = _running(olga, paul)
    page = opened(reverse("organiser"), user=olga)
    assert _refreshes(page)

    box = page.get_by_role("checkbox", name=game.name)
    box.check()
    assert not _refreshes(page)
    box.uncheck()
    page.evaluate("document.activeElement.blur()")
    assert _refreshes(page)
    page.get_by_label(f"Deed: {game.name}").select_option("Pause the game")
    page.evaluate("document.activeElement.blur()")
    assert not _refreshes(page)
    page.reload()
    page.get_by_text("What was done last").click()
    page.evaluate("document.activeElement.blur()")
    assert not _refreshes(page)
    page.reload()
    page.get_by_label("Name contains").fill("Win")
    page.evaluate("document.activeElement.blur()")
    assert not _refreshes(page)


def _running(olga: User, paul: User) -> Game:
    game = made(olga)
    services.join_game(game=game, player=paul)
    for _seat in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    return game


def _choose(page: Page, game: Game, deed: str) -> None:
    page.get_by_label(f"Deed: {game.name}").select_option(deed)
    page.get_by_role("button", name="Go").click()


def _refreshes(page: Page) -> bool:
    """Let htmx ask for a fresh desk now, as it does every minute, and wait for it; say whether it did."""
    sent = page.evaluate("""async () => {
        let sent = false;
        document.addEventListener("htmx:beforeSend", () => { sent = true; }, {once: true});
        await htmx.ajax("GET", location.pathname, {source: "#desk", target: "#desk", swap: "innerHTML"});
        return sent;
    }""")
    return bool(sent)
