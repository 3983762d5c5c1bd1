"""What who runs a game can do to it: one entry a deed, with its form, its question, and the service that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from postspiel.accounts.models import User
from postspiel.accounts.services import owner_of
from postspiel.mail import selectors as mail
from postspiel.play import assisting, history, roles, selectors, services, vacancies
from postspiel.play.models import Game, Seat, Turn
from postspiel.play.pace import span
from postspiel.play.services import PlayError
from postspiel.web.forms import LENGTHS, holder
from postspiel.web.wording import reliability_text

type Said = dict[str, Any]
type Fields = tuple[str, ...]

MOST_PEOPLE = 100

OPEN, RUNNING, ENDED = frozenset({"open"}), frozenset({"running"}), frozenset({"ended"})


@dataclass(frozen=True)
class Deed:
    """One thing that can be done. ``question`` is asked before it is done; "" for what harms nobody.

    ``judges``: who plays in the game himself may not do it. ``paused``: only to games that are paused, or are not.
    """

    name: str
    label: Promise
    help: Promise
    fields: Fields
    when: frozenset[str]
    do: Callable[[User, Game, Said], str]
    question: Promise | str = ""
    judges: bool = False
    paused: bool | None = None

    def fits(self, game: Game, *, plays: bool) -> bool:
        """Whether it may be done to a game in its state, by who plays in it or does not; asks the database nothing."""
        stands = self.paused is None or self.paused == (game.paused is not None)
        return stands and game.status in self.when and not (self.judges and plays)

    def offered(self, table: Table) -> bool:
        """Whether it can be done to a game now, by who looks at it."""
        return self.fits(table.game, plays=table.plays) and all(table.has(name) for name in self.fields)


class Place(NamedTuple):
    """A seat and its name; how reliable its player is ("": not to be known); why mail to him comes back, if it does."""

    seat: Seat
    name: str
    reliable: str
    returned: str | None


class Table:
    """A game before who runs it: its seats and turns, and what can be chosen among them."""

    def __init__(self, game: Game, user: User) -> None:
        self.game, self.user = game, user
        self.plays = roles.plays(game, user)
        self.knows = selectors.knows_players(game, user)
        self.seats = selectors.seats_of(game)
        self.turn = selectors.open_turn(game)

    def has(self, name: str) -> bool:
        """Whether there is anything to choose for a field."""
        return name not in CHOICES or bool(CHOICES[name](self))

    def name(self, seat: Seat) -> str:
        """A seat's name, with who holds it if the reader may know."""
        return holder(self.game, seat, knows=self.knows)

    @cached_property
    def people(self) -> list[User]:
        """Who stands by for the title and has no seat here; nobody where that would tell who has one."""
        taken = {seat.player_id for seat in self.seats}
        people = vacancies.people_standing_by(self.game.title) if self.knows else []
        return [one for one in people if one.pk not in taken][:MOST_PEOPLE]

    @cached_property
    def reliability(self) -> dict[int, str]:
        """How reliable those are who stand by; and those who play, which who plays himself is not told."""
        players = [] if self.plays or not self.knows else [seat.player_id for seat in self.seats]
        known = vacancies.reliabilities([*(one for one in players if one), *(one.pk for one in self.people)])
        return {user: reliability_text(percent) for user, percent in known.items()}

    @property
    def places(self) -> list[Place]:
        """The seats, with what the reader may know of their players."""
        players = [seat.player_id for seat in self.seats if seat.player_id] if self.knows else []
        returned = mail.returned_from(players)
        known = [(seat, seat.player_id or 0) for seat in self.seats]
        return [Place(seat, self.name(seat), self.reliability.get(who, ""), returned.get(who)) for seat, who in known]

    @property
    def holds(self) -> list[str]:
        """Why the open turn is held back, or got more time."""
        return [selectors.held_why(hold) for hold in selectors.holds_on(self.game)]

    @property
    def deeds(self) -> list[tuple[Deed, DeedForm]]:
        """What can be done now, with empty forms."""
        return [(deed, DeedForm(deed, self)) for deed in DEEDS.values() if deed.offered(self)]

    @property
    def seen(self) -> dict[str, object]:
        """The turn and the deadline that the reader sees, by which a second click is known."""
        last = self.turn or history.turns(self.game).filter(status=Turn.Status.DONE).first()
        deadline = last.deadline.isoformat() if last and last.deadline else ""
        return {"deadline": deadline, "number": last.number if last else None}


def _held(table: Table) -> list[tuple[str, str]]:
    return [(str(seat.index), table.name(seat)) for seat in table.seats if seat.player_id is not None]


