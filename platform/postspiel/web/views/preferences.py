"""Which mails the reader wants, and when: for each kind, and for each of his games."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from postspiel.mail import selectors, services
from postspiel.play import selectors as play
from postspiel.play.models import Game
from postspiel.web import wording
from postspiel.web.requests import SignedIn

OVER = (Game.Status.ENDED, Game.Status.CANCELLED)


@dataclass(frozen=True)
class Choice:
    """One cell of the table: what may be chosen there, and what is."""

    name: str
    kind: str
    what: wording.Said
    choices: tuple[tuple[str, wording.Said, bool], ...]


@dataclass(frozen=True)
class Row:
    """The choices about one game."""

    game: Game
    cells: tuple[Choice, ...]


@login_required
@require_http_methods(["GET", "POST"])
def preferences(request: SignedIn) -> HttpResponse:
    """Show the table; on POST keep what was chosen, all of it or nothing."""
    games = [one.game for one in play.my_games(request.user) if one.game.status not in OVER]
    if request.method == "POST":
        _keep(request, games)
        return redirect("mail-preferences")
    chosen = selectors.chosen(request.user)
    about = {
        "kinds": [_choice(chosen, kind, "") for kind in selectors.choosable()],
        "rows": [_row(chosen, game) for game in games],
        "how": wording.HOW,
        "hours": range(24),
    }
    return render(request, "web/preferences.html", about)


def _row(chosen: dict[tuple[str, str], str], game: Game) -> Row:
    return Row(game, tuple(_choice(chosen, kind, play.thread(game)) for kind in _about_games()))


def _choice(chosen: dict[tuple[str, str], str], kind: str, thread: str) -> Choice:
    now = chosen.get((kind, thread), "" if thread else "at_once")
    usual = (("", _("as above"), now == ""),) if thread else ()
    offered = tuple((how, wording.HOW[how], how == now) for how in selectors.choosable()[kind])
    return Choice(_name(kind, thread), kind, wording.MAIL_KINDS[kind], (*usual, *offered))


def _keep(request: SignedIn, games: list[Game]) -> None:
    hour = request.POST.get("hour", "")
    try:
        with transaction.atomic():
            services.choose(request.user, dict(_wanted(request, games)))
            services.choose_hour(request.user, int(hour) if hour.isdecimal() else -1)
    except ValueError:
        messages.error(request, _("That cannot be chosen; nothing has changed."))
    else:
        messages.success(request, _("Saved."))


def _wanted(request: SignedIn, games: list[Game]) -> Iterator[tuple[tuple[str, str], str]]:
    places = [(kind, "") for kind in selectors.choosable()]
    places += [(kind, play.thread(game)) for game in games for kind in _about_games()]
    for kind, thread in places:
        if _name(kind, thread) in request.POST:
            yield (kind, thread), request.POST[_name(kind, thread)]


def _about_games() -> list[str]:
    """The kinds that a player may want otherwise in one game: what happens once in a game is not among them."""
    return [kind for kind in selectors.choosable() if kind not in {"ended", "joined", "player-mail"}]


def _name(kind: str, thread: str) -> str:
    return f"{kind}-{thread}" if thread else kind
