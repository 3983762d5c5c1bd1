"""An order mail, from its bytes to the stored sheet and the queued receipt, beside stdlib parsing and two INSERTs.

    python bench/mail.py [--mails 600] [--folder FOLDER]

Everything is committed in a SQLite file of its own, with the settings of `make run`: a commit is on the disk before it
is over. Ours is what the listener and the worker do: keep the bytes (`receive`), then read them, find the new text in
an answer that quotes our whole mail, read the orders, merge them into the sheet, write the receipt's row and the
verdict (`read`); both ring the queue. Each mail answers a mail of ours of its own, with which none was compared before
and which says something else than those before it. The mails of a burst come from players of different games.

The floor parses the same bytes with the standard library (`email.policy.default`, the body's text), and inserts two
rows into the same tables by sqlite3 alone, each in a transaction of its own, as the two steps must: the mail, and a
receipt that holds as much text as ours keeps of the sheet, of what was understood and of the receipt. The same indexes
are kept, and the same disk waits for it.

Thirty mails of the one and thirty of the other turn about; medians of these, and beside them the ratio of the best,
which busy neighbours disturb least. Mails a second are the clock's, as a host sees them; the processor's time of this
process, in the kernel too, stands beside it: in a folder in memory, where no disk is waited for, both say the same.
The files are made in `var/`, on the disk that `make run` uses. The last line is JSON. Target: ratio <= 3.
docs/decisions/0007-speed-of-mail.md says where the time goes.
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

TOGETHER = 30
"""Mails that are timed together, as the queue brings them in a burst."""

WROTE = "On Mon, 1 Jun 2026 at 08:00, Bench <play@example.org> wrote:"


class Took(NamedTuple):
    """Milliseconds of the clock, and of the processor, for one mail."""

    ms: float
    cpu: float


def main() -> None:
    """Measure, and print a line for people and one of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mails", type=int, default=600)
    parser.add_argument("--folder", type=Path, default=ROOT / "var", help="where to make the files: another disk")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        prepare(Path(folder))
        all_ours, all_bare = measure(given.mails, Path(folder))
    ours, bare = median(all_ours), median(all_bare)
    ratio, cpu_ratio = round(ours.ms / bare.ms, 2), round(ours.cpu / bare.cpu, 2)
    best_ratio = round(min(all_ours).ms / min(all_bare).ms, 2)
    print(f"{1000 / ours.ms:.0f} mails a second, floor {1000 / bare.ms:.0f}: ratio {ratio}; of the best {best_ratio}")
    print(f"processor {ours.cpu:.2f} and {bare.cpu:.2f} ms: ratio {cpu_ratio}")
    took = {"ms": round(ours.ms, 2), "bare_ms": round(bare.ms, 2)}
    ratios = {"ratio": ratio, "best_ratio": best_ratio, "cpu_ratio": cpu_ratio}
    print(json.dumps({"bench": "mail", **took, **ratios, "target": 3}))


