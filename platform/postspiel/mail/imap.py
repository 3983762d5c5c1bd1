"""The IMAP door: mailboxes at a provider, read over connections that stay open (IDLE, RFC 2177).

A mail is known by account, folder, UIDVALIDITY and UID (RFC 3501, 2.3.1.1); that row and the mail are one transaction,
and only then is the mail marked as seen, or moved. A door that dies in between finds the row and marks it then. When a
server gives its UIDs anew, everything in the folder is read again, and `inbox.receive` knows the mails themselves.
"""

import imaplib
import logging
import re
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import QuerySet
from django.utils import timezone
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxTaggedResponseError

from postspiel.mail import addresses, inbox
from postspiel.mail.letters import one_line
from postspiel.mail.models import Fetched, Looked
from postspiel.mail.reading import caps, mime

log = logging.getLogger(__name__)

TIMEOUT = 60
"""Seconds that a server may be silent in the middle of an answer."""

WAIT = 60
"""Seconds after which a folder is looked at again though nothing was announced; not every server announces all."""

SLICE = 0.5
PAUSES = (5, 10, 20, 40, 80, 160, 300)
"""Seconds between attempts to come back to a server; the last one stays."""

RECIPIENTS = 20

AWAY = (OperationalError, InterfaceError)
"""What a database raises that is not there, as opposed to one that will not have this mail."""

TROUBLE = (OSError, imaplib.IMAP4.error, ImapToolsError, *AWAY)

_NAMING = ("delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@]{1,64}@[^\s<>,;:\"()\[\]@]{1,255}")
_RECEIVED = re.compile(rb'INTERNALDATE "([^"]{20,30})"')


@dataclass(frozen=True, slots=True)
class Place:
    """One folder of a mailbox, as `POSTSPIEL_MAIL_IMAP` names it. `move` is where read mail goes; "": it stays."""

    host: str
    port: int
    security: Literal["none", "starttls", "tls"]
    username: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    move: str = ""

    @property
    def account(self) -> str:
        """Whose mailbox it is, and where."""
        return f"{self.username} at {self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.folder} of {self.account}"


def places() -> list[Place]:
    """The folders that the host has set."""
    return [Place(**options) for options in settings.POSTSPIEL_IMAP]


def look(place: Place) -> int:
    """Take in what is new in a folder; how many mails were.

    Raises one of `TROUBLE` if the mail server or the database is away: what was not kept is still unseen there.
    """
    with _opened(place) as folder:
        return folder.take()


def follow(place: Place, stop: threading.Event) -> None:
    """Take in what comes to a folder until `stop` is set, and come back to its server whatever happens."""
    failures = 0
    while not stop.is_set():
        try:
            with _opened(place) as folder:
                while not stop.is_set():
                    _take_in(folder)
                    failures = 0
                    folder.wait(stop)
        except Exception as error:
            pause = PAUSES[min(failures, len(PAUSES) - 1)]
            failures += 1
            log.warning(
                "%s cannot be read (%s); tried again in %s s.",
                *(place, said(error), pause),
                exc_info=None if isinstance(error, TROUBLE) else error,
            )
            stop.wait(pause)


def _take_in(folder: "_Folder") -> None:
    """Take in what is new, with a database connection that holds no longer than it lives."""
    close_old_connections()
    try:
        folder.take()
    finally:
        close_old_connections()


def said(error: Exception) -> str:
    """What a server or a database said, in one line."""
    return one_line(str(error))[:200] or type(error).__name__


@contextmanager
def opened(place: Place) -> Iterator[BaseMailBox]:
    """A connection that is signed in, with the folder selected."""
    box = _connected(place)
    try:
        sign_in = box.login if (place.username + place.password).isascii() else box.login_utf8
        sign_in(place.username, place.password, place.folder)
        _learn_capabilities(box)
        yield box
    finally:
        with suppress(OSError, imaplib.IMAP4.error, ImapToolsError):
            box.logout()
        with suppress(OSError):
            box.client.shutdown()


def _connected(place: Place) -> BaseMailBox:
    if place.security == "none":
        return MailBoxUnencrypted(place.host, place.port, TIMEOUT)
    kind = MailBox if place.security == "tls" else MailBoxStartTls
    return kind(place.host, place.port, TIMEOUT, ssl_context=ssl.create_default_context())


def _learn_capabilities(box: BaseMailBox) -> None:
    """Ask again what the server can do: many tell the half of it before somebody signs in."""
    _status, answer = box.client.capability()
    box.client.capabilities = tuple(b" ".join(filter(None, answer)).decode("ascii", "replace").upper().split())


@contextmanager
def _opened(place: Place) -> Iterator["_Folder"]:
    with opened(place) as box:
        yield _Folder(place, box)


