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
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

SEATS = 4

FILL = """
INSERT INTO play_game (key, title, name, options, size, schedule, organiser_id, listed, imported, invitation, status,
    rules, seed, commitment, created, started)
SELECT 'fill' || n, title, name, options, size, schedule, organiser_id, listed, imported, 'fill' || n, status,
    rules, seed, commitment, created, started
FROM play_game, generate_series(%(low)s, %(high)s) AS n WHERE play_game.id = %(game)s;

INSERT INTO play_seat (game_id, index, player_id, bot, always_done, joined)
SELECT g.id, s.index, s.player_id, s.bot, s.always_done, s.joined
FROM play_game g, play_seat s
WHERE g.key LIKE 'fill%%' AND s.game_id = %(game)s AND NOT EXISTS (SELECT FROM play_seat WHERE game_id = g.id);

INSERT INTO play_turn (game_id, number, status, rules, state, state_hash, opened, earliest, deadline, due, reminder,
    closed, kept, revision)
SELECT g.id, t.number, t.status, t.rules, t.state, t.state_hash, t.opened, t.earliest, t.deadline, t.due, t.reminder,
    t.closed, t.kept, t.revision
FROM play_game g, play_turn t
WHERE g.key LIKE 'fill%%' AND t.game_id = %(game)s AND NOT EXISTS (SELECT FROM play_turn WHERE game_id = g.id);

INSERT INTO play_sheet (turn_id, seat_id, status, orders, digest, asked, owes, automatic, missed)
SELECT t.id, s.id, 'none', '[]', '', true, true, false, false
FROM play_game g JOIN play_turn t ON t.game_id = g.id JOIN play_seat s ON s.game_id = g.id
WHERE g.key LIKE 'fill%%' AND t.status = 'open' AND NOT EXISTS (SELECT FROM play_sheet WHERE turn_id = t.id);

INSERT INTO mail_outgoing (event, kind, recipient_id, "to", object_id, data, thread, in_reply_to, priority, state, due,
    claim, attempts, created, answer, message_id, subject)
SELECT 'fill:' || s.id, 'turn', s.player_id, 'fill@example.org', s.id, '{}', '', '', 5, 'sent', now(),
    1, 1, now(), '', '', ''
FROM play_game g JOIN play_seat s ON s.game_id = g.id
WHERE g.key LIKE 'fill%%' AND NOT EXISTS (SELECT FROM mail_outgoing WHERE event = 'fill:' || s.id);
"""


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
        cursor.execute(FILL, {"low": have + 1, "high": size, "game": model.pk})
        cursor.execute("ANALYZE")


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
