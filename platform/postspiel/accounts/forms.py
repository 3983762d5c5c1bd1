"""Forms about people: what sign-up asks beside address and password, and the profile."""

import zoneinfo
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from postspiel.accounts.models import Locale, User


def zone_choices() -> list[tuple[str, str]]:
    """All time zones that belong to a place, in alphabetical order, underscores shown as spaces."""
    names = (name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [(name, name.replace("_", " ")) for name in sorted([*names, "UTC"])]


class ZoneField(forms.ChoiceField):
    """Asks for a time zone; without JavaScript the default stands, with it the browser's own zone is offered."""

    def __init__(self, *, own: bool = False, **kwargs: Any) -> None:
        super().__init__(choices=zone_choices, label=_("Time zone"), **kwargs)
        self.help_text = _("All deadlines are shown and mailed in this zone.")
        if own:
            self.widget.attrs["data-own-zone"] = ""


class NewcomerForm(forms.Form):
    """What everybody who comes new is asked: a public name and a time zone."""

    display_name = forms.CharField(
        label=_("Public name"),
        max_length=40,
        help_text=_("What other players see. Your address stays hidden."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    time_zone = ZoneField(own=True, initial="Europe/Berlin")


class SignupForm(NewcomerForm):
    """The fields that allauth's own sign-up form inherits (``ACCOUNT_SIGNUP_FORM_CLASS``)."""

    field_order = ("email", "display_name", "password1", "time_zone")

    def signup(self, request: HttpRequest, user: User) -> None:
        """Keep what was asked, with the language that the form was read in."""
        user.display_name = self.cleaned_data["display_name"]
        user.time_zone = self.cleaned_data["time_zone"]
        user.locale = get_language() or Locale.EN
        user.save(update_fields=("display_name", "time_zone", "locale"))


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """A person's public name, language and time zone."""

    time_zone = ZoneField()

    class Meta:
        model = User
        fields = ("display_name", "locale", "time_zone", "position_file")
        help_texts = {
            "display_name": _("What other players see. Your address stays hidden."),
            "locale": _("Pages and mails are written in this language."),
        }
