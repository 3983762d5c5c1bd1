"""Every page is written in its reader's language and time zone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

type Next = Callable[[HttpRequest], HttpResponse]


def person(get_response: Next) -> Next:
    """Take language and zone from the person who is signed in; a guest has the browser's language, and UTC.

    It stands behind Django's `LocaleMiddleware`, which has set a guest's language, and behind authentication.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated:
            translation.activate(user.locale)
            request.LANGUAGE_CODE = user.locale
            timezone.activate(user.zone)
        else:
            timezone.deactivate()
        return get_response(request)

    return middleware
