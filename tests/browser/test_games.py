"""A game in a real browser: by form, with and without JavaScript, for keyboard and reader, in both themes."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services
from postspiel.play.models import Game, Seat, Sheet
from postspiel.play.schedule import Schedule
from tests.play_helpers import opened, seed_for_red, seeded

from .conftest import Open, check_access, check_for_everybody


@pytest.fixture
def game(hugo: User) -> Game:
    """Hugo, who organises and hosts, plays Red, whose turn is the first."""
    game = opened(hugo)
    seeded(game, seed_for_red(game))
    services.join_game(game=game, player=hugo)
    services.send_press(seat=_started(game, hugo), to=None, text="Good evening!")
    return game


@pytest.fixture
def over(hugo: User, olga: User) -> Game:
    """A game that ended by vote and moved nobody's rating much."""
    game = services.create_game(
        organiser=olga, title="intrige", name="Long ago", size=3, options={}, schedule=Schedule(), listed=True
    )
    for player in (hugo, olga):
        services.join_game(game=game, player=player)
    services.seat_bot(game=game, index=None, bot="random")
    for player in (hugo, olga):
        services.propose_end(seat=_seat(game, player))
    game.refresh_from_db()
    return game


def _started(game: Game, player: User) -> Seat:
    for _bot in range(2):
        services.seat_bot(game=game, index=None, bot="random")
    game.refresh_from_db()
    return _seat(game, player)


def _seat(game: Game, player: User) -> Seat:
    seat = selectors.seat_of(game, player)
    assert seat is not None
    return seat


def _sheet(game: Game, player: User) -> Sheet:
    sheet = selectors.sheet_of(_seat(game, player))
    assert sheet is not None
    return sheet


def test_pages_of_games_are_for_everybody(opened: Open, hugo: User, game: Game, over: Game) -> None:
    open_game = services.create_game(
        organiser=hugo, title="intrige", name="Friends", size=4, options={}, schedule=Schedule(), listed=True
    )
    row = Outgoing.objects.filter(kind="turn").first()
    assert row is not None
    mail.send(row.pk)
    page = opened("/", user=hugo)
    check_for_everybody(page)
    for path in (
        "/lobby/", "/organiser/", "/games/new/?title=intrige", "/rules/intrige/", "/ladders/intrige/",
        "/profile/mails/", "/postbox/", f"/postbox/{row.pk}/", reverse("game", args=[game.key]),
        reverse("game", args=[over.key]), reverse("game", args=[open_game.key]),
        reverse("game-resign", args=[game.key]), reverse("game-cancel", args=[open_game.key]),
    ):  # fmt: skip
        page.goto(path)
        check_for_everybody(page)
    check_for_everybody(opened(reverse("invitation", args=[open_game.invitation])))


@pytest.mark.parametrize("scripts", (True, False))
def test_a_turn_by_form(opened: Open, hugo: User, game: Game, scripts: bool) -> None:
    page = opened(reverse("game", args=[game.key]), user=hugo, java_script_enabled=scripts, locale="en-GB")
    first, second = page.locator("#order-form fieldset").all()
    for place, court in ((first, "Yellow"), (second, "Green")):
        place.get_by_label("scholar").select_option("A")
        place.get_by_label("court").select_option(label=court)

    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Red sends an alchemist (A) to Yellow's court")
    assert _sheet(game, hugo).status == Sheet.Status.NONE
    if scripts:
        check_access(page)

    page.get_by_role("button", name="Put on file").click()
    expect(page.get_by_role("region", name="Receipt")).to_contain_text("All you sent was taken.")
    expect(page.locator(".sheet-text")).to_have_text("send A Yellow\nsend A Green\n")
    expect(first.get_by_label("court")).to_have_value("yellow")

    page.get_by_role("button", name="Hand in: final").first.click()
    expect(page.locator(".postcard")).to_contain_text("final")
    assert _sheet(game, hugo).status == Sheet.Status.FINAL


def test_a_wrong_line_in_the_text_is_shown_with_its_mend(opened: Open, hugo: User, game: Game) -> None:
    page = opened(reverse("game", args=[game.key]), user=hugo)
    page.get_by_text("Write them as text instead").click()
    page.get_by_label("All your orders").fill("send A Atlantis\nsend A Green")
    page.get_by_role("button", name="Put on file").last.click()

    receipt = page.get_by_role("region", name="Receipt")
    expect(receipt).to_contain_text("Line 1")
    expect(receipt).to_contain_text("Perhaps")
    check_access(page)


def test_the_page_turns_by_itself_when_the_game_moves_on(opened: Open, hugo: User, game: Game) -> None:
    page = opened(reverse("game", args=[game.key]), user=hugo)
    turn = selectors.open_turn(game)
    assert turn is not None
    services.hand_in(
        seat=_seat(game, hugo), text="send A Yellow\nsend A Green\ndone", door="form", writer=hugo, received=turn.opened
    )
    assert services.advance(turn.pk)

    page.evaluate("htmx.trigger('#turn-state', 'look')")

    expect(page.locator("#turn-state h2")).to_have_text("Turn 2")
