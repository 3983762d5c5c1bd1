"""What was done with the games that the reader runs, to be searched, and the tables that he can take away."""

from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from postspiel.play import audits
from postspiel.play.audits import Sought
from postspiel.web import exports, wording
from postspiel.web.requests import SignedIn

A_PAGE = 50
_DAY = {"type": "date"}


class SoughtForm(forms.Form):
    """What is looked for among the acts. Whatever cannot be read is said, and does not count."""

    text = forms.CharField(label=gettext_lazy("Game, name or reason contains"), max_length=80, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("What was done"), required=False)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs=_DAY))
    until = forms.DateField(label=gettext_lazy("Until"), required=False, widget=forms.DateInput(attrs=_DAY))
    game = forms.SlugField(required=False, widget=forms.HiddenInput)

    def __init__(self, kinds: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kind"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = [("", _("anything")), *((kind, wording.act(kind)) for kind in kinds)]

    @property
    def sought(self) -> Sought:
        """What was said and can be read."""
        self.is_valid()
        return Sought(**{name: value for name, value in self.cleaned_data.items() if value})


@login_required
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """The acts that are sought, the last first."""
    user = cast("SignedIn", request).user
    form = SoughtForm(audits.kinds(user), request.GET)
    page = Paginator(audits.acts(user, form.sought), A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "entries": audits.entries(user, list(page))}
    return render(request, "web/log.html", context)


@login_required
@require_safe
def export(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """One of the reader's tables as a file."""
    user = cast("SignedIn", request).user
    if form not in {"csv", "json"}:
        raise Http404
    match name:
        case "games":
            lines = exports.games(user)
        case "misses":
            lines = exports.misses(user)
        case "log":
            lines = exports.log(user, SoughtForm(audits.kinds(user), request.GET).sought)
        case _:
            raise Http404
    return exports.answer(f"postspiel-{name}", form, lines)