def _waiting(table: Table) -> list[tuple[str, str]]:
    return [(str(seat.index), table.name(seat)) for seat in table.seats if seat.vacant is not None]


def _given(table: Table) -> list[tuple[str, str]]:
    return [*_waiting(table), *_held(table)]


def _holds(table: Table) -> list[tuple[str, str]]:
    return [(str(hold.pk), selectors.held_why(hold)) for hold in selectors.holds_on(table.game) if hold.game_id]


def _all(table: Table) -> list[tuple[str, str]]:
    return [(str(seat.index), table.name(seat)) for seat in table.seats]


def _readers(table: Table) -> list[tuple[str, str]]:
    late = [] if table.plays or table.turn is None else [("late", _("those who are late"))]
    return [("all", _("all players")), *late, *_held(table)]


def _people(table: Table) -> list[tuple[str, str]]:
    return [(str(one.pk), f"{one.public_name} ({table.reliability[one.pk]})") for one in table.people]


def _helpers(table: Table) -> list[tuple[str, str]]:
    if roles.role_of(table.game, table.user) not in {roles.Role.ORGANISER, roles.Role.HOST}:
        return []
    return [(str(one.pk), one.public_name) for one in assisting.known_to(table.user)[:200]]


def _assistants(table: Table) -> list[tuple[str, str]]:
    rows = table.game.assistants.select_related("user").order_by("pk")
    mine = roles.role_of(table.game, table.user) == roles.Role.ASSISTANT
    return [(str(one.user_id), one.user.public_name) for one in rows if not mine or one.user_id == table.user.pk]


def _before(table: Table) -> list[tuple[str, str]]:
    played = history.turns(table.game).filter(status=Turn.Status.DONE)
    return [(str(turn.number), _("Turn %(number)s") % {"number": turn.number}) for turn in played]


CHOICES: dict[str, Callable[[Table], list[tuple[str, str]]]] = {
    "seat": _held,
    "given": _given,
    "waiting": _waiting,
    "hold": _holds,
    "one": _all,
    "other": _all,
    "to": _readers,
    "player": _people,
    "helper": _helpers,
    "assistant": _assistants,
    "back": _before,
}


class DeedForm(forms.Form):
    """The form of one deed: those of all fields that it asks for."""

    hours = forms.TypedChoiceField(label=gettext_lazy("Move it by"), coerce=int, initial=24)
    seat = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=int)
    given = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=int)
    waiting = forms.TypedChoiceField(label=gettext_lazy("Open seat"), coerce=int)
    hold = forms.TypedChoiceField(label=gettext_lazy("Held back"), coerce=int)
    one = forms.TypedChoiceField(label=gettext_lazy("One seat"), coerce=int)
    other = forms.TypedChoiceField(label=gettext_lazy("The other seat"), coerce=int)
    player = forms.TypedChoiceField(label=gettext_lazy("Who stands by"), coerce=int)
    address = forms.EmailField(
        label=gettext_lazy("Address of the one to ask"),
        required=False,
        help_text=gettext_lazy("Somebody with an account here. Leave it empty to ask all who stand by."),
    )
    helper = forms.TypedChoiceField(label=gettext_lazy("Who is to help"), coerce=int)
    assistant = forms.TypedChoiceField(label=gettext_lazy("Who helps"), coerce=int)
    back = forms.TypedChoiceField(label=gettext_lazy("To the beginning of"), coerce=int)
    to = forms.ChoiceField(label=gettext_lazy("To"))
    text = forms.CharField(label=gettext_lazy("Text"), max_length=4000, widget=forms.Textarea(attrs={"rows": 4}))
    orders = forms.CharField(
        label=gettext_lazy("Orders, one a line"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4, "class": "orders"}),
    )
    why = forms.CharField(label=gettext_lazy("Why (the players read it)"), max_length=200)
    deadline = forms.DateTimeField(widget=forms.HiddenInput)
    number = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, deed: Deed, table: Table, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=table.seen, auto_id=f"{deed.name}-%s")
        self.fields = {name: self.fields[name] for name in deed.fields}
        for name in self.fields.keys() & CHOICES.keys():
            self._choose(name, CHOICES[name](table))
        if "hours" in self.fields:
            self._choose("hours", [(str(hours), span(hours)) for hours in LENGTHS])
            self.fields["hours"].initial = 24

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = choices


def _open_turn(game: Game) -> Turn:
    turn = selectors.open_turn(game)
    if turn is None:
        raise PlayError(_("This game does not run."))
    return turn


