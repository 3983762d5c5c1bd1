"""What was done with the games that one runs: searched, taken away as files, and hidden where it must be."""

import csv
import io
import json
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.play import games as acts
from postspiel.play import selectors, services
from postspiel.play.models import Assistant, Game, Seat, Sheet, Turn
from postspiel.web import exports
from tests.people import signed_in
from tests.play_helpers import opened

LOG = "organiser-log"


def _log(user: User, **sought: str) -> str:
    return signed_in(user).get(reverse(LOG), sought).content.decode()


def _export(user: User, name: str, **sought: str) -> list[dict[str, object]]:
    answer = signed_in(user).get(reverse("organiser-export", args=[name, "json"]), sought)
    rows: list[dict[str, object]] = json.loads(answer.content)
    return rows


def _turn(game: Game) -> Turn:
    turn = selectors.open_turn(game)
    assert turn is not None
    return turn


def test_acts_are_found_by_text_kind_game_and_day(running: Game, olga: User, clock: time_machine.Traveller) -> None:
    other = opened(olga, name="Summer court")
    services.extend(turn=_turn(running), hours=24, who=olga, why="Paul is ill")
    clock.shift(timedelta(days=1))
    services.extend(turn=_turn(running), hours=24, who=olga, why="Still ill")
    tomorrow = timezone.localdate().isoformat()

    assert [row["why"] for row in _export(olga, "log", text="ILL")] == ["Still ill", "Paul is ill"]
    assert [row["why"] for row in _export(olga, "log", kind="extended", until="2026-03-02")] == ["Paul is ill"]
    assert [row["why"] for row in _export(olga, "log", since=tomorrow)] == ["Still ill"]
    assert {row["key"] for row in _export(olga, "log", game=other.key)} == {other.key}
    assert [row["kind"] for row in _export(olga, "log", text="Paul", kind="joined")] == ["joined"]
    assert "Still ill" in _log(olga, text="still")
    assert "Nothing was found." in _log(olga, text="unicorn")


def test_a_day_that_is_none_is_said_and_does_not_count(running: Game, olga: User) -> None:
    page = _log(olga, since="yesterday")

    assert "errorlist" in page
    assert "game started" in page


def test_others_find_nothing(running: Game, paul: User, stella: User, client: Client) -> None:
    for person in (paul, stella):
        assert _export(person, "log") == _export(person, "games") == _export(person, "misses") == []
        assert running.name not in _log(person)
    assert client.get(reverse(LOG)).status_code == 302
    assert client.get(reverse("organiser-export", args=["games", "csv"])).status_code == 302


def test_an_assistant_reads_the_same_as_the_organiser(running: Game, olga: User, stella: User) -> None:
    Assistant.objects.create(game=running, user=stella, since=timezone.now())

    assert _export(stella, "log") == _export(olga, "log") != []


@pytest.mark.parametrize("name", ("games", "misses", "log"))
def test_a_file_has_a_line_for_each_row(running: Game, olga: User, name: str) -> None:
    Sheet.objects.filter(seat__player__isnull=False).update(missed=True)
    Turn.objects.filter(number=1).update(status=Turn.Status.DONE)

    answer = signed_in(olga).get(reverse("organiser-export", args=[name, "csv"]))

    assert answer.headers["Content-Disposition"] == f'attachment; filename="postspiel-{name}.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    written = [{key: str("" if cell is None else cell) for key, cell in row.items()} for row in _export(olga, name)]
    assert rows == written != []


@pytest.mark.parametrize("text", ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"))
def test_no_cell_is_a_formula(text: str) -> None:
    [row] = list(csv.reader(io.StringIO(exports.as_csv([{"name": text}]).decode("utf-8-sig"), newline="")))[1:]

    assert row == [f"'{text}"]
    assert exports.safe(-1) == -1


def test_a_game_with_a_formula_for_its_name(olga: User) -> None:
    opened(olga, name="=HYPERLINK(A1)")

    answer = signed_in(olga).get(reverse("organiser-export", args=["games", "csv"])).content.decode("utf-8-sig")

    assert "'=HYPERLINK(A1)" in answer


def test_an_organiser_who_plays_learns_no_more_than_players(running: Game, olga: User, paul: User) -> None:
    """In an anonymous game of his own: neither who did what, nor by search, nor who missed while it runs."""
    Game.objects.filter(pk=running.pk).update(anonymous=True)
    Sheet.objects.filter(seat__player=paul).update(missed=True)
    Turn.objects.filter(number=1).update(status=Turn.Status.DONE)
    acts.note(running, paul, "end-proposed", seat=0)
    assert [row["who"] for row in _export(olga, "log", kind="end-proposed")] == ["Paul"]
    assert [row["player"] for row in _export(olga, "misses")] == ["Paul"]

    bot = Seat.objects.filter(game=running, player=None).first()
    assert bot is not None
    Seat.objects.filter(pk=bot.pk).update(player=olga, bot="")
    pages = [_log(olga), json.dumps(_export(olga, "log")), json.dumps(_export(olga, "misses"))]

    assert all("Paul" not in page for page in pages)
    assert [row["who"] for row in _export(olga, "log", kind="end-proposed")] == ["?"]
    assert _export(olga, "log", text="Paul") == _export(olga, "misses") == []


def test_the_number_of_queries_does_not_grow(running: Game, olga: User) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, counts = signed_in(olga), []
    for _round in range(2):
        found = []
        for address in (reverse(LOG), *(reverse("organiser-export", args=[one, "csv"]) for one in ("games", "log"))):
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            found.append(len(queries))
        counts.append(found)
        for number in range(3):
            opened(olga, name=f"Game {number}")

    assert counts[0] == counts[1]
    assert max(counts[0]) <= 7
