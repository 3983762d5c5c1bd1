"""Forms about games."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.contract import Choice, Option, Title
from postspiel.accounts.forms import NewcomerForm, zone_choices
from postspiel.play import policies
from postspiel.play.clocks import EVERY_DAY, MOST_OFF, Clock
from postspiel.play.models import Game, Seat
from postspiel.play.pace import pause, span
from postspiel.play.policies import Policy
from postspiel.play.schedule import Schedule, coming
from postspiel.play.selectors import seat_name
from postspiel.play.services import PressTerms
from postspiel.web import wording
from postspiel.web.wording import locale, title_text

LENGTHS = (1, 2, 4, 8, 12, 24, 48, 72, 96, 120, 168, 240, 336)
PAUSES = (0, 5, 15, 60, 240, 720, 1440)
REMINDERS = (0, 2, 4, 12, 24, 48)
GRACES = (0, 30, 60, 120, 240, 720, 1440)
ABSENCES = (0, 3, 7, 14, 21, 28)
RELIABILITIES = (0, 50, 75, 90)
NO_CLOCK = ""
NO_BOT = ""

_ABOUT_TIME = (
    "hours",
    "first_hours",
    "vote_hours",
    "minute",
    "zone",
    "weekdays",
    "off",
    "wait",
    "minimum_minutes",
    "grace_minutes",
    "reminder_hours",
    "second_reminder_hours",
)


_ABOUT_ABSENCE = ("excused", "open_after", "caretaker", "invite", "absence_days", "least_reliability")


class DaysField(forms.CharField):
    """Asks for single days, each written as 2026-12-24."""

    def to_python(self, value: str | None) -> tuple[date, ...]:  # type: ignore[override]  # a field of its own type
        """Return the days in order, each once."""
        words = set((value or "").replace(",", " ").split())
        if len(words) > MOST_OFF:
            raise forms.ValidationError(_("At most %(count)s days, please.") % {"count": MOST_OFF})
        return tuple(sorted(map(_day, words)))


def _day(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise forms.ValidationError(_("“%(word)s” is no day; write it as 2026-12-24.") % {"word": word}) from None


class NewGameForm(forms.Form):
    """Everything that is decided when a game of a title is made."""

    name = forms.CharField(label=gettext_lazy("Name of the game"), max_length=80)
    size = forms.TypedChoiceField(label=gettext_lazy("Seats"), coerce=int)
    hours = forms.TypedChoiceField(label=gettext_lazy("A turn lasts"), coerce=int, initial=72)
    first_hours = forms.TypedChoiceField(label=gettext_lazy("The first turn lasts"), coerce=int, initial=120)
    vote_hours = forms.TypedChoiceField(
        label=gettext_lazy("A turn that is only a vote lasts"),
        coerce=int,
        initial=0,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("Where votes have turns of their own."),
    )
    minimum_minutes = forms.TypedChoiceField(
        label=gettext_lazy("Least time to think"),
        coerce=int,
        initial=0,
        help_text=gettext_lazy("So long a turn stays open even if everybody's orders were final beforehand."),
    )
    reminder_hours = forms.TypedChoiceField(label=gettext_lazy("Reminder before the deadline"), coerce=int, initial=24)
    second_reminder_hours = forms.TypedChoiceField(
        label=gettext_lazy("Another reminder"), coerce=int, initial=0, required=False, empty_value=None
    )
    grace_minutes = forms.TypedChoiceField(
        label=gettext_lazy("Grace after the deadline"),
        coerce=int,
        initial=0,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("So long a turn stays open while somebody owes orders."),
    )
    minute = forms.TypedChoiceField(
        label=gettext_lazy("Hour of the deadlines"),
        coerce=int,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("Without one, deadlines keep the hour at which the game starts."),
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone of that hour"), choices=zone_choices, initial="Europe/Berlin", required=False
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Days with a deadline"),
        coerce=int,
        initial=EVERY_DAY,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("These and the next two only count with an hour."),
    )
    off = DaysField(
        label=gettext_lazy("Days without a deadline"),
        required=False,
        help_text=gettext_lazy("Holidays, for example: 2026-12-24, 2026-12-25"),
    )
    wait = forms.BooleanField(
        label=gettext_lazy("End no turn before that hour, even if everybody is final"), required=False
    )
    excused = forms.TypedChoiceField(
        label=gettext_lazy("Missed turns that count for nothing"),
        coerce=int,
        initial=policies.USUAL.excused,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("So many turns each player may miss before anything follows."),
    )
    open_after = forms.TypedChoiceField(
        label=gettext_lazy("Open a seat after so many missed turns in a row"),
        coerce=int,
        initial=policies.USUAL.open_after,
        required=False,
        empty_value=None,
    )
    caretaker = forms.ChoiceField(
        label=gettext_lazy("Who plays an open seat"),
        required=False,
        help_text=gettext_lazy("Until somebody takes it over."),
    )
    invite = forms.BooleanField(
        label=gettext_lazy("Ask people who stand by to take open seats over"), required=False, initial=True
    )
    absence_days = forms.TypedChoiceField(
        label=gettext_lazy("Absences move deadlines by"),
        coerce=int,
        initial=policies.USUAL.absence_days,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("So much at most for each player, in the whole game."),
    )
    least_reliability = forms.TypedChoiceField(
        label=gettext_lazy("Least reliability of who joins"),
        coerce=int,
        initial=0,
        required=False,
        empty_value=None,
        help_text=gettext_lazy(
            "Of the last 20 turns, how many were kept. Never more than your own; newcomers may join."
        ),
    )
    play = forms.BooleanField(label=gettext_lazy("I take a seat myself"), required=False, initial=True)
    bots = forms.TypedChoiceField(label=gettext_lazy("Seats for bots"), coerce=int, initial=0)
    bot = forms.ChoiceField(label=gettext_lazy("Which bot"))
    press_mode = forms.ChoiceField(
        label=gettext_lazy("Press between the players"),
        choices=wording.PRESS_MODES,
        initial=Game.PressMode.PRIVATE,
        required=False,
    )
    press_opened = forms.BooleanField(
        label=gettext_lazy("Open private press when the game is over"),
        required=False,
        help_text=gettext_lazy("Everybody who can see the game may then read all of it. Press to everybody always is."),
    )
    anonymous = forms.BooleanField(
        label=gettext_lazy("Hide who plays which seat until the game is over"),
        required=False,
        help_text=gettext_lazy(
            "You see it yourself if you take no seat. Press that names its writer waits for his word."
        ),
    )
    listed = forms.BooleanField(
        label=gettext_lazy("Show it in the lobby"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Else only who has the invitation can join, and only who plays can see it."),
    )
    strict_mail = forms.BooleanField(
        label=gettext_lazy("Ask back about unchecked mail"),
        required=False,
        help_text=gettext_lazy("A mail whose sender our mail server could not check counts only when it is confirmed."),
    )

    def __init__(self, title: Title[Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = title
        sizes = title.about.sizes
        self._choose("size", [(size, str(size)) for size in sizes])
        self._choose("hours", [(hours, span(hours)) for hours in LENGTHS])
        self._choose("first_hours", [(hours, span(hours)) for hours in LENGTHS])
        self._choose("vote_hours", [(0, _("as long as others")), *((hours, span(hours)) for hours in LENGTHS)])
        self._choose("minimum_minutes", [(minutes, _pause(minutes)) for minutes in PAUSES])
        self._choose("reminder_hours", [(hours, span(hours) if hours else _("none")) for hours in REMINDERS])
        self._choose("second_reminder_hours", [(hours, span(hours) if hours else _("none")) for hours in REMINDERS])
        self._choose("grace_minutes", [(minutes, _pause(minutes)) for minutes in GRACES])
        self._choose("minute", [(NO_CLOCK, _("none")), *((minute, _hour(minute)) for minute in range(0, 1440, 30))])
        self._choose("weekdays", [(day, str(WEEKDAYS[day])) for day in EVERY_DAY])
        self._choose("excused", [(count, str(count)) for count in range(6)])
        self._choose("open_after", [(0, _("never")), *((count, str(count)) for count in range(1, 6))])
        self._choose("caretaker", [("", _("the rules' defaults")), *((bot, bot) for bot in title.bots)])
        self._choose("absence_days", [(days, span(24 * days) if days else _("not at all")) for days in ABSENCES])
        self._choose("least_reliability", [(share, f"{share} %" if share else _("any")) for share in RELIABILITIES])
        self._choose("bots", [(count, str(count)) for count in range(max(sizes) + 1)])
        self._choose("bot", [(bot, bot) for bot in title.bots])
        if not title.about.votes:
            del self.fields["vote_hours"]
        self.initial.setdefault("size", sizes[len(sizes) // 2])
        self.initial.setdefault("bot", list(title.bots)[-1])
        for option in title.about.options:
            self.fields[f"option-{option.name}"] = option_field(title, option)

    @property
    def options(self) -> dict[str, Choice]:
        """The title's options as they were chosen."""
        return {one.name: self.cleaned_data[f"option-{one.name}"] for one in self.title.about.options}

    @property
    def schedule(self) -> Schedule:
        """The schedule as it was chosen."""
        chosen = self.cleaned_data
        names = ("hours", "first_hours", "minimum_minutes", "reminder_hours")
        return Schedule(
            **{name: chosen[name] for name in names},
            further_reminders=(chosen["second_reminder_hours"],) if chosen["second_reminder_hours"] else (),
            grace_minutes=chosen["grace_minutes"] or 0,
            clock=self._clock(),
            vote_hours=chosen.get("vote_hours") or 0,
        )

    def _clock(self) -> Clock | None:
        chosen = self.cleaned_data
        if chosen["minute"] is None:
            return None
        days, off = tuple(chosen["weekdays"]), chosen["off"]
        return Clock(chosen["zone"], chosen["minute"], days, off, chosen["wait"])

    def foresee(self, now: datetime) -> tuple[datetime, ...]:
        """The first ten deadlines of a game that would start now; none if what was chosen about time is wrong.

        What is wrong with the other fields is not told yet.
        """
        self.full_clean()
        about_time = {field.name for field in self.about_time}
        for name in set(self.errors) - about_time - {"__all__"}:
            del self.errors[name]
        return () if self.errors else coming(self.schedule, now)

    @property
    def about_seats(self) -> list[forms.BoundField]:
        """The fields about who sits where."""
        return [self[name] for name in ("size", "play", "bots", "bot", "listed", "strict_mail")]

    @property
    def about_press(self) -> list[forms.BoundField]:
        """The fields about what players may write to each other, and what they know of each other."""
        return [self[name] for name in ("press_mode", "press_opened", "anonymous")]

    @property
    def about_absence(self) -> list[forms.BoundField]:
        """The fields about missed turns, absences and open seats."""
        return [self[name] for name in _ABOUT_ABSENCE]

    @property
    def policy(self) -> Policy:
        """The policy as it was chosen; what was left out is as usual."""
        chosen = {name: self.cleaned_data[name] for name in _ABOUT_ABSENCE}
        return Policy(**{name: value for name, value in chosen.items() if value is not None})

    @property
    def terms(self) -> PressTerms:
        """What was chosen about press."""
        chosen = self.cleaned_data
        mode = chosen["press_mode"] or Game.PressMode.PRIVATE
        return PressTerms(mode, chosen["press_opened"], chosen["anonymous"])

    @property
    def about_time(self) -> list[forms.BoundField]:
        """The fields about the schedule."""
        return [self[name] for name in _ABOUT_TIME if name in self.fields]

    @property
    def about_rules(self) -> list[forms.BoundField]:
        """The title's own options."""
        return [self[f"option-{option.name}"] for option in self.title.about.options]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken = cleaned.get("bots", 0) + bool(cleaned.get("play"))
        if taken > cleaned.get("size", taken):
            self.add_error("bots", _("There are not so many seats."))
        if (cleaned.get("vote_hours") or 0) > cleaned.get("hours", max(LENGTHS)):
            self.add_error("vote_hours", _("A vote cannot last longer than another turn."))
        self._check_clock(cleaned)
        return cleaned

    def _check_clock(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("minute") is not None:
            if not cleaned.get("weekdays") and "weekdays" not in self.errors:
                self.add_error("weekdays", _("Choose at least one day."))
            if not cleaned.get("zone") and "zone" not in self.errors:
                self.add_error("zone", _("Choose the zone of the hour."))
        elif "minute" not in self.errors and (cleaned.get("wait") or cleaned.get("off")):
            self.add_error("minute", _("Choose an hour for this."))

    def _choose(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = choices


def option_field(title: Title[Any], option: Option) -> forms.Field:
    """The field by which an organiser chooses an option of a title."""
    key = f"option.{option.name}"
    texts = title.about.texts[locale()]
    words: dict[str, Any] = {
        "label": texts.get(key, option.name),
        "help_text": texts.get(f"{key}.help", ""),
        "initial": option.default,
    }
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, **words)
    if isinstance(option.default, int):
        return forms.IntegerField(min_value=option.low, max_value=option.high, **words)
    choices = [(choice, title_text(title.about.slug, f"{key}.{choice}")) for choice in option.choices]
    return forms.ChoiceField(choices=choices, **words)


def _pause(minutes: int) -> str:
    return pause(minutes) if minutes else _("none")


def _hour(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


class PressForm(forms.Form):
    """A message to other seats, or to everybody."""

    prefix = "press"

    public = forms.BooleanField(label=gettext_lazy("To everybody, watchers included"), required=False)
    to = forms.TypedMultipleChoiceField(
        label=gettext_lazy("To"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    text = forms.CharField(label=gettext_lazy("Text"), widget=forms.Textarea(attrs={"rows": 5}), max_length=8000)

    def __init__(self, seat: Seat, seats: list[Seat], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if seat.game.press_mode == Game.PressMode.PUBLIC:
            del self.fields["to"], self.fields["public"]
            return
        knows = not seat.game.hides_players
        others = [(one.index, holder(seat.game, one, knows=knows)) for one in seats if one.index != seat.index]
        field = self.fields["to"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101 - declared above
        field.choices = others

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "to" in self.fields and not cleaned.get("public") and not cleaned.get("to") and "to" not in self.errors:
            self.add_error("to", _("Say whom it is for."))
        return cleaned

    @property
    def readers(self) -> list[int] | None:
        """The seats it goes to; None: everybody."""
        return None if self.cleaned_data.get("public", True) else self.cleaned_data["to"]


def holder(game: Game, seat: Seat, *, knows: bool) -> str:
    """A seat's name with who holds it, if the reader may know that."""
    name = seat_name(game, seat.index)
    held_by = (seat.player.public_name if knows else _("hidden")) if seat.player else seat.bot
    return f"{name} ({held_by})" if held_by else name


class SeatForm(forms.Form):
    """Which free seat somebody takes."""

    index = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=int)

    def __init__(self, game: Game, free: list[Seat], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["index"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101 - declared above
        field.choices = [(seat.index, seat_name(game, seat.index)) for seat in free]


class AbsenceForm(forms.Form):
    """From when to when somebody is away."""

    first = forms.DateField(label=gettext_lazy("First day away"), widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label=gettext_lazy("Last day away"), widget=forms.DateInput(attrs={"type": "date"}))
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=100, required=False, help_text=gettext_lazy("Only you read it.")
    )


class InviteForm(forms.Form):
    """An address that an invitation is mailed to."""

    email = forms.EmailField(
        label=gettext_lazy("Invite by mail"), help_text=gettext_lazy("One invitation is sent, no reminder.")
    )


class GuestForm(NewcomerForm):
    """What somebody says of himself who follows an invitation without an account."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    field_order = ("email", "display_name", "time_zone")


class AnswerForm(forms.Form):
    """What the reader of a mail in the postbox answers."""

    text = forms.CharField(
        label=gettext_lazy("Answer"),
        widget=forms.Textarea(attrs={"rows": 8, "class": "orders"}),
        help_text=gettext_lazy("It is written above a quotation of the mail, as a mail program does it."),
    )
