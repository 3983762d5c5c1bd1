"""The page of one game for who runs it: what happened to its turns, sheets and mails, and all that can be done."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from postspiel.play import history
from postspiel.play.models import Game
from postspiel.web import desks
from postspiel.web.access import must_organise, say, with_game
from postspiel.web.requests import SignedIn
from postspiel.web.steering import DEEDS, Deed, DeedForm, Table

A_PAGE = 10


@require_safe
@with_game
def organise(request: SignedIn, game: Game) -> HttpResponse:
    """Turns with the states of their sheets, mails with theirs, acts, and a form for each deed.

    ``deed`` in the address, as the desk asks for it, leads on to the page of that deed.
    """
    must_organise(request, game)
    table = Table(game, request.user)
    wanted = DEEDS.get(request.GET.get("deed", ""))
    if wanted is not None and wanted.offered(table):
        return redirect(f"{reverse('game-deed', args=[game.key, wanted.name])}?{_desk(request.GET)}")
    if wanted is not None:
        messages.warning(request, _("“%(deed)s”: that cannot be done to this game now.") % {"deed": wanted.label})
    page = Paginator(history.turns(game), A_PAGE).get_page(request.GET.get("page"))
    about = {
        "game": game,
        "table": table,
        "page": page,
        "steps": history.steps(list(page), game, request.user),
        "entries": history.acts(game, request.user),
        "mails_out": history.mails_out(game, request.user),
        "mails_in": history.mails_in(game, request.user),
        "indices": history.seat_indices(game),
    }
    return render(request, "web/organise.html", about)


@require_http_methods(["GET", "POST"])
@with_game
def deed(request: SignedIn, game: Game, name: str) -> HttpResponse:
    """Do something to a game. What cannot easily be mended is asked once more; a form with errors is shown again.

    The page of a deed has its question at the top, so that the answer to it is enough.
    """
    must_organise(request, game)
    chosen, table = DEEDS.get(name), Table(game, request.user)
    if chosen is None or not chosen.offered(table):
        raise Http404
    form = DeedForm(chosen, table, request.POST or None)
    if request.method == "GET" or (chosen.fields and not form.is_valid()):
        return _ask(request, chosen, game, form)
    if chosen.question and "sure" not in request.POST:
        return _ask(request, chosen, game, form, sure=True)
    say(request, lambda: chosen.do(request.user, game, form.cleaned_data if chosen.fields else {}))
    shown = request.POST.get("desk", "")
    return redirect(desks.address(shown)) if shown else redirect("game-organise", game.key)


def _desk(asked: QueryDict) -> str:
    return urlencode({"desk": asked["desk"]}) if "desk" in asked else ""


def _ask(request: SignedIn, chosen: Deed, game: Game, form: DeedForm, *, sure: bool = False) -> HttpResponse:
    given = [(name, value) for name, value in request.POST.items() if name in form.fields] if sure else []
    desk = (request.POST or request.GET).get("desk", "")
    context = {"deed": chosen, "game": game, "form": form, "sure": sure, "given": given, "desk": desk}
    return render(request, "web/deed.html", context)
