"""What `List-Unsubscribe` in our mails leads to: mail programs POST to it without asking, people see a page first."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from postspiel.mail import selectors, services
from postspiel.web import wording


@csrf_exempt  # Mail programs bring no cookie, so there is no session that a foreign page could misuse.
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Leave one kind of mail out for whom the link was made for; to look changes nothing, and no game is touched."""
    found = selectors.unsubscribes(token)
    if found is None:
        raise Http404
    user, kind = found
    if request.method == "POST":
        services.unsubscribe(user, kind)
    about = {"kind": kind, "what": wording.MAIL_KINDS[kind], "done": request.method == "POST"}
    return render(request, "web/unsubscribe.html", about)
