"""Renderers and handlers for tests, named by dotted path as the real ones are."""

from django.utils import timezone
from django.utils.translation import get_language

from games.engine import wording
from postspiel.mail.letters import Attachment, Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered, Received, new_text

MAIL_KINDS = {
    "greeting": {"render": "tests.mail.kinds.greeting"},
    "code": {"render": "tests.mail.kinds.greeting", "secret": True},
    "reminder": {"render": "tests.mail.kinds.greeting", "still_due": "tests.mail.kinds.wanted"},
    "broken": {"render": "tests.mail.kinds.broken"},
    "django": {"render": "postspiel.mail.backend.letter", "secret": True},
    "stuck": {"render": "postspiel.mail.notices.stuck"},
    "revoked": {"render": "postspiel.mail.notices.revoked"},
    "astray": {"render": "postspiel.mail.notices.astray"},
}
ADDRESS_KINDS = {"echo": "tests.mail.kinds.echo", "cursed": "tests.mail.kinds.cursed"}

VERBS = ("bid", "pay", "move", "done", "biete", "fertig", "sent")  # "sent" as a misspelt "send", which titles read
heard: list[Received] = []
rendered: list[int] = []


def greeting(outgoing: Outgoing) -> Letter:
    rendered.append(outgoing.pk)
    clock = f"{timezone.get_current_timezone_name()} {get_language()}"
    return Letter(
        subject=outgoing.data.get("subject", "Grüße aus Köln"),
        text=outgoing.data.get("text", f"Hello.\nFrom here: {clock}\n"),
        html=outgoing.data.get("html", ""),
        attachments=(Attachment("liste.txt", b"1\n2\n", "text/plain"),) if outgoing.data.get("file") else (),
        word="Kreml 12",
        sender=outgoing.data.get("sender", ""),
    )


def broken(outgoing: Outgoing) -> Letter:
    raise LookupError("no such turn")


def wanted(outgoing: Outgoing) -> bool:
    return bool(outgoing.data["wanted"])


def is_order(line: str) -> bool:
    """As a title's language does it: bullets, colons and odd signs do not matter."""
    words = wording.bare(wording.normalise(line)).lower().replace(":", " ").split()
    return bool(words) and words[0] in VERBS


def echo(received: Received) -> Answered:
    heard.append(received)
    found = new_text(received.mail.text, received.sent, is_order)
    orders = [line for line in found.text.split("\n") if is_order(line)]
    return Answered(Incoming.Verdict.ACCEPTED if orders else Incoming.Verdict.REJECTED, "; ".join(orders))


def cursed(received: Received) -> Answered:
    raise ZeroDivisionError("a bug of ours")
