"""An organiser's acts by name, with arguments as people write them: a table for the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import acting, deadlines, pausing, replacing, rollback
from postspiel.play.errors import PlayError
from postspiel.play.models import Game, Seat, Turn


class Asked(NamedTuple):
    """What somebody wants done: to which game, who, and what he wrote beside it."""

    game: Game
    who: User
    given: Mapping[str, str]

    @property
    def why(self) -> str:
        """The reason that is told to the players."""
        return self.given.get("why", "")

    def number(self, name: str) -> int:
        """Return a number that was given. PlayError if it is none."""
        written = self.given.get(name, "")
        if not written.isdecimal() or len(written) > 6:
            raise PlayError(_("This needs a number for “%(name)s”.") % {"name": name})
        return int(written)

    def seat(self, name: str = "seat") -> Seat:
        """Return the seat of the number (0 is the first) that was given. PlayError if there is none."""
        seat = self.game.seats.select_related("game", "player").filter(index=self.number(name)).first()
        if seat is None:
            raise PlayError(_("There is no such seat in this game."))
        return seat

    def user(self) -> User:
        """Return the person of the address that was given. PlayError if nobody has it."""
        user = User.objects.filter(email__iexact=self.given.get("user", "")).first()
        if user is None:
            raise PlayError(_("Nobody here has this address."))
        return user

    def turn(self) -> Turn:
        """Return the open turn. PlayError if none is open."""
        turn = Turn.objects.select_related("game").filter(game=self.game, status=Turn.Status.OPEN).first()
        if turn is None:
            raise PlayError(_("This game does not run."))
        return turn


def perform(asked: Asked, act: str) -> dict[str, str | int]:
    """Do an act of `ACTS`, and return what came of it. PlayError if there is no such act, or if it cannot be done."""
    if act not in ACTS:
        raise PlayError(_("There is no such act; there are: %(acts)s.") % {"acts": ", ".join(ACTS)})
    done = ACTS[act].do(asked)
    return {"game": asked.game.key, "act": act, **(done or {})}


type Came = dict[str, str | int] | None


def _extend(asked: Asked) -> Came:
    change = deadlines.extend(turn=asked.turn(), hours=asked.number("hours"), who=asked.who, why=asked.why)
    return {"before": change.old.isoformat(), "after": change.new.isoformat()}


def _remind(asked: Asked) -> Came:
    return {"reminded": deadlines.remind(turn=asked.turn(), who=asked.who)}


def _pause(asked: Asked) -> Came:
    pausing.pause_game(game=asked.game, who=asked.who, why=asked.why)
    return None


def _resume(asked: Asked) -> Came:
    done = pausing.resume_game(game=asked.game, who=asked.who, why=asked.why)
    return {"before": str(done.data["before"]), "after": str(done.data["after"])}


def _force(asked: Asked) -> Came:
    acting.force_turn(turn=asked.turn(), who=asked.who, why=asked.why, expected=asked.number("turn"))
    return None


def _roll_back(asked: Asked) -> Came:
    turn = rollback.roll_back(
        game=asked.game, to=asked.number("to"), who=asked.who, why=asked.why, expected=asked.number("turn")
    )
    return {"turn": turn.number}


def _remove(asked: Asked) -> Came:
    acting.remove_player(seat=asked.seat(), who=asked.who, why=asked.why)
    return None


def _replace(asked: Asked) -> Came:
    replacing.replace_player(seat=asked.seat(), user=asked.user(), who=asked.who, why=asked.why)
    return None


def _invite(asked: Asked) -> Came:
    user = asked.user() if asked.given.get("user") else None
    return {"asked": replacing.invite_replacement(seat=asked.seat(), who=asked.who, user=user)}


def _swap(asked: Asked) -> Came:
    acting.swap_seats(one=asked.seat(), other=asked.seat("other"), who=asked.who)
    return None


def _end(asked: Asked) -> Came:
    acting.end_game(game=asked.game, who=asked.who, why=asked.why)
    return None


def _annul(asked: Asked) -> Came:
    acting.annul_game(game=asked.game, who=asked.who, why=asked.why)
    return None


def _act_for(asked: Asked) -> Came:
    done = acting.act_for(
        seat=asked.seat(),
        text=asked.given.get("text", ""),
        who=asked.who,
        why=asked.why,
        expected=asked.number("turn"),
    )
    return {"verdict": done.verdict}


def _message(asked: Asked) -> Came:
    to = asked.given.get("to", "") or "all"
    readers: acting.Readers = "all" if to == "all" else "late" if to == "late" else asked.number("to")
    return {"sent": acting.message(game=asked.game, text=asked.given.get("text", ""), who=asked.who, to=readers)}


class Deed(NamedTuple):
    """One act: what does it, and which arguments it takes."""

    do: Callable[[Asked], Came]
    takes: tuple[str, ...]


ACTS: dict[str, Deed] = {
    "extend": Deed(_extend, ("hours", "why")),
    "remind": Deed(_remind, ()),
    "pause": Deed(_pause, ("why",)),
    "resume": Deed(_resume, ("why",)),
    "message": Deed(_message, ("to", "text")),
    "act-for": Deed(_act_for, ("seat", "turn", "text", "why")),
    "swap": Deed(_swap, ("seat", "other")),
    "force": Deed(_force, ("turn", "why")),
    "roll-back": Deed(_roll_back, ("to", "turn", "why")),
    "remove": Deed(_remove, ("seat", "why")),
    "replace": Deed(_replace, ("seat", "user", "why")),
    "invite": Deed(_invite, ("seat", "user")),
    "end": Deed(_end, ("why",)),
    "annul": Deed(_annul, ("why",)),
}
"""Every act, by the name that the command line knows it by."""
