"""Words for what rows hold: titles, options, schedules, states."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from games.engine import registry
from games.engine.contract import Block, Choice, Locale, Option, Title
from games.engine.language import language
from postspiel.play import pace, policy_words
from postspiel.play.models import Game
from postspiel.play.selectors import policy_of, schedule_of

type Said = str | Promise


def locale() -> Locale:
    """The active language, English where we do not have it."""
    return "de" if (get_language() or "").startswith("de") else "en"


def title_text(slug: str, key: str) -> str:
    """A text of a title; the key itself if it has none."""
    known = registry.titles().get(slug)
    return known.about.texts[locale()].get(key, key) if known else slug


def all_titles() -> list[Title[Any]]:
    """Every title that can be played here."""
    return list(registry.titles().values())


def options_text(game: Game) -> list[str]:
    """The options and the terms of press that are not as usual, each in words."""
    known = registry.titles().get(game.title)
    chosen: dict[str, Choice] = game.options
    every = known.about.options if known else ()
    own = [_option_text(game.title, one, chosen[one.name]) for one in every if _differs(one, chosen)]
    return [*own, *press_text(game)]


def press_text(game: Game) -> list[str]:
    """What was agreed on about press and names, as far as it is not as usual, each in words."""
    said = {
        _("press goes to everybody only"): game.press_mode == Game.PressMode.PUBLIC,
        _("no press"): game.press_mode == Game.PressMode.OFF,
        _("private press is opened when the game is over"): game.press_opened,
        _("nobody knows who plays which seat until the game is over"): game.anonymous,
    }
    return [words for words, holds in said.items() if holds]


def _differs(option: Option, chosen: dict[str, Choice]) -> bool:
    return option.name in chosen and chosen[option.name] != option.default


def _option_text(slug: str, option: Option, value: Choice) -> str:
    label = title_text(slug, f"option.{option.name}")
    if isinstance(option.default, bool):
        return label if value else _("%(option)s: no") % {"option": label}
    shown = title_text(slug, f"option.{option.name}.{value}") if isinstance(value, str) else value
    return f"{label}: {shown}"


def schedule_text(game: Game) -> str:
    """The game's schedule in words."""
    return pace.sentence(schedule_of(game))


def policy_text(game: Game) -> str:
    """What the game agrees on about missed turns, absences and open seats, in words."""
    return policy_words.sentence(policy_of(game))


MAIL_KINDS: dict[str, Said] = {
    "turn": gettext_lazy("turns: the position, and what you are asked"),
    "reminder": gettext_lazy("reminders before a deadline"),
    "press": gettext_lazy("press from other players"),
    "extended": gettext_lazy("deadlines that were moved"),
    "ended": gettext_lazy("the end of a game"),
    "seat-news": gettext_lazy("who leaves a seat, and who takes one over"),
    "seat-offered": gettext_lazy("seats that I may take over, as I stand by"),
    "joined": gettext_lazy("who joins a game that you organise"),
    "player-mail": gettext_lazy("trouble with the mail of a player in a game that you organise"),
    "digest": gettext_lazy("the daily digest"),
}
"""What kinds of mail are called that a reader has a choice about."""

MAIL_NAMES: dict[str, Said] = {
    "django": gettext_lazy("a code, or a change of your account"),
    "stuck": gettext_lazy("a mail that could not be read"),
    "revoked": gettext_lazy("a mail that was not taken"),
    "astray": gettext_lazy("a mail that was not taken"),
    "digest": gettext_lazy("the daily digest"),
    "digest-answer": gettext_lazy("where answers to the digest go"),
    "invitation": gettext_lazy("an invitation"),
    "joined": gettext_lazy("somebody joined"),
    "player-mail": gettext_lazy("trouble with the mail of a player"),
    "held-back": gettext_lazy("turns that are held back"),
    "organiser-answer": gettext_lazy("an answer to your commands"),
    "organiser-help": gettext_lazy("the commands that were asked for"),
    "organiser-held": gettext_lazy("a mail that waits to be confirmed"),
    "turn": gettext_lazy("a turn"),
    "reminder": gettext_lazy("a reminder"),
    "extended": gettext_lazy("a deadline that was moved"),
    "receipt": gettext_lazy("a receipt"),
    "press": pgettext_lazy("a mail", "press"),
    "ended": gettext_lazy("the end of the game"),
    "act": gettext_lazy("what the organiser did"),
    "cancelled": gettext_lazy("the game is called off"),
    "help": gettext_lazy("help that was asked for"),
    "status": gettext_lazy("the position that was asked for"),
    "orders": gettext_lazy("the orders on file that were asked for"),
    "history": gettext_lazy("the history that was asked for"),
    "addresses": gettext_lazy("the addresses that were asked for"),
    "press-held": gettext_lazy("press that names its writer"),
    "held": gettext_lazy("a mail that waits to be confirmed"),
    "resign-confirm": gettext_lazy("whether the seat is given up"),
    "resigned": gettext_lazy("the seat is given up"),
    "refused": gettext_lazy("a mail that was not taken"),
    "alarm": gettext_lazy("a warning of strange mail"),
    "seat-lost": gettext_lazy("the seat is lost"),
    "seat-offered": gettext_lazy("an open seat"),
    "seat-taken": gettext_lazy("the seat is taken over"),
    "seat-news": gettext_lazy("news of another seat"),
}
"""What a mail is called by its kind: to its organiser, and to its reader until it has a subject."""

