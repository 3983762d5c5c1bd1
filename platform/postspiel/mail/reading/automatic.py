"""Mail that no person wrote: it is kept and never answered, so that two machines cannot talk to each other for ever."""

import re

from postspiel.mail.letters import LOOP_HEADER
from postspiel.mail.reading.mime import Mail, header, kind_of, parts_of
from postspiel.mail.reading.plain import fold, lines_of

_BULK = frozenset({"bulk", "junk", "auto_reply"})
_AWAY = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply-from",
    "x-mail-autoreply",
    "x-failed-recipients",
)
_CHALLENGES = ("x-boxtrapper", "x-tmda-confirm-done", "x-tmda-fingerprint", "x-asklist", "x-cr-hashedpuzzle-challenge")
_ROOTS = {
    "message/delivery-status": "a delivery report",
    "message/disposition-notification": "a read receipt",
    "multipart/report": "a report",
}
_REACTION = "text/vnd.google.email-reaction+json"
_DAEMONS = re.compile(r"(?:mailer-daemon|postmaster|no-?reply|donotreply|bounces?)(?:[+-][^@]*)?@")
_DAEMON_ENVELOPE = re.compile(r"(?:mailer-daemon|postmaster)@")
_AWAY_SUBJECT = re.compile(
    r"(?:automatic reply|auto-?reply|automatische antwort|abwesenheitsnotiz|abwesend|out of (?:the )?office"
    r"|reponse automatique|absence du bureau)\b.{0,300}"
)
_REACTED = re.compile(
    r"(?:.{1,80} )?(?:reacted to your (?:message|e-?mail)|liked your (?:message|e-?mail)"
    r"|hat auf (?:ihre|deine) (?:nachricht|e-?mail) reagiert|a reagi a votre (?:message|e-?mail))(?: .{0,80})?[:.]?"
)
_ASKS = re.compile(
    r".{0,60}(?:click (?:on )?(?:the link|here)(?: below)? to be whitelisted|verify (?:that )?you are (?:a )?human"
    r"|your (?:message|e-?mail) (?:is|has been) held until you).{0,200}"
)
"""Sentences of programs that no player writes, on folded lines."""
_ASKING = ("to be whitelisted", "human", "held until you")
"""One of these stands in each of them."""


def why_automatic(mail: Mail, *, envelope_sender: str) -> str:
    """What shows that a machine wrote this mail, as a few words; "" if a person may have written it.

    `X-Auto-Response-Suppress` says nothing about the mail that carries it (Exchange puts it on ordinary mail), nor does
    what a person attached: a report, an invitation.
    """
    submitted = mail.header("auto-submitted").lower().partition(";")[0].partition(" ")[0].strip()
    if mail.header(LOOP_HEADER.lower()):
        return "our own mail came back"
    if report := _report(mail):
        return report
    if submitted and submitted != "no":
        return "Auto-Submitted"
    if mail.header("precedence").lower() in _BULK:
        return "Precedence"
    if any(mail.header(name).lower() not in {"", "no", "false", "0"} for name in _AWAY):
        return "an autoresponder"
    if _AWAY_SUBJECT.fullmatch(fold(mail.subject[:300])):
        return "a note of absence"
    return _bounced(mail, envelope_sender.lower()) or _reaction(mail) or _challenge(mail)


def _report(mail: Mail) -> str:
    return _ROOTS.get(kind_of(mail.headers), "")


def _bounced(mail: Mail, envelope_sender: str) -> str:
    machine = not envelope_sender or _DAEMON_ENVELOPE.match(envelope_sender) or _DAEMONS.match(mail.sender)
    return "a bounce" if machine else ""


def _reaction(mail: Mail) -> str:
    """A click below a mail: Gmail says so in a part of its own, Outlook in a sentence, a calendar by its method."""
    if _REACTION in mail.types:
        return "a reaction"
    calendars = (part for part in parts_of(mail.headers) if kind_of(part) == "text/calendar")
    if any(re.search(r"method=\"?reply", header(part, "content-type").lower()) for part in calendars):
        return "a calendar answer"
    first = next((line for line in map(fold, lines_of(mail.text[:4000])) if line), "")
    return "a reaction" if len(first) < 200 and _REACTED.fullmatch(first) else ""


def _challenge(mail: Mail) -> str:
    """A machine that lets only mail through whose sender clicks a link: nobody here would."""
    if any(mail.header(name) for name in _CHALLENGES):
        return "a challenge"
    if "http" not in mail.text[:20_000]:
        return ""
    lines = (line[:400] for line in map(fold, lines_of(mail.text[:4000])))
    asks = any(_ASKS.fullmatch(line) for line in lines if any(word in line for word in _ASKING))
    return "a challenge" if asks else ""
