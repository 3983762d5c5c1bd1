"""The bell: a lone ring goes at once, a burst is gathered, nothing is lost, and nobody waits for the broker."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from celery import current_app
from celery.signals import worker_process_shutdown
from django.db import transaction
from kombu import Connection

from postspiel.config import environment
from postspiel.config.spool import register
from postspiel.mail import bell, outbox, services
from postspiel.mail.bell import MOST, Ring, Ringer, each, gathered
from postspiel.mail.models import Outgoing
from tests.support.server import ROOT

HOUR = 3600.0
SOON = 30.0
"""A bound for what other threads do at once; nobody waits so long."""

TASKS = ("mail.read", "mail.send", "play.advance", "reports.make")


class Broker:
    """Stands where the queue stands: keeps messages, may be slow or down."""

    def __init__(self) -> None:
        self.messages: SimpleQueue[tuple[int, ...]] = SimpleQueue()
        self.tried = 0
        self.down = False
        self.free = Event()
        self.free.set()

    def __call__(self, task: str, row_ids: tuple[int, ...], **options: object) -> None:
        self.tried += 1
        if self.down:
            raise ConnectionError("no broker")
        self.messages.put(row_ids)
        self.free.wait(SOON)

    def next(self) -> tuple[int, ...]:
        return self.messages.get(timeout=SOON)

    def rest(self) -> list[tuple[int, ...]]:
        return [self.messages.get_nowait() for _ in range(self.messages.qsize())]


@pytest.fixture
def broker() -> Iterator[Broker]:
    """The broker of this process's own bell."""
    found = Broker()
    with mock.patch("postspiel.mail.bell.current_app.send_task", found):
        yield found
        found.free.set()
        assert bell.flush(SOON)


def rings(*numbers: int, most: int = MOST) -> list[Ring]:
    return [Ring("mail.read", number, most) for number in numbers]


def test_messages_say_all_that_was_rung_in_order_and_nothing_twice() -> None:
    rung = [*rings(1, 2, 1), Ring("mail.send", 1), *rings(3), *rings(7, 8, most=1)]

    assert gathered(rung) == [
        ("mail.read", (1, 2, 3)),
        ("mail.send", (1,)),
        ("mail.read", (7,)),
        ("mail.read", (8,)),
    ]
    assert gathered([]) == []


def test_no_message_is_so_long_that_one_worker_has_it_all() -> None:
    messages = [ids for _task, ids in gathered(rings(*range(100)))]

    assert list(map(len, messages)) == [MOST] * 5
    assert list(chain(*messages)) == list(range(100))


def test_a_lone_ring_goes_at_once_and_a_burst_together() -> None:
    broker = Broker()
    ringer = Ringer(broker, span=HOUR)
    ringer.ring(*rings(0))
    assert broker.next() == (0,)

    for ring in rings(*range(1, 100)):
        ringer.ring(ring)
    assert ringer.flush(SOON)
    assert broker.rest() == [tuple(range(n, min(n + MOST, 100))) for n in range(1, 100, MOST)]


def test_a_burst_goes_out_by_itself_when_the_span_is_over() -> None:
    broker = Broker()
    ringer = Ringer(broker, span=0)
    for ring in rings(*range(100)):
        ringer.ring(ring)

    came: list[int] = []
    while len(came) < 100:
        came += broker.next()
    assert came == list(range(100))


def test_who_rings_never_waits_for_a_slow_broker_nor_does_an_end_for_ever() -> None:
    broker = Broker()
    broker.free.clear()
    ringer = Ringer(broker, span=0)
    ringer.ring(*rings(0))
    assert broker.next() == (0,)

    for ring in rings(1, 2, 3):
        ringer.ring(ring)
    assert not ringer.flush(0.01)
    assert broker.rest() == []
    broker.free.set()
    assert ringer.flush(SOON)
    assert broker.rest() == [(1, 2, 3)]


def test_a_broker_that_is_down_is_told_once_and_tried_again_later(caplog: pytest.LogCaptureFixture) -> None:
    broker = Broker()
    broker.down = True
    ringer = Ringer(broker, span=HOUR, after_failure=HOUR)
    for ring in rings(*range(100)):
        ringer.ring(ring)
    assert ringer.flush(SOON)
    ringer.flush(SOON)
    tried = broker.tried

    said = [record.getMessage() for record in caplog.records if record.name == bell.log.name]
    assert tried == len(said) <= 2
    assert all("no broker" in one and one.endswith("the sweep will see to them.") for one in said)
    broker.down = False
    ringer.ring(*rings(100))
    assert ringer.flush(SOON)
    assert broker.rest() == [(100,)]


def test_after_a_failure_the_broker_is_tried_by_itself() -> None:
    broker = Broker()
    broker.down = True
    ringer = Ringer(broker, span=HOUR, after_failure=0)
    ringer.ring(*rings(1))
    ringer.flush(SOON)
    broker.down = False
    ringer.ring(*rings(2))

    assert broker.next() == (2,)


