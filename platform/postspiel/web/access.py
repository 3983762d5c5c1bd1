"""Who may see what. A game that is not for somebody looks to him as if it did not exist."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from postspiel.play import selectors
from postspiel.play.models import Game, Seat
from postspiel.play.services import PlayError
from postspiel.web.requests import SignedIn

type Deed = Callable[[SignedIn, Game], str]


def game_or_404(request: HttpRequest, key: str) -> Game:
    """The game of that key if its reader may know that it exists."""
    game = selectors.visible_game(key, request.user)
    if game is None:
        raise Http404
    return game


def own_seat(request: SignedIn, game: Game) -> Seat:
    """The reader's seat in a game; 403 if he has none."""
    seat = selectors.seat_of(game, request.user)
    if seat is None:
        raise PermissionDenied
    return seat


def must_organise(request: SignedIn, game: Game) -> None:
    """403 unless the reader runs the game: as its organiser, as an assistant, or as the host."""
    if not selectors.may_run(game, request.user):
        raise PermissionDenied


def with_game[**P](
    view: Callable[Concatenate[SignedIn, Game, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """Hand a view the game that its address names, for a signed-in reader who may see it."""

    @login_required
    @wraps(view)
    def wrapper(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return view(cast("SignedIn", request), game_or_404(request, key), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]", wrapper)


def deed(do: Deed) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """A view of something that is done to a game by POST: it says what came of it and leads back to the game."""

    @require_POST
    @with_game
    @wraps(do)
    def wrapper(request: SignedIn, game: Game) -> HttpResponse:
        say(request, lambda: do(request, game))
        return redirect("game", game.key)

    return wrapper


def say(request: HttpRequest, do: Callable[[], str]) -> bool:
    """Do something and tell the reader what came of it; False if there was something that he can mend."""
    try:
        done = do()
    except PlayError as error:
        messages.error(request, str(error))
        return False
    messages.success(request, done)
    return True


def for_the_host[**P](
    view: Callable[Concatenate[SignedIn, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """A page for superusers, where the server keeps a postbox; for everybody else there is no such page."""

    @login_required
    @wraps(view)
    def wrapper(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not (settings.POSTSPIEL_POSTBOX and request.user.is_superuser):
            raise Http404
        return view(cast("SignedIn", request), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, P], HttpResponse]", wrapper)
