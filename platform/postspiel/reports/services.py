"""Making reports: requested by a row, claimed with a fencing token, made outside any transaction (docs/reports.md)."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.engine.contract import LOCALES, Locale
from postspiel.mail.bell import ring
from postspiel.play import services as play
from postspiel.play.models import Game
from postspiel.reports import document, printing
from postspiel.reports.book import NotOver
from postspiel.reports.models import Report
from postspiel.reports.selectors import IN_FORCE
from tournaments import services as ladders

log = logging.getLogger(__name__)

MAKE = "reports.make"
MOST_ATTEMPTS = 4
LEASE = timedelta(minutes=10)
"""After so long a claim is taken for lost: its worker was killed."""

FRESH = timedelta(days=30)
"""The sweep looks at games that ended within this time; reports of older ones are made when somebody asks."""

_PAUSES = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))
_AT_ONCE = 50


def request(game: Game, locale: Locale) -> Report:
    """Have the report of an ended game made in a language; asking again is harmless, and tries a failed one anew.

    NotOver if the game is not over.
    """
    if game.status != Game.Status.ENDED:
        raise NotOver(f"The game {game.key} is not over.")
    discard_stale()
    with transaction.atomic():
        report, is_new = Report.objects.get_or_create(game=game, locale=locale, defaults={"due": timezone.now()})
        if is_new or _revive(report):
            ring(MAKE, report.pk, most=1)
    report.refresh_from_db()
    return report


def make(report_id: int) -> bool:
    """Make a report if it is due, and nobody else makes it; False if it was not made.

    What fails is tried again after a pause; after MOST_ATTEMPTS the row says what was the matter.
    """
    now = timezone.now()
    if (
        not _due(now)
        .filter(pk=report_id)
        .update(state=Report.State.MAKING, claim=F("claim") + 1, claimed=now, attempts=F("attempts") + 1)
    ):
        return False
    report = Report.objects.select_related("game__organiser").get(pk=report_id)
    try:
        content = _print(report)
    except Exception as error:
        log.exception("Report %s of game %s failed.", report.pk, report.game.key)
        _put_off(report, f"{type(error).__name__}: {error}")
        return False
    return _put_away(report, content)


def sweep() -> None:
    """Request what ended games lack, and ring for every report that is due and that nobody makes."""
    discard_stale()
    for game in _lacking():
        for locale in languages_of(game):
            request(game, locale)
    for report_id in _due(timezone.now()).order_by("due").values_list("pk", flat=True)[:_AT_ONCE]:
        ring(MAKE, report_id, most=1)


def discard_stale() -> None:
    """Take back the reports of ends that were taken back: of games that run again, or have ended again since."""
    for report in Report.objects.exclude(IN_FORCE):
        report.delete()
        if report.file:
            default_storage.delete(report.file.name or "")


def languages_of(game: Game) -> list[Locale]:
    """The languages of a game's players; its organiser's if nobody plays."""
    spoken = set(game.seats.exclude(player=None).values_list("player__locale", flat=True)) or {game.organiser.locale}
    return [locale for locale in LOCALES if locale in spoken]


def _lacking() -> list[Game]:
    ended = Game.objects.select_related("organiser").filter(
        status=Game.Status.ENDED, reports=None, ended__gt=timezone.now() - FRESH
    )
    return list(ended.order_by("ended")[:_AT_ONCE])


def _due(now: datetime) -> QuerySet[Report]:
    waiting = Q(state=Report.State.QUEUED, due__lte=now)
    lost = Q(state=Report.State.MAKING, claimed__lt=now - LEASE)
    return Report.objects.filter(waiting | lost)


def _revive(report: Report) -> bool:
    failed = Report.objects.filter(pk=report.pk, state=Report.State.FAILED)
    return failed.update(state=Report.State.QUEUED, due=timezone.now(), attempts=0, error="") == 1


def _print(report: Report) -> bytes:
    game, locale = report.game, _locale(report)
    ladders.pull()
    with translation.override(locale):
        attached = printing.Attached(document.record_name(game), play.export_record(game), _("The record of the game"))
    return printing.pdf(document.html(game, locale), attached=attached, made=game.ended or timezone.now())


def _put_away(report: Report, content: bytes) -> bool:
    # The name carries the claim, so a worker that was thought dead cannot write over what another one has made.
    path = f"reports/{report.game.key}-{report.locale}-{report.claim}.pdf"
    name = default_storage.save(path, ContentFile(content))
    done = _mine(report).update(state=Report.State.DONE, file=name, made=timezone.now(), error="")
    if not done:
        default_storage.delete(name)
    return bool(done)


def _put_off(report: Report, error: str) -> None:
    if report.attempts >= MOST_ATTEMPTS:
        _mine(report).update(state=Report.State.FAILED, error=error[:400])
        return
    pause = _PAUSES[min(report.attempts, len(_PAUSES)) - 1]
    _mine(report).update(state=Report.State.QUEUED, due=timezone.now() + pause, error=error[:400])


def _mine(report: Report) -> QuerySet[Report]:
    return Report.objects.filter(IN_FORCE, pk=report.pk, state=Report.State.MAKING, claim=report.claim)


def _locale(report: Report) -> Locale:
    return next((locale for locale in LOCALES if locale == report.locale), "en")
