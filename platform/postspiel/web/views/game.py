"""A game's page, and everything that is done from it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from postspiel.play import selectors, services
from postspiel.play.models import Game, Seat, Submission
from postspiel.web import invitations
from postspiel.web.access import deed, must_organise, own_seat, say, with_game
from postspiel.web.forms import InviteForm, PressForm, SeatForm
from postspiel.web.pages import GamePage
from postspiel.web.requests import SignedIn


@never_cache
@require_safe
@with_game
def game(request: SignedIn, game: Game) -> HttpResponse:
    """Position, orders, press and log, as the reader may see them."""
    page = GamePage(game, request.user)
    page.show_receipt(request.GET.get("receipt", ""))
    return _shown(request, page)


@require_POST
@with_game
def orders(request: SignedIn, game: Game) -> HttpResponse:
    """Take orders from the form, or as text; either takes the place of the whole sheet."""
    seat = own_seat(request, game)
    page = GamePage(game, request.user, request.POST)
    text = _text(request, page)
    if text is None:
        return _shown(request, page)
    number = request.POST.get("turn", "")
    handed = services.hand_in(
        seat=seat,
        text=f"{text}\n{request.POST.get('control', '')}",
        door=Submission.Door.FORM,
        writer=request.user,
        received=timezone.now(),
        turn_number=int(number) if number.isdecimal() else None,
        replace=True,
    )
    return redirect(f"{reverse('game', args=[game.key])}?receipt={handed.submission.pk}#sheet")


@require_POST
@with_game
def preview(request: SignedIn, game: Game) -> HttpResponse:
    """Show what would come of the orders in the form; nothing is handed in."""
    own_seat(request, game)
    page = GamePage(game, request.user, request.POST)
    text = _text(request, page)
    if text is not None:
        page.foresee(text)
    if request.headers.get("HX-Request"):
        return render(request, "parts/preview.html", {"page": page})
    return _shown(request, page)


@never_cache
@require_safe
@with_game
def sheet(request: SignedIn, game: Game) -> HttpResponse:
    """The state of the turn alone, for pages that look again from time to time."""
    page = GamePage(game, request.user)
    seen = request.GET.get("turn", "")
    if page.turn is None or seen != str(page.turn.number):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "parts/turn_state.html", {"page": page})


@deed
def always(request: SignedIn, game: Game) -> str:
    """Make coming sheets final as they open, or no longer."""
    on = request.POST.get("always") == "on"
    services.hand_in(
        seat=own_seat(request, game),
        text="always done" if on else "wait",
        door=Submission.Door.FORM,
        writer=request.user,
        received=timezone.now(),
    )
    return _("Coming sheets are final as they open.") if on else _("You write “done” yourself again.")


@require_POST
@with_game
def press(request: SignedIn, game: Game) -> HttpResponse:
    """Send a press."""
    seat = own_seat(request, game)
    form = PressForm(seat, selectors.seats_of(game), request.POST)
    if form.is_valid() and say(request, lambda: _send(form, seat)):
        return redirect(f"{reverse('game', args=[game.key])}#press")
    page = GamePage(game, request.user)
    page.press_form = form
    return _shown(request, page)


@deed
def join(request: SignedIn, game: Game) -> str:
    """Take a free seat."""
    form = SeatForm(game, selectors.seats_of(game), request.POST)
    index = form.cleaned_data["index"] if form.is_valid() else None
    services.join_game(game=game, player=request.user, index=index)
    return _("The seat is yours.")


@deed
def leave(request: SignedIn, game: Game) -> str:
    """Give the seat back before the start."""
    services.leave_game(game=game, player=request.user)
    return _("You have given your seat back.")


@deed
def seat_bot(request: SignedIn, game: Game) -> str:
    """Have a bot play a free seat, before the start or in its midst."""
    must_organise(request, game)
    index, bot = _index(request), request.POST.get("bot", "")
    if game.status == Game.Status.OPEN:
        services.seat_bot(game=game, index=index, bot=bot)
    else:
        services.put_bot(game=game, index=index, bot=bot, who=request.user)
    return _("A bot has sat down.")


@deed
def clear_seat(request: SignedIn, game: Game) -> str:
    """Take a bot off its seat."""
    services.clear_seat(game=game, index=_index(request), who=request.user)
    return _("The seat is free again.")


@deed
def start(request: SignedIn, game: Game) -> str:
    """Start the game."""
    must_organise(request, game)
    services.start_game(game=game, who=request.user)
    return _("The game has begun.")


@deed
def invite(request: SignedIn, game: Game) -> str:
    """Mail an invitation."""
    must_organise(request, game)
    form = InviteForm(request.POST)
    if not form.is_valid():
        raise services.PlayError(_("That is no e-mail address."))
    invitations.send(game=game, email=form.cleaned_data["email"], by=request.user)
    return _("The invitation is on its way.")


@deed
def end_vote(request: SignedIn, game: Game) -> str:
    """Vote for ending the game, or take the vote back."""
    seat = own_seat(request, game)
    if request.POST.get("vote") == "withdraw":
        services.withdraw_end(seat=seat)
        return _("You have taken your vote back.")
    ended = services.propose_end(seat=seat)
    return _("All agree: the game is over.") if ended else _("Your vote is noted. All who play must agree.")


@deed
def vote(request: SignedIn, game: Game) -> str:
    """Vote for a pause, for going on, or for more time."""
    carried = services.propose(seat=own_seat(request, game), motion=request.POST.get("motion", ""))
    return _("All agree: it is done.") if carried else _("Your vote is noted. All who play must agree.")


@require_http_methods(["GET", "POST"])
@with_game
def resign(request: SignedIn, game: Game) -> HttpResponse:
    """Ask, and on POST give the seat up."""
    seat = own_seat(request, game)
    if request.method == "POST" and say(request, lambda: _resign(request, game)):
        return redirect("home")
    return render(request, "web/resign.html", {"game": game, "seat": seat})


@require_http_methods(["GET", "POST"])
@with_game
def cancel(request: SignedIn, game: Game) -> HttpResponse:
    """Ask, and on POST call the game off before it has started."""
    must_organise(request, game)
    if request.method == "POST" and say(request, lambda: _cancel(request, game)):
        return redirect("organiser")
    return render(request, "web/cancel.html", {"game": game})


def _send(form: PressForm, seat: Seat) -> str:
    press = services.send_press(seat=seat, to=form.readers, text=form.cleaned_data["text"])
    if press.held:
        return _("Your press names you, and in this game nobody is to know who plays what. So it waits; see below.")
    return _("The press is on its way.")


def _resign(request: SignedIn, game: Game) -> str:
    services.resign(seat=own_seat(request, game), who=request.user)
    return _("You have given up your seat in “%(game)s”.") % {"game": game.name}


def _cancel(request: SignedIn, game: Game) -> str:
    services.cancel_game(game=game, who=request.user)
    return _("“%(game)s” is called off.") % {"game": game.name}


def _text(request: HttpRequest, page: GamePage) -> str | None:
    """The orders that were sent, one a line; None if the form must be mended first."""
    if request.POST.get("way") == "text":
        return request.POST.get("text", "")[:50_000]
    if page.form is None:
        return ""
    return page.form.text if page.form.is_valid() else None


def _index(request: HttpRequest) -> int:
    index = request.POST.get("index", "")
    if not index.isdecimal():
        raise services.PlayError(_("There is no such seat in this game."))
    return int(index)


def _shown(request: SignedIn, page: GamePage) -> HttpResponse:
    return render(request, "web/game.html", {"page": page, "game": page.game})