def prepare(folder: Path) -> None:
    """A fresh database with the settings that one machine has."""
    os.environ.update(POSTSPIEL_DATA=str(folder), DJANGO_SETTINGS_MODULE="postspiel.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measure(mails: int, folder: Path) -> tuple[list[Took], list[Took]]:
    """What a mail takes, ours and the floor's, in each burst."""
    games = [Game(number) for number in range(TOGETHER)]
    bursts = [[game.answer(number) for game in games] for number in range(mails // TOGETHER + 1)]
    floor = Floor(folder / "postspiel.sqlite3")
    ours: list[Took] = []
    bare: list[Took] = []
    for posts in bursts:
        ours.append(timed(lambda posts=posts: take(posts)))  # type: ignore[misc]
        floor.keep_as_much_as(games[0])
        bare.append(timed(lambda posts=posts: floor.take(posts)))  # type: ignore[misc]
    check(len(ours) * TOGETHER)
    return ours[1:], bare[1:]


class Post(NamedTuple):
    """A mail, and its envelope."""

    raw: bytes
    sender: str
    to: str


class Game:
    """A game with a seat that owes orders, whose player answers each mail that he gets."""

    def __init__(self, number: int) -> None:
        from allauth.account.models import EmailAddress

        from games.engine.language import language
        from games.engine.registry import title
        from postspiel.accounts.models import User
        from postspiel.mail import services
        from postspiel.play import positions, selectors
        from postspiel.play.services import Schedule, create_game, join_game

        people = [User.objects.create_user(f"p{one}.{number}@example.org", locale="en") for one in range(3)]
        EmailAddress.objects.bulk_create(EmailAddress(user=one, email=one.email, verified=True) for one in people)
        schedule = Schedule(hours=48, first_hours=72)
        self.game = create_game(
            organiser=people[0], title="intrige", name="Bench", size=3, options={}, schedule=schedule
        )
        for person in people:
            join_game(game=self.game, player=person)
        turn = selectors.open_turn(self.game)
        assert turn is not None
        self.turn = turn
        self.seat = self.game.seats.select_related("player", "game").get(index=positions.state_of(turn).active)
        assert self.seat.player is not None
        self.player = self.seat.player
        self.address = services.address_for("seat", self.seat.pk)
        self.to = services.spell(self.address, "play")
        spoken = language(title("intrige"), {})
        self.orders = [line for line in self.sent(-1)[1].splitlines() if spoken.read(line).orders]

    def answer(self, number: int) -> Post:
        """An answer at the top of our whole mail, as most programs write it."""
        message_id, text = self.sent(number)
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.player.email, self.to, "Re: turn 1"
        mail["Message-ID"], mail["In-Reply-To"] = f"<{number}.{self.game.key}@example.org>", message_id
        mail.set_content("\n".join([f"Mail {number}", *self.orders, "", WROTE, quoted]))
        return Post(mail.as_bytes(policy=policy.SMTP), self.player.email, self.to)

    def sent(self, number: int) -> tuple[str, str]:
        """The Message-ID and the text of one more mail of ours about the turn."""
        from django.db import transaction

        from postspiel.mail import outbox
        from postspiel.mail.models import Outgoing
        from postspiel.play.models import Game

        Game.objects.filter(pk=self.game.pk).update(name=f"Bench {number} {self.game.key}")
        event = f"bench:{number}:{self.game.key}"
        with transaction.atomic():
            outbox.queue(
                event=event,
                kind="turn",
                recipient=self.player,
                object_id=self.seat.pk,
                data={"turn": self.turn.pk, "number": self.turn.number},
                address=self.address,
            )
        outbox.send(Outgoing.objects.get(event=event).pk)
        row = Outgoing.objects.select_related("recipient").get(event=event)
        return row.message_id, outbox.render(row).text

    def kept(self) -> str:
        """As much text as is kept of a mail beside its bytes: sheet, submission, and receipt."""
        from django.core.serializers import serialize

        from postspiel.mail.models import Outgoing
        from postspiel.play.models import Sheet, Submission

        receipt = Outgoing.objects.filter(kind="receipt").latest("pk")
        sheet = Sheet.objects.get(turn=self.turn, seat=self.seat)
        return str(serialize("json", [sheet, Submission.objects.latest("pk"), receipt]))


def take(posts: Iterable[Post]) -> None:
    """Do what the listener and the worker do, until the queue has been rung for all."""
    from postspiel.mail import bell, services

    kept = [
        services.receive(one.raw, door="smtp", sender=one.sender, recipients=[one.to], received=datetime.now(UTC))
        for one in posts
    ]
    assert services.read_each(row.pk for (row,) in kept) == len(kept)
    assert bell.flush()


def check(mails: int) -> None:
    """Every mail must have been accepted, and its receipt queued."""
    from postspiel.mail.models import Incoming, Outgoing

    verdicts = set(Incoming.objects.values_list("verdict", flat=True))
    assert verdicts == {"accepted"}, verdicts
    assert Outgoing.objects.filter(event__startswith="receipt:", state="queued").count() == mails


class Floor:
    """What no program could leave out."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.executescript("PRAGMA synchronous=FULL")
        self.database.row_factory = sqlite3.Row
        self.number = 0

    def keep_as_much_as(self, game: Game) -> None:
        """Take the rows that ours wrote last as what is to be written."""
        self.mail = self._last("mail_incoming")
        self.receipt = self._last("mail_outgoing") | {"data": game.kept()}

    def take(self, posts: Iterable[Post]) -> None:
        """Parse mails, and store each and a receipt."""
        for post in posts:
            self.number += 1
            self._insert("mail_incoming", self.mail | {"raw": post.raw, "message_id": f"<{self.number}@floor>"})
            body = message_from_bytes(post.raw, policy=policy.default).get_body(("plain",))
            assert body is not None
            assert body.get_content()
            self._insert("mail_outgoing", self.receipt | {"event": f"floor:{self.number}"})

    def _last(self, table: str) -> dict[str, object]:
        row = dict(self.database.execute(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1").fetchone())  # noqa: S608
        del row["id"]
        return row

    def _insert(self, table: str, row: dict[str, object]) -> None:
        names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*row.values()])  # noqa: S608
        self.database.execute("COMMIT")


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
