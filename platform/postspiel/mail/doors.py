"""Doors in: the SMTP and LMTP listeners. A door says yes only when the bytes are committed."""

import asyncio
import ipaddress
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from postspiel.mail import addresses, inbox
from postspiel.mail.reading import caps

log = logging.getLogger(__name__)

RECIPIENTS = 20
IDLE = 120
COMMANDS = 200
THREADS = 4
RATE, RATE_TIME = 60, 60
"""Mails that one client may bring in so many seconds. Our own machine may bring more: it passes on everybody's."""

CLIENTS = 10_000

LATER = "451 4.3.0 Something failed here that is not your fault; please try again later"


class Listener(SMTP):
    """The protocol. Long lines are taken: some programs write a paragraph as one line whatever RFC 5321 says."""

    line_length_limit = caps.SIZE

    def __init__(self, handler: "Handler") -> None:
        super().__init__(
            handler,
            data_size_limit=caps.SIZE,
            enable_SMTPUTF8=True,
            hostname=settings.POSTSPIEL_MAIL_DOMAIN,
            ident="Postspiel",
            timeout=IDLE,
            command_call_limit={"*": COMMANDS},
        )


class LmtpListener(Listener, LMTP):
    """The same in LMTP (RFC 2033), for a mail server of the host's: after the data, one answer for each recipient."""

    _answers = 0

    async def push(self, status: AnyStr) -> None:
        """Say something; what follows "354" (go on with the data) is said once for each recipient."""
        for _answer in range(self._answers or 1):
            await super().push(status)
        recipients: list[str] = getattr(self.envelope, "rcpt_tos", [])
        self._answers = len(recipients) if "354" in str(status)[:5] else 0


class Rate:
    """How many mails a client brought lately. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, deque[float]] = {}

    def allows(self, client: str) -> bool:
        """Count one more mail; whether it is not too many."""
        if _is_here(client):
            return True
        now = self._clock()
        if len(self._seen) > CLIENTS:
            self._seen.clear()
        times = self._seen.setdefault(client, deque())
        while times and times[0] <= now - RATE_TIME:
            times.popleft()
        if len(times) >= RATE:
            return False
        times.append(now)
        return True


def _is_here(client: str) -> bool:
    """Whether a client is this machine: a Unix socket has no address."""
    try:
        return ipaddress.ip_address(client.partition("%")[0]).is_loopback
    except ValueError:
        return True


class Handler:
    """What the dialogue asks of us. Database calls run in threads of their own, with connections looked after."""

    def __init__(self, door: str, rate: Rate | None = None) -> None:
        self._door = door
        self._rate = rate or Rate()
        self._threads = ThreadPoolExecutor(THREADS, "mail-door")

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server
        peer: object = session.peer
        if not self._rate.allows(str(peer[0]) if isinstance(peer, tuple) else ""):
            return "451 4.7.1 Too many mails from you; please try again later"
        envelope.mail_from, envelope.mail_options = address, [*options]
        return "250 2.1.0 Ok"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's names
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        if not addresses.is_ours(address):
            return "550 5.7.1 This server takes mail for its own games only"
        if not await self._call(addresses.accepts, address):
            return "550 5.1.1 No game or player has this address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        del server, session
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        try:
            caps.check(raw)
        except caps.TooMuch as error:
            return f"552 5.3.4 {error}"
        try:
            await self._call(_keep, raw, self._door, envelope.mail_from or "", list(envelope.rcpt_tos))
        except Exception as error:
            return await self.handle_exception(error)
        return "250 2.6.0 Kept"

    async def handle_exception(self, error: Exception) -> str:
        log.error("The %s door failed.", self._door.upper(), exc_info=error)
        return LATER

    async def _call[**P, T](self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        def run() -> T:
            close_old_connections()
            try:
                return function(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    def close(self) -> None:
        """Wait for calls under way."""
        self._threads.shutdown()


async def serve(host: str, port: int, ready: Callable[[str, int], None], stop: asyncio.Event, lmtp: str = "") -> None:
    """Listen until `stop` is set; `ready` is told each address once connections are taken.

    `lmtp` is where LMTP is spoken too: host:port, or the path of a Unix socket; "" is nowhere.
    """
    loop = asyncio.get_running_loop()
    handlers = [Handler("smtp"), *([Handler("lmtp")] if lmtp else [])]
    servers = [await loop.create_server(lambda: Listener(handlers[0]), host, port)]
    try:
        if lmtp:
            servers.append(await _listen_lmtp(loop, handlers[1], lmtp))
        for server in servers:
            ready(*_bound(server))
        await stop.wait()
    finally:
        for server in servers:
            server.close()
        await _finish()
        for handler in handlers:
            await asyncio.to_thread(handler.close)


async def _listen_lmtp(loop: asyncio.AbstractEventLoop, handler: Handler, place: str) -> asyncio.Server:
    if "/" in place:
        await asyncio.to_thread(Path(place).unlink, missing_ok=True)  # a killed listener leaves it behind
        server = await loop.create_unix_server(lambda: LmtpListener(handler), place)
        # Mail servers run as somebody else. Who may reach the socket is said by the folder that it lies in.
        await asyncio.to_thread(Path(place).chmod, 0o666)
        return server
    host, _, port = place.rpartition(":")
    return await loop.create_server(lambda: LmtpListener(handler), host.strip("[]"), int(port))


async def _finish() -> None:
    """Give dialogues under way a moment, then break them off: a sender who got no yes sends again."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        _, slow = await asyncio.wait(others, timeout=1)
        for task in slow:
            task.cancel()


def _bound(server: asyncio.Server) -> tuple[str, int]:
    name: tuple[Any, ...] | str = server.sockets[0].getsockname()
    return (name, 0) if isinstance(name, str) else (str(name[0]), int(name[1]))


def _keep(raw: bytes, door: str, sender: str, recipients: list[str]) -> None:
    inbox.receive(raw, door=door, sender=sender, recipients=recipients, received=timezone.now())
