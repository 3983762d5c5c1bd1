"""Standing by, taking a seat over, and days on which one is away."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from postspiel.accounts.services import AbsenceError, announce_absence, cancel_absence
from postspiel.play import services, vacancies
from postspiel.play.models import Seat
from postspiel.web import wording
from postspiel.web.access import say
from postspiel.web.forms import AbsenceForm
from postspiel.web.requests import SignedIn


@login_required
@require_http_methods(["GET", "POST"])
def stand_by(request: SignedIn) -> HttpResponse:
    """The titles that the reader stands by for, and the seats that wait for a player."""
    if request.method == "POST":
        say(request, lambda: _stand_by(request))
        return redirect("stand-by")
    mine = vacancies.titles_of(request.user)
    titles = [(title.about.slug, title.about.slug in mine) for title in wording.all_titles()]
    about = {
        "titles": titles,
        "seats": vacancies.open_seats(),
        "lost": vacancies.lost_seats(request.user),
        "reliability": vacancies.reliability_of(request.user),
    }
    return render(request, "web/stand_by.html", about)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def seat(request: SignedIn, key: str, index: int) -> HttpResponse:
    """Ask, and on POST take a seat over that waits for a player. Of the game it shows what a watcher sees."""
    one = vacancies.offer(key, index, request.user)
    if one is None:
        raise Http404
    if request.method == "POST" and say(request, lambda: _take(request, one)):
        return redirect("game", key)
    about = {"game": one.game, "seat": one, "refusal": vacancies.refusal(one, request.user)}
    return render(request, "web/seat.html", about)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def absences(request: SignedIn) -> HttpResponse:
    """The reader's coming absences, how they count in his games, and a form for another one."""
    form = AbsenceForm(request.POST or None)
    if form.is_valid() and _announced(request, form):
        return redirect("absences")
    about = {
        "form": form,
        "absences": vacancies.absences_of(request.user),
        "allowances": vacancies.allowances(request.user),
        "reliability": vacancies.reliability_of(request.user),
    }
    return render(request, "web/absences.html", about)


@login_required
@require_POST
def cancel(request: SignedIn, number: int) -> HttpResponse:
    """Forget an absence of the reader's."""
    one = next((absence for absence in vacancies.absences_of(request.user) if absence.pk == number), None)
    if one is not None:
        cancel_absence(absence=one, user=request.user)
    messages.success(request, _("This absence is cancelled. Deadlines that it has moved stay."))
    return redirect("absences")


def _stand_by(request: SignedIn) -> str:
    title = request.POST.get("title", "")
    if request.POST.get("do") == "withdraw":
        services.withdraw_stand_by(user=request.user, title=title)
        return _("You do not stand by for this title any more.")
    services.stand_by(user=request.user, title=title)
    return _("You stand by: as soon as a seat is open, a mail asks you.")


def _take(request: SignedIn, one: Seat) -> str:
    services.take_over(seat=one, user=request.user)
    return _("The seat is yours. A mail with all that you need is on its way.")


def _announced(request: SignedIn, form: AbsenceForm) -> bool:
    try:
        announce_absence(user=request.user, **form.cleaned_data)
    except AbsenceError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, _("Your absence is noted."))
    for one in vacancies.allowances(request.user):
        if not one.days:
            said = _(
                "It moves no deadline in “%(game)s”: the terms of that game do not allow it. Nothing else changes."
            )
            messages.warning(request, said % {"game": one.game.name})
    return True
