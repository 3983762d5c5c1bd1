"""Games as JSON, for programs of the people who play them. Signed in by the session; writing needs the CSRF token."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.contract import Locale
from postspiel.accounts.models import User
from postspiel.api import reading
from postspiel.api.answers import Refusal, error, for_person, json, posted
from postspiel.api.shapes import MOST_ORDERS, OrdersShape
from postspiel.play import selectors, services
from postspiel.play.models import Game

type GameView = Callable[[HttpRequest, User, Game], HttpResponse]


def for_viewer(method: str) -> Callable[[GameView], Callable[[HttpRequest, str], HttpResponse]]:
    """Hand a view a signed-in viewer and a game that is visible to him, or answer in JSON why not.

    A game that he may not see looks as if there were none.
    """

    def decorate(view: GameView) -> Callable[[HttpRequest, str], HttpResponse]:
        @for_person(method)
        @wraps(view)
        def wrapper(request: HttpRequest, user: User, key: str) -> HttpResponse:
            game = selectors.visible_game(key, user)
            return error(404, _("There is no such game.")) if game is None else view(request, user, game)

        return wrapper

    return decorate


@for_viewer("GET")
def game(request: HttpRequest, user: User, game: Game) -> HttpResponse:
    """The game as its viewer sees it."""
    return json(reading.game(game, user))


@for_viewer("POST")
def orders(request: HttpRequest, user: User, game: Game) -> HttpResponse:
    """Put orders in the place of the viewer's sheet. 422 if none could be taken; then nothing has changed."""
    seat = selectors.seat_of(game, user)
    if seat is None:
        return error(403, _("You have no seat in this game."))
    given = _orders(request)
    handed = services.hand_in(
        seat=seat,
        text=given.text if given.text is not None else request.body.decode(),
        orders=given.orders,
        done=given.done,
        turn_number=given.turn,
        door="api",
        writer=user,
        received=timezone.now(),
        replace=True,
    )
    receipt = reading.receipt(handed, game, cast("Locale", user.locale))
    return json(receipt, status=422 if receipt.verdict == "rejected" else 200)


def _orders(request: HttpRequest) -> OrdersShape:
    given = posted(request, OrdersShape)
    if (given.orders is None) == (given.text is None):
        raise Refusal(_("Give either “orders” or “text”."))
    if given.orders is not None and len(given.orders) > MOST_ORDERS:
        raise Refusal(_("These are more than %(most)s orders.") % {"most": MOST_ORDERS})
    return given
