"""A turn advanced, beside its bare SQL statements by psycopg, in databases of growing size (DESIGN section 8).

    python bench/turns.py [--database URL] [--sizes 100,10000,100000] [--turns 60]

A database of its own is made beside the one named (PostgreSQL on this machine by default), and dropped at the end. In
each size, first turns of Intrige with four silent players are advanced. Before each, the same turn is advanced once and
rolled back, to learn its statements; these are then sent by bare psycopg, with their parameters, on a connection of its
own, and rolled back too, which spares the bare side the commit. The medians count. The last line is JSON.
Targets: ratio <= 3, and the same milliseconds in every size.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg

if TYPE_CHECKING:
    from django.db.models import Model

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

SEATS = 4


def main() -> None:
    """Measure each size and print a line for it, then all as JSON."""
    given = arguments()
    with database(given.database) as url:
        prepare(url)
        found = [measure(url, size, given.turns) for size in map(int, given.sizes.split(","))]
    ratio = max(one["ratio"] for one in found)
    flat = found[-1]["ms"] / found[0]["ms"]
    print(json.dumps({"bench": "turns", "sizes": found, "ratio": ratio, "target": 3, "growth": round(flat, 2)}))


def measure(url: str, size: int, turns: int) -> dict[str, Any]:
    """Milliseconds of a turn, ours and bare, in a database of so many games."""
    fill(size)
    ours: list[float] = []
    bare: list[float] = []
    with psycopg.connect(url) as connection:
        for _turn in range(turns):
            turn = due_turn()
            statements = learn(turn)
            bare.append(timed(partial(send, connection, statements)))
            ours.append(timed(partial(advance, turn)))
    mine, floor = statistics.median(ours), statistics.median(bare)
    found = {"games": size, "ms": round(mine, 2), "bare_ms": round(floor, 2), "ratio": round(mine / floor, 2)}
    print(f"{size:>8} games: {mine:6.2f} ms a turn, bare SQL {floor:6.2f} ms, ratio {mine / floor:.2f}")
    return found


def learn(turn: int) -> list[tuple[str, Any]]:
    """The statements, with their parameters, by which a turn is advanced; what they did is rolled back."""
    from django.db import connection, transaction

    kept: list[tuple[str, Any]] = []

    def keep(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        kept.append((sql, params))
        return execute(sql, params, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(keep):
            advance(turn)
        transaction.set_rollback(True)
    return kept


def advance(turn: int) -> None:
    """Advance a turn as a worker does."""
    from postspiel.play import services

    assert services.advance(turn)


def send(connection: psycopg.Connection, statements: list[tuple[str, Any]]) -> None:
    """Send statements bare, in one transaction, and roll it back."""
    with connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(sql.encode(), params)
            if cursor.description is not None:
                cursor.fetchall()
    connection.rollback()


def timed(act: Callable[[], None]) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def due_turn() -> int:
    """The id of a turn that is due: the first of a new game of Intrige between the four players."""
    from postspiel.accounts.models import User
    from postspiel.play import services
    from postspiel.play.models import Turn

    players = list(User.objects.order_by("pk")[:SEATS])
    game = services.create_game(
        organiser=players[0], title="intrige", name="Bench", size=SEATS, options={}, schedule=services.Schedule()
    )
    for player in players:
        services.join_game(game=game, player=player)
    turn = Turn.objects.get(game=game, status="open")
    Turn.objects.filter(pk=turn.pk).update(due=turn.opened, deadline=turn.opened)
    return turn.pk


def fill(size: int) -> None:
    """Bring the database to so many games, each with seats, an open turn, sheets and mails."""
    from django.db import connection

    from postspiel.play.models import Game, Turn

    model = Turn.objects.get(pk=due_turn()).game
    have = Game.objects.filter(key__startswith="fill").count()
    far = datetime(2099, 1, 1, tzinfo=UTC)
    model.turns.update(due=far, deadline=far)
    with connection.cursor() as cursor:
        for statement in copies():
            cursor.execute(statement, {"low": have + 1, "high": size, "game": model.pk})
        cursor.execute("ANALYZE")


def copies() -> Iterator[str]:
    """Statements that copy a game so many times, each with all that a running game has: seats, turns, sheets, mails."""
    from postspiel.mail.models import Outgoing
    from postspiel.play.models import Game, Seat, Sheet, Turn

    new = "play_game g JOIN {0} one ON one.game_id = %(game)s WHERE g.key LIKE 'fill%%' AND NOT EXISTS "
    again = new + "(SELECT FROM {0} WHERE game_id = g.id)"
    seats = "play_game g JOIN play_seat s ON s.game_id = g.id JOIN play_seat o ON o.game_id = %(game)s"
    sheets = "JOIN play_turn t ON t.game_id = g.id JOIN play_sheet one ON one.seat_id = o.id"
    ours = "g.key LIKE 'fill%%' AND s.index = o.index AND NOT EXISTS "
    numbers = "play_game one, generate_series(%(low)s, %(high)s) AS n WHERE one.id = %(game)s"
    yield copied(Game, numbers, key="'fill' || n", invitation="'fill' || n")
    yield copied(Seat, again.format("play_seat"), game_id="g.id")
    yield copied(Turn, again.format("play_turn"), game_id="g.id")
    open_ones = f"t.status = 'open' AND {ours} (SELECT FROM play_sheet WHERE turn_id = t.id)"
    yield copied(Sheet, f"{seats} {sheets} WHERE {open_ones}", turn_id="t.id", seat_id="s.id")
    fresh = f"one.kind = 'turn' AND {ours} (SELECT FROM mail_outgoing WHERE event = 'fill:' || s.id)"
    mails = f"{seats} JOIN mail_outgoing one ON one.object_id = o.id WHERE {fresh}"
    changed = {"event": "'fill:' || s.id", "object_id": "s.id", "state": "'sent'", "address_id": "NULL"}
    yield copied(Outgoing, mails, **changed)


def copied(model: type[Model], rows: str, **instead: str) -> str:
    """A statement that copies the rows called `one` of a table, in all columns but those given."""
    columns = [field.column for field in model._meta.local_concrete_fields if not field.primary_key]
    taken = ", ".join(instead.get(column, f'one."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {model._meta.db_table} ({names}) SELECT {taken} FROM {rows}"  # noqa: S608 - no word of a person


def prepare(url: str) -> None:
    """Set Django up on the database, with four players."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "postspiel.config.settings",
        "POSTSPIEL_DATABASE": url,
        "POSTSPIEL_SECRET_KEY": "bench" * 10,
    }
    import django

    django.setup()
    from django.core.management import call_command

    from postspiel.accounts.models import User
    from postspiel.config.celery import app

    app.conf.update(broker_url="memory://", broker_transport_options={})
    call_command("migrate", verbosity=0)
    for number in range(SEATS):
        User.objects.create_user(f"player{number}@example.org")


@contextmanager
def database(url: str) -> Iterator[str]:
    """A new database beside the one that `url` names, dropped at the end."""
    name = f"postspiel_bench_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--database", default="postgresql://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--sizes", default="100,10000,100000")
    parser.add_argument("--turns", type=int, default=60)
    return parser.parse_args()


if __name__ == "__main__":
    main()