PRESS_MODES: list[tuple[str, Said]] = [
    ("private", gettext_lazy("private, to groups, and to everybody")),
    ("public", gettext_lazy("only to everybody")),
    ("off", gettext_lazy("none")),
]

HOW: dict[str, Said] = {
    "at_once": gettext_lazy("at once"),
    "daily": gettext_lazy("in the daily digest"),
    "never": gettext_lazy("never"),
}

BADGES: dict[str, tuple[Said, str]] = {
    "open": (pgettext_lazy("a game", "looking for players"), "info"),
    "running": (pgettext_lazy("a game", "running"), "good"),
    "ended": (pgettext_lazy("a game", "over"), ""),
    "cancelled": (gettext_lazy("called off"), ""),
    "none": (gettext_lazy("nothing handed in"), "wait"),
    "on_file": (gettext_lazy("on file"), "info"),
    "final": (pgettext_lazy("a sheet", "final"), "good"),
    "queued": (gettext_lazy("waiting"), "wait"),
    "sending": (gettext_lazy("on its way"), "wait"),
    "sent": (gettext_lazy("sent"), "good"),
    "failed": (gettext_lazy("given up"), "bad"),
    "digest": (gettext_lazy("waits for the digest"), "info"),
    "waiting": (gettext_lazy("not read yet"), "wait"),
    "reading": (gettext_lazy("not read yet"), "wait"),
    "stuck": (gettext_lazy("could not be read"), "bad"),
    "accepted": (gettext_lazy("taken"), "good"),
    "partial": (gettext_lazy("taken in part"), "info"),
    "rejected": (gettext_lazy("refused"), "bad"),
    "held": (gettext_lazy("held"), "wait"),
    "dropped": (gettext_lazy("not for the game"), ""),
    "quarantined": (gettext_lazy("set aside"), "wait"),
}


ACTS: dict[str, Said] = {
    "created": gettext_lazy("game made"),
    "imported": gettext_lazy("game read in from a record"),
    "joined": gettext_lazy("seat taken"),
    "left": gettext_lazy("seat given back"),
    "bot": gettext_lazy("bot seated"),
    "bot-left": gettext_lazy("bot taken off"),
    "started": gettext_lazy("game started"),
    "cancelled": gettext_lazy("game called off"),
    "extended": gettext_lazy("deadline moved"),
    "prolonged": gettext_lazy("deadline moved by vote"),
    "reminded": gettext_lazy("late players reminded"),
    "paused": gettext_lazy("game paused"),
    "resumed": gettext_lazy("game resumed"),
    "forced": gettext_lazy("turn ended early"),
    "rolled-back": gettext_lazy("game taken back"),
    "resigned": gettext_lazy("seat given up"),
    "seat-opened": gettext_lazy("seat opened after missed turns"),
    "removed": gettext_lazy("player removed"),
    "replaced": gettext_lazy("player replaced"),
    "offered": gettext_lazy("seat offered to somebody"),
    "taken-over": gettext_lazy("seat taken over"),
    "reclaimed": gettext_lazy("seat taken back by its player"),
    "swapped": gettext_lazy("seats swapped"),
    "acted-for": gettext_lazy("orders handed in for a player"),
    "message": gettext_lazy("message to players"),
    "end-proposed": gettext_lazy("vote for ending the game"),
    "end-withdrawn": gettext_lazy("vote for ending taken back"),
    "ended-by-vote": gettext_lazy("game ended by vote"),
    "ended-early": gettext_lazy("game ended by the organiser"),
    "annulled": gettext_lazy("game annulled"),
    "released": gettext_lazy("held turn released"),
    "assistant": gettext_lazy("assistant named"),
    "assistant-left": gettext_lazy("assistant dismissed"),
}
"""What was done with a game, in a few words."""


def act(kind: str) -> str:
    """What was done; the kind itself for one that has no words here."""
    return str(ACTS.get(kind, kind))


def mail_kind(kind: str) -> str:
    """What a kind of mail is called; the kind itself for one that has no words here."""
    return str(MAIL_NAMES.get(kind, kind))


def reliability_text(percent: int | None) -> str:
    """How reliable a player is, in a few words."""
    return _("new here") if percent is None else _("reliability: %(percent)s percent") % {"percent": percent}


def badge(state: str) -> dict[str, str]:
    """The word for a state, and the class of its badge."""
    word, tone = BADGES.get(state, (state, ""))
    return {"word": str(word), "tone": tone}


def every_option(slug: str) -> list[dict[str, str]]:
    """What can be chosen when a game of a title is made, each with its help."""
    names = (option.name for option in registry.title(slug).about.options)
    return [
        {"label": title_text(slug, f"option.{name}"), "help": title_text(slug, f"option.{name}.help")} for name in names
    ]


def order_help(title: Title[Any]) -> tuple[Block, ...]:
    """The order language of a title with its usual options, on one page."""
    usual = {option.name: option.default for option in title.about.options}
    return language(title, usual).help(locale())
