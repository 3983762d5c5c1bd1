"""An order mail, from its bytes to the stored sheet and the queued receipt, beside stdlib parsing and two INSERTs.

    python bench/mail.py [--mails 150]

Everything is committed in a SQLite file of its own, with the settings of `make run`. Ours is what the listener and the
worker do: keep the bytes (`receive`), then read them, find the new text in an answer that quotes our whole mail, read
the orders, merge them into the sheet, write the receipt's row and the verdict (`read`); both ring the queue. Each mail
answers a mail of ours of its own, with which none was compared before.

The floor parses the same bytes with the standard library (`email.policy.default`, the body's text), and writes two rows
by sqlite3 alone, each in a transaction of its own, as the two steps must: the bytes, and as much text as ours keeps of
the sheet, of what was understood and of the receipt.

Turn about, medians. The time is the processor's (of this process, in the kernel too): what else the machine does would
hit the long one more often than the short one. The clock's time stands beside it. The last line is JSON. Target: ratio
<= 3. docs/decisions/0007-speed-of-mail.md says where the time goes.
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
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

WROTE = "On Mon, 1 Jun 2026 at 08:00, Bench <play@example.org> wrote:"


class Took(NamedTuple):
    """Milliseconds of the processor, and of the clock."""

    ms: float
    wall: float


def main() -> None:
    """Measure, and print a line for people and one of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mails", type=int, default=150)
    mails = parser.parse_args().mails
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        ours, bare = measure(mails, Path(folder))
    ratio = round(ours.ms / bare.ms, 2)
    found = {"bench": "mail", "ms": round(ours.ms, 2), "bare_ms": round(bare.ms, 2), "ratio": ratio, "target": 3}
    print(f"{1000 / ours.ms:.0f} mails a second, floor {1000 / bare.ms:.0f}: ratio {ratio}")
    print(f"by the clock {ours.wall:.2f} and {bare.wall:.2f} ms: ratio {ours.wall / bare.wall:.2f}")
    print(json.dumps(found))


def prepare(folder: Path) -> None:
    """A fresh database with the settings that one machine has."""
    os.environ.update(POSTSPIEL_DATA=str(folder), DJANGO_SETTINGS_MODULE="postspiel.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measure(mails: int, folder: Path) -> tuple[Took, Took]:
    """What a mail takes, ours and the floor's: medians of mails that say the same."""
    game = Game()
    floor = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    floor.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE a (b); CREATE TABLE c (d)")
    kept = ""
    ours: list[Took] = []
    bare: list[Took] = []
    for number in range(mails + 10):
        raw = game.answer(number)
        ours.append(timed(lambda raw=raw: game.take(raw)))  # type: ignore[misc]
        kept = kept or game.kept()
        bare.append(timed(lambda raw=raw, kept=kept: stored(floor, raw, kept)))  # type: ignore[misc]
    game.check(mails + 10)
    return median(ours[10:]), median(bare[10:])


class Game:
    """A game with a seat that owes orders, whose player answers each mail that he gets."""

    def __init__(self) -> None:
        from allauth.account.models import EmailAddress

        from games.engine.language import language
        from games.engine.registry import title
        from postspiel.accounts.models import User
        from postspiel.mail import services
        from postspiel.play import positions, selectors
        from postspiel.play.services import Schedule, create_game, join_game

        people = [User.objects.create_user(f"p{number}@example.org", locale="en") for number in range(3)]
        EmailAddress.objects.bulk_create(EmailAddress(user=one, email=one.email, verified=True) for one in people)
        schedule = Schedule(hours=48, first_hours=72)
        game = create_game(organiser=people[0], title="intrige", name="Bench", size=3, options={}, schedule=schedule)
        for person in people:
            join_game(game=game, player=person)
        turn = selectors.open_turn(game)
        assert turn is not None
        self.turn = turn
        self.seat = game.seats.select_related("player", "game").get(index=positions.state_of(turn).active)
        assert self.seat.player is not None
        self.player = self.seat.player
        self.address = services.address_for("seat", self.seat.pk)
        self.to = services.spell(self.address, "play")
        spoken = language(title("intrige"), {})
        self.orders = [line for line in self.sent(-1)[1].splitlines() if spoken.read(line).orders]

    def answer(self, number: int) -> bytes:
        """An answer at the top of our whole mail, as most programs write it."""
        message_id, text = self.sent(number)
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.player.email, self.to, "Re: turn 1"
        mail["Message-ID"], mail["In-Reply-To"] = f"<{number}@example.org>", message_id
        mail.set_content("\n".join([f"Mail {number}", *self.orders, "", WROTE, quoted]))
        return mail.as_bytes(policy=policy.SMTP)

    def sent(self, number: int) -> tuple[str, str]:
        """The Message-ID and the text of one more mail of ours about the turn."""
        from django.db import transaction

        from postspiel.mail import outbox
        from postspiel.mail.models import Outgoing

        event = f"bench:{number}"
        with transaction.atomic():
            outbox.queue(
                event=event,
                kind="turn",
                recipient=self.player,
                object_id=self.seat.pk,
                data={"turn": self.turn.pk},
                address=self.address,
            )
        outbox.send(Outgoing.objects.get(event=event).pk)
        row = Outgoing.objects.select_related("recipient").get(event=event)
        return row.message_id, outbox.render(row).text

    def take(self, raw: bytes) -> None:
        """Do what the listener and the worker do."""
        from postspiel.mail import services

        now = datetime.now(UTC)
        (row,) = services.receive(raw, door="smtp", sender=self.player.email, recipients=[self.to], received=now)
        assert services.read(row.pk)

    def kept(self) -> str:
        """As much text as is kept of a mail beside its bytes: sheet, submission, and receipt."""
        from django.core.serializers import serialize

        from postspiel.mail.models import Outgoing
        from postspiel.play.models import Sheet, Submission

        receipt = Outgoing.objects.filter(kind="receipt").latest("pk")
        sheet = Sheet.objects.get(turn=self.turn, seat=self.seat)
        return str(serialize("json", [sheet, Submission.objects.latest("pk"), receipt]))

    def check(self, mails: int) -> None:
        """Every mail must have been accepted, and its receipt queued."""
        from postspiel.mail.models import Incoming, Outgoing

        verdicts = set(Incoming.objects.values_list("verdict", flat=True))
        assert verdicts == {"accepted"}, verdicts
        assert Outgoing.objects.filter(kind="receipt", state="queued").count() == mails


def stored(floor: sqlite3.Connection, raw: bytes, kept: str) -> None:
    """What no program could leave out."""
    floor.execute("BEGIN IMMEDIATE")
    floor.execute("INSERT INTO a VALUES (?)", (raw,))
    floor.execute("COMMIT")
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert body is not None
    assert body.get_content()
    floor.execute("BEGIN IMMEDIATE")
    floor.execute("INSERT INTO c VALUES (?)", (kept,))
    floor.execute("COMMIT")


def timed(act: Callable[[], None]) -> Took:
    """What something takes."""
    wall, began = time.perf_counter(), time.process_time()
    act()
    return Took((time.process_time() - began) * 1000, (time.perf_counter() - wall) * 1000)


def median(times: Sequence[Took]) -> Took:
    """The median of each clock."""
    return Took(statistics.median(one.ms for one in times), statistics.median(one.wall for one in times))


if __name__ == "__main__":
    main()
