"""Pages for everybody: the front page, about, the language switch, errors."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from postspiel.accounts import services
from postspiel.accounts.models import Locale


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What this place is, for whom it is new."""
    return render(request, "web/front.html")


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What runs here, under which licences."""
    return render(request, "web/about.html")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Write in this language from now on: kept with the person, or in a cookie for a guest."""
    locale = request.POST.get("language", "")
    response = redirect(_next(request))
    if locale not in Locale:
        return response
    if request.user.is_authenticated:
        services.choose_locale(user=request.user, locale=locale)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, locale, max_age=31_536_000, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
    return response


def _next(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    return target if url_has_allowed_host_and_scheme(target, allowed_hosts=None) else "/"


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The picture that browsers ask for by this name wherever no page names one."""
    return redirect(static("img/postmark.svg"))


def broken(request: HttpRequest) -> HttpResponse:
    """Our bug: a page that needs neither the session nor the database."""
    return HttpResponse(render_to_string("500.html"), status=500)
