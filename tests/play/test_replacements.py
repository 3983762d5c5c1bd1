"""Seats that change hands at every step of random games of each title, in the engine and on the platform.

In the engine: at every turn one seat is thrown out, with all that it had in force, and somebody new plays on from the
masked position. Every invariant holds, the game ends, the record verifies, and what each seat sees is the same bytes
whatever is hidden from it. On the platform the same goes through `services`: leave, take over, hand in, advance.

The short form runs in the suite; ``make replacements-full`` plays 500 games of each title.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest
import time_machine
from django.db import transaction
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from games.engine import options as choices
from games.engine import playing, records, registry, rolls
from games.engine import turns as engine
from games.engine.contract import LOCALES, Options, Sheet, Title
from games.engine.records import Record, TurnRecord
from postspiel.accounts.models import User
from postspiel.api import reading
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing
from postspiel.play import positions, selectors, services
from postspiel.play.models import Event, Game, Press, Seat, Submission, Turn
from postspiel.play.models import Sheet as Handed
from postspiel.play.policies import Policy
from tests.people import signed_in
from tests.play.conftest import START

GAMES = int(os.environ.get("REPLACEMENTS", "3"))
SERVED = int(os.environ.get("REPLACEMENTS_SERVED", "1"))
STEPS = int(os.environ.get("REPLACEMENTS_STEPS", "4"))
"""After so many take-overs the players of a game on the platform vote for its end."""

COMPARED = int(os.environ.get("REPLACEMENTS_COMPARED", "2"))
"""At so many of the first ten take-overs of a game on the platform pages and mails are compared beside the rest."""

TITLES = ("kreml", "intrige")


def sight(title: Title[Any], state: Any, seat: int) -> bytes:
    """All that a new player gets of a position, in every language."""
    seen = title.mask(state, seat)
    shown = [title.show(seen, seat, locale) for locale in LOCALES]
    return msgspec.json.encode([seen, shown, title.asks(seen, seat)], order="sorted")


def played(title: Title[Any], seed: int) -> tuple[Record, int]:
    """A whole random game in which a seat is replaced at every step; its record, and how often that was."""
    rng = Random(seed)
    size = rng.choice(title.about.sizes)
    options = choices.complete(title, {}, size)
    secret = rng.randbytes(32)
    step = engine.start(title, options, size, secret, "play")
    turns = [records.turn_record(title, 0, step, {}, secret, "play")]
    replaced = 0
    while step.outcome is None and len(turns) <= playing.MOST_TURNS:
        gone = rng.randrange(size)
        kept = {seat: sheet for seat, sheet in step.kept.items() if seat != gone}
        sheets = {seat: _orders(title, step.state, seat, kept, rng) for seat in range(size)}
        assert sight(title, title.mask(step.state, gone), gone) == sight(title, step.state, gone)
        step = engine.advance(title, step.state, sheets, secret, "play", len(turns))
        playing.assert_sound(title, step.state)
        turns.append(records.turn_record(title, len(turns), step, sheets, secret, "play"))
        replaced += 1
    assert step.outcome is not None
    return _record(title, options, size, secret, turns), replaced


def _orders(title: Title[Any], state: Any, seat: int, kept: Mapping[int, Sheet], rng: Random) -> Sheet:
    seen = title.mask(state, seat)
    new = playing.random_sheet(title, seen, seat, rng)
    return playing.accepted(title, seen, seat, kept.get(seat, ()), new)


def _record(title: Title[Any], options: Options, size: int, secret: bytes, turns: list[TurnRecord]) -> Record:
    about, promise = title.about, rolls.commitment(secret)
    return records.sealed(
        Record(about.slug, about.rules, dict(options), size, "play", promise, tuple(turns), secret.hex())
    )


@pytest.mark.parametrize("slug", TITLES)
def test_a_seat_changes_hands_at_every_step_of_random_games(slug: str) -> None:
    """Case 21, swords-and-ravens#1042, 1560: replacing a player inside a sub-phase stalled, crashed, lost cards."""
    title = registry.title(slug)
    steps = 0
    for seed in range(GAMES):
        record, replaced = played(title, seed)
        assert records.verify(record).ok
        steps += replaced
    print(f"\n{slug}: {GAMES} games, {steps} replacements")
    assert steps > GAMES


