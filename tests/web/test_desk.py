"""The organiser's desk: its menu of deeds, and what a deed takes from there."""

import re
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.accounts.services import announce_absence
from postspiel.play import desk, selectors, services
from postspiel.play.models import Act, Game, Hold, Seat
from postspiel.web.steering import DEEDS
from tests.people import signed_in
from tests.play_helpers import opened
from tests.web.conftest import START

DESK = "organiser"


def _menu(client: Client, game: Game, **asked: str) -> list[str]:
    """The names of the deeds in the menu beside a game."""
    page = client.get(reverse(DESK), asked).content.decode()
    [menu] = re.findall(rf"<select[^>]*: {re.escape(game.name)}\"[^>]*>(.*?)</select>", page)
    return [name for name in re.findall(r'<option value="([^"]*)"', menu) if name]


def _do(client: Client, game: Game, name: str, **said: str) -> str:
    """Choose a deed on the desk (the first click), fill its page in and send it (the second): where one is then."""
    page = client.get(reverse("game-organise", args=[game.key]), {"deed": name, "desk": "today"}, follow=True)
    assert page.redirect_chain == [(f"{reverse('game-deed', args=[game.key, name])}?desk=today", 302)]
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode())
    given = {field: unescape(value) for field, value in hidden if field != "csrfmiddlewaretoken"}
    return client.post(reverse("game-deed", args=[game.key, name]), given | said).headers["Location"]


@pytest.mark.parametrize(
    ("name", "said", "kind"),
    (
        ("remind", {}, "reminded"),
        ("extend", {"hours": "24", "why": "x"}, "extended"),
        ("pause", {"why": "x"}, "paused"),
        ("force", {"why": "x"}, "forced"),
        ("remove", {"seat": "0", "why": "x"}, "removed"),
        ("message", {"to": "all", "text": "Hello"}, "message"),
        ("end", {"why": "x"}, "ended-early"),
        ("annul", {"why": "x"}, "annulled"),
    ),
)
def test_a_deed_takes_two_clicks_from_the_desk_and_leads_back(
    running: Game, olga: User, name: str, said: dict[str, str], kind: str
) -> None:
    client = signed_in(olga)

    assert name in _menu(client, running)
    assert _do(client, running, name, **said) == reverse(DESK) + "?show=today"
    assert Act.objects.filter(game=running, kind=kind, who=olga).exists()


def test_a_held_turn_is_released_from_the_desk(running: Game, olga: User, clock: time_machine.Traveller) -> None:
    turn = selectors.open_turn(running)
    assert turn is not None
    assert turn.deadline is not None
    hold = Hold.objects.create(game=running, turn=turn, reason="silence", since=turn.opened, made=turn.opened)

    _do(signed_in(olga), running, "release", hold=str(hold.pk))

    hold.refresh_from_db()
    assert hold.released_by == olga


def test_people_standing_by_are_written_to_from_the_desk(running: Game, olga: User, stella: User) -> None:
    services.stand_by(user=stella, title=running.title)
    services.remove_player(seat=Seat.objects.get(game=running, index=0), who=olga, why="x")
    client = signed_in(olga)

    _do(client, running, "invite", waiting="0")

    assert "1 person is written to." in client.get(reverse(DESK)).content.decode()


def test_games_that_have_not_started_stand_below_those_that_run(running: Game, olga: User, paul: User) -> None:
    forming = opened(olga, name="Spring court")
    for player in (paul, olga):
        services.join_game(game=forming, player=player)
    client = signed_in(olga)

    assert "swap" in _menu(client, forming)
    _do(client, forming, "swap", one="0", other="1")
    assert Seat.objects.get(game=forming, index=0).player == olga


def test_who_plays_is_offered_no_deed_that_judges(running: Game, olga: User) -> None:
    judged = {name for name, deed in DEEDS.items() if deed.judges}
    client = signed_in(olga)
    assert judged & set(_menu(client, running)) == judged

    Seat.objects.filter(game=running, player=None, index=1).update(player=olga, bot="")

    assert not judged & set(_menu(client, running))


def test_a_deed_that_cannot_be_done_now_is_told(running: Game, olga: User) -> None:
    page = signed_in(olga).get(reverse("game-organise", args=[running.key]), {"deed": "resume"}).content.decode()

    assert "that cannot be done to this game now" in page


@pytest.mark.parametrize("late", (False, True))
def test_overdue_turns_are_marked(running: Game, olga: User, clock: time_machine.Traveller, late: bool) -> None:
    if late:
        clock.shift(timedelta(days=6))

    assert ('<span class="badge bad">overdue</span>' in signed_in(olga).get(reverse(DESK)).content.decode()) is late


def test_the_pages_of_the_desk_keep_its_filters(
    running: Game, olga: User, paul: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "A_PAGE", 1)
    full = opened(olga)
    services.join_game(game=full, player=paul)
    for _seat in range(2):
        services.seat_bot(game=full, index=None, bot="random")
    Game.objects.update(name="Tea & cake")
    client = signed_in(olga)
    page = client.get(reverse(DESK), {"show": "running", "text": "a & c"}).content.decode()

    [following] = re.findall(r'rel="next" href="([^"]*)"', page)
    assert following == "?show=running&amp;text=a+%26+c&amp;page=2"
    assert 'rel="prev"' in client.get(reverse(DESK) + unescape(following)).content.decode()


def test_a_refresh_is_of_the_same_desk(running: Game, olga: User) -> None:
    page = signed_in(olga).get(reverse(DESK), {"show": "today", "text": "Win&ter"}).content.decode()

    assert 'hx-get="/organiser/?show=today&amp;text=Win%26ter"' in page
    part = signed_in(olga).get(reverse(DESK), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert running.name in part


def test_absences_and_people_standing_by_lie_on_the_desk(running: Game, olga: User, paul: User, stella: User) -> None:
    announce_absence(user=paul, first=START.date(), last=START.date() + timedelta(days=2))
    services.stand_by(user=stella, title=running.title)
    Seat.objects.filter(game=running, index=1).update(bot="", vacant=START)

    page = unescape(re.sub(r"<[^>]+>|\s+", " ", signed_in(olga).get(reverse(DESK)).content.decode()))
    said = " ".join(page.split())

    assert "Paul now , 2 March 2026 \u2013 4 March 2026: Winter court" in said
    assert "Intrige: 1 person stands by for an open seat" in said
