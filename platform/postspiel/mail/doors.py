"""Doors in: the SMTP listener and what it shares with the pipe. A door says yes only when the bytes are committed."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from postspiel.mail import addresses, inbox
from postspiel.mail.reading import caps

log = logging.getLogger(__name__)

RECIPIENTS = 20
LINE = 1024 * 1024
IDLE = 120
COMMANDS = 200
THREADS = 4

LATER = "451 4.3.0 Something failed here that is not your fault; please try again later"


class Listener(SMTP):
    """The protocol. Long lines are taken: some programs write a paragraph as one line whatever RFC 5321 says."""

    line_length_limit = LINE

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


class Handler:
    """What the dialogue asks of us. Database calls run in threads of their own, with connections looked after."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "mail-door")

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
        await self._call(_keep, raw, envelope.mail_from or "", list(envelope.rcpt_tos))
        return "250 2.6.0 Kept"

    async def handle_exception(self, error: Exception) -> str:
        log.error("The SMTP door failed.", exc_info=error)
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


async def serve(host: str, port: int, ready: Callable[[str, int], None], stop: asyncio.Event) -> None:
    """Listen until `stop` is set; `ready` is told the address once connections are taken."""
    handler = Handler()
    server = await asyncio.get_running_loop().create_server(lambda: Listener(handler), host, port)
    try:
        ready(*_bound(server))
        await stop.wait()
    finally:
        server.close()
        await _finish()
        await asyncio.to_thread(handler.close)


async def _finish() -> None:
    """Give dialogues under way a moment, then break them off: a sender who got no yes sends again."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        _, slow = await asyncio.wait(others, timeout=1)
        for task in slow:
            task.cancel()


def _bound(server: asyncio.Server) -> tuple[str, int]:
    name: tuple[Any, ...] = server.sockets[0].getsockname()
    return str(name[0]), int(name[1])


def _keep(raw: bytes, sender: str, recipients: list[str]) -> None:
    inbox.receive(raw, door="smtp", sender=sender, recipients=recipients, received=timezone.now())
