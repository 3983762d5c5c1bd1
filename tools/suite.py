"""Run the whole suite: on SQLite with the spool, and once more on PostgreSQL with Redis where they can be reached.

`POSTSPIEL_TEST_SERVICES` says what to do with the second run: `auto` (the default) leaves it out with a visible reason
if a service cannot be reached, `required` fails then, `no` leaves it out. Where they are is said by
`POSTSPIEL_TEST_DATABASE` and `POSTSPIEL_TEST_BROKER`. Arguments are handed on to pytest.
"""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import redis

DATABASE = os.environ.get("POSTSPIEL_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")
BROKER = os.environ.get("POSTSPIEL_TEST_BROKER", "redis://127.0.0.1:6379/5")
SERVICES = os.environ.get("POSTSPIEL_TEST_SERVICES", "auto")


def main(arguments: list[str]) -> int:
    """Run both; the first failure ends it."""
    print("Tests on SQLite with the spool:", flush=True)
    failed = pytest(arguments, {"POSTSPIEL_DATABASE": "", "POSTSPIEL_BROKER": ""})
    return failed or again_on_services(arguments)


def again_on_services(arguments: list[str]) -> int:
    """The second run, or why there is none."""
    reason = "POSTSPIEL_TEST_SERVICES is `no`" if SERVICES == "no" else unreachable()
    if not reason:
        print("Tests on PostgreSQL with Redis (all that knows of a database or a queue):", flush=True)
        return pytest(["-m", "not browser and not pure and not once", *arguments], ours())
    print(f"NOT RUN on PostgreSQL with Redis: {reason}.", flush=True)
    return 1 if SERVICES == "required" else 0


def ours() -> dict[str, str]:
    """Addresses of a database and a queue that no other run on this machine uses at the same time."""
    database = urlsplit(DATABASE)._replace(path=f"/postspiel_{os.getpid()}")
    broker = urlsplit(BROKER)._replace(path=f"/{4 + 2 * (os.getpid() % 6)}")
    return {"POSTSPIEL_DATABASE": database.geturl(), "POSTSPIEL_BROKER": broker.geturl()}


def unreachable() -> str:
    """Why PostgreSQL or Redis cannot be used; empty if both can."""
    try:
        psycopg.connect(DATABASE, connect_timeout=3).close()
        redis.Redis.from_url(BROKER, socket_connect_timeout=3).ping()
    except (psycopg.Error, redis.RedisError) as error:
        return " ".join(str(error).split())
    return ""


def pytest(arguments: list[str], environment: dict[str, str]) -> int:
    """One run of pytest on two processes."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "-q", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
