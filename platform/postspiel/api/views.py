"""Games as JSON, for programs of the people who play them. Signed in by the session; writing needs the CSRF token."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.contract import Locale
from postspiel.accounts.models import User
from postspiel.api import reading
from postspiel.api.shapes import MOST_ORDERS, OrdersShape
from postspiel.play import selectors, services
from postspiel.play.models import Game

type GameView = Callable[[HttpRequest, User, Game], HttpResponse]


class Refusal(ValueError):  # noqa: N818 - says what is the matter with a request
    """A request that cannot be read; the sentence is for who wrote it."""


def for_viewer(method: str) -> Callable[[GameView], Callable[[HttpRequest, str], HttpResponse]]:
    """Hand a view a signed-in viewer and a game that is visible to him, or answer in JSON why not.

    A game that he may not see looks as if there were none.
    """

    def decorate(view: GameView) -> Callable[[HttpRequest, str], HttpResponse]:
        @wraps(view)
        def wrapper(request: HttpRequest, key: str) -> HttpResponse:
            if request.method != method:
                return HttpResponseNotAllowed([method])
            if not isinstance(request.user, User):
                return _error(401, _("Please sign in."))
            game = selectors.visible_game(key, request.user)
            if game is None:
                return _error(404, _("There is no such game."))
            return view(request, request.user, game)

        return wrapper

    return decorate


@for_viewer("GET")
def game(request: HttpRequest, user: User, game: Game) -> HttpResponse:
    """The game as its viewer sees it."""
    return _json(reading.game(game, user))


@for_viewer("POST")
def orders(request: HttpRequest, user: User, game: Game) -> HttpResponse:
    """Put orders in the place of the viewer's sheet. 422 if none could be taken; then nothing has changed."""
    seat = selectors.seat_of(game, user)
    if seat is None:
        return _error(403, _("You have no seat in this game."))
    try:
        posted = _posted(request)
    except Refusal as refusal:
        return _error(400, str(refusal))
    handed = services.hand_in(
        seat=seat,
        text=posted.text if posted.text is not None else request.body.decode(),
        orders=posted.orders,
        done=posted.done,
        turn_number=posted.turn,
        door="api",
        writer=user,
        received=timezone.now(),
        replace=True,
    )
    receipt = reading.receipt(handed, game, cast("Locale", user.locale))
    return _json(receipt, status=422 if receipt.verdict == "rejected" else 200)


def _posted(request: HttpRequest) -> OrdersShape:
    try:
        posted = msgspec.json.decode(request.body, type=OrdersShape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, RequestDataTooBig) as error:
        raise Refusal(_("This cannot be read as orders: %(error)s") % {"error": error}) from error
    if (posted.orders is None) == (posted.text is None):
        raise Refusal(_("Give either “orders” or “text”."))
    if posted.orders is not None and len(posted.orders) > MOST_ORDERS:
        raise Refusal(_("These are more than %(most)s orders.") % {"most": MOST_ORDERS})
    return posted


def _error(status: int, sentence: str) -> HttpResponse:
    return _json({"error": sentence}, status=status)


def _json(what: object, status: int = 200) -> HttpResponse:
    response = HttpResponse(msgspec.json.encode(what), status=status, content_type="application/json")
    response["Cache-Control"] = "private, no-store"
    return response