def _remind(who: User, game: Game, _said: Said) -> str:
    count = services.remind(turn=_open_turn(game), who=who)
    return ngettext("%(count)d player is reminded.", "%(count)d players are reminded.", count) % {"count": count}


def _extend(who: User, game: Game, said: Said) -> str:
    turn = _open_turn(game)
    services.extend(turn=turn, hours=said["hours"], who=who, why=said["why"], expected=said["deadline"])
    return _("The deadline of “%(game)s” is moved, and the players are told.") % {"game": game.name}


def _pause(who: User, game: Game, said: Said) -> str:
    services.pause_game(game=game, who=who, why=said["why"])
    return _("“%(game)s” is paused, and the players are told.") % {"game": game.name}


def _resume(who: User, game: Game, _said: Said) -> str:
    services.resume_game(game=game, who=who)
    return _("“%(game)s” goes on; the time that it stood still is given back.") % {"game": game.name}


def _message(who: User, game: Game, said: Said) -> str:
    to = int(said["to"]) if said["to"].isdecimal() else said["to"]
    count = services.message(game=game, text=said["text"], who=who, to=to)
    return ngettext("%(count)d player is written to.", "%(count)d players are written to.", count) % {"count": count}


def _act_for(who: User, game: Game, said: Said) -> str:
    seat = selectors.seats_of(game)[said["seat"]]
    services.act_for(seat=seat, text=said["orders"], who=who, why=said["why"], expected=said["number"])
    return _("The orders are handed in, and the player is told.")


def _force(who: User, game: Game, said: Said) -> str:
    services.force_turn(turn=_open_turn(game), who=who, why=said["why"], expected=said["number"])
    return _("Turn %(number)s is over.") % {"number": said["number"]}


def _roll_back(who: User, game: Game, said: Said) -> str:
    services.roll_back(game=game, to=said["back"], who=who, why=said["why"], expected=said["number"])
    return _("“%(game)s” is back at the beginning of turn %(number)s.") % {"game": game.name, "number": said["back"]}


def _remove(who: User, game: Game, said: Said) -> str:
    services.remove_player(seat=selectors.seats_of(game)[said["seat"]], who=who, why=said["why"])
    return _("The player is removed; the seat is open.")


def _replace(who: User, game: Game, said: Said) -> str:
    user = next(one for one in vacancies.people_standing_by(game.title) if one.pk == said["player"])
    seat = selectors.seats_of(game)[said["given"]]
    services.replace_player(seat=seat, user=user, who=who, why=said["why"])
    return _("%(name)s has the seat now.") % {"name": user.public_name}


def _invite(who: User, game: Game, said: Said) -> str:
    seat, address = selectors.seats_of(game)[said["waiting"]], said["address"]
    if address:
        user = owner_of(address)
        if user is not None:
            services.invite_replacement(seat=seat, who=who, user=user)
        return _("If somebody here has this address and may take the seat, a mail is on its way.")
    count = services.invite_replacement(seat=seat, who=who)
    return ngettext("%(count)d person is written to.", "%(count)d people are written to.", count) % {"count": count}


def _release(who: User, game: Game, said: Said) -> str:
    hold = next(one for one in selectors.holds_on(game) if one.pk == said["hold"])
    services.release_hold(hold=hold, who=who)
    return _("The turn of “%(game)s” ends now, and the players are told.") % {"game": game.name}


def _swap(who: User, game: Game, said: Said) -> str:
    seats = selectors.seats_of(game)
    services.swap_seats(one=seats[said["one"]], other=seats[said["other"]], who=who)
    return _("The seats are swapped.")


def _end(who: User, game: Game, said: Said) -> str:
    services.end_game(game=game, who=who, why=said["why"])
    return _("“%(game)s” is over.") % {"game": game.name}


def _annul(who: User, game: Game, said: Said) -> str:
    services.annul_game(game=game, who=who, why=said["why"])
    return _("“%(game)s” is annulled.") % {"game": game.name}


def _cancel(who: User, game: Game, _said: Said) -> str:
    services.cancel_game(game=game, who=who)
    return _("“%(game)s” is called off.") % {"game": game.name}


def _help(who: User, game: Game, said: Said) -> str:
    user = next(one for one in assisting.known_to(who) if one.pk == said["helper"])
    services.add_assistant(game=game, user=user, who=who)
    return _("%(name)s helps to organise this game.") % {"name": user.public_name}


def _dismiss(who: User, game: Game, said: Said) -> str:
    row = game.assistants.select_related("user").get(user=said["assistant"])
    services.remove_assistant(game=game, user=row.user, who=who)
    return _("%(name)s no longer helps to organise this game.") % {"name": row.user.public_name}


