"""A small IMAP server for tests: what RFC 3501 asks for the few commands we use, and misbehaviour on demand."""

import re
import select
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from postspiel.mail.imap import Place

CAPABILITIES = "IMAP4rev1 IDLE MOVE"


@dataclass
class Letter:
    """A mail in a folder."""

    uid: int
    raw: bytes
    received: str = "02-Mar-2026 20:00:00 +0100"
    seen: bool = False


class HangUp(Exception):  # noqa: N818
    """Raised by a hook: the server closes the connection without a word."""


@dataclass
class Mailbox:
    """What the server holds, and what it was asked. `hook` sees each command first; what it returns is said instead."""

    validity: int = 7
    folders: dict[str, list[Letter]] = field(default_factory=lambda: {"INBOX": [], "Done": []})
    capabilities: str = CAPABILITIES
    password: str = "sesame"
    said: list[str] = field(default_factory=list)
    hook: Callable[[str], str | None] = lambda _command: None
    port: int = 0
    next_uid: int = 1

    def add(self, raw: bytes, **fields: Any) -> Letter:
        """Deliver a mail."""
        letter = Letter(self.next_uid, raw, **fields)
        self.next_uid += 1
        self.folders["INBOX"].append(letter)
        return letter

    def place(self, **fields: Any) -> Place:
        """How the door is told of it."""
        options = {"security": "none", "username": "games", "password": "sesame", **fields}
        return Place(**{"host": "127.0.0.1", "port": self.port, **options})

    def count(self, verb: str) -> int:
        """How often a command was given."""
        return sum(verb in line for line in self.said)


class _Talk(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    box: Mailbox
    folder = ""
    known = -1

    def handle(self) -> None:
        self.box = self.server.box  # type: ignore[attr-defined]
        self.say("* OK ready")
        try:
            while line := self.rfile.readline():
                self.answer(line.decode().rstrip("\r\n"))
        except (HangUp, OSError):
            return

    def say(self, line: str | bytes) -> None:
        self.wfile.write((line.encode() if isinstance(line, str) else line) + b"\r\n")
        self.wfile.flush()

    def answer(self, line: str) -> None:
        tag, _, command = line.partition(" ")
        self.box.said.append(command)
        instead = self.box.hook(command)
        if instead is not None:
            self.say(f"{tag} {instead}")
            return
        verb, _, rest = command.partition(" ")
        if verb == "UID":
            verb, _, rest = rest.partition(" ")
        done = getattr(self, f"do_{verb.lower()}")(rest)
        self.announce()
        self.say(f"{tag} {done} done")

    def announce(self) -> None:
        """Tell of new mail, once, in whatever answer comes next (RFC 3501, 7)."""
        if self.folder and self.known != len(self.letters()):
            self.known = len(self.letters())
            self.say(f"* {self.known} EXISTS")

    def do_login(self, rest: str) -> str:
        return "OK" if rest.endswith(f'"{self.box.password}"') else "NO wrong password"

    def do_capability(self, _rest: str) -> str:
        self.say(f"* CAPABILITY {self.box.capabilities}")
        return "OK"

    def do_select(self, rest: str) -> str:
        self.folder = rest.strip('"')
        if self.folder not in self.box.folders:
            self.folder = ""
            return "NO no such folder"
        self.announce()
        self.say(f"* OK [UIDVALIDITY {self.box.validity}] fine")
        return "OK [READ-WRITE]"

    def do_list(self, rest: str) -> str:
        wanted = rest.rpartition(" ")[2].strip('"')
        for name in self.box.folders:
            if name == wanted:
                self.say(f'* LIST () "/" "{name}"')
        return "OK"

    def do_logout(self, _rest: str) -> str:
        self.say("* BYE")
        return "OK"

    def letters(self) -> list[Letter]:
        return self.box.folders[self.folder]

    def do_search(self, rest: str) -> str:
        since = re.search(r"UID (\d+):", rest)
        newest = max((one.uid for one in self.letters()), default=0)
        first = min(int(since[1]), newest) if since else 1
        found = [one.uid for one in self.letters() if "ALL" in rest or not one.seen or one.uid >= first]
        self.say(f"* SEARCH {' '.join(map(str, found))}".rstrip())
        return "OK"

    def do_fetch(self, rest: str) -> str:
        for one in self.letters():
            if one.uid == int(rest.split(maxsplit=1)[0]):
                most = int(re.findall(r"<0\.(\d+)>", rest)[0])
                head = f"* 1 FETCH (BODY[]<0> {{{len(one.raw[:most])}}}"
                self.wfile.write(head.encode() + b"\r\n" + one.raw[:most])
                self.say(f' UID {one.uid} INTERNALDATE "{one.received}")')
        return "OK"

    def do_store(self, rest: str) -> str:
        for one in self.letters():
            one.seen = one.seen or one.uid == int(rest.split(maxsplit=1)[0])
        return "OK"

    def do_move(self, rest: str) -> str:
        uid, folder = rest.split()
        (one,) = [one for one in self.letters() if one.uid == int(uid)]
        self.letters().remove(one)
        self.box.folders[folder.strip('"')].append(one)
        return "OK"

    def do_idle(self, _rest: str) -> str:
        self.say("+ idling")
        while not select.select([self.connection], [], [], 0.01)[0]:
            self.box.hook("IDLING")
            self.announce()
        return "OK" if self.rfile.readline().strip() == b"DONE" else "BAD"


@contextmanager
def imap_server() -> Iterator[Mailbox]:
    """A running server with an empty mailbox."""
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Talk) as server:
        server.daemon_threads = True
        box = Mailbox(port=server.server_address[1])
        server.box = box  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
