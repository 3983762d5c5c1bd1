"""The life of a game: made, started, cancelled. Each act is one transaction with its row in the game's list of acts."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine import options as choices
from games.engine import registry, rolls, texts
from games.engine import turns as engine
from games.engine.contract import Choice
from postspiel.accounts.models import User
from postspiel.play import ending, notices, noting, policies, positions, reliability, roles, schedule, storable, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Game, Occupancy, Seat, Turn
from postspiel.play.policies import Policy
from postspiel.play.press import USUAL, Terms
from postspiel.play.schedule import Schedule

note = noting.note
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def create(  # noqa: PLR0913 - one keyword for each thing that a game has
    *,
    organiser: User,
    title: str,
    name: str,
    size: int,
    options: Mapping[str, Choice],
    schedule: Schedule,
    listed: bool = True,
    strict_mail: bool = False,
    terms: Terms = USUAL,
    policy: Policy = policies.NONE,
) -> Game:
    """Make a game with free seats; everybody can find it if it is ``listed``, else only who has the invitation.

    With ``strict_mail`` a mail whose sender could not be checked is held. ``terms`` are those of press,
    ``policy`` those about missed turns, absences and open seats (usually none).

    PlayError if there is no such title, or it cannot be played with these options, so many seats, or this schedule.
    """
    seed = secrets.token_bytes(32)
    with transaction.atomic():
        game = Game.objects.create(
            key=new_key(),
            title=title,
            name=_checked_name(name),
            options=_checked_options(title, options, size),
            size=size,
            schedule=_checked_schedule(title, schedule),
            policy=_checked_policy(title, policy, organiser),
            organiser=organiser,
            listed=listed,
            strict_mail=strict_mail,
            press_mode=terms.mode,
            press_opened=terms.opened,
            anonymous=terms.anonymous,
            invitation=secrets.token_urlsafe(24),
            rules=registry.title(title).about.rules,
            seed=seed,
            commitment=rolls.commitment(seed),
            created=timezone.now(),
        )
        Seat.objects.bulk_create(Seat(game=game, index=index) for index in range(size))
        note(game, organiser, "created")
    return game


def start(*, game: Game, who: User | None) -> None:
    """Start a game whose seats are all taken. PlayError if some are free, or if it has started already."""
    with transaction.atomic():
        begin(lock(game.pk), who, timezone.now())


def cancel(*, game: Game, who: User) -> None:
    """Call a game off before it has started. PlayError if it has, or if somebody else organises it."""
    with transaction.atomic():
        held = lock(game.pk)
        roles.must_run(held, who)
        held.status = Game.Status.CANCELLED
        held.ended = timezone.now()
        held.save(update_fields=["status", "ended"])
        note(held, who, "cancelled")
        notices.game_cancelled(held, held.seats.select_related("player"))


def begin(game: Game, who: User | None, now: datetime) -> None:
    """Set a locked game up (turn 0) and open turn 1. PlayError if a seat is free."""
    seats = list(game.seats.select_related("player").order_by("index"))
    if len(seats) != game.size or any(is_free(seat) for seat in seats):
        raise PlayError(_("There are free seats; the game starts as soon as all of them are taken."))
    title = positions.title_of(game)
    step = engine.start(title, positions.options_of(game), game.size, bytes(game.seed), game.key)
    game.status, game.started, game.rules = Game.Status.RUNNING, now, title.about.rules
    game.save(update_fields=["status", "started", "rules"])
    note(game, who, "started")
    Occupancy.objects.bulk_create(
        Occupancy(seat=seat, user=seat.player, from_turn=1) for seat in seats if seat.player is not None
    )
    positions.save_step(_set_up(game, now), step)
    if step.outcome is not None:
        ending.finish(game=game, state=step.state, outcome=step.outcome, seats=seats, now=now)
    else:
        times = schedule.first(positions.schedule_of(game), now)
        turns.open_turn(game=game, number=1, step=step, times=times, seats=seats)


def lock(game_id: int) -> Game:
    """Take a game that has not started for writing until the end of the transaction; PlayError if it has."""
    if not Game.objects.filter(pk=game_id, status=Game.Status.OPEN).update(status=Game.Status.OPEN):
        raise PlayError(_("This game has started already, or it was called off."))
    return Game.objects.select_related("organiser").get(pk=game_id)


def is_free(seat: Seat) -> bool:
    """Whether somebody may take this seat, before the start."""
    return seat.player_id is None and not seat.bot


def new_key() -> str:
    """Return the name of a new game in addresses and in its record: ten signs that nobody mistakes for others."""
    return "".join(secrets.choice(_LETTERS) for _place in range(10))


def _set_up(game: Game, now: datetime) -> Turn:
    return Turn.objects.create(
        game=game, number=0, status=Turn.Status.DONE, rules=game.rules, state=b"", opened=now, closed=now
    )


def _checked_name(name: str) -> str:
    name = " ".join(storable.text(name).split())
    if not name or len(name) > 80:
        raise PlayError(_("A game needs a name of at most 80 characters."))
    return name


def _checked_options(slug: str, options: Mapping[str, Choice], size: int) -> dict[str, Choice]:
    try:
        return choices.complete(registry.title(slug), options, size)
    except registry.UnknownTitle:
        raise PlayError(_("There is no such title on this server.")) from None
    except choices.OptionError as error:
        raise PlayError(_sentence(slug, error)) from None


def _checked_schedule(slug: str, schedule: Schedule) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(schedule)
    try:
        msgspec.convert(fields, Schedule)
    except msgspec.ValidationError:
        raise PlayError(_("This schedule cannot be kept: turns last from one hour to ninety days.")) from None
    if schedule.vote_hours and not registry.title(slug).about.votes:
        raise PlayError(_("No turn of this title is a vote."))
    if schedule.vote_hours > schedule.hours:
        raise PlayError(_("A vote cannot last longer than another turn."))
    if schedule.minimum_minutes > min(schedule.hours, schedule.first_hours, schedule.vote_hours or schedule.hours) * 60:
        raise PlayError(_("The least time to think cannot be longer than a turn."))
    if schedule.clock is not None and schedule.clock.zone not in available_timezones():
        raise PlayError(_("%(name)s is no time zone that we know.") % {"name": schedule.clock.zone})
    return fields


def _checked_policy(slug: str, policy: Policy, organiser: User) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(policy)
    try:
        msgspec.convert(fields, Policy)
    except msgspec.ValidationError:
        raise PlayError(_("These terms about missed turns and absences cannot be kept.")) from None
    if policy.caretaker and policy.caretaker not in registry.title(slug).bots:
        raise PlayError(_("This title has no bot of that name."))
    own = reliability.of(organiser)
    if own is not None and own < policy.least_reliability:
        sentence = _("You cannot ask for more reliability than you have yourself: %(own)s percent.")
        raise PlayError(sentence % {"own": own})
    return fields


def _sentence(slug: str, error: choices.OptionError) -> str:
    locale = positions.locale_or(None, get_language())
    own = registry.title(slug).about.texts[locale]
    option = own.get(f"option.{error.option}", error.option)
    return own.get(error.key) or texts.text(locale, error.key, {"option": option})
