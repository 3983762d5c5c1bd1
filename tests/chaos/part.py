"""A part of the server whose clock can be stepped: `python -m tests.chaos.part OFFSET_FILE MODULE ARGUMENTS...`.

The file holds seconds to add to the clock; it is read at every look at the clock.
"""

import runpy
import sys
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

REAL = timezone.now


def shift(offsets: Path) -> None:
    """Have this process read its clock through the file."""

    def now() -> datetime:
        return REAL() + timedelta(seconds=float(offsets.read_text() or 0))

    timezone.now = now


if __name__ == "__main__":
    shift(Path(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
