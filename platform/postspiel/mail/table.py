"""The tables of kinds (`config/kinds.py`), looked up: what mail asks of the parts above it."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from postspiel.mail.letters import Letter
    from postspiel.mail.models import Incoming, Outgoing
    from postspiel.mail.reading import Answered, Received


def renderer(kind: str) -> "Callable[[Outgoing], Letter]":
    """What writes mails of a kind."""
    found: Callable[[Outgoing], Letter] = import_string(settings.MAIL_KINDS[kind]["render"])
    return found


def still_due(outgoing: "Outgoing") -> bool:
    """Whether a mail still says something that its reader does not know; True for kinds that do not say how to tell."""
    path = settings.MAIL_KINDS[outgoing.kind].get("still_due")
    return bool(import_string(path)(outgoing)) if path else True


def urgent(outgoing: "Outgoing", until: datetime) -> bool:
    """Whether a mail must not wait for a digest at `until`; False for kinds that do not say how to tell."""
    path = settings.MAIL_KINDS[outgoing.kind].get("urgent")
    return bool(import_string(path)(outgoing, until)) if path else False


def secret_kinds() -> list[str]:
    """Kinds whose bodies nobody may read later: a sign-in code is a key."""
    return [kind for kind, entry in settings.MAIL_KINDS.items() if entry.get("secret")]


def machines() -> "Callable[[Incoming, str], None]":
    """Who hears of automatic mail."""
    found: Callable[[Incoming, str], None] = import_string(settings.MACHINES)
    return found


def handler(kind: str) -> "Callable[[Received], Answered]":
    """What takes mail to addresses of a kind."""
    found: Callable[[Received], Answered] = import_string(settings.ADDRESS_KINDS[kind])
    return found
