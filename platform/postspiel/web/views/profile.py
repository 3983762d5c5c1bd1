"""A person's own pages: profile, and the mails that went to him."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from postspiel.accounts.forms import ProfileForm
from postspiel.mail import selectors, services
from postspiel.web.requests import SignedIn

PER_PAGE = 50


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: SignedIn) -> HttpResponse:
    """Public name, language and zone; the ways to addresses, password and mails."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if form.is_valid():
        user = form.save()
        translation.activate(user.locale)
        messages.success(request, _("Saved."))
        return redirect("profile")
    return render(request, "web/profile.html", {"form": form})


@login_required
@require_safe
def mails(request: SignedIn) -> HttpResponse:
    """Every mail to the reader: what, when, whether it arrived and why not. Never a body."""
    page = Paginator(selectors.mails_to(request.user), PER_PAGE).get_page(request.GET.get("page"))
    about = {
        "page": page,
        "mails": [selectors.mail_state(row) for row in page],
        "rests": selectors.suspended(request.user),
    }
    return render(request, "web/my_mails.html", about)


@login_required
@require_POST
def resume(request: SignedIn) -> HttpResponse:
    """Write to the reader's address again."""
    services.resume(request.user)
    messages.success(request, _("Mail is sent to your address again."))
    return redirect("my-mails")
