"""The queue made of files: nothing lost, nothing doubled, nothing killed by a bad file."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection
from kombu.simple import SimpleQueue

from postspiel.config.spool import Transport, register

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = int(os.environ.get("SPOOL_MESSAGES", "600"))
PRODUCERS, CONSUMERS = 3, 2


def process(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    path = f"{ROOT / 'platform'}{os.pathsep}{ROOT}"
    command = [sys.executable, str(ROOT / "tests/house/spool_process.py"), str(folder), *arguments]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def ready(consumer: subprocess.Popen[str]) -> bool:
    assert consumer.stdout is not None
    return consumer.stdout.readline() == "ready\n"


def connection(folder: Path) -> Connection:
    register()
    return Connection("spool://", transport_options={"folder": str(folder)})


def queue(opened: Connection) -> SimpleQueue:
    return opened.SimpleQueue("orders")


def next_name(waiting: SimpleQueue) -> str:
    message = waiting.get_nowait()
    message.ack()
    return str(message.payload["name"])


@pytest.mark.once
@pytest.mark.whole
def test_three_producers_and_two_consumers_lose_and_double_nothing(tmp_path: Path) -> None:
    """The full count of 6,000 runs by `make spool-full`."""
    consumers = [process(tmp_path, "take") for _ in range(CONSUMERS)]
    assert all(map(ready, consumers))
    broken = tmp_path / "messages" / "0-0-empty.orders.msg"
    broken.touch()
    (broken.parent / "0-1-half.orders.msg").write_text('{"body": "eyJ', encoding="utf-8")
    (broken.parent / "0-2-other.orders.msg").write_text('["no message"]', encoding="utf-8")
    began = time.monotonic()
    producers = [process(tmp_path, "put", f"p{n}", str(MESSAGES // PRODUCERS)) for n in range(PRODUCERS)]
    for producer in producers:
        producer.communicate(timeout=300)
    shares = [consumer.communicate(timeout=300)[0].split() for consumer in consumers]
    print(f"{MESSAGES} messages in {time.monotonic() - began:.1f} s, shares {[len(share) for share in shares]}")

    assert [end.returncode for end in (*producers, *consumers)] == [0] * (PRODUCERS + CONSUMERS)
    assert Counter(name for share in shares for name in share) == Counter(
        f"p{n}-{number}" for n in range(PRODUCERS) for number in range(MESSAGES // PRODUCERS)
    )
    assert all(shares), "both consumers took part"
    assert sorted(path.name[:3] for path in (tmp_path / "broken").iterdir()) == ["0-0", "0-1", "0-2"]
    assert not [*(tmp_path / "messages").iterdir(), *(tmp_path / "claimed").iterdir(), *(tmp_path / "beside").iterdir()]


def test_the_urgent_come_first_and_the_old_before_the_new(tmp_path: Path) -> None:
    with connection(tmp_path) as opened:
        waiting = queue(opened)
        for name, priority in (("old", 0), ("new", 0), ("urgent", 9)):
            waiting.put({"name": name}, priority=priority)

        assert waiting.qsize() == 3
        assert [next_name(waiting) for _ in range(3)] == ["urgent", "old", "new"]
        with pytest.raises(Empty):
            waiting.get_nowait()


def test_what_was_taken_but_never_acknowledged_comes_back_when_its_reader_leaves(tmp_path: Path) -> None:
    with connection(tmp_path) as opened:
        waiting = queue(opened)
        waiting.put({"name": "kept"})
        waiting.get_nowait()
        assert waiting.qsize() == 0

    with connection(tmp_path) as opened:
        assert next_name(queue(opened)) == "kept"


def test_a_queue_is_emptied_without_touching_its_neighbour(tmp_path: Path) -> None:
    with connection(tmp_path) as opened:
        waiting, neighbour = queue(opened), opened.SimpleQueue("others")
        waiting.put({"name": "one"})
        neighbour.put({"name": "two"})

        assert waiting.clear() == 1
        assert (waiting.qsize(), neighbour.qsize()) == (0, 1)


def test_a_broken_table_of_bindings_loses_no_message_and_is_written_anew(tmp_path: Path) -> None:
    with connection(tmp_path) as opened:
        waiting = queue(opened)
        (table,) = (tmp_path / "control").glob("*.exchange")
        table.write_text("", encoding="utf-8")
        waiting.put({"name": "through"})
        assert next_name(waiting) == "through"

    Transport.states.clear()  # what a new process knows
    with connection(tmp_path) as opened:
        queue(opened)
    assert b"orders" in table.read_bytes()
