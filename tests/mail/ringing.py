"""Processes that ring and end, run by test_bell.py on the database and the queue that the environment names.

ringing.py burst FIRST LAST    ring for each number from FIRST to LAST, and end
ringing.py fork                ring for 1 to 30, fork, ring for 31 to 60 here and for 61 to 90 in the child, and end
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def burst(first: int, last: int) -> None:
    from postspiel.mail.bell import ring

    for number in range(first, last + 1):
        ring("mail.read", number)


def fork() -> None:
    from django.db import connection

    burst(1, 30)
    connection.close()  # a child must not inherit it
    if child := os.fork():
        burst(31, 60)
        assert os.waitpid(child, 0)[1] == 0
    else:
        burst(61, 90)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")
    import django

    django.setup()
    if sys.argv[1] == "fork":
        fork()
    else:
        burst(*map(int, sys.argv[2:]))
