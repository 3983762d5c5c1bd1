"""The organiser's desk: all his games at a glance, and what he can do about late ones."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from postspiel.play import desk, selectors, services
from postspiel.play.models import Hold, Turn
from postspiel.web import desks
from postspiel.web.access import say
from postspiel.web.requests import SignedIn


@login_required
@require_safe
def organiser(request: HttpRequest) -> HttpResponse:
    """All that the reader runs: what is wrong first, then the games, then what was done last."""
    reader, wanted = cast("SignedIn", request).user, desks.WantedForm(request.GET).wanted
    page = desks.DeskPage(desk.look(reader, wanted, timezone.now()))
    part = "web/organiser.html#state" if request.headers.get("HX-Request") else "web/organiser.html"
    return render(request, part, {"page": page, "holds": selectors.holds_for(reader)})


@login_required
@require_POST
def many(request: HttpRequest) -> HttpResponse:
    """Do one thing to each of the games that were ticked, and tell what came of it."""
    form = desks.ManyForm(request.POST)
    if form.is_valid():
        desks.tell(request, form.do(cast("SignedIn", request).user))
    else:
        messages.error(request, form.sentence)
    return redirect(form.back)


@login_required
@require_POST
def remind(request: HttpRequest) -> HttpResponse:
    """Remind those who are late with the turn whose button was pressed."""
    reader, turn = cast("SignedIn", request), _turn(request)
    say(request, lambda: _remind(reader, turn))
    return redirect(desks.address(request.POST.get("show", "")))


@login_required
@require_POST
def release(request: HttpRequest, number: int) -> HttpResponse:
    """Let all games go on that the outage brake holds back; a single game's turn is ended by its deed."""
    reader = cast("SignedIn", request)
    hold = selectors.hold_for(reader.user, number)
    if hold is None or hold.game is not None:
        raise Http404
    say(request, lambda: _release(reader, hold))
    return redirect("organiser")


def _release(request: SignedIn, hold: Hold) -> str:
    services.release_hold(hold=hold, who=request.user)
    return _("Games go on; everybody got the time back that was lost.")


def _remind(request: SignedIn, turn: Turn) -> str:
    count = services.remind(turn=turn, who=request.user)
    return ngettext("%(count)d player is reminded.", "%(count)d players are reminded.", count) % {"count": count}


def _turn(request: HttpRequest) -> Turn:
    number = request.POST.get("turn", "")
    turn = selectors.organised_turn(int(number), request.user) if number.isdecimal() and len(number) < 19 else None
    if turn is None:
        raise Http404
    return turn
