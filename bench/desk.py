"""The organiser's desk with many running games: queries and milliseconds a page (DESIGN section 8).

    python bench/desk.py [--database URL] [--sizes 100,10000] [--loads 60]

A database of its own is made beside the one named (PostgreSQL on this machine by default), and dropped at the end. In
each size, one organiser runs so many games of four players, each with three turns behind it, sheets, mails, and one
player who missed them all; some mails are held or given up, some addresses rest, some seats are open, some players are
away, some people stand by. The page is loaded through the whole stack (session, templates), once by way of each tab,
then over and over. The last line is JSON.
Targets: at most 15 queries, the same in every size, and 95 of 100 loads within 150 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

SEATS, TURNS, SILENT, BATCH = 4, 4, 1, 5000
QUERIES, MILLISECONDS = 15, 150


@contextmanager
def scratch(url: str) -> Iterator[str]:
    """A new database beside the one that is named, dropped at the end."""
    name = f"bench_{secrets.token_hex(6)}"
    with psycopg.connect(urlsplit(url)._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def fill(organiser: Any, count: int) -> None:
    """Make so many more running games."""
    from django.utils import timezone

    from postspiel.accounts.models import Absence, User
    from postspiel.mail.models import Mailbox
    from postspiel.play.models import Act, Game, StandBy

    now, known = timezone.now(), Game.objects.count()
    players = [User(email=f"p{known + n}@example.org", display_name=f"Player {known + n}") for n in range(count)]
    made = User.objects.bulk_create(players, BATCH)
    Mailbox.objects.bulk_create(
        Mailbox(address=one.email, owner=one, bounces=3, last=now, suspended=now) for one in made[::200]
    )
    Absence.objects.bulk_create(Absence(user=one, first=now.date(), last=now.date()) for one in made[::500])
    StandBy.objects.bulk_create(StandBy(user=one, title="kreml", since=now) for one in made[::100])
    games = Game.objects.bulk_create((_game(organiser, known + n, now) for n in range(count)), BATCH)
    Act.objects.bulk_create((Act(game=game, who=organiser, kind="started", made=now) for game in games), BATCH)
    _turns(games, _seats(games, made), now)


def _game(organiser: Any, number: int, now: Any) -> Any:
    from postspiel.play.models import Game

    return Game(
        key=f"bench{number}", title=("intrige", "kreml")[number % 2], name=f"Game {number}", size=SEATS,
        organiser=organiser, invitation=f"bench{number}", status=Game.Status.RUNNING, rules=1, seed=b"", commitment="",
        created=now, started=now,
    )  # fmt: skip


def _seats(games: Iterable[Any], players: list[Any]) -> list[list[Any]]:
    from postspiel.play.models import Seat

    seats = [
        [
            Seat(game=game, index=index, player=None if n % 150 == index else players[(n + index) % len(players)])
            for index in range(SEATS)
        ]
        for n, game in enumerate(games)
    ]
    Seat.objects.bulk_create((seat for four in seats for seat in four), BATCH)
    return seats


def _turns(games: list[Any], seats: list[list[Any]], now: Any) -> None:
    from postspiel.play.models import Turn

    turns = [
        Turn(
            game=game, number=number, rules=1, state=b"{}" * 4000, state_hash="",
            opened=now - timedelta(days=3 * (TURNS - number)),
            deadline=now + timedelta(days=3 * (number - TURNS + 1), minutes=n % 4000 - 600),
            status=Turn.Status.DONE if number < TURNS else Turn.Status.OPEN,
            owing=int(seats[n][SILENT].player is not None),
        )
        for n, game in enumerate(games)
        for number in range(1, TURNS + 1)
    ]  # fmt: skip
    Turn.objects.bulk_create(turns, BATCH)
    _sheets_and_mails(turns, seats, now)


def _sheets_and_mails(turns: list[Any], seats: list[list[Any]], now: Any) -> None:
    from postspiel.mail.models import Address, Incoming, Outgoing
    from postspiel.play.models import Sheet

    places = [(turn, seat) for n, turn in enumerate(turns) for seat in seats[n // TURNS]]
    Sheet.objects.bulk_create((_sheet(turn, seat) for turn, seat in places), BATCH)
    addresses = Address.objects.bulk_create(
        (Address(kind="seat", object_id=seat.pk, digest=secrets.token_hex(32)) for four in seats for seat in four),
        BATCH,
    )
    at = {address.object_id: address for address in addresses}
    Outgoing.objects.bulk_create(
        (
            Outgoing(
                event=f"turn:{turn.pk}:{seat.index}", kind="turn", to=f"{seat.pk}@example.org", due=now, created=now,
                address=at[seat.pk], state="failed" if n % 997 == 0 else "sent",
            )
            for n, (turn, seat) in enumerate(places)
        ),
        BATCH,
    )  # fmt: skip
    Incoming.objects.bulk_create(
        (
            Incoming(
                door="smtp", recipient="x", address=at[seat.pk], raw=b"", digest=str(turn.pk), received=now, due=now,
                message_id=f"<{turn.pk}.{seat.pk}>", state="read", verdict="held" if n % 997 == 0 else "accepted",
            )
            for n, (turn, seat) in enumerate(places)
        ),
        BATCH,
    )  # fmt: skip


def _sheet(turn: Any, seat: Any) -> Any:
    from postspiel.play.models import Sheet

    silent = seat.index == SILENT
    return Sheet(
        turn=turn, seat=seat, asked=True, owes=True, missed=silent and turn.number < TURNS,
        status=Sheet.Status.NONE if silent else Sheet.Status.FINAL,
    )  # fmt: skip


def measure(client: Any, loads: int) -> tuple[int, float, float]:
    """The most queries of a tab, and the median and the 95th percentile of a load in milliseconds."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from postspiel.play.desk import Show

    addresses = [f"/organiser/?show={show}" for show in Show]
    queries = []
    for address in addresses:
        with CaptureQueriesContext(connection) as found:
            assert client.get(address).status_code == 200
        queries.append(len(found))
    times = []
    for n in range(loads):
        began = time.perf_counter()
        client.get(addresses[n % 6])
        times.append((time.perf_counter() - began) * 1000)
    return max(queries), statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main() -> int:
    """Fill, load, and compare with the targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="postgresql://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--sizes", default="100,10000")
    parser.add_argument("--loads", type=int, default=60)
    given = parser.parse_args()
    with scratch(given.database) as url:
        found = _run(url, [int(size) for size in given.sizes.split(",")], given.loads)
    last = found[-1]
    same = len({one["queries"] for one in found}) == 1
    met = same and last["queries"] <= QUERIES and last["p95_ms"] <= MILLISECONDS
    print(json.dumps({"sizes": found, "target_queries": QUERIES, "target_p95_ms": MILLISECONDS, "met": met}))
    return 0 if met else 1


def _run(url: str, sizes: list[int], loads: int) -> list[dict[str, float]]:
    os.environ |= {"POSTSPIEL_DATABASE": url, "DJANGO_SETTINGS_MODULE": "postspiel.config.settings"}
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    from postspiel.accounts.models import User
    from postspiel.play.models import Game

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    organiser = User.objects.create_user("olga@example.org", locale="en")
    client = Client(headers={"host": "localhost"})
    client.force_login(organiser)
    found: list[dict[str, float]] = []
    for size in sizes:
        fill(organiser, size - Game.objects.count())
        connection.cursor().execute("ANALYZE")
        queries, median, p95 = measure(client, loads)
        found.append({"games": size, "queries": queries, "median_ms": round(median, 1), "p95_ms": round(p95, 1)})
        print(f"{size:>7} games: {queries} queries, {median:.1f} ms, p95 {p95:.1f} ms", flush=True)
    connection.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
