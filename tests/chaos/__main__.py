"""A server full of games while everything that can die does: `python -m tests.chaos --games 200 --seconds 600`.

Prints the counts as JSON, then every fault as a line; the exit code is 1 if there is one. Half of the games are of each
title, each with one person, who plays by mail, and bots. See docs/turns.md for what is promised.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from tests.chaos.processes import Processes, environment
from tests.chaos.services import Database, Queue
from tests.chaos.trouble import Trouble
from tests.support.server import ROOT, free_port

if TYPE_CHECKING:
    from postspiel.accounts.models import User

TITLES = ("intrige", "kreml")
SEATS = 3
EVERY = 2.5  # seconds between two troubles
REST = 240.0  # seconds that everything may take to come to rest in the end


def main(games: int, seconds: float, seed: int) -> int:
    """Run it; 0 if nothing was lost or doubled."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        database, queue = Database(folder / "postgres"), Queue()
        try:
            return _run(folder, database, queue, (games, seconds, seed))
        finally:
            queue.stop()
            database.stop()


def _run(folder: Path, database: Database, queue: Queue, plan: tuple[int, float, int]) -> int:
    games, seconds, seed = plan
    ports = [free_port() for _port in range(3)]
    variables = environment(folder, ports, database.url, queue.url)
    _set_up(variables)
    sink = folder / "sink"
    sink.mkdir()
    (sink / "offset").write_text("0")
    people = [_person(number) for number in range(games)]
    processes = Processes(folder, variables)
    trouble = Trouble(processes, database, queue, sink, seed)
    try:
        _start(processes, sink, ports, people, seed)
        for number, person in enumerate(people):
            _game(number, person)
        _troubled(trouble, seconds)
        rested = _rest(trouble, sink)
    finally:
        processes.stop()
    return _tell(sink, trouble, folder, rested)


def _set_up(variables: dict[str, str]) -> None:
    os.environ.update(variables)
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    django.setup()
    from django.core.management import call_command

    call_command("prepare", verbosity=0)


def _person(number: int) -> "User":
    from allauth.account.models import EmailAddress

    from postspiel.accounts.models import User

    person = User.objects.create_user(
        f"player{number}@people.invalid", locale=("en", "de")[number % 2], position_file=True
    )
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def _start(processes: Processes, sink: Path, ports: list[int], people: "list[User]", seed: int) -> None:
    part, offset = "tests.chaos.part", str(sink / "offset")
    celery = (part, offset, "celery", "-A", "postspiel.config")
    processes.start("sink", "tests.chaos.sink", str(ports[2]), str(sink))
    for name in ("worker-1", "worker-2"):
        processes.start(name, *celery, "worker", "-n", name, "--pool", "threads", "--concurrency", "2")
    processes.start("clock", *celery, "beat", "--pidfile", "", "--schedule", str(sink / "beat"))
    processes.start("door", part, offset, "manage", "mail", "listen")
    processes.start("players", "tests.chaos.players", told=_told(sink, ports, people, seed))


def _told(sink: Path, ports: list[int], people: "list[User]", seed: int) -> dict[str, Any]:
    players = [
        {"email": one.email, "name": f"Player {one.pk}", "locale": one.locale, "bot": "random"} for one in people
    ]
    return {"folder": str(sink), "mailbox_port": ports[2], "door_port": ports[1], "seed": seed, "players": players}


def _game(number: int, person: "User") -> None:
    from postspiel.play import services

    schedule = services.Schedule(hours=1, first_hours=1, minimum_minutes=0, reminder_hours=0)
    game = services.create_game(
        organiser=person,
        title=TITLES[number % 2],
        name=f"Game {number}",
        size=SEATS,
        options={},
        schedule=schedule,
    )
    services.join_game(game=game, player=person)
    for _seat in range(SEATS - 1):
        services.seat_bot(game=game, index=None, bot="random")


def _troubled(trouble: Trouble, seconds: float) -> None:
    began = time.monotonic()
    trouble.each()
    while time.monotonic() < began + seconds:
        trouble.tend()
        trouble.one()
        until = time.monotonic() + EVERY
        while time.monotonic() < until:
            trouble.tend()
            time.sleep(0.1)


def _rest(trouble: Trouble, sink: Path) -> bool:
    """Let everything come to its end: nothing dies any more, nobody writes any more, and time goes by quickly."""
    trouble.refuses_until = 0.0
    (sink / "stop").touch()
    until = time.monotonic() + REST
    while time.monotonic() < until and not _at_rest(trouble):
        trouble.tend()
        trouble.step(400.0)
        time.sleep(2)
    return _at_rest(trouble)


def _at_rest(trouble: Trouble) -> bool:
    from django.db import connection

    from postspiel.mail.models import Incoming, Outgoing

    connection.close()
    out = Outgoing.objects.filter(state__in=(Outgoing.State.QUEUED, Outgoing.State.SENDING))
    unread = Incoming.objects.filter(state__in=(Incoming.State.WAITING, Incoming.State.READING))
    players = trouble.processes.running["players"]
    return players.poll() is not None and not out.exists() and not unread.exists()


def _tell(sink: Path, trouble: Trouble, folder: Path, rested: bool) -> int:
    from tests.chaos.checking import check

    counts, faults = check(sink)
    if not rested:
        faults.append("it did not come to rest")
    tracebacks = {log.stem: log.read_text().count("Traceback (most recent") for log in folder.glob("*.log")}
    print(json.dumps({**counts, "trouble": trouble.done, "tracebacks": tracebacks, "faults": len(faults)}, indent=2))
    print("\n".join(faults[:50]))
    if faults and (keep := os.environ.get("CHAOS_LOGS")):
        for log in folder.glob("*.log"):
            (Path(keep) / log.name).write_bytes(log.read_bytes())
    return bool(faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.exit(main(given.games, given.seconds, given.seed))
