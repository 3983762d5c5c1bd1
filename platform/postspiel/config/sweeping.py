"""One sweep over everything, in this process and without a queue: for hosts that have cron and nothing that stays."""

import logging
from collections.abc import Callable
from functools import partial

from celery import current_app

from postspiel.mail import bell
from postspiel.mail import services as mail
from postspiel.play import services as play
from postspiel.reports import services as reports
from tournaments import services as ladders

log = logging.getLogger(__name__)

MOST = 1000
"""So many things that a sweep caused are done at once; the next sweep finds the rest."""

STEPS: dict[str, Callable[[], object]] = {
    "reading mail": mail.read_waiting,
    "due turns": play.sweep,
    "ladders": ladders.pull,
    "reports": reports.sweep,
    "digests": mail.gather,
    "sending mail": mail.send_due,
}


def sweep() -> list[str]:
    """Do all that is due, and what follows from it; returns what raised, for it is logged and stops nothing else.

    Safe at any time and beside running workers: every row is claimed. Two rounds, since games that end in the first
    have results, reports and mails for the second.
    """
    current_app.loader.import_default_modules()
    failed: list[str] = []
    with bell.held() as rung:
        for _round in range(2):
            failed += [name for name, step in STEPS.items() if not _safely(name, step)]
            failed += _follow(rung)
    return list(dict.fromkeys(failed))


def _follow(rung: bell.Rung) -> list[str]:
    """Do what was rung, and what that rings. Mails are left to the round of sending, which uses one connection."""
    failed = []
    for _count in range(MOST):
        if not rung:
            break
        task, row_id = rung.popleft()
        if task != "mail.send" and not _safely(f"{task} {row_id}", partial(current_app.tasks[task], row_id)):
            failed.append(f"{task} {row_id}")
    return failed


def _safely(name: str, step: Callable[[], object]) -> bool:
    try:
        step()
    except Exception:
        log.exception("The sweep raised at %s.", name)
        return False
    return True