def test_without_a_ring_there_is_nothing_to_flush() -> None:
    assert Ringer(Broker()).flush(0)


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_rings_nothing(broker: Broker) -> None:
    with transaction.atomic():
        bell.ring("mail.read", 1)
        transaction.set_rollback(True)
    with transaction.atomic():
        bell.ring("mail.read", 2)
        with transaction.atomic():
            bell.ring("mail.read", 3)
            transaction.set_rollback(True)
        bell.flush()
        assert broker.rest() == []
    bell.flush()
    assert broker.rest() == [(2,)]


@pytest.mark.django_db(transaction=True)
def test_what_is_held_reaches_no_queue(broker: Broker) -> None:
    with bell.held() as rung:
        bell.ring("mail.read", 1)
    bell.flush()

    assert list(rung) == [("mail.read", 1)]
    assert broker.rest() == []


@pytest.mark.django_db(transaction=True)
def test_a_process_of_a_pool_rings_before_it_ends(broker: Broker) -> None:
    for number in range(3):
        bell.ring("mail.read", number)
    worker_process_shutdown.send(sender=None)

    assert sorted(chain(*broker.rest())) == [0, 1, 2]


@pytest.mark.django_db
def test_one_bad_id_keeps_none_of_the_good_ones() -> None:
    called = []

    def service(row_id: int) -> bool:
        called.append(row_id)
        if row_id in (2, 4):
            raise ValueError(f"bad {row_id}")
        return row_id > 1

    with pytest.raises(ExceptionGroup) as raised:
        each(service, (1, 2, 3, 4, 5))
    assert called == [1, 2, 3, 4, 5]
    assert [(str(error), error.__notes__) for error in raised.value.exceptions] == [
        ("bad 2", ["The id was 2."]),
        ("bad 4", ["The id was 4."]),
    ]
    assert each(service, (1, 3, 5)) == 2


@pytest.mark.django_db
@pytest.mark.parametrize("task", TASKS)
def test_a_message_of_one_id_and_one_of_many_are_understood(task: str) -> None:
    """One id is what earlier versions sent, and what they understand of ours."""
    current_app.loader.import_default_modules()
    current_app.tasks[task](4711)
    current_app.tasks[task](4711, 4712, 4713)


@pytest.mark.django_db
def test_a_mail_that_breaks_its_sender_keeps_none_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [queued(number) for number in range(4)]
    take = outbox._Claim.take

    def broken(outgoing_id: int) -> Any:
        if outgoing_id == rows[1]:
            raise RuntimeError("broken")
        return take(outgoing_id)

    monkeypatch.setattr(outbox._Claim, "take", broken)
    current_app.loader.import_default_modules()
    with pytest.raises(ExceptionGroup):
        current_app.tasks["mail.send"](*rows)
    states = Outgoing.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["sent", "queued", "sent", "sent"]


@pytest.mark.django_db
def test_a_server_that_cannot_be_reached_is_tried_once_for_a_message(settings: Any) -> None:
    rows = [queued(number) for number in range(4)]
    settings.POSTSPIEL_SMTP = environment.smtp(urlsplit("smtp://mail.example.org"))
    with mock.patch("smtplib.SMTP", side_effect=OSError("no route")) as opened:
        assert services.send_each(rows) == 0
    assert opened.call_count == 1
    assert list(Outgoing.objects.order_by("pk").values_list("state", "attempts")) == [
        ("queued", 1),
        *[("queued", 0)] * 3,
    ]


def queued(number: int) -> int:
    services.queue(event=f"turn:{number}", kind="greeting", to=f"player{number}@example.com")
    return Outgoing.objects.get(event=f"turn:{number}").pk


type Run = Callable[..., list[tuple[int, ...]]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `ringing.py` until it ends; what lies in its queue then."""

    def ended(*arguments: str) -> list[tuple[int, ...]]:
        own = {"POSTSPIEL_DATA": str(tmp_path), "POSTSPIEL_BROKER": f"spool://{tmp_path}/spool"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("POSTSPIEL_")}
        script = str(ROOT / "tests" / "mail" / "ringing.py")
        subprocess.run([sys.executable, script, *arguments], env={**kept, **own}, check=True, timeout=SOON)
        return list(lying(tmp_path / "spool"))

    return ended


def lying(folder: Path) -> Iterator[tuple[int, ...]]:
    register()
    with Connection("spool://", transport_options={"folder": str(folder)}) as opened:
        queue = opened.SimpleQueue("celery")
        try:
            while True:
                message = queue.get_nowait()
                message.ack()
                yield tuple(message.payload[0])
        except Empty:
            return


@pytest.mark.once
@pytest.mark.whole
def test_a_command_that_ends_has_rung_all_before(run: Run) -> None:
    assert run("burst", "1", "1") == [(1,)]

    messages = run("burst", "1", "100")
    assert sorted(chain(*messages)) == list(range(1, 101))
    assert len(messages) <= 20


@pytest.mark.once
@pytest.mark.whole
def test_a_forked_process_rings_its_own_and_nothing_of_its_parents(run: Run) -> None:
    messages = run("fork")

    assert sorted(chain(*messages)) == list(range(1, 91))
    assert not [ids for ids in messages if min(ids) <= 60 < max(ids)]