# --- on the platform --------------------------------------------------------------------------------------------------

SECRET = "what only others may know"


def served(slug: str, seed: int, clock: time_machine.Traveller, people: list[User]) -> int:
    """A random game through the services, in which a seat changes hands in every turn; returns how often it did."""
    rng = Random(seed)
    game = _begun(slug, rng, people)
    replaced, fresh = 0, iter(people[game.size :])
    with_pages = rng.sample(range(min(10, STEPS)), min(COMPARED, STEPS))
    while (turn := selectors.open_turn(game)) is not None:
        gone = rng.choice(_seats(game))
        assert gone.player is not None
        clock.shift(60)
        _hand_in(turn, gone, gone.player, rng)
        services.open_seat(seat=gone, why="resigned")
        _replace(turn, gone, next(fresh), rng, pages=replaced in with_pages)
        replaced += 1
        _hand_in(turn, gone, people[game.size + replaced - 1], rng)
        _play_the_others(turn, gone, rng)
        if replaced == STEPS:
            _vote(game)
            break
        clock.move_to((Turn.objects.get(pk=turn.pk).due or START) + timedelta(minutes=3))
        assert services.advance(turn.pk)
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    verdict = records.verify(records.decode(services.export_record(game=game)))
    assert verdict.ok, verdict.findings
    return replaced


def _begun(slug: str, rng: Random, people: list[User]) -> Game:
    title = registry.title(slug)
    game = services.create_game(
        organiser=people[0],
        title=slug,
        name="Replaced",
        size=rng.choice(title.about.sizes),
        options={},
        schedule=services.Schedule(hours=48, first_hours=48),
        policy=Policy(invite=False),
    )
    seed = rng.randbytes(32)
    Game.objects.filter(pk=game.pk).update(key="replaced", seed=seed, commitment=rolls.commitment(seed))
    for person in people[: game.size]:
        services.join_game(game=game, player=person)
    game.refresh_from_db()
    return game


def _seats(game: Game) -> list[Seat]:
    return list(game.seats.select_related("player", "game").order_by("index"))


def _vote(game: Game) -> None:
    for seat in _seats(game):
        services.propose_end(seat=seat)


def _hand_in(turn: Turn, seat: Seat, player: User, rng: Random) -> None:
    title, seen = positions.title_of(turn.game), positions.seen(turn, seat.index)
    orders = playing.random_sheet(title, seen, seat.index, rng)
    received = datetime.now(UTC)
    services.hand_in(seat=seat, text="", door="form", writer=player, received=received, orders=orders, replace=True)


def _play_the_others(turn: Turn, gone: Seat, rng: Random) -> None:
    """Make the sheets of all other seats final, with orders at random beside those that are in force."""
    title, sheets = positions.title_of(turn.game), list(turn.sheets.exclude(seat=gone).select_related("seat"))
    for sheet in sheets:
        index = sheet.seat.index
        seen = positions.seen(turn, index)
        new = playing.random_sheet(title, seen, index, rng)
        orders = playing.accepted(title, seen, index, positions.sheet_of(sheet), new)
        sheet.orders, sheet.status = positions.write_orders(orders), Handed.Status.FINAL
    Handed.objects.bulk_update(sheets, ("orders", "status"))


def _replace(turn: Turn, gone: Seat, new: User, rng: Random, *, pages: bool) -> None:
    """Have somebody take a seat over, and find that he gets the same bytes whatever is hidden from him."""
    if pages:
        signed_in(new).post(reverse("game-seat", args=[turn.game.key, gone.index]))
    else:
        services.take_over(seat=gone, user=new)
    doors = _doors if pages else _told
    plain = doors(turn.game, gone, new)
    with transaction.atomic():
        _disturb(turn, gone, rng)
        assert doors(turn.game, gone, new) == plain
        transaction.set_rollback(True)


