"""The parts of a server: which processes it is made of, and what they get."""

from __future__ import annotations

import os
import socket
import sys

from django.conf import settings

from postspiel.config.supervisor import Part

WEB = ("--worker-class", "gthread", "--workers", "1", "--threads", "8", "--access-logfile", "-", "--no-control-socket")
WORKER = ("--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat")


def all_parts() -> dict[str, Part]:
    """The processes of a server. The clock is one of its own, so that it is missed when it is gone."""
    run = (sys.executable, "-m")
    celery = (*run, "celery", "-A", "postspiel.config")
    manage = str(settings.BASE_DIR / "manage.py")
    commands = {
        "web": (*run, "gunicorn", "postspiel.config.wsgi", "--bind", settings.POSTSPIEL_LISTEN, *WEB),
        "worker": (*celery, "worker", "--loglevel", "INFO", *WORKER),
        "clock": (*celery, "beat", "--loglevel", "INFO", "--pidfile", ""),
        "mail": (sys.executable, manage, "mail", "listen"),
    }
    if settings.POSTSPIEL_IMAP:
        commands["imap"] = (sys.executable, manage, "mail", "poll")
    return {name: Part(name, command) for name, command in commands.items()}


def environment() -> dict[str, str]:
    """What the parts get: ours, with both source roots on the path."""
    path = f"{settings.BASE_DIR / 'platform'}{os.pathsep}{settings.BASE_DIR}"
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def address(listen: str) -> tuple[str, int]:
    """Host and port of `host:port`."""
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def answers(listen: str) -> bool:
    """Whether somebody accepts connections at `host:port`."""
    try:
        socket.create_connection(address(listen), timeout=1).close()
    except OSError:
        return False
    return True
