"""What the organiser's desk shows and takes: its filters, its table, and acts upon many games at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from postspiel.accounts.models import User
from postspiel.play import selectors, services
from postspiel.play.audits import Entry
from postspiel.play.desk import Desk, Row, Show, Wanted
from postspiel.play.models import Turn
from postspiel.play.pace import span
from postspiel.web.forms import LENGTHS
from postspiel.web.steering import DEEDS
from postspiel.web.wording import act, all_titles, title_text

SHOWN: dict[Show, Promise] = {
    Show.RUNNING: gettext_lazy("running"),
    Show.OVERDUE: gettext_lazy("overdue"),
    Show.TODAY: gettext_lazy("due today"),
    Show.WAITING: gettext_lazy("sheets missing"),
    Show.HELD: gettext_lazy("held mail"),
    Show.UNREACHABLE: gettext_lazy("mail comes back"),
    Show.OPEN_SEATS: gettext_lazy("open seats"),
    Show.STUCK: gettext_lazy("mail given up"),
    Show.FORMING: gettext_lazy("not started"),
    Show.OVER: gettext_lazy("over"),
}
TROUBLE = frozenset({Show.OVERDUE, Show.HELD, Show.UNREACHABLE, Show.OPEN_SEATS, Show.STUCK})


def address(show: str) -> str:
    """The desk with games of one kind; as it usually is if there is no such kind."""
    return f"{reverse('organiser')}?show={show}" if show in set(Show) else reverse("organiser")


class WantedForm(forms.Form):
    """The filters of the desk. Whatever cannot be read counts as not said."""

    show = forms.ChoiceField(choices=[(one.value, one.value) for one in Show], required=False)
    title = forms.ChoiceField(label=gettext_lazy("Title"), required=False)
    text = forms.CharField(label=gettext_lazy("Name contains"), max_length=80, required=False)
    page = forms.IntegerField(min_value=1, max_value=100_000, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = [(one.about.slug, title_text(one.about.slug, "title")) for one in all_titles()]
        choice = self.fields["title"]
        assert isinstance(choice, forms.ChoiceField)  # noqa: S101 - declared above
        choice.choices = [("", _("all")), *titles]

    @property
    def wanted(self) -> Wanted:
        """What the reader wants to see."""
        self.full_clean()
        said = self.cleaned_data
        return Wanted(
            Show(said.get("show") or Show.RUNNING), said.get("title", ""), said.get("text", ""), said.get("page") or 1
        )


@dataclass(frozen=True)
class Tab:
    """One kind of games on the desk: what it is called, how many there are, and where they are shown."""

    show: Show
    label: Promise
    count: int
    address: str
    current: bool

    @property
    def wrong(self) -> bool:
        """Whether somebody should look."""
        return self.count > 0 and self.show in TROUBLE


@dataclass(frozen=True)
class Done:
    """What was done last, in words."""

    entry: Entry

    @property
    def words(self) -> str:
        """What was done."""
        return act(self.entry.act.kind)


@dataclass
class DeskPage:
    """The desk as a page shows it."""

    desk: Desk
    _menus: dict[tuple[str, ...], SafeString] = field(default_factory=dict)
    """Most games allow the same deeds, so each such menu is written once."""

    @cached_property
    def tabs(self) -> list[Tab]:
        """The kinds of games, with their numbers."""
        here = self.desk.wanted
        return [
            Tab(show, label, self.desk.counts[show], f"?show={show}", here.show == show)
            for show, label in SHOWN.items()
        ]

    @cached_property
    def filters(self) -> WantedForm:
        """The form with what is wanted now."""
        wanted = self.desk.wanted
        return WantedForm(initial={"show": wanted.show, "title": wanted.title, "text": wanted.text})

    @property
    def rows(self) -> Iterator[tuple[Row, str, str, SafeString]]:
        """Each game with the value of its tick box, how many sheets are in, and a menu of what can be done to it."""
        sheets = _("%(handed)s of %(asked)s in")
        for row in self.desk.rows:
            seen = row.turn.deadline.isoformat() if row.turn and row.turn.deadline else ""
            pick = f"{row.turn.pk} {seen}" if row.turn else ""
            yield row, pick, sheets % {"handed": row.handed_in, "asked": row.asked}, self._menu(row)

    def _menu(self, row: Row) -> SafeString:
        deeds = tuple(name for name, deed in DEEDS.items() if deed.fits(row.game, plays=row.plays))
        if deeds not in self._menus:
            said = ((name, DEEDS[name].label) for name in deeds)
            self._menus[deeds] = format_html_join("", '<option value="{}">{}</option>', said)
        return self._menus[deeds]

    @cached_property
    def done(self) -> list[Done]:
        """What was done last."""
        return [Done(entry) for entry in self.desk.acts]

    @cached_property
    def many(self) -> "ManyForm":
        """The form for acting upon several games."""
        return ManyForm()

    @property
    def running(self) -> bool:
        """Whether the games that are shown run."""
        return any(row.turn for row in self.desk.rows)

    @property
    def previous(self) -> int:
        """The number of the page before; 0 if there is none."""
        return self.desk.wanted.page - 1

    @property
    def following(self) -> int:
        """The number of the next page; 0 if there is none."""
        return self.desk.wanted.page + 1 if self.desk.wanted.page < self.desk.pages else 0


@dataclass
class Outcome:
    """What came of acting upon several games: how often it was done, and who could not be helped, by reason."""

    done: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)


class ManyForm(forms.Form):
    """One act upon all games that are ticked, or upon all that the page shows.

    ``pick`` and ``shown`` each name an open turn and the deadline that was seen.
    """

    which = forms.ChoiceField(
        label=gettext_lazy("With the games"),
        choices=[("pick", gettext_lazy("that are ticked")), ("shown", gettext_lazy("that are shown: all"))],
    )
    act = forms.ChoiceField(
        label=gettext_lazy("Deed"),
        choices=[
            ("remind", gettext_lazy("remind who is late")),
            ("extend", gettext_lazy("move the deadline")),
            ("pause", gettext_lazy("pause")),
            ("resume", gettext_lazy("go on")),
        ],
    )
    hours = forms.TypedChoiceField(label=gettext_lazy("Move it by"), coerce=int, initial=24, required=False)
    why = forms.CharField(label=gettext_lazy("Why (the players read it)"), max_length=200, required=False)
    show = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["hours"]
        assert isinstance(choice, forms.TypedChoiceField)  # noqa: S101 - declared above
        choice.choices = [(hours, span(hours)) for hours in LENGTHS]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.picks:
            raise forms.ValidationError(_("Tick at least one game."))
        if cleaned.get("act") == "extend" and not (cleaned.get("hours") and cleaned.get("why")):
            raise forms.ValidationError(_("Say by how much, and why: the players want to know."))
        if cleaned.get("act") == "pause" and not cleaned.get("why"):
            raise forms.ValidationError(_("Say why: the players want to know."))
        return cleaned

    @property
    def picks(self) -> dict[int, str]:
        """The turns that are meant, each with the deadline that was seen."""
        which = "shown" if self.data.get("which") == "shown" else "pick"
        picks = self.data.getlist(which) if isinstance(self.data, QueryDict) else []
        said = [pick.partition(" ") for pick in picks]
        return {int(number): seen for number, _blank, seen in said if number.isdecimal() and len(number) < 19}

    @property
    def sentence(self) -> str:
        """What is wrong with the form, in one sentence."""
        return next((str(error) for errors in self.errors.values() for error in errors), "")

    @property
    def back(self) -> str:
        """The desk as it was shown."""
        return address(self.data.get("show", ""))

    def do(self, user: User) -> Outcome:
        """Do it to each game; a game that refuses stops no other."""
        outcome = Outcome()
        for number, seen in self.picks.items():
            turn = selectors.organised_turn(number, user)
            try:
                self._act(turn, user, seen)
                outcome.done += 1
            except services.PlayError as error:
                outcome.refused.setdefault(str(error), []).append(turn.game.name if turn else f"#{number}")
        return outcome

    def _act(self, turn: Turn | None, user: User, seen: str) -> None:
        if turn is None:
            raise services.PlayError(_("This turn is over."))
        self._acts[self.cleaned_data["act"]](turn, user, seen)

    @property
    def _acts(self) -> dict[str, Callable[[Turn, User, str], object]]:
        return {"remind": self._remind, "extend": self._extend, "pause": self._pause, "resume": self._resume}

    def _remind(self, turn: Turn, user: User, _seen: str) -> None:
        services.remind(turn=turn, who=user)

    def _pause(self, turn: Turn, user: User, _seen: str) -> None:
        services.pause_game(game=turn.game, who=user, why=self.cleaned_data["why"])

    def _resume(self, turn: Turn, user: User, _seen: str) -> None:
        services.resume_game(game=turn.game, who=user, why=self.cleaned_data["why"])

    def _extend(self, turn: Turn, user: User, seen: str) -> None:
        said = self.cleaned_data
        try:
            expected = datetime.fromisoformat(seen)
        except ValueError:
            raise services.PlayError(_("The page is out of date; load it again.")) from None
        services.extend(turn=turn, hours=said["hours"], who=user, why=said["why"], expected=expected)


def tell(request: HttpRequest, outcome: Outcome) -> None:
    """Tell the reader what came of acting upon several games."""
    if outcome.done:
        said = ngettext("Done for %(count)d game.", "Done for %(count)d games.", outcome.done)
        messages.success(request, said % {"count": outcome.done})
    for why, names in outcome.refused.items():
        messages.warning(request, f"{', '.join(names)}: {why}")
