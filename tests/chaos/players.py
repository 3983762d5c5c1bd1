"""The people of the chaos run: `python -m tests.chaos.players`, told who plays as the demo's players are.

They read their mail from the sink's folder and answer each turn's mail through the door. A mail that the door does not
take is handed over again, as a mail server would, until it is taken; its Message-ID is then a line of the file `taken`.
"""

import contextlib
import json
import smtplib
import sys
import time
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

from postspiel.config.demo.players import Part, Player, Table

TAKEN = "taken"
STOP = "stop"


class Persistent(Table):
    """Players behind a mail server that does not give up."""

    def __init__(self, part: Part, folder: Path) -> None:
        super().__init__(part)
        self.folder = folder
        self.waiting: list[tuple[Player, EmailMessage]] = []

    def hand_over(self, player: Player, reply: EmailMessage) -> None:
        """Put a mail in line."""
        self.waiting.append((player, reply))

    def deliver(self) -> None:
        """Try each mail in line once."""
        waiting, self.waiting = self.waiting, []
        for player, reply in waiting:
            try:
                super().hand_over(player, reply)
            except (OSError, smtplib.SMTPException):
                self.waiting.append((player, reply))
            else:
                with (self.folder / TAKEN).open("a") as taken:
                    taken.write(f"{reply['Message-ID']}\n")


def play(table: Persistent, folder: Path) -> None:
    """Read and answer until a file `stop` lies in the folder; then hand over what is left."""
    seen: set[str] = set()
    while not (folder / STOP).exists() or table.waiting:
        for path in sorted(folder.glob("*.eml"), key=lambda one: one.stat().st_mtime_ns):
            if path.name not in seen and not (folder / STOP).exists():
                seen.add(path.name)
                _read(table, path.read_bytes())
        table.deliver()
        time.sleep(0.2)


def _read(table: Persistent, raw: bytes) -> None:
    recipient = str(message_from_bytes(raw)["To"]).rpartition("<")[2].rstrip("> ").lower()
    if recipient in table.players:
        table.receive(recipient, raw)


if __name__ == "__main__":
    told = json.load(sys.stdin)
    place = Path(told.pop("folder"))
    with contextlib.redirect_stdout(None):
        people = Persistent(Part(**{**told, "players": tuple(told["players"])}), place)
        play(people, place)
