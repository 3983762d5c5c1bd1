"""The queue of a server on one machine: a folder of files, no broker to install.

It is kombu's `filesystem` transport with its two gaps closed. There a message becomes visible before it is written, so
that a reader may find an empty file and die; and a table of bindings is read while it is written. Here whatever becomes
visible is whole: it is written beside and put in place by one `os.replace`. A reader claims a message by one rename,
which only one reader wins. A file that is no message (a full disk, a lost page after a power cut) is set aside in
`broken/` and named in the log. See docs/decisions/0002-spool.md.

    spool/messages/  <9 - priority>-<time>-<random>.<queue>.msg: names sort by priority, then by age
    spool/claimed/   messages between claim and reading
    spool/beside/    files being written
    spool/broken/    files that were no messages
    spool/control/   which queues an exchange feeds
"""

import fcntl
import json
import logging
import os
import time
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any, ClassVar

from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.transport.filesystem import exchange_queue_t
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)

type Payload = dict[str, Any]

NAMES_AT_ONCE = 50  # a listing costs as much as the queue is long, so it serves for several messages


class Channel(filesystem.Channel):
    """Puts, claims and counts messages in the folder that the transport option `folder` names."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self._names: dict[str, deque[str]] = {}
        for name in ("messages", "claimed", "beside", "broken", "control"):
            self._folder(name).mkdir(parents=True, exist_ok=True)

    @property
    def data_folder_in(self) -> str:
        """Where the inherited counting and purging look."""
        return str(self._folder("messages"))

    @property
    def control_folder(self) -> Path:
        """Where the inherited naming of an exchange's file looks."""
        return self._folder("control")

    def _put(self, queue: str, payload: Payload, **kwargs: Any) -> None:  # type: ignore[override]
        urgency = self._get_message_priority(payload, reverse=True)
        name = f"{urgency}-{time.time_ns():020d}-{uuid.uuid4().hex}.{queue}.msg"
        self._write(self._folder("messages") / name, dumps(payload))

    def _get(self, queue: str, timeout: float | None = None) -> Payload:
        for name in self._pending(queue):
            payload = self._claim(name)
            if payload is not None:
                return payload
        raise Empty

    def _pending(self, queue: str) -> Iterator[str]:
        """Names of the queue's messages, most urgent first; those already claimed by others may be among them."""
        names = self._names.setdefault(queue, deque())
        if not names:
            names.extend(sorted(self._listed(queue))[:NAMES_AT_ONCE])
        while names:
            yield names.popleft()

    def _listed(self, queue: str) -> list[str]:
        return [name for name in os.listdir(self._folder("messages")) if name.partition(".")[2] == f"{queue}.msg"]  # noqa: PTH208

    def _claim(self, name: str) -> Payload | None:
        """The message called `name`; None if another reader has it or it is none."""
        claimed = self._folder("claimed") / name
        try:
            (self._folder("messages") / name).rename(claimed)
        except FileNotFoundError:
            return None
        payload = _message(claimed.read_bytes())
        if payload is None:
            claimed.rename(self._folder("broken") / name)
            log.error("The queue's file %s is no message; it lies in %s now.", name, self._folder("broken"))
            return None
        claimed.unlink()
        return payload

    def get_table(self, exchange: str) -> list[exchange_queue_t]:  # type: ignore[override]
        """The queues that `exchange` feeds."""
        try:
            return [exchange_queue_t(*row) for row in json.loads(self._exchange_file(exchange).read_bytes())]
        except FileNotFoundError:
            return []
        except (ValueError, TypeError):
            log.exception("The bindings of exchange %s cannot be read; this process goes by its own.", exchange)
            return [exchange_queue_t(*row) for row in virtual.Channel.get_table(self, exchange)]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        row = exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._locked():
            rows = self.get_table(exchange)
            if row not in rows:
                self._write(self._exchange_file(exchange), dumps([row, *rows]))

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any) -> None:
        virtual.Channel._delete(self, queue, *args, **kwargs)
        gone = exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._locked():
            rows = self.get_table(exchange)
            if gone in rows:
                self._write(self._exchange_file(exchange), dumps([row for row in rows if row != gone]))

    def _exchange_file(self, exchange: str) -> Path:
        return Path(super()._exchange_file(exchange))  # type: ignore[misc]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self._folder("control") / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, path: Path, text: str) -> None:
        beside = self._folder("beside") / uuid.uuid4().hex
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    def _folder(self, name: str) -> Path:
        return Path(self.transport_options["folder"]) / name


class Transport(filesystem.Transport):
    """What Celery finds behind `spool://`."""

    Channel = Channel
    driver_type = driver_name = "spool"
    polling_interval = 0.2
    states: ClassVar[dict[str, virtual.BrokerState]] = {}

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = self.states.setdefault(client.transport_options["folder"], virtual.BrokerState())


def register() -> None:
    """Make `spool://` known to kombu."""
    TRANSPORT_ALIASES["spool"] = "postspiel.config.spool:Transport"


def _message(raw: bytes) -> Payload | None:
    try:
        payload = loads(raw.decode())
        return payload if payload["properties"]["delivery_tag"] else None
    except (ValueError, KeyError, TypeError):
        return None
