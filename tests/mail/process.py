"""What tests of mail have other processes do, on the database that the environment names.

python tests/mail/process.py queue 40 | send | forget-claims | states | address | letters smtp | ids

Without arguments it does what comes in, a list of JSON a line, until the input ends.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def main(*arguments: str) -> None:
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")
    import django.db

    django.setup()
    for what, *how in [arguments] if arguments else map(json.loads, sys.stdin):
        print(json.dumps(COMMANDS[what](*how)), flush=True)
        django.db.connection.close()


def queue(count: str) -> int:
    """Put mails into an empty outbox."""
    from django.db import transaction

    from postspiel.mail import services
    from postspiel.mail.models import Outgoing

    Outgoing.objects.all().delete()
    data = {"subject": "Turn", "text": "Your turn", "html": "", "attachments": []}
    for number in range(int(count)):
        with transaction.atomic():
            services.queue(event=f"turn:{number}", kind="django", to=f"player{number}@example.com", data=data)
    return int(count)


def send() -> int:
    from postspiel.mail import services

    return services.send_due()


def forget_claims() -> int:
    from django.utils import timezone

    from postspiel.mail.models import Outgoing
    from postspiel.mail.outbox import LEASE

    return Outgoing.objects.update(claimed=timezone.now() - LEASE - timedelta(seconds=1))


def states() -> dict[str, int]:
    from postspiel.mail.models import Outgoing

    return Counter(f"{row.state} {row.attempts}" for row in Outgoing.objects.all())


def address() -> str:
    from postspiel.mail import services

    return services.spell(services.address_for("seat", 1), "play")


def letters(door: str) -> list[str]:
    from postspiel.mail.models import Incoming

    return [bytes(row.raw).decode() for row in Incoming.objects.filter(door=door).order_by("pk")]


def ids() -> list[tuple[str, str]]:
    """The door and the Message-ID of every mail that came in."""
    from postspiel.mail.models import Incoming

    return list(Incoming.objects.order_by("pk").values_list("door", "message_id"))


COMMANDS: dict[str, Callable[..., Any]] = {
    "queue": queue,
    "send": send,
    "forget-claims": forget_claims,
    "states": states,
    "address": address,
    "letters": letters,
    "ids": ids,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
