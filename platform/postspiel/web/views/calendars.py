"""Where a person finds the secret addresses of his calendars, renews them and takes them away."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from postspiel.play import selectors, services
from postspiel.play.models import Game
from postspiel.web.access import say, with_game
from postspiel.web.requests import SignedIn


@login_required
@require_http_methods(["GET", "POST"])
def all_games(request: SignedIn) -> HttpResponseBase:
    """The calendar of all games that the reader plays in."""
    return _page(request, None)


@require_http_methods(["GET", "POST"])
@with_game
def one_game(request: SignedIn, game: Game) -> HttpResponseBase:
    """The calendar of one game, also for who watches or organises it."""
    return _page(request, game)


def _page(request: SignedIn, game: Game | None) -> HttpResponse:
    if request.method == "POST":
        say(request, lambda: _change(request, game))
        return redirect(request.path)
    feed = selectors.feed_of(request.user, game)
    link = settings.POSTSPIEL_URL + reverse("calendar", args=[feed.token]) if feed else ""
    return render(request, "web/calendar.html", {"game": game, "link": link})


def _change(request: SignedIn, game: Game | None) -> str:
    if request.POST.get("do") == "close":
        services.close_feed(user=request.user, game=game)
        return _("The calendar is closed; its address leads nowhere.")
    services.renew_feed(user=request.user, game=game)
    return _("Here is the address of your calendar; one that you had before no longer works.")
