"""What a mail did beside giving orders: press that was sent or not, a vote. Kept as data of the receipt's row."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NotRequired, TypedDict

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.engine.contract import Locale
from postspiel.play.mails import frame
from postspiel.play.models import Game

_DONE = frozenset(
    {
        "press",
        "end-proposed",
        "pause-proposed",
        "prolong-proposed",
        "proposals-withdrawn",
        "end-withdrawn",
        "resign-asked",
        "silent",
        "press-held",
        "away",
    }
)


class Act(TypedDict):
    """One thing done or not: ``what`` is a key of the table below, ``to`` are seats (None: everybody)."""

    what: str
    to: NotRequired[list[int] | None]
    why: NotRequired[str]
    days: NotRequired[tuple[str, str]]


def failed(acts: Iterable[Act]) -> bool:
    """Whether something could not be done."""
    return any(act["what"] not in _DONE for act in acts)


def unreadable(acts: Iterable[Act]) -> bool:
    """Whether the mail could not be read at all."""
    return any(act["what"] in {"encrypted", "raw"} for act in acts)


def told(acts: Iterable[Act], game: Game, locale: Locale) -> tuple[str, ...]:
    """Return a sentence for each act, in the language that is active."""
    return tuple(_sentence(act, game, locale) for act in acts)


def _sentence(act: Act, game: Game, locale: Locale) -> str:
    to = act.get("to")
    names = _("everybody") if to is None else ", ".join(frame.seat_name(game, index, locale) for index in to)
    sentences = {
        "press": _("Your press to %(names)s was sent."),
        "press-held": _(
            "Your press to %(names)s waits: it names you, and in this game nobody is to know who plays what. A second "
            "mail asks whether you want it sent all the same."
        ),
        "press-refused": _("Your press to %(names)s was not sent: %(why)s"),
        "press-after-failure": _(
            "Your press to %(names)s was not sent, because lines of your mail could not be taken. Please send it again."
        ),
        "end-proposed": _("You proposed to end the game. It ends as soon as all players have proposed it."),
        "end-withdrawn": _("Your proposal to end the game was taken back."),
        "proposal-refused": _("Your proposal was not taken: %(why)s"),
        "pause-proposed": _("You proposed to pause the game. It is paused as soon as all players have proposed it."),
        "prolong-proposed": _(
            "You proposed more time for this turn. Its deadline moves as soon as all players have proposed it."
        ),
        "proposals-withdrawn": _("Your proposals were taken back."),
        "encrypted": _(
            "Your mail is encrypted, and this server has no key to it. Please send it unencrypted; a signature that "
            "leaves the text readable does no harm."
        ),
        "raw": _(
            "Your mail arrived damaged: its parts could not be told apart. Please send it again, best as plain text."
        ),
        "away": _(
            "You are away from %(first)s to %(last)s. It is noted for all your games; deadlines that come in these "
            "days move as far as each game allows."
        ),
        "away-unread": _(
            "When you are away could not be read. Write the first and the last day, for example “%(example)s”."
        ),
        "away-refused": _("Your absence was not noted: %(why)s"),
        "silent": _("Further mails without orders are not answered for a while; mails with orders always are."),
        "resign-asked": _(
            "You asked to leave the game. Nothing has changed yet; a second mail asks you to confirm it."
        ),
        "resign-refused": _("You cannot leave the game: %(why)s"),
    }
    first, last = (_day(day, locale) for day in act.get("days", ("", "")))
    example = f"{frame.control('away', locale)} 24.12. 6.1."
    about = {"names": names, "why": act.get("why", ""), "first": first, "last": last, "example": example}
    return sentences[act["what"]] % about


def _day(day: str, locale: Locale) -> str:
    """Return a day that is noted as 2026-12-24 as people write it."""
    return date_format(date.fromisoformat(day), "j. F Y" if locale == "de" else "j F Y") if day else ""
