"""Lists of games, and making one."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.engine import registry
from postspiel.play import pace, rendering, selectors, services
from postspiel.play.models import Game
from postspiel.play.schedule import vote_after
from postspiel.web import wording
from postspiel.web.forms import NewGameForm
from postspiel.web.requests import SignedIn
from postspiel.web.rulebook import rulebook
from postspiel.web.views.front import front


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A player's games, those that wait for him first; the front page for a guest."""
    if not request.user.is_authenticated:
        return front(request)
    mine = selectors.my_games(request.user)
    over = {Game.Status.ENDED}
    running = [one for one in mine if one.game.status not in over]
    return render(request, "web/home.html", {"running": running, "over": [m for m in mine if m.game.status in over]})


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Games that look for players."""
    return render(request, "web/lobby.html", {"offers": selectors.lobby(request.user)})


@login_required
@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Choose a title, then everything else; afterwards the game's page shows the invitation."""
    titles = registry.titles()
    chosen = request.GET.get("title", "") or (next(iter(titles)) if len(titles) == 1 else "")
    if not chosen:
        return render(request, "web/titles.html", {"titles": [_about(slug) for slug in titles]})
    if chosen not in titles:
        raise Http404
    form = NewGameForm(titles[chosen], request.POST or None, initial={"zone": _zone(request)})
    if "foresee" in request.POST:
        return render(request, "web/new_game.html", {"about": _about(chosen), **_foreseen(form)})
    if form.is_valid():
        game = _make(cast("SignedIn", request), form)
        if game is not None:
            return redirect("game", game.key)
    return render(request, "web/new_game.html", {"form": form, "about": _about(chosen)})


def _foreseen(form: NewGameForm) -> dict[str, object]:
    """What the page shows of a schedule before a game is made: its sentence, and when the first turns would end."""
    deadlines = form.foresee(timezone.now())
    if not deadlines:
        return {"form": form, "deadlines": ()}
    plan = form.schedule
    told = {"pace": pace.sentence(plan), "vote": vote_after(plan, deadlines[0])}
    return {"form": form, "deadlines": deadlines, **told}


def _zone(request: HttpRequest) -> str:
    return cast("SignedIn", request).user.time_zone


def _make(request: SignedIn, form: NewGameForm) -> Game | None:
    try:
        game = _opened(request, form)
    except services.PlayError as error:
        form.add_error(None, str(error))
        return None
    messages.success(request, _("The game is open. Invite people by the link below, or wait for the lobby."))
    return game


@transaction.atomic
def _opened(request: SignedIn, form: NewGameForm) -> Game:
    """Make the game and seat whom its organiser wants from the beginning: all of it, or nothing."""
    cleaned = form.cleaned_data
    game = services.create_game(
        organiser=request.user,
        title=form.title.about.slug,
        name=cleaned["name"],
        size=cleaned["size"],
        options=form.options,
        schedule=form.schedule,
        listed=cleaned["listed"],
        strict_mail=cleaned["strict_mail"],
        terms=form.terms,
        policy=form.policy,
    )
    if cleaned["play"]:
        services.join_game(game=game, player=request.user)
    for _seat in range(cleaned["bots"]):
        services.seat_bot(game=game, index=None, bot=cleaned["bot"])
    return game


@require_safe
def rules(request: HttpRequest, title: str) -> HttpResponse:
    """What a title is and how its orders are written."""
    known = registry.titles().get(title)
    if known is None:
        raise Http404
    shown = rendering.as_html(wording.order_help(known))
    rules = rulebook(title, wording.locale())
    return render(request, "web/rules.html", {"about": _about(title), "help": shown, "rules": rules})


def _about(slug: str) -> dict[str, object]:
    return {
        "slug": slug,
        "title": wording.title_text(slug, "title"),
        "tagline": wording.title_text(slug, "tagline"),
        "options": wording.every_option(slug),
        "sizes": registry.title(slug).about.sizes,
    }
