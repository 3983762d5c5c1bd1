"""Ladders: who stands where, and what each game did to a rating."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.web import plots, wording
from tournaments import selectors


@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """The ladders of all titles; where there is one title, its ladder at once."""
    titles = list(registry.titles())
    if len(titles) == 1:
        return redirect("ladder", titles[0])
    known = [{"slug": slug, "title": wording.title_text(slug, "title")} for slug in titles]
    return render(request, "web/ladders.html", {"titles": known})


@require_safe
def ladder(request: HttpRequest, title: str) -> HttpResponse:
    """A title's ladder."""
    return render(request, "web/ladder.html", {"rows": selectors.ladder(title), **_about(title)})


@login_required
@require_safe
def player(request: HttpRequest, title: str, player: int) -> HttpResponse:
    """How a player's rating went. Names of games are for himself: others need not know where he plays."""
    person = get_object_or_404(User, pk=player)
    points = selectors.history(person, title)
    if not points:
        raise Http404
    shown = {"player": person, "points": points[::-1], "curve": plots.curve([point.rating for point in points])}
    return render(request, "web/player.html", {"own": person == request.user, **shown, **_about(title)})


def _about(title: str) -> dict[str, str]:
    if title not in registry.titles():
        raise Http404
    return {"slug": title, "title": wording.title_text(title, "title")}
