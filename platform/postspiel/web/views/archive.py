"""What remains of a game: its record and its report."""

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine.contract import LOCALES
from postspiel.play import services as play
from postspiel.play.models import Game
from postspiel.reports import selectors, services
from postspiel.reports.models import Report
from postspiel.web.access import with_game
from postspiel.web.requests import SignedIn


@require_safe
@with_game
def record(request: SignedIn, game: Game) -> HttpResponse:
    """The whole game as a file, once it is over; before that there is no such file."""
    try:
        content = play.export_record(game)
    except play.PlayError as error:
        raise Http404 from error
    name = f"{game.title}-{game.key}.json"
    return HttpResponse(
        content, content_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@require_safe
@with_game
def report(request: SignedIn, game: Game, locale: str) -> HttpResponseBase:
    """The book of the game; while it is being made, a page that looks again."""
    if game.status != Game.Status.ENDED or locale not in LOCALES:
        raise Http404
    made = selectors.report_of(game, locale)
    if made is None:
        made = services.request(game, locale)
    part = bool(request.headers.get("HX-Request"))
    if made.state == Report.State.DONE and not part:
        return FileResponse(made.file.open(), filename=f"{game.title}-{game.key}-{locale}.pdf")
    template = "parts/waiting.html" if part else "web/waiting.html"
    return render(request, template, {"game": game, "report": made, "locale": locale})
