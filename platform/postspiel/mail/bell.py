"""Ringing the queue: a task is told an id once the transaction is committed. The sweep finds whatever was not rung."""

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)

type Rung = deque[tuple[str, int]]

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


def ring(task: str, row_id: int) -> None:
    """Have `task` called with `row_id` soon after the commit."""
    transaction.on_commit(partial(_ring, task, row_id), robust=True)


def _ring(task: str, row_id: int) -> None:
    if (rung := _held.get()) is not None:
        rung.append((task, row_id))
        return
    try:
        current_app.send_task(task, (row_id,), retry=False, ignore_result=True)
    except Exception as error:
        log.warning("The queue was not reached for %s %s (%s); the sweep will see to it.", task, row_id, error)
