"""Hidden stays hidden on pages too: whatever changes that a seat may not know, its pages stay the same."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.play.models import Game, Submission
from tests.people import signed_in
from tests.play.conftest import ada, bert, clock, make, olga, seat, stranger
from tests.play.test_secrets import READER, change_what_is_hidden, intrige, opened, overheard, unmasked

__all__ = ("ada", "bert", "clock", "intrige", "make", "olga", "stranger")

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def pages_of(game: Game, reader: User) -> dict[str, str]:
    """Every page of a game that its reader can open, without the tokens against forged forms."""
    client = signed_in(reader)
    own = Submission.objects.filter(seat=seat(game, READER)).order_by("-pk").values_list("pk", flat=True).first() or 0
    address = reverse("game", args=[game.key])
    answers = {
        "game": client.get(address),
        "receipt": client.get(f"{address}?receipt={own}"),
        "preview": client.post(reverse("game-preview", args=[game.key]), {"way": "text", "text": ""}),
        "wrong": client.post(reverse("game-preview", args=[game.key]), {"way": "text", "text": "bribe A 999999"}),
        "sheet": client.get(reverse("game-sheet", args=[game.key]), {"turn": game.turns.get(status="open").number}),
        "home": client.get(reverse("home")),
        "resign": client.get(reverse("game-resign", args=[game.key])),
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    return {name: TOKEN.sub("", answer.content.decode()) for name, answer in answers.items()}


def test_nothing_hidden_reaches_a_players_page(intrige: Game, bert: User) -> None:
    before = pages_of(intrige, bert)
    change_what_is_hidden(intrige)
    assert pages_of(intrige, bert) == before


def test_an_organiser_who_does_not_play_sees_what_is_public(intrige: Game, olga: User) -> None:
    address = reverse("game", args=[intrige.key])
    before = TOKEN.sub("", signed_in(olga).get(address).content.decode())
    change_what_is_hidden(intrige)
    assert TOKEN.sub("", signed_in(olga).get(address).content.decode()) == before
    assert signed_in(olga).get(reverse("game-record", args=[intrige.key])).status_code == 404


@pytest.mark.parametrize(
    ("plant", "pages"),
    ((unmasked, {"game", "receipt", "preview"}), (overheard, {"game", "receipt"}), (opened, {"game", "receipt"})),
)
def test_a_planted_leak_is_found_on_pages(
    intrige: Game,
    bert: User,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    pages: set[str],
) -> None:
    plant(monkeypatch)
    before = pages_of(intrige, bert)
    change_what_is_hidden(intrige)
    after = pages_of(intrige, bert)
    assert {name for name in before if before[name] != after[name]} >= pages
