"""What every page shows around its content: the way round the club."""

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import Locale


class Link(NamedTuple):
    """One entry of the navigation; `here`: the page that is being read."""

    label: str
    url: str
    here: bool


def site(request: HttpRequest) -> dict[str, object]:
    """A context processor: navigation for this reader, the languages, and the name of the zone that times are in."""
    return {
        "navigation": navigation(request),
        "languages": [(locale.value, NATIVE[locale]) for locale in Locale],
        "zone": timezone.get_current_timezone_name(),
    }


NATIVE = {Locale.EN: "English", Locale.DE: "Deutsch"}
"""A language's name is written in that language, so that its reader finds it."""


def navigation(request: HttpRequest) -> list[Link]:
    """The links of the masthead."""
    return [Link(label, reverse(name), request.path == reverse(name)) for label, name in _entries(request)]


def _entries(request: HttpRequest) -> list[tuple[str, str]]:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return [(_("Lobby"), "lobby"), (_("Ladders"), "ladders"), (_("Sign in"), "account_login")]
    entries = [
        (_("My games"), "home"),
        (_("Lobby"), "lobby"),
        (_("Ladders"), "ladders"),
        (_("Organise"), "organiser"),
        (_("Profile"), "profile"),
    ]
    if user.is_superuser and settings.POSTSPIEL_POSTBOX:
        entries.append((_("Postbox"), "postbox"))
    return entries
