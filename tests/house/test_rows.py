"""Rows by SQL that is written once: they are what the ORM would have read and written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, models, transaction

from postspiel import rows
from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Seat, Sheet, Turn

OURS = [model for app in ("accounts", "mail", "play") for model in apps.get_app_config(app).get_models()]
NOW = datetime(2026, 3, 2, 19, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def game(db: None) -> Game:
    """A running game, with an order mail that has been read."""
    people = [User.objects.create_user(f"p{number}@example.org") for number in range(3)]
    game = services.create_game(
        organiser=people[0], title="intrige", name="Rows", size=3, options={}, schedule=services.Schedule(hours=48)
    )
    for one in people:
        services.join_game(game=game, player=one)
    seat = Seat.objects.filter(game=game).first()
    assert seat is not None
    address = mail.spell(mail.address_for("seat", seat.pk), "play")
    raw = b"From: p0@example.org\r\nSubject: x\r\nMessage-ID: <1@example.org>\r\n\r\nnothing at all\r\n"
    (row,) = mail.receive(raw, door="smtp", sender="p0@example.org", recipients=[address], received=NOW)
    assert mail.read(row.pk)
    return game


def stored(row: models.Model) -> dict[str, Any]:
    """What a row holds, and what the rows hold that it names and that are loaded with it."""
    fields = [field for field in row._meta.get_fields() if isinstance(field, models.Field) and not field.many_to_many]
    held = {field.attname: getattr(row, field.attname) for field in fields}
    named = [field.name for field in fields if field.name in row._state.fields_cache]
    return held | {name: stored(one) if (one := getattr(row, name)) is not None else None for name in named}


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_a_select_reads_what_the_orm_reads(model: type[models.Model], game: Game) -> None:
    keys = [field.name for field in model._meta.get_fields() if isinstance(field, models.ForeignKey)]
    select = rows.Select(model, "ORDER BY this.id" if model._meta.pk.name == "id" else "", *keys)
    expected = model._default_manager.select_related(*keys).order_by("pk") if keys else model._default_manager.all()
    assert list(map(stored, select.all())) == list(map(stored, expected))


def test_the_rows_compared_are_some(game: Game) -> None:
    filled = {model.__name__ for model in OURS if model._default_manager.exists()}
    assert {"User", "Address", "Incoming", "Outgoing", "Game", "Seat", "Turn", "Sheet", "Submission"} <= filled


def test_rows_of_rows_are_joined(game: Game) -> None:
    one = rows.Select(Sheet, "WHERE seat.game_id = %s ORDER BY this.id", "seat", "seat__player", "seat__game").all(
        game.pk
    )
    expected = Sheet.objects.select_related("seat__player", "seat__game").order_by("pk")
    assert list(map(stored, one)) == list(map(stored, expected))


def test_a_missing_row_is_none_and_so_is_what_it_names(game: Game) -> None:
    Seat.objects.filter(index=0).update(player=None)
    seat = rows.Select(Seat, 'WHERE this."index" = 0', "player").get()
    assert (seat.player, seat.player_id) == (None, None)
    sheet = rows.Select(Sheet, "WHERE this.player_id IS NULL", "player", "turn").all()
    assert all(one.player is None and one.turn.game_id == game.pk for one in sheet)


def test_the_first_row_or_none_or_an_error(game: Game) -> None:
    turns = rows.Select(Turn, "WHERE this.number = %s", only=("number", "game"))
    one = turns.get(1)
    assert (one.game_id, one.get_deferred_fields() >= {"state", "kept"}) == (game.pk, True)
    assert bytes(one.state) == bytes(Turn.objects.get(number=1).state)
    assert turns.first(99) is None
    assert turns.values(1) == [[one.pk, game.pk, 1]]
    with pytest.raises(ObjectDoesNotExist):
        turns.get(99)


def test_any_of_several_values(game: Game) -> None:
    turns = rows.Select(Turn, "WHERE this.number IN (%s)")
    assert {one.number for one in turns.among([0, 1, 99])} == set(Turn.objects.values_list("number", flat=True)) & {
        0,
        1,
    }
    assert turns.among([]) == []


def test_an_insert_stores_what_save_stores(game: Game) -> None:
    values = {
        "kind": "turn",
        "recipient": game.organiser,
        "object_id": 7,
        "data": {"ä": [1, None, {"x": "\u2028'\"%s"}]},
        "priority": -2,
        "created": NOW,
        "due": NOW,
        "raw": b"\0\xff%s",
        "texts": "a\fb%",
    }
    one = rows.insert(Outgoing, event="one", to="p0@example.org", **values)
    Outgoing.objects.create(event="other", to="p0@example.org", **values)
    assert not one._state.adding
    again = {row.event: stored(row) for row in Outgoing.objects.filter(event__in=("one", "other"))}
    differ = {name for name in again["one"] if again["one"][name] != again["other"][name]}
    assert differ == {"id", "event"}
    assert stored(one) | {"recipient": None} == again["one"] | {"recipient": None}


def test_an_insert_sets_what_a_field_sets_itself(db: None) -> None:
    one = rows.insert(Address, kind="seat", object_id=1, digest="d")
    assert Address.objects.get(pk=one.pk).created == one.created


def test_an_insert_is_refused_as_save_is(db: None) -> None:
    rows.insert(Address, kind="seat", object_id=1, digest="d")
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.insert(Address, kind="seat", object_id=2, digest="d")
    with pytest.raises(KeyError):
        rows.insert(Address, kind="seat", object_id=2, digets="e")
    assert Address.objects.count() == 1


def test_an_insert_for_once_is_left_undone_where_the_row_is_there(db: None) -> None:
    one, again = (rows.insert_once(Address, kind="seat", object_id=1, digest="d") for _ in range(2))
    assert again is None
    assert [one] == list(Address.objects.all())


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_a_new_row_has_the_defaults_of_its_model(model: type[models.Model]) -> None:
    made, one, other = (
        {name: value for name, value in vars(row).items() if name != "_state"}
        for row in (rows._new(model, {}), model(), model())
    )
    fixed = {name for name in one if one[name] == other[name]}  # not: tokens, times
    assert {name: made[name] for name in fixed} == {name: one[name] for name in fixed}
    assert {name: type(value) for name, value in made.items()} == {name: type(value) for name, value in one.items()}


def test_a_new_row_is_not_stored_yet() -> None:
    made = rows._new(Address, {})
    assert made._state.adding
    assert made._state.db is None


def test_an_update_writes_only_what_is_named(game: Game) -> None:
    sheet = Sheet.objects.order_by("pk").first()
    assert sheet is not None
    sheet.orders, sheet.updated, sheet.digest = [{"verb": "x"}], NOW, "not written"
    rows.update(sheet, "orders", "updated")
    found = Sheet.objects.get(pk=sheet.pk)
    assert (found.orders, found.updated, found.digest) == ([{"verb": "x"}], NOW, "")


def test_an_update_of_a_row_that_is_gone_says_so(game: Game) -> None:
    seat = Seat(pk=987654, index=1, game=game)
    with pytest.raises(ObjectDoesNotExist):
        rows.update(seat, "index")


def test_a_conditional_update_counts_and_takes(game: Game) -> None:
    claim = rows.Update(Turn, "revision = revision + 1, closed = %s", "game_id = %s AND status = %s")
    before = Turn.objects.get(status="open")
    assert claim(NOW, game.pk, Turn.Status.OPEN) == 1
    taken = claim.taken(NOW, game.pk, Turn.Status.OPEN)
    assert taken is not None
    assert stored(taken) == stored(Turn.objects.get(status="open"))
    assert (taken.revision, taken.closed) == (before.revision + 2, NOW)
    assert (claim(NOW, 0, Turn.Status.OPEN), claim.taken(NOW, 0, Turn.Status.OPEN)) == (0, None)


def test_the_claim_of_a_mail_is_what_the_orm_says(game: Game) -> None:
    row = Incoming.objects.get()
    claim = rows.Update(Incoming, "attempts = attempts + 1", "id = %s AND received = %s")
    taken = claim.taken(row.pk, row.received)
    assert taken is not None
    assert stored(taken) == stored(Incoming.objects.get())
