"""What the organiser's desk is told: how many owe a turn, who is away, who stands by, and what is hidden from him."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from importlib import import_module
from random import Random

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.accounts.services import announce_absence
from postspiel.mail.addresses import address_for
from postspiel.mail.models import Incoming
from postspiel.play import desk, selectors, services, vacancies
from postspiel.play.models import Game, Turn
from tests.play.conftest import START, Make, check_owing, hand_in, hours, seat

TODAY = START.date()


def look(user: User, show: desk.Show = desk.Show.RUNNING) -> desk.Desk:
    return desk.look(user, desk.Wanted(show), timezone.now())


def act(game: Game, random: Random, organiser: User, people: list[User]) -> None:
    """One thing that changes who owes what, at random; refused or not."""
    index, turn = random.randrange(game.size), selectors.open_turn(game)
    assert turn is not None
    number, one = turn.number, seat(game, index)
    deeds: dict[str, Callable[[], object]] = {
        "hand in": lambda: hand_in(game, index, random.choice(["set 4", "set 5\ndone", "wait", "cancel all"])),
        "resign": lambda: services.resign(seat=one, who=one.player or organiser),
        "remove": lambda: services.remove_player(seat=one, who=organiser, why=""),
        "take over": lambda: services.take_over(seat=one, user=random.choice(people)),
        "replace": lambda: services.replace_player(seat=one, user=random.choice(people), who=organiser, why=""),
        "bot": lambda: services.put_bot(game=game, index=index, bot="random", who=organiser),
        "force": lambda: services.force_turn(turn=turn, who=organiser, why="", expected=number),
        "back": lambda: services.roll_back(game=game, to=max(1, number - 1), who=organiser, why="", expected=number),
        "extend": lambda: services.extend(turn=turn, hours=1, who=organiser, why=""),
        "pause": lambda: services.pause_game(game=game, who=organiser, why=""),
        "resume": lambda: services.resume_game(game=game, who=organiser),
    }
    weights = [8 if name == "hand in" else 1 for name in deeds]
    random.choices(list(deeds.values()), weights)[0]()


@pytest.mark.parametrize("number", range(3))
def test_a_turn_knows_how_many_owe_it_whatever_is_done(
    clock: time_machine.Traveller, make: Make, olga: User, ada: User, bert: User, number: int
) -> None:
    """The count that the desk reads is kept with every act, and is never counted anew."""
    people = [User.objects.create_user(f"p{one}@example.org") for one in range(3)]
    for one in people:
        services.stand_by(user=one, title="toy")
    seen: set[int] = set()
    game, random = make(), Random(number)
    for player in (ada, bert):
        services.join_game(game=game, player=player)
    for _act in range(60):
        try:
            act(game, random, olga, people)
        except services.PlayError:
            continue
        clock.shift(hours(1))
        services.sweep()
        check_owing(game)
        seen.update(Turn.objects.filter(game=game).values_list("owing", flat=True))
        if not Turn.objects.filter(game=game, status=Turn.Status.OPEN).exists():
            break
    assert seen >= {0, 1, 2}


def test_the_count_is_written_down_for_turns_that_were_open_before(duel: Game) -> None:
    hand_in(duel, 0, "set 4")
    Turn.objects.update(owing=9)

    import_module("postspiel.play.migrations.0010_owing").reckon(apps, connection.schema_editor())

    assert dict(Turn.objects.values_list("status", "owing")) == {"done": 9, "open": 1}


def test_absences_of_players_are_shown_while_they_matter(duel: Game, olga: User, ada: User) -> None:
    for first, last in ((0, 3), (14, 20), (15, 30)):
        announce_absence(user=ada, first=TODAY + timedelta(days=first), last=TODAY + timedelta(days=last))

    games = [(duel.key, duel.name, 0)]
    assert look(olga).away == [
        vacancies.Away("Ada", TODAY, TODAY + timedelta(days=3), begun=True, games=games),
        vacancies.Away("Ada", TODAY + timedelta(days=14), TODAY + timedelta(days=20), begun=False, games=games),
    ]


def test_of_who_is_late_it_is_shown_what_he_has_missed_and_whether_he_is_away_at_the_deadline(
    duel: Game, olga: User, ada: User, clock: time_machine.Traveller
) -> None:
    def late() -> list[tuple[str, int, bool]]:
        [row] = look(olga).rows
        return [(place.name, place.misses, place.away) for place in row.late]

    assert late() == [("Ada", 0, False), ("Bert", 0, False)]
    clock.move_to(START + hours(72.1))
    services.sweep()
    turn = selectors.open_turn(duel)
    assert turn is not None
    assert turn.deadline is not None
    day = turn.deadline.date()
    announce_absence(user=ada, first=day - timedelta(days=2), last=day - timedelta(days=1))
    assert late() == [("Ada", 1, False), ("Bert", 1, False)]
    announce_absence(user=ada, first=day, last=day)
    assert late() == [("Ada", 1, True), ("Bert", 1, False)]


def test_nobody_waits_for_a_game_that_is_paused(duel: Game, olga: User) -> None:
    assert look(olga).rows[0].waits

    services.pause_game(game=duel, who=olga, why="x")

    assert not look(olga).rows[0].waits


@pytest.mark.parametrize("what", ("anonymous", "plays", "over", "another's"))
def test_absences_are_hidden_where_they_are_nobodys_business(
    duel: Game, olga: User, ada: User, stranger: User, what: str
) -> None:
    announce_absence(user=ada, first=TODAY, last=TODAY)
    assert [one.name for one in look(olga).away] == ["Ada"]
    if what == "anonymous":
        Game.objects.update(anonymous=True)
    elif what == "plays":
        duel.seats.filter(index=1).update(player=olga)
    elif what == "over":
        services.end_game(game=duel, who=olga, why="")
    else:
        Game.objects.update(organiser=stranger)

    assert look(olga).away == []


def test_an_absence_is_a_day_of_the_organisers_own_zone(
    duel: Game, olga: User, ada: User, clock: time_machine.Traveller
) -> None:
    announce_absence(user=ada, first=date(2026, 3, 2), last=date(2026, 3, 2))
    clock.shift(hours(4.5))
    assert look(olga).away == []

    User.objects.filter(pk=olga.pk).update(time_zone="America/New_York")
    assert len(look(User.objects.get(pk=olga.pk)).away) == 1


def test_people_who_stand_by_are_counted_where_a_seat_is_open(duel: Game, olga: User, stranger: User) -> None:
    services.stand_by(user=stranger, title="toy")
    assert look(olga).standing_by == {}

    services.remove_player(seat=seat(duel, 1), who=olga, why="")

    found = look(olga, desk.Show.OPEN_SEATS)
    assert (found.standing_by, found.total, found.rows[0].open_seats) == ({"toy": 1}, 1, [desk.Place(1, "")])


def test_the_counts_are_of_what_is_listed(duel: Game, make: Make, olga: User, clock: time_machine.Traveller) -> None:
    make()
    hand_in(duel, 0, "set 4")
    for moment in (0, 60, 100):
        clock.move_to(START + hours(moment))
        for show in desk.Show:
            found = look(olga, show)
            rows = [row for row in found.rows if show != desk.Show.RUNNING or row.turn]
            assert (show, found.counts[show], found.total) == (show, len(rows), len(rows))


@pytest.mark.parametrize("plays", (False, True))
def test_who_plays_is_not_told_of_the_held_mails_of_others(duel: Game, olga: User, plays: bool) -> None:
    address = address_for("seat", seat(duel, 0).pk)
    now = timezone.now()
    Incoming.objects.create(
        door="smtp", recipient="x", address=address, raw=b"", digest="x", received=now, due=now, verdict="held"
    )
    if plays:
        duel.seats.filter(index=1).update(player=olga)

    found = look(olga)

    assert (found.counts[desk.Show.HELD], found.rows[0].held) == ((0, 0) if plays else (1, 1))
