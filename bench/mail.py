"""An order mail, from its bytes to the stored sheet and the queued receipt, beside stdlib parsing and two INSERTs.

    python bench/mail.py [--mails 150]

Everything is committed in a SQLite file of its own, with the settings of `make run`. Ours is what the listener and the
worker do: keep the bytes (`receive`), then read them, find the new text in an answer that quotes our whole mail, read
the orders, merge them into the sheet, write the receipt's row and the verdict (`read`). The floor parses the same bytes
with the standard library (`email.policy.default`, the body's text), and writes two rows (the bytes; a line of JSON),
each in a transaction of its own, as the two steps must, by sqlite3 alone. Turn about, medians. The last line is JSON.
Target: ratio <= 3.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

WROTE = "On Mon, 1 Jun 2026 at 08:00, Bench <play@example.org> wrote:"


def main() -> None:
    """Measure, and print a line for people and one of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mails", type=int, default=150)
    mails = parser.parse_args().mails
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        ours, bare = measure(mails, Path(folder))
    ratio = round(ours / bare, 2)
    found = {"bench": "mail", "ms": round(ours, 2), "bare_ms": round(bare, 2), "ratio": ratio, "target": 3}
    print(f"{1000 / ours:.0f} mails a second, floor {1000 / bare:.0f}: ratio {ratio}")
    print(json.dumps(found))


def prepare(folder: Path) -> None:
    """A fresh database with the settings that one machine has."""
    os.environ.update(POSTSPIEL_DATA=str(folder), DJANGO_SETTINGS_MODULE="postspiel.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measure(mails: int, folder: Path) -> tuple[float, float]:
    """Milliseconds a mail, ours and the floor's: medians of mails that say the same."""
    address, sender, text = the_game()
    floor = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    floor.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE a (b); CREATE TABLE c (d)")
    ours: list[float] = []
    bare: list[float] = []
    for number in range(mails + 10):
        raw = written(address, sender, text, number)
        bare.append(timed(lambda raw=raw: stored(floor, raw)))  # type: ignore[misc]
        ours.append(timed(lambda raw=raw: taken(address, sender, raw)))  # type: ignore[misc]
    return statistics.median(ours[10:]), statistics.median(bare[10:])


def the_game() -> tuple[str, str, str]:
    """The address of a seat that owes orders, its player's address, and the text of its turn's mail."""
    from postspiel.accounts.models import User
    from postspiel.mail import outbox, services
    from postspiel.mail.models import Outgoing
    from postspiel.play import positions, selectors
    from postspiel.play.services import Schedule, create_game, join_game

    people = [User.objects.create_user(f"p{number}@example.org", locale="en") for number in range(3)]
    schedule = Schedule(hours=48, first_hours=72)
    game = create_game(organiser=people[0], title="intrige", name="Bench", size=3, options={}, schedule=schedule)
    for person in people:
        join_game(game=game, player=person)
    turn = selectors.open_turn(game)
    assert turn is not None
    seat = game.seats.select_related("player").get(index=positions.state_of(turn).active)
    assert seat.player is not None
    row = Outgoing.objects.get(kind="turn", recipient=seat.player)
    services.send(row.pk)
    row.refresh_from_db()
    letter = outbox.render(row)
    return services.spell(services.address_for("seat", seat.pk), "play"), seat.player.email, letter.text


def written(address: str, sender: str, text: str, number: int) -> bytes:
    """An answer at the top of our whole mail, as most programs write it."""
    from games.engine.language import language
    from games.engine.registry import title

    spoken = language(title("intrige"), {})
    orders = [line for line in text.splitlines() if spoken.read(line).orders]
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, address, "Re: turn 1"
    mail["Message-ID"] = f"<{number}@example.org>"
    mail.set_content("\n".join([f"Mail {number}", *orders, "", WROTE, quoted]))
    return mail.as_bytes(policy=policy.SMTP)


def taken(address: str, sender: str, raw: bytes) -> None:
    """What the listener and the worker do."""
    from postspiel.mail import services

    (row,) = services.receive(raw, door="smtp", sender=sender, recipients=[address], received=datetime.now(UTC))
    assert services.read(row.pk)
    row.refresh_from_db(fields=["verdict"])
    assert row.verdict == "accepted", row.verdict


def stored(floor: sqlite3.Connection, raw: bytes) -> None:
    """What no program could leave out."""
    floor.execute("BEGIN IMMEDIATE")
    floor.execute("INSERT INTO a VALUES (?)", (raw,))
    floor.execute("COMMIT")
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert body is not None
    text = body.get_content()
    floor.execute("BEGIN IMMEDIATE")
    floor.execute("INSERT INTO c VALUES (?)", (json.dumps({"text": text[:200]}),))
    floor.execute("COMMIT")


def timed(act: Callable[[], None]) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
