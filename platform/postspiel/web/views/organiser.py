"""The organiser's page: all his games at a glance, and what he can do about late ones."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from postspiel.play import selectors, services
from postspiel.play.models import Turn
from postspiel.web.access import say
from postspiel.web.forms import ExtendForm
from postspiel.web.requests import SignedIn

A_PAGE = 50


@login_required
@require_safe
def organiser(request: HttpRequest) -> HttpResponse:
    """Turn, deadline, who is in and who is late, of each game that the reader organises."""
    desk = selectors.organised(cast("SignedIn", request).user)
    page = Paginator(desk, A_PAGE).get_page(request.GET.get("page"))
    rows = [(one, ExtendForm(initial={"expected": _seen(one.turn)})) for one in page]
    unreachable = selectors.unreachable(cast("SignedIn", request).user)
    return render(request, "web/organiser.html", {"page": page, "rows": rows, "unreachable": unreachable})


@login_required
@require_POST
def extend(request: HttpRequest, turn: int) -> HttpResponse:
    """Move a deadline."""
    reader, row = cast("SignedIn", request), _turn(request, turn)
    form = ExtendForm(request.POST)
    say(request, lambda: _extend(reader, row, form))
    return redirect("organiser")


@login_required
@require_POST
def remind(request: HttpRequest, turn: int) -> HttpResponse:
    """Remind those who are late."""
    reader, row = cast("SignedIn", request), _turn(request, turn)
    say(request, lambda: _remind(reader, row))
    return redirect("organiser")


def _extend(request: SignedIn, turn: Turn, form: ExtendForm) -> str:
    if not form.is_valid():
        raise services.PlayError(_("Say by how much, and why: the players want to know."))
    expected = form.cleaned_data["expected"]
    services.extend(
        turn=turn,
        hours=form.cleaned_data["hours"],
        who=request.user,
        why=form.cleaned_data["why"],
        expected=expected,
    )
    return _("The deadline of “%(game)s” is moved, and the players are told.") % {"game": turn.game.name}


def _remind(request: SignedIn, turn: Turn) -> str:
    count = services.remind(turn=turn, who=request.user)
    return ngettext("%(count)d player is reminded.", "%(count)d players are reminded.", count) % {"count": count}


def _turn(request: HttpRequest, number: int) -> Turn:
    turn = selectors.organised_turn(number, request.user)
    if turn is None:
        raise Http404
    return turn


def _seen(turn: Turn | None) -> str:
    return turn.deadline.isoformat() if turn and turn.deadline else ""
