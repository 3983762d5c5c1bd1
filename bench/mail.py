"""An order mail, from its bytes to the stored sheet and the queued receipt, beside stdlib parsing and two INSERTs.

    python bench/mail.py [--mails 300] [--folder FOLDER]

Everything is committed in a SQLite file of its own, with the settings of `make run`: a commit is on the disk before it
is over. Ours is what the listener and the worker do: keep the bytes (`receive`), then read them, find the new text in
an answer that quotes our whole mail, read the orders, merge them into the sheet, write the receipt's row and the
verdict (`read`); both ring the queue. Each mail answers a mail of ours of its own, with which none was compared before.

The floor parses the same bytes with the standard library (`email.policy.default`, the body's text), and writes two rows
by sqlite3 alone, each in a transaction of its own, as the two steps must: the bytes, and as much text as ours keeps of
the sheet, of what was understood and of the receipt. The same disk waits for it.

Ten mails of the one and ten of the other turn about; medians of these. Mails a second are the clock's, as a host sees
them; the processor's time of this process, in the kernel too, stands beside it: in a folder in memory, where no disk is
waited for, both say the same. The files are made in `var/`, on the disk that `make run` uses. The last line is JSON.
Target: ratio <= 3. docs/decisions/0007-speed-of-mail.md says where the time goes.
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
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]

TOGETHER = 10
"""Mails that are timed together: one alone does not ring the queue for itself."""

WROTE = "On Mon, 1 Jun 2026 at 08:00, Bench <play@example.org> wrote:"


class Took(NamedTuple):
    """Milliseconds of the clock, and of the processor, for one mail."""

    ms: float
    cpu: float


def main() -> None:
    """Measure, and print a line for people and one of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=ROOT / "var", help="where to make the files: another disk")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        prepare(Path(folder))
        ours, bare = measure(given.mails, Path(folder))
    ratio, cpu_ratio = round(ours.ms / bare.ms, 2), round(ours.cpu / bare.cpu, 2)
    print(f"{1000 / ours.ms:.0f} mails a second, floor {1000 / bare.ms:.0f}: ratio {ratio}")
    print(f"processor {ours.cpu:.2f} and {bare.cpu:.2f} ms: ratio {cpu_ratio}")
    took = {"ms": round(ours.ms, 2), "bare_ms": round(bare.ms, 2)}
    print(json.dumps({"bench": "mail", **took, "ratio": ratio, "cpu_ratio": cpu_ratio, "target": 3}))


def prepare(folder: Path) -> None:
    """A fresh database with the settings that one machine has."""
    os.environ.update(POSTSPIEL_DATA=str(folder), DJANGO_SETTINGS_MODULE="postspiel.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measure(mails: int, folder: Path) -> tuple[Took, Took]:
    """What a mail takes, ours and the floor's: medians of some that say the same, timed together."""
    game = Game()
    floor = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    floor.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE a (b); CREATE TABLE c (d)")
    ours: list[Took] = []
    bare: list[Took] = []
    for begin in range(0, mails + TOGETHER, TOGETHER):
        raws = [game.answer(number) for number in range(begin, begin + TOGETHER)]
        ours.append(timed(lambda raws=raws: game.take(raws)))  # type: ignore[misc]
        kept = game.kept()
        bare.append(timed(lambda raws=raws, kept=kept: stored(floor, raws, kept)))  # type: ignore[misc]
    game.check(mails + TOGETHER)
    return median(ours[1:]), median(bare[1:])


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

    def take(self, raws: Iterable[bytes]) -> None:
        """Do what the listener and the worker do, until the queue has been rung for all."""
        from postspiel.mail import bell, services

        for raw in raws:
            now = datetime.now(UTC)
            (row,) = services.receive(raw, door="smtp", sender=self.player.email, recipients=[self.to], received=now)
            assert services.read(row.pk)
        assert bell.flush()

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


def stored(floor: sqlite3.Connection, raws: Iterable[bytes], kept: str) -> None:
    """What no program could leave out."""
    for raw in raws:
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
    """What one of the mails takes that are timed together."""
    began, cpu = time.perf_counter(), time.process_time()
    act()
    each = 1000 / TOGETHER
    return Took((time.perf_counter() - began) * each, (time.process_time() - cpu) * each)


def median(times: Sequence[Took]) -> Took:
    """The median of each clock."""
    return Took(statistics.median(one.ms for one in times), statistics.median(one.cpu for one in times))


if __name__ == "__main__":
    main()
