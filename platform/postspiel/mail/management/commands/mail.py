"""`manage.py mail`: doors that mail comes in by (listen, poll, deliver), and what became of one (stuck, explain)."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.engine import registry
from postspiel.mail import addresses, doors, explaining, imap, inbox, selectors
from postspiel.mail.reading import caps, mime

STOP_WITHIN = 5
"""Seconds for what is being read; what is not committed then is read after the next start."""


class Command(BaseCommand):
    """Takes mail in, or says what it would make of it."""

    help = (
        "Takes mail in: as an SMTP server (listen), out of mailboxes (poll), or one mail from standard input "
        "(deliver). Or shows mails that could not be read (stuck), and what would become of one (explain)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        doors_in = parser.add_subparsers(dest="door", required=True)
        listen = doors_in.add_parser("listen", help="be an SMTP and LMTP server until stopped")
        listen.add_argument("--listen", default=settings.POSTSPIEL_MAIL_LISTEN, help="host:port")
        listen.add_argument("--lmtp", default=settings.POSTSPIEL_MAIL_LMTP, help="host:port, or a Unix socket's path")
        poll = doors_in.add_parser("poll", help="read the mailboxes of POSTSPIEL_MAIL_IMAP until stopped")
        poll.add_argument("--once", action="store_true", help="look once, then end")
        deliver = doors_in.add_parser("deliver", help="take one mail from standard input")
        deliver.add_argument("--to", required=True, action="append", help="the envelope's recipient; may be repeated")
        deliver.add_argument("--from", dest="sender", help="the envelope's sender; else Return-Path")

        stuck = doors_in.add_parser("stuck", help="show mails that could not be read")
        stuck.add_argument("--save", metavar="FOLDER", type=Path, help="write each into a file there, for explain")
        stuck.add_argument("--again", action="store_true", help="read them once more, as after a mend")

        explain = doors_in.add_parser("explain", help="say what would become of a mail, and touch nothing")
        explain.add_argument("mail", metavar="MAIL.eml", type=Path)
        explain.add_argument("--answering", metavar="SENT.eml", type=Path, action="append", default=[])
        explain.add_argument("--title", help="read orders by this title's language; else stop at the new text")
        explain.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["door"] == "listen":
            self._be_a_server(options["listen"], options["lmtp"])
        elif options["door"] == "poll":
            self._poll(once=options["once"])
        elif options["door"] == "stuck":
            self._stuck(options["save"], again=options["again"])
        elif options["door"] == "explain":
            self._explain(options["mail"], options["answering"], options["title"], as_json=options["json"])
        else:
            self._deliver(options["to"], options["sender"])

    def _be_a_server(self, address: str, lmtp: str) -> None:
        try:
            asyncio.run(self._listen(address, lmtp))
        except (OSError, ValueError, OverflowError) as error:
            places = " and ".join(filter(None, (address, lmtp)))
            mend = "Name host:port, or for LMTP also a socket's path in a folder that there is."
            raise CommandError(f"Mail cannot be taken at {places}: {error}. {mend}") from error

    async def _listen(self, address: str, lmtp: str) -> None:
        host, colon, port = address.rpartition(":")
        if not colon:  # else it would listen on all addresses of this machine
            raise ValueError("no port is named")
        stop = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
        await doors.serve(host.strip("[]"), int(port), self._ready, stop, lmtp)

    def _ready(self, host: str, port: int) -> None:
        place = f"{host}:{port}" if port else host
        self.stdout.write(f"Mail is taken at {place} for {settings.POSTSPIEL_MAIL_DOMAIN}.")
        self.stdout.flush()

    def _poll(self, *, once: bool) -> None:
        places = imap.places()
        if not places:
            raise CommandError("POSTSPIEL_MAIL_IMAP names no mailbox. Set it to imaps://user:password@host/INBOX.")
        (self._look if once else self._follow)(places)

    def _look(self, places: Sequence[imap.Place]) -> None:
        failed = []
        for place in places:
            try:
                self.stdout.write(f"{place}: {imap.look(place)} new.")
            except imap.TROUBLE as error:
                failed.append(f"{place} cannot be read: {imap.said(error)}")
        if failed:
            raise CommandError("\n".join(failed), returncode=os.EX_TEMPFAIL)

    def _follow(self, places: Sequence[imap.Place]) -> None:
        stop = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stop.set())
        readers = [threading.Thread(target=imap.follow, args=(place, stop), daemon=True) for place in places]
        for place, reader in zip(places, readers, strict=True):
            self.stdout.write(f"Mail is read from {place}.")
            reader.start()
        self.stdout.flush()
        stop.wait()
        for reader in readers:
            reader.join(STOP_WITHIN)

    def _deliver(self, recipients: list[str], sender: str | None) -> None:
        """Exit codes as mail servers know them (sysexits.h): a sentence on standard error goes into the bounce."""
        raw = sys.stdin.buffer.read(caps.SIZE + 1)
        envelope_sender = mime.return_path(raw) if sender is None else sender
        try:
            caps.check(raw)
            known = all(map(addresses.accepts, recipients))
            if known:
                inbox.receive(raw, door="pipe", sender=envelope_sender, recipients=recipients, received=timezone.now())
        except caps.TooMuch as error:
            raise CommandError(f"{error}.", returncode=os.EX_DATAERR) from error
        except Exception as error:  # with any other code a mail server gives the mail up
            raise CommandError("The mail cannot be kept just now.", returncode=os.EX_TEMPFAIL) from error
        if not known:
            raise CommandError("No game or player has this address.", returncode=os.EX_NOUSER)

    def _stuck(self, folder: Path | None, *, again: bool) -> None:
        for row in selectors.stuck():
            if folder is not None:
                _save(folder / f"{row.pk}.eml", bytes(row.raw))
            became = "stuck" if not again else "read" if inbox.reread(row) else "failed again"
            self.stdout.write(f"{row.pk}, come in {row.received:%Y-%m-%d %H:%M} UTC: {became}. {row.reason}")

    def _explain(self, mail: Path, answering: Sequence[Path], slug: str | None, *, as_json: bool) -> None:
        try:
            title = registry.title(slug) if slug else None
        except registry.UnknownTitle as error:
            raise CommandError(str(error)) from error
        found = explaining.explain(_bytes(mail), answering=[_bytes(one) for one in answering], title=title)
        told = msgspec.json.format(msgspec.json.encode(found), indent=2).decode() if as_json else _in_words(found)
        self.stdout.write(told)


def _save(path: Path, raw: bytes) -> None:
    try:
        path.write_bytes(raw)
    except OSError as error:
        raise CommandError(
            f"{path} cannot be written: {error.strerror}. Name a folder that you may write to."
        ) from error


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(caps.SIZE + 1)
    except OSError as error:
        mend = "Name a file that holds one mail as it was sent, with its head."
        raise CommandError(f"{path} cannot be read: {error.strerror}. {mend}") from error


def _in_words(found: explaining.Explanation) -> str:
    orders = [f"  {one.line}: {one.text}" for one in found.orders]
    problems = [f"  {one.line}: {one.text}: {_reason(one)}" for one in found.problems]
    bounces = [f"  {one.address}: {one.action} {one.status}" for one in found.bounce or ()]
    parts = (
        ("New text", [f"  {line}" for line in found.new_text.split("\n")] if found.new_text else []),
        ("Orders", orders),
        ("Problems", problems),
        ("Bounces", bounces),
        ("Ignored", [f"  {line}" for line in found.ignored.split("\n")] if found.ignored else []),
    )
    said = [f"{found.verdict}: {found.reason}".rstrip(": ")]
    return "\n".join([*said, *(line for name, lines in parts if lines for line in (f"{name}:", *lines))])


def _reason(problem: explaining.Trouble) -> str:
    return f"{problem.reason} Perhaps: {problem.suggestion}" if problem.suggestion else problem.reason