def _disturb(turn: Turn, gone: Seat, rng: Random) -> None:
    """Change what is secret: the position, the orders of others and of who left, what was sent, and press."""
    seen = positions.seen(turn, gone.index)
    Turn.objects.filter(pk=turn.pk).update(state=engine.encode_state(seen), state_hash="0" * 64)
    others = list(turn.game.seats.exclude(pk=gone.pk).order_by("index"))
    Handed.objects.filter(turn=turn, seat__in=others).update(orders=[], digest="f" * 64)
    sent = {"turn": turn, "door": "mail", "text": SECRET, "ignored": SECRET}
    before = datetime.now(UTC) - timedelta(seconds=30)
    Submission.objects.bulk_create(Submission(seat=seat, received=before, **sent) for seat in (gone, *others))
    one, other = rng.sample(others, 2)
    Press.objects.create(game=turn.game, turn=turn, seat=one, to=[other.index], text=SECRET, sent=before)
    kind = Event.objects.filter(turn__game=turn.game).order_by("pk").first()
    if kind is not None:
        Event.objects.create(turn=kind.turn, index=999, kind=kind.kind, data=kind.data, to=[other.index])


def _told(game: Game, gone: Seat, new: User) -> list[str]:
    """What all doors make of the open turn for a new player: masked position, asks, sheet, press, counts."""
    turn, title = selectors.open_turn(game), positions.title_of(game)
    assert turn is not None
    seen, sheet = positions.seen(turn, gone.index), Handed.objects.get(turn=turn, seat=gone, seat__player=new)
    read = [row.text for row in selectors.press_for(game, gone)]
    return [repr((seen, title.asks(seen, gone.index), sheet.orders, read, selectors.sheets_in(turn)))]


def _doors(game: Game, gone: Seat, new: User) -> list[str]:
    """What a new player gets by page, program and mail, without what differs each time."""
    page = signed_in(new).get(reverse("game", args=[game.key])).content.decode()
    letter = outbox.render(Outgoing.objects.get(kind="seat-taken", recipient=new, object_id=gone.pk))
    shown = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"', "", page)
    return [shown, msgspec.json.encode(reading.game(game, new)).decode(), letter.text, letter.html]


@pytest.fixture(scope="module")
def people(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[User]]:
    """Enough people for every seat of a game and for one more a turn."""
    with django_db_blocker.unblock():
        made = User.objects.bulk_create(User(email=f"p{one}@example.org", display_name=f"P{one}") for one in range(200))
        yield made
        User.objects.filter(pk__in=[one.pk for one in made]).delete()


@pytest.mark.parametrize("slug", TITLES)
def test_seats_change_hands_in_every_turn_of_games_on_the_platform(
    slug: str, clock: time_machine.Traveller, people: list[User], db: None
) -> None:
    """Case 21, with pages, mails and rows: the game goes on to its end, no secret shows, and the record verifies."""
    steps = 0
    for seed in range(SERVED):
        with transaction.atomic():
            steps += served(slug, seed, clock, people)
            transaction.set_rollback(True)
        clock.move_to(START)
        if seed % 50 == 49:
            print(f"\n{slug}: {seed + 1} games on the platform, {steps} replacements", flush=True)
    print(f"\n{slug}: {SERVED} games on the platform, {steps} replacements")
    assert steps > SERVED


@pytest.mark.parametrize("slug", TITLES)
def test_a_secret_that_shows_after_a_replacement_is_found(
    slug: str, clock: time_machine.Traveller, people: list[User], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "may_hear", lambda row, index: True)
    with pytest.raises(AssertionError):
        served(slug, 0, clock, people)
