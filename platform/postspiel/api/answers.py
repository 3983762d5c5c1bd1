"""What every view of the API has in common: who asks, what was posted, and answers as JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext as _

from postspiel.accounts.models import User

type View[**P] = Callable[Concatenate[HttpRequest, P], HttpResponse]
type PersonView[**P] = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


class Refusal(ValueError):  # noqa: N818 - says what is the matter with a request
    """A request that cannot be read; the sentence is for who wrote it."""


def for_person[**P](*methods: str) -> Callable[[PersonView[P]], View[P]]:
    """Hand a view who is signed in, or answer in JSON why not; what cannot be read (Refusal) is answered by 400."""

    def decorate(view: PersonView[P]) -> View[P]:
        @wraps(view)
        def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            if not isinstance(request.user, User):
                return error(401, _("Please sign in."))
            try:
                return view(request, request.user, *args, **kwargs)
            except Refusal as refusal:
                return error(400, str(refusal))

        return wrapper

    return decorate


def posted[T](request: HttpRequest, shape: type[T]) -> T:
    """Return what was posted, in its shape. Refusal if it cannot be read."""
    try:
        return msgspec.json.decode(request.body, type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, RequestDataTooBig) as wrong:
        raise Refusal(_("This cannot be read: %(error)s") % {"error": wrong}) from wrong


def error(status: int, sentence: str) -> HttpResponse:
    """An answer that is a refusal: one sentence."""
    return json({"error": sentence}, status=status)


def json(what: object, status: int = 200) -> HttpResponse:
    """An answer for one person; nobody between may keep it."""
    response = HttpResponse(msgspec.json.encode(what), status=status, content_type="application/json")
    response["Cache-Control"] = "private, no-store"
    return response
