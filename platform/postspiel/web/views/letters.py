"""Press of a game: the archive, press that waits, and the addresses by which one writes; questions that mails asked."""

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from postspiel.play import inbox, selectors, services
from postspiel.play.models import Game, Press
from postspiel.web.access import deed, must_organise, own_seat, say, with_game
from postspiel.web.requests import SignedIn

PER_PAGE = 50


@require_safe
@with_game
def archive(request: SignedIn, game: Game) -> HttpResponse:
    """All press that the reader may read, newest first; on wish only what one seat wrote or got."""
    seat = selectors.seat_of(game, request.user)
    chosen = request.GET.get("seat", "")
    found = selectors.press_for(game, seat)[::-1]
    if chosen.isdecimal():
        found = [one for one in found if int(chosen) in (one.seat.index, *(one.to or ()))]
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    about = {"game": game, "page": page, "seats": range(game.size), "chosen": chosen}
    return render(request, "web/press.html", about)


@deed
def release(request: SignedIn, game: Game) -> str:
    """Send a press that names its writer, as he wants it so."""
    seat, number = own_seat(request, game), request.POST.get("press", "")
    press = get_object_or_404(Press, pk=int(number) if number.isdecimal() else 0, seat=seat, held=True)
    services.release_press(press=press, seat=seat)
    return _("The press is on its way.")


@require_http_methods(["GET", "POST"])
@with_game
def addresses(request: SignedIn, game: Game) -> HttpResponse:
    """Have the addresses of one's seat mailed, or renewed; a page never shows them."""
    if request.method == "POST":
        say(request, lambda: DEEDS.get(request.POST.get("do", ""), _mail)(request, game))
        return redirect("game-addresses", game.key)
    seat, organises = selectors.seat_of(game, request.user), selectors.may_command(game, request.user)
    if seat is None and not organises:
        raise PermissionDenied
    return render(request, "web/addresses.html", {"game": game, "seat": seat, "organises": organises})


def _mail(request: SignedIn, game: Game) -> str:
    services.mail_addresses(seat=own_seat(request, game))
    return _("They are on their way to you by mail.")


def _renew(request: SignedIn, game: Game) -> str:
    services.renew_addresses(seat=own_seat(request, game))
    return _("Your addresses are renewed. The new ones are on their way to you by mail.")


def _commands(request: SignedIn, game: Game) -> str:
    must_organise(request, game)
    services.mail_commands(game=game, who=request.user)
    return _("The address for your commands is on its way to you by mail.")


DEEDS = {"renew": _renew, "commands": _commands}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a mail asked, and on POST do it; whoever has the link has read the mail. To look changes nothing."""
    asked = selectors.question(token)
    if asked is None:
        raise Http404
    done = request.method == "POST" and inbox.answer(asked)
    about = {"asked": asked, "done": done, "open": not done and inbox.is_open(asked), "kind": asked.kind}
    return render(request, "web/confirm.html", {**about, **inbox.shown(asked)})
