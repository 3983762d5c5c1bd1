"""Ringing the queue: a task is told ids once the transaction is committed. The sweep finds whatever was not rung.

A message costs more than all else that a ring does, so a burst shares messages. A thread sends them, so that nobody
waits for the broker. See docs/decisions/0009-gathered-rings.md.
"""

import atexit
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import batched
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import NamedTuple

from celery import current_app
from celery.signals import worker_process_shutdown
from django.db import close_old_connections, connection, transaction

log = logging.getLogger(__name__)

SPAN = 0.05
"""Seconds for which rings are gathered after a message."""

AFTER_FAILURE = 5.0
"""Seconds until the broker is tried again that was not reached."""

MOST = 20
"""So many ids go into one message, so that several workers share a burst."""

EXIT_WITHIN = 5.0
"""Seconds that a process which ends gives the broker for its last rings."""

FORK_WITHIN = 1.0
"""Seconds that a fork waits for the same: a child must not be made while a thread is in the midst of sending."""

type Rung = deque[tuple[str, int]]
type Message = tuple[str, tuple[int, ...]]
type Send = Callable[[str, tuple[int, ...]], object]

_held: ContextVar[Rung | None] = ContextVar("held", default=None)


@contextmanager
def held() -> Iterator[Rung]:
    """Keep the queue out of it: what is rung meanwhile is handed to the caller, who does it himself."""
    rung: Rung = deque()
    token = _held.set(rung)
    try:
        yield rung
    finally:
        _held.reset(token)


def ring(task: str, row_id: int, *, most: int = MOST) -> None:
    """Have `task` called with `row_id` soon after the commit; in a burst with others, `most` of them at once."""
    transaction.on_commit(partial(_ring, Ring(task, row_id, most)), robust=True)


def flush(within: float = EXIT_WITHIN) -> bool:
    """Have out what was rung so far; False if that takes longer than `within` seconds. A process ends with it."""
    out = _ringer.flush(within)
    if not out:
        log.warning("The queue did not answer within %s s; the sweep will see to what was rung last.", within)
    return out


def each(service: Callable[[int], object], row_ids: Iterable[int]) -> int:
    """Call a service for each id that was rung; how often it said yes. One that raises keeps none of the others.

    Raises an `ExceptionGroup` of what was raised, each with its id, when all were called.
    """
    errors: list[Exception] = []
    said = [_told(service, row_id, errors) for row_id in row_ids]
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(said)} rings came to nothing", errors)
    return sum(map(bool, said))


class Ring(NamedTuple):
    """What is to be rung, and how many of its kind may share a message."""

    task: str
    row_id: int
    most: int = MOST


def gathered(rung: Iterable[Ring]) -> list[Message]:
    """The messages that say all that was rung, in its order, and nothing twice."""
    ids: dict[tuple[str, int], dict[int, None]] = {}
    for one in rung:
        ids.setdefault((one.task, one.most), {})[one.row_id] = None
    return [(task, some) for (task, most), row_ids in ids.items() for some in batched(row_ids, most)]


class Ringer:
    """A thread that sends what is rung: at once after a silence, else all together when the span is over.

    It begins with the first ring of a process; a forked process has none of its parent's.
    """

    def __init__(self, send: Send, span: float = SPAN, after_failure: float = AFTER_FAILURE) -> None:
        self._send, self._span, self._after_failure = send, span, after_failure
        self.begin()

    def begin(self) -> None:
        """Begin with nothing rung and no thread."""
        self._rung: SimpleQueue[Ring | Event] = SimpleQueue()
        self._hurry = Event()
        self._starting = Lock()
        self._thread: Thread | None = None

    def ring(self, rung: Ring) -> None:
        """Have it sent; never waits for the broker."""
        self._rung.put(rung)
        if self._thread is None:
            self._start()

    def flush(self, within: float) -> bool:
        """Have out what was rung before; False if that takes longer than `within` seconds."""
        if self._thread is None:
            return True
        out = Event()
        self._rung.put(out)
        self._hurry.set()
        return out.wait(within)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = Thread(target=self._run, name="bell", daemon=True)
                thread.start()
                self._thread = thread

    def _run(self) -> None:
        while True:
            rung = [self._rung.get(), *self._waiting()]
            messages = gathered(one for one in rung if isinstance(one, Ring))
            reached = self._send_all(messages)
            for one in rung:
                if isinstance(one, Event):
                    one.set()
            if messages:
                self._hurry.wait(self._span if reached else self._after_failure)
            self._hurry.clear()

    def _waiting(self) -> Iterator[Ring | Event]:
        try:
            while True:
                yield self._rung.get_nowait()
        except Empty:
            return

    def _send_all(self, messages: Sequence[Message]) -> bool:
        """Send messages up to one that fails: the others would only wait for the same broker."""
        for number, message in enumerate(messages):
            try:
                self._send(*message)
            except Exception as error:
                unsent = sum(len(ids) for _task, ids in messages[number:])
                log.warning(
                    "The queue was not reached (%s); %s rings are dropped, and the sweep will see to them.",
                    error,
                    unsent,
                )
                return False
        return True


def _ring(rung: Ring) -> None:
    if (kept := _held.get()) is not None:
        kept.append((rung.task, rung.row_id))
    else:
        _ringer.ring(rung)


def _message(task: str, row_ids: tuple[int, ...]) -> None:
    # What is shown of the ids Celery finds out by itself otherwise, which is a fifth of its work.
    current_app.send_task(task, row_ids, retry=False, ignore_result=True, argsrepr=str(row_ids), kwargsrepr="{}")


def _told(service: Callable[[int], object], row_id: int, errors: list[Exception]) -> object:
    try:
        return service(row_id)
    except Exception as error:
        error.add_note(f"The id was {row_id}.")
        errors.append(error)
        if not connection.in_atomic_block:
            close_old_connections()  # the next one must not meet a connection that broke
        return None


_ringer = Ringer(_message)
os.register_at_fork(before=partial(flush, FORK_WITHIN), after_in_child=_ringer.begin)
atexit.register(flush)
# A pool's process ends without `atexit`.
worker_process_shutdown.connect(lambda **_about: flush(), weak=False)