class _Folder:
    """A selected folder."""

    def __init__(self, place: Place, box: BaseMailBox) -> None:
        self._place, self._box = place, box
        _code, validity = box.client.response("UIDVALIDITY")
        self._validity = int(validity[0])
        self._broken: set[int] = set()

    def take(self) -> int:
        """Keep each mail that is not kept yet, and mark those that are; how many were new."""
        began = timezone.now()
        self._heard_meanwhile()
        found = self._candidates()
        kept = set(self._rows().filter(uid__gte=min(found, default=0)).values_list("uid", flat=True))
        new = sum(self._take(uid, known=uid in kept) for uid in found)
        account, folder = self._place.account, self._place.folder
        Looked.objects.update_or_create(account=account, folder=folder, defaults={"at": began})
        return new

    def wait(self, stop: threading.Event) -> None:
        """Wait until the server announces something, or it is time to look anyway."""
        if self._heard_meanwhile():
            return
        if "IDLE" not in self._box.client.capabilities:
            stop.wait(WAIT)
            return
        until = time.monotonic() + WAIT
        with suppress(MailboxTaggedResponseError):  # it announces something instead of "go on"
            self._box.idle.start()  # type: ignore[no-untyped-call]
            while not stop.is_set() and time.monotonic() < until and not self._announced():
                pass
        self._box.idle.stop()  # type: ignore[no-untyped-call]

    def _heard_meanwhile(self) -> bool:
        """Whether mail was announced in the answer to another command; it is not announced again."""
        return self._box.client.response("EXISTS")[1] != [None]

    def _announced(self) -> bool:
        began = time.monotonic()
        lines = self._box.idle.poll(SLICE)
        if not lines and time.monotonic() - began < SLICE / 2:
            raise ConnectionError("The server closed the connection")
        return bool(lines)

    def _candidates(self) -> list[int]:
        """The UIDs to look at: what nobody has seen, and what came since the last look and somebody else has opened."""
        newest = self._rows().order_by("-uid").values_list("uid", flat=True).first() or 0
        criteria = "ALL" if self._place.move else f"OR UNSEEN UID {newest + 1}:*"
        return sorted({int(uid) for uid in self._box.uids(criteria, charset=None)} - self._broken)

    def _take(self, uid: int, *, known: bool) -> int:
        """Keep one mail. One that cannot be kept stays unseen, is named in the log, and stops no other."""
        try:
            new = 0 if known else self._keep(uid)
            if new is not None:
                self._mark(uid)
            return new or 0
        except (*AWAY, OSError, imaplib.IMAP4.abort):
            raise
        except Exception:
            log.exception("Mail %s in %s could not be kept; it stays there unseen.", uid, self._place)
            self._broken.add(uid)
            return 0

    def _keep(self, uid: int) -> int | None:
        """Commit one mail; whether it was new, or None if it is gone from the folder."""
        fetched = self._fetch(uid)
        if fetched is None:
            return None
        raw, received = fetched
        with transaction.atomic():
            _row, new = self._rows().get_or_create(
                account=self._place.account,
                folder=self._place.folder,
                validity=self._validity,
                uid=uid,
                defaults={"at": timezone.now()},
            )
            if new:
                inbox.receive(
                    raw, door="imap", sender=mime.return_path(raw), recipients=recipients(raw), received=received
                )
        return int(new)

    def _fetch(self, uid: int) -> tuple[bytes, datetime] | None:
        """The bytes of a mail, of one too large as many as show that, and when its server took it in."""
        parts = _must(self._box.client.uid("FETCH", str(uid), f"(INTERNALDATE BODY.PEEK[]<0.{caps.SIZE + 1}>)"))
        raw = next((part[1] for part in parts if isinstance(part, tuple)), None)
        if raw is None:
            return None
        head = b" ".join(part[0] if isinstance(part, tuple) else part for part in parts if part)
        return raw, min(_moment(head), timezone.now())

    def _mark(self, uid: int) -> None:
        if not self._place.move:
            _must(self._box.client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)"))
        elif "MOVE" in self._box.client.capabilities:
            self._box.move(str(uid), self._place.move)
        else:
            raise ConnectionError("This server cannot move mail; leave out ?move= in POSTSPIEL_MAIL_IMAP")

    def _rows(self) -> QuerySet[Fetched]:
        return Fetched.objects.filter(account=self._place.account, folder=self._place.folder, validity=self._validity)


def recipients(raw: bytes) -> list[str]:
    """Whom a mail in the server's mailbox is for: all addresses of ours in its head that are or were in force.

    Where the head names none, it is the server's own: somebody wrote to the mailbox. The head may name more than the
    envelope did; whoever knows an address may write to it anyway.
    """
    found = [one for one in _named(raw) if addresses.find(one) is not None]
    return found[:RECIPIENTS] or [addresses.own()]


def _named(raw: bytes) -> Sequence[str]:
    try:
        head = mime.read(caps.head(raw) + b"\r\n\r\n", ours=True).headers
        values = " ".join(value for name in _NAMING for value in mime.headers(head, name))
    except Exception:
        log.exception("The head of a mail could not be read; it counts as one to the server's own address.")
        return []
    return list(dict.fromkeys(one.lower() for one in _ADDRESS.findall(values) if addresses.has_token(one)))


def _moment(head: bytes) -> datetime:
    """INTERNALDATE (RFC 3501, 2.3.3): when the mail server took the mail in."""
    found = _RECEIVED.search(head)
    if found is None:
        raise ValueError("The mail server did not say when it took the mail in")
    return datetime.strptime(found[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)


def _must(answer: tuple[str, list[bytes | tuple[bytes, bytes] | None]]) -> list[bytes | tuple[bytes, bytes] | None]:
    status, parts = answer
    if status != "OK":
        raise ImapToolsError(f"The mail server says {status}: {parts}")
    return parts
