"""The page behind an invitation: it makes the account, confirms the address, and gives a seat."""

from typing import cast

from allauth.account.views import request_login_code
from allauth.core import ratelimit
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from postspiel.accounts import services as people
from postspiel.accounts.forms import NewcomerForm
from postspiel.play import selectors, services
from postspiel.play.models import Game
from postspiel.web import invitations
from postspiel.web.access import say
from postspiel.web.forms import GuestForm, SeatForm
from postspiel.web.requests import SignedIn

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, invitation: str) -> HttpResponseBase:
    """Show the game, and give its reader a seat: at once if he is known, else after he has said who he is."""
    game = selectors.invited_game(invitation)
    if game is None:
        raise Http404
    if request.user.is_authenticated:
        return _member(cast("SignedIn", request), game)
    ticket = invitations.read_ticket(request.GET.get("ticket", ""), game)
    if ticket is not None and people.owner_of(ticket.email) is None:
        return _newcomer(request, game, ticket)
    return _guest(request, game)


def _member(request: SignedIn, game: Game) -> HttpResponse:
    """Somebody who is signed in: he only says which seat he wants."""
    if selectors.seat_of(game, request.user) is not None:
        return redirect("game", game.key)
    free = selectors.free_seats(game)
    form = SeatForm(game, free, request.POST or None)
    if form.is_valid() and say(request, lambda: _join(request, game, form.cleaned_data["index"])):
        return redirect("game", game.key)
    return _shown(request, game, form, "member")


def _newcomer(request: HttpRequest, game: Game, ticket: invitations.Ticket) -> HttpResponse:
    """Somebody new who has shown by the mailed link that the address is his: no code is needed.

    Who has an account must sign in: a link that can be passed on must not open it.
    """
    form = NewcomerForm(request.POST or None)
    if not form.is_valid():
        return _shown(request, game, form, "newcomer", email=ticket.email)
    user = people.welcome(email=ticket.email, locale=get_language() or "", confirmed=True, **form.cleaned_data)
    login(request, user, BACKEND)
    say(request, lambda: _join(cast("SignedIn", request), game, None))
    return redirect("game", game.key)


def _guest(request: HttpRequest, game: Game) -> HttpResponseBase:
    """Somebody with the public link: he says who he is, and confirms his address by a code that leads back here."""
    form = GuestForm(request.POST or None)
    if not form.is_valid():
        return _shown(request, game, form, "guest")
    refused = ratelimit.consume_or_429(request, action="signup")
    if refused is not None:
        return cast("HttpResponse", refused)
    people.welcome(locale=get_language() or "", **form.cleaned_data)
    return cast("HttpResponseBase", request_login_code(request))


def _join(request: SignedIn, game: Game, index: int | None) -> str:
    services.join_game(game=game, player=request.user, index=index, invitation=game.invitation)
    return _("The seat is yours.")


def _shown(request: HttpRequest, game: Game, form: object, who: str, **more: str) -> HttpResponse:
    free = len(selectors.free_seats(game))
    return render(request, "web/invitation.html", {"game": game, "form": form, "who": who, "free": free, **more})
