"""The postbox: every mail that the server wrote, for a host who tries it out on one machine."""

from collections.abc import Collection

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.csp import CSP
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_POST, require_safe

from postspiel.mail import selectors
from postspiel.mail.models import Outgoing
from postspiel.web import postbox as desk
from postspiel.web.access import for_the_host
from postspiel.web.forms import AnswerForm
from postspiel.web.requests import SignedIn

A_PAGE = 50
ALONE: dict[str, Collection[str] | str] = {
    "default-src": [CSP.NONE],
    "style-src": [CSP.UNSAFE_INLINE],
    "img-src": ["data:"],
    "frame-ancestors": [CSP.SELF],
    "sandbox": "",
}
"""A mail's HTML is shown as a mail program shows it: its own styles, and nothing else of any kind."""


@for_the_host
@require_safe
def postbox(request: SignedIn) -> HttpResponse:
    """All mails, newest first; searched by recipient or subject."""
    search = request.GET.get("search", "").strip()[:200]
    page = Paginator(selectors.postbox(search), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "web/postbox.html", {"page": page, "search": search})


@for_the_host
@require_safe
def mail(request: SignedIn, number: int) -> HttpResponse:
    """One mail: head, text, HTML, attachments, and a form to answer it."""
    return _shown(request, _mail(number), AnswerForm())


@for_the_host
@require_safe
@xframe_options_sameorigin
@csp_override(ALONE)
def html(request: SignedIn, number: int) -> HttpResponse:
    """A mail's HTML alone, for the frame on its page."""
    return HttpResponse(selectors.opened(_mail(number)).html)


@for_the_host
@require_safe
def attachment(request: SignedIn, number: int, index: int) -> HttpResponse:
    """A file that came with a mail; never shown in place."""
    files = selectors.opened(_mail(number)).attachments
    if index >= len(files):
        raise Http404
    file = files[index]
    return HttpResponse(
        file.content,
        content_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{index}-{_safe(file.name)}"'},
    )


@for_the_host
@require_POST
def answer(request: SignedIn, number: int) -> HttpResponse:
    """Answer a mail as its reader, by SMTP through the server's own door."""
    row = _mail(number)
    form = AnswerForm(request.POST)
    if not (form.is_valid() and desk.can_be_answered(row)):
        return _shown(request, row, form)
    try:
        desk.post(desk.reply(selectors.opened(row), row.to, form.cleaned_data["text"], timezone.now()))
    except desk.DoorClosed as error:
        messages.error(request, _("The mail listener did not take it: %(error)s") % {"error": error})
        return _shown(request, row, form)
    messages.success(request, _("The answer has gone in. What came of it lies in this postbox in a moment."))
    return redirect("postbox")


def _mail(number: int) -> Outgoing:
    return get_object_or_404(Outgoing.objects.select_related("recipient"), pk=number)


def _shown(request: SignedIn, row: Outgoing, form: AnswerForm) -> HttpResponse:
    shown = {"row": row, "mail": selectors.opened(row), "form": form, "answerable": desk.can_be_answered(row)}
    return render(request, "web/mail.html", shown)


def _safe(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name) or "file"
