"""What goes wrong in the run: one trouble every few seconds, drawn from a seed."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.chaos.processes import Processes
from tests.chaos.services import Database, Queue
from tests.chaos.sink import REFUSE

SINK_AWAY = 4.0
STEPS = (400.0, 400.0, 90.0, -60.0)
"""Seconds. The long step is past the lease of a mail, so that a killed worker's mail is taken up again."""


class Trouble:
    """All that can be done to a running server, and how often it was."""

    def __init__(self, processes: Processes, database: Database, queue: Queue, folder: Path, seed: int) -> None:
        self.processes, self.database, self.queue, self.folder = processes, database, queue, folder
        self.random = Random(seed)
        self.offset = 0.0
        self.refuses_until = 0.0
        self.done: Counter[str] = Counter()
        self.kinds: dict[str, tuple[int, Callable[[], None]]] = {
            "worker killed": (6, lambda: processes.kill(self.random.choice(("worker-1", "worker-2")))),
            "clock process killed": (1, lambda: processes.kill("clock")),
            "door killed": (2, lambda: processes.kill("door")),
            "sink killed": (2, lambda: processes.kill("sink", SINK_AWAY)),
            "sink refuses": (2, self.refuse),
            "queue emptied": (2, queue.empty),
            "queue killed": (1, queue.restart),
            "database restarted": (1, database.restart),
            "clock stepped": (3, lambda: self.step(self.random.choice(STEPS))),
        }

    def one(self) -> None:
        """Make one trouble; a process that is away already is left alone."""
        names = [name for name, (weight, _act) in self.kinds.items() for _time in range(weight)]
        name = self.random.choice(names)
        if name.endswith("killed") and self.processes.away:
            return
        self.kinds[name][1]()
        self.done[name] += 1

    def each(self) -> None:
        """Make every trouble once, so that none is missing in a short run."""
        for name, (_weight, act) in self.kinds.items():
            if self.processes.away:
                time.sleep(1.2)
                self.processes.tend()
            act()
            self.done[name] += 1
            time.sleep(0.7)

    def refuse(self) -> None:
        """Have the sink put off all mail for some seconds."""
        (self.folder / REFUSE).touch()
        self.refuses_until = time.monotonic() + 5

    def tend(self) -> None:
        """End what lasts for some seconds only."""
        self.done["ended by themselves"] += self.processes.tend()
        if time.monotonic() > self.refuses_until:
            (self.folder / REFUSE).unlink(missing_ok=True)

    def step(self, seconds: float) -> None:
        """Step the server's clock, never back behind its start."""
        self.offset = max(0.0, self.offset + seconds)
        path = self.folder / "offset"
        path.with_suffix(".new").write_text(str(self.offset))
        path.with_suffix(".new").replace(path)
