"""Whether this server lives: three numbers, on two addresses for machines and in `manage.py doctor` for people."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import SplitResult, unquote

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from postspiel.mail import selectors as mail
from postspiel.mail import wire
from postspiel.play import selectors as play

LATE = timedelta(minutes=10)
"""So late a sweep, a turn or a mail is a fault. Sweeps come every 20 seconds, or every few minutes by cron."""

FREE = 500_000_000


@dataclass(frozen=True, slots=True)
class Numbers:
    """Ages in whole seconds; None: no sweep has ever run, no turn is overdue, no mail is unsent."""

    last_sweep: int | None
    oldest_overdue_turn: int | None
    oldest_unsent_mail: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do if it is wrong ("" if it is right)."""

    sentence: str
    mend: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is to be done."""
        return not self.mend


def numbers(now: datetime) -> Numbers:
    """Read the three numbers from the database."""
    moments = (play.last_sweep(), play.oldest_overdue(now), mail.oldest_unsent())
    return Numbers(*(None if moment is None else max(0, int((now - moment).total_seconds())) for moment in moments))


def alive(request: HttpRequest) -> HttpResponse:
    """Answer, whatever else is broken: the process lives."""
    del request
    return HttpResponse("alive\n", content_type="text/plain")


def ready(request: HttpRequest) -> JsonResponse:
    """Tell the three numbers; 503 if the database does not answer or no sweep came for ten minutes."""
    del request
    try:
        found = numbers(timezone.now())
    except DatabaseError:
        return JsonResponse({"ready": False, "database": False}, status=503)
    swept = found.last_sweep is not None and found.last_sweep <= LATE.total_seconds()
    told = {name: getattr(found, name) for name in ("last_sweep", "oldest_overdue_turn", "oldest_unsent_mail")}
    return JsonResponse({"ready": swept, "database": True, **told}, status=200 if swept else 503)


def examine() -> list[Finding]:
    """Look at all that can be wrong with a running server."""
    database, others = _database(), (_broker, _mail_server, _disk)
    if not database.ok:
        return [database, *(check() for check in others)]
    return [
        database,
        _sweep(),
        *_holds(),
        _turns(),
        _mails(),
        *_unread(),
        *_mailboxes(),
        *(check() for check in others),
    ]


def _database() -> Finding:
    try:
        connection.ensure_connection()
        play.last_sweep()
    except DatabaseError as error:
        return Finding(
            _("The database does not answer: %(error)s") % {"error": _line(error)},
            _("See whether POSTSPIEL_DATABASE is right and its server runs; after an update run manage.py prepare."),
        )
    return Finding(_("The database answers (%(kind)s).") % {"kind": connection.vendor})


def _sweep() -> Finding:
    age = numbers(timezone.now()).last_sweep
    mend = _("Start manage.py run (its worker and its clock), or let cron call manage.py sweep every minute.")
    if age is None:
        return Finding(_("No sweep has ever run, so nothing that is due happens."), mend)
    return Finding(_("The last sweep was %(span)s ago.") % {"span": _span(age)}, mend if _late(age) else "")


def _turns() -> Finding:
    age = numbers(timezone.now()).oldest_overdue_turn
    if age is None:
        return Finding(_("No turn is overdue."))
    mend = _("Look for “raised” in the worker's log; the turn is tried again every five minutes.")
    sentence = _("The oldest overdue turn should have ended %(span)s ago.")
    return Finding(sentence % {"span": _span(age)}, mend if _late(age) else "")


def _holds() -> list[Finding]:
    """What the outage brake holds back; nothing to say if it does not."""
    hold = play.hold_of_all()
    if hold is None:
        return []
    mend = _("See to the cause, then let games go on: manage.py hold release %(number)d --by ADDRESS.")
    return [Finding(play.held_why(hold), mend % {"number": hold.pk})]


def _mails() -> Finding:
    age = numbers(timezone.now()).oldest_unsent_mail
    if age is None:
        return Finding(_("No mail waits to be sent."))
    mend = _("See in the worker's log what the mail server answers, and whether POSTSPIEL_SMTP is right.")
    sentence = _("The oldest unsent mail was written %(span)s ago.")
    return Finding(sentence % {"span": _span(age)}, mend if _late(age) else "")


def _unread() -> Iterator[Finding]:
    """Mail that came in and that nobody has read; nothing to say if there is none."""
    since = mail.oldest_unread()
    if since is not None:
        age = max(0, int((timezone.now() - since).total_seconds()))
        mend = _("Start manage.py run (its worker reads mail), or let cron call manage.py sweep every minute.")
        sentence = _("The oldest mail that was not read yet came %(span)s ago.")
        yield Finding(sentence % {"span": _span(age)}, mend if _late(age) else "")
    count = mail.stuck().count()
    if count:
        sentence = ngettext("%(count)d mail could not be read.", "%(count)d mails could not be read.", count)
        mend = _("See what and why by manage.py mail stuck; with --again they are read once more.")
        yield Finding(sentence % {"count": count}, mend)


def _mailboxes() -> list[Finding]:
    """Whether somebody looks into the mailboxes that the host has set."""
    if not settings.POSTSPIEL_IMAP:
        return []
    looked = mail.last_look()
    mend = _("Start manage.py run, or let cron call manage.py mail poll --once; manage.py doctor --mail says more.")
    if looked is None:
        return [Finding(_("A mailbox has never been looked into."), mend)]
    age = max(0, int((timezone.now() - looked).total_seconds()))
    sentence = _("All mailboxes were looked into %(span)s ago.")
    return [Finding(sentence % {"span": _span(age)}, mend if _late(age) else "")]


def _broker() -> Finding:
    mend = _("See whether POSTSPIEL_BROKER is right and its server runs. Until then the sweeps do all the work, later.")
    broken = _("The queue does not answer: %(error)s")
    return _tried(broken, _reach_spool if _queue().scheme == "spool" else _reach_broker, mend)


def _queue() -> SplitResult:
    url = settings.POSTSPIEL_BROKER
    assert url is not None  # noqa: S101 - it has a default
    return url


def _reach_spool() -> str:
    folder = Path(unquote(_queue().path))
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / "doctor"
    probe.write_text("", encoding="utf-8")
    probe.unlink()
    return _("The queue's folder can be written.")


def _reach_broker() -> str:
    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=5)
    return _("The queue answers.")


def _mail_server() -> Finding:
    mend = _("See whether POSTSPIEL_SMTP is right and that server runs.")
    return _tried(_("The mail server does not answer: %(error)s"), _greet, mend)


def _greet() -> str:
    if settings.POSTSPIEL_SMTP is None:
        return _("No mail server is set; mails stay in the postbox.")
    wire.offers()
    return _("The mail server answers.")


def _disk() -> Finding:
    free = shutil.disk_usage(settings.POSTSPIEL_DATA).free
    sentence = _("%(free)s MB are free where the data are.") % {"free": f"{free // 1_000_000:,}"}
    return Finding(sentence, _("Make room: SQLite, reports and logs need it.") if free < FREE else "")


def _tried(broken: str, reach: Callable[[], str], mend: str) -> Finding:
    try:
        return Finding(reach())
    except Exception as error:
        return Finding(broken % {"error": _line(error)}, mend)


def _late(age: int) -> bool:
    return age > LATE.total_seconds()


def _span(seconds: int) -> str:
    minutes, hours = seconds // 60, seconds // 3600
    if hours > 1:
        return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}
    if minutes > 1:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}


def _line(error: Exception) -> str:
    """Return what an error says in one line, without the passwords that addresses may have in them."""
    said = " ".join(str(error).split())[:200] or type(error).__name__
    secret = _queue().password
    return said.replace(secret, "...") if secret else said