_RULES_DEFAULTS = gettext_lazy("What the player has handed in is not carried out, and the seat waits for another.")

DEEDS: dict[str, Deed] = {
    deed.name: deed
    for deed in (
        Deed(
            "remind",
            gettext_lazy("Remind who is late"),
            gettext_lazy("At most once an hour."),
            (),
            RUNNING,
            _remind,
            paused=False,
        ),
        Deed(
            "extend",
            gettext_lazy("Move the deadline"),
            gettext_lazy("By 14 days in all at most for one turn."),
            ("hours", "why", "deadline"),
            RUNNING,
            _extend,
            paused=False,
        ),
        Deed(
            "pause",
            gettext_lazy("Pause the game"),
            gettext_lazy("Its time stands still until you let it go on; orders may be given."),
            ("why",),
            RUNNING,
            _pause,
            paused=False,
        ),
        Deed(
            "resume",
            gettext_lazy("Let the game go on"),
            gettext_lazy("The time that it stood still is given back."),
            (),
            RUNNING,
            _resume,
            paused=True,
        ),
        Deed(
            "message",
            gettext_lazy("Write to players"),
            gettext_lazy("They get it by mail."),
            ("to", "text"),
            OPEN | RUNNING | ENDED,
            _message,
        ),
        Deed(
            "act-for",
            gettext_lazy("Hand in for a player"),
            gettext_lazy("The player is told, with these lines."),
            ("seat", "orders", "why", "number"),
            RUNNING,
            _act_for,
            judges=True,
        ),
        Deed(
            "release",
            gettext_lazy("Release the held turn"),
            gettext_lazy("It ends now: the time that was given for an outage is taken back."),
            ("hold",),
            RUNNING,
            _release,
            gettext_lazy("End the held turn now?"),
        ),
        Deed(
            "invite",
            gettext_lazy("Look for somebody for an open seat"),
            gettext_lazy("Who is asked gets one mail for each time that the seat is open; the first gets it."),
            ("waiting", "address"),
            RUNNING,
            _invite,
        ),
        Deed(
            "help",
            gettext_lazy("Name an assistant"),
            gettext_lazy("Assistants can do all that you can, but this."),
            ("helper",),
            OPEN | RUNNING,
            _help,
        ),
        Deed(
            "dismiss",
            gettext_lazy("Dismiss an assistant"),
            gettext_lazy("You do without this help from now on."),
            ("assistant",),
            OPEN | RUNNING,
            _dismiss,
        ),
        Deed(
            "swap",
            gettext_lazy("Swap two seats"),
            gettext_lazy("Before the game starts."),
            ("one", "other"),
            OPEN,
            _swap,
        ),
        Deed(
            "replace",
            gettext_lazy("Give a seat to somebody who stands by"),
            _RULES_DEFAULTS,
            ("given", "player", "why"),
            RUNNING,
            _replace,
            gettext_lazy("Give this seat to somebody else?"),
        ),
        Deed(
            "remove",
            gettext_lazy("Remove a player"),
            _RULES_DEFAULTS,
            ("seat", "why"),
            OPEN | RUNNING,
            _remove,
            gettext_lazy("Remove this player from the game?"),
        ),
        Deed(
            "force",
            gettext_lazy("End the turn now"),
            gettext_lazy("It is resolved with the orders that are there; the rules' defaults play the rest."),
            ("why", "number"),
            RUNNING,
            _force,
            gettext_lazy("End the turn before its deadline?"),
        ),
        Deed(
            "roll-back",
            gettext_lazy("Take the game back"),
            gettext_lazy("All turns from that one on are played anew; dice of changed turns fall anew."),
            ("back", "why", "number"),
            RUNNING | ENDED,
            _roll_back,
            gettext_lazy("Take the game back?"),
            judges=True,
        ),
        Deed(
            "end",
            gettext_lazy("End the game"),
            gettext_lazy("Nobody has won; all share the first place."),
            ("why",),
            RUNNING,
            _end,
            gettext_lazy("End the game at once?"),
            judges=True,
        ),
        Deed(
            "annul",
            gettext_lazy("Annul the game"),
            gettext_lazy("It ends and counts for no ladder."),
            ("why",),
            RUNNING | ENDED,
            _annul,
            gettext_lazy("Annul the game?"),
            judges=True,
        ),
        Deed(
            "cancel",
            gettext_lazy("Call the game off"),
            gettext_lazy("It is not played; its players are told."),
            (),
            OPEN,
            _cancel,
            gettext_lazy("Call the game off?"),
        ),
    )
}
