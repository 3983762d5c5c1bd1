"""Taking over a seat in a running game, at any turn: by somebody new, by who left it, or as the organiser decides."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import (
    games,
    leaving,
    notices,
    occupancies,
    policies,
    positions,
    reliability,
    roles,
    schedule,
    standing_by,
    storable,
    turns,
    votes,
)
from postspiel.play.errors import PlayError
from postspiel.play.models import DeadlineChange, Game, Occupancy, Seat, StandBy, Turn


def open_seat(*, seat: Seat, why: str, who: User | None = None, reason: str = "") -> None:
    """Take a player off his seat in a running game, so that it waits for another. ``why`` is a key of `leaving.DEEDS`.

    ``reason`` is what the organiser says about it. What the player had ordered is not carried out. PlayError if the
    game does not run, or if nobody holds the seat.
    """
    now = timezone.now()
    with transaction.atomic():
        turn = _claim(seat.game_id)
        held = _held(seat)
        if not leaving.vacate(turn.game, held, number=turn.number, why=why, who=who, now=now, reason=reason):
            raise PlayError(_("Nobody holds this seat."))
        turns.renew_sheet(turn, held)
        if not votes.end_if_unanimous(turn, now):
            turns.reckon(turn, now)


def invite_replacement(*, seat: Seat, who: User, user: User | None = None) -> int:
    """Write to those who stand by, or to one ``user``, that a seat waits for a player, as who runs the game decides.

    Each gets one such mail for each time it is open. Who is named may look at the seat and take it, also if it was
    taken from him. Returns how many can take it: one who has, or knows, another seat of the game is not asked.
    PlayError if the seat is not open, if too many were named, or if the person does not run the game.
    """
    with transaction.atomic():
        turn, held = _claim(seat.game_id), _held(seat)
        roles.must_run(turn.game, who)
        if held.vacant is None:
            raise PlayError(_("This seat waits for nobody."))
        people = standing_by.invited(turn.game, held) if user is None else _named(held, user, who)
        notices.seat_offered(held, people)
    return len(people)


def _named(seat: Seat, user: User, who: User) -> list[User]:
    """Note that a person is asked by name; nobody if he could not take the seat all the same."""
    if standing_by.offers(seat).count() >= standing_by.MOST_INVITED:
        raise PlayError(_("For one seat, %(most)d people can be asked.") % {"most": standing_by.MOST_INVITED})
    act = games.note(seat.game, who, "offered", seat=seat.index, player=user.pk)
    if not refusal(seat, user):
        return [user]
    act.delete()
    return []


def take_over(*, seat: Seat, user: User) -> Seat:
    """Give a seat that waits for a player to this one; of several who come at once the first gets it.

    He gets all that the seat knows, and nothing else; he has a day at least (or half of a turn) before the next
    deadline, unless it was his own seat. PlayError if the seat waits for nobody (any more), if the game does not run,
    and if he must not have it (`refusal`).
    """
    with transaction.atomic():
        turn, held = _claim(seat.game_id), _held(seat)
        reason = refusal(held, user)
        if reason:
            raise PlayError(reason)
        return _seat(turn, held, user, user)


def reclaim(*, seat: Seat, user: User) -> Seat:
    """Give a seat back to who left it last, if nobody has taken it meanwhile. PlayError as with `take_over`."""
    last = occupancies.last(seat)
    if last is None or last.user_id != user.pk:
        raise PlayError(_("This is not your seat."))
    return take_over(seat=seat, user=user)


def replace_player(*, seat: Seat, user: User, who: User, why: str) -> Seat:
    """Give a seat to somebody who stands by for the title, as the organiser decides; who holds it loses it.

    PlayError if somebody else organises the game, if the game does not run, if the other does not stand by, or must not
    have the seat; also if the organiser plays where nobody is to know who else does, as each refusal would tell him.
    """
    now = timezone.now()
    with transaction.atomic():
        turn, held = _claim(seat.game_id), _held(seat)
        (roles.must_judge if turn.game.hides_players else roles.must_run)(turn.game, who)
        if not StandBy.objects.filter(user=user, title=turn.game.title).exists():
            raise PlayError(_("A seat can be given to people who stand by for this title only."))
        given = storable.text(why).strip()[:200]
        leaving.vacate(turn.game, held, number=turn.number, why="replaced", who=who, now=now, reason=given)
        reason = refusal(held, user)
        if reason:
            raise PlayError(reason)
        games.note(turn.game, who, "replaced", seat=held.index, player=user.pk, why=given)
        return _seat(turn, held, user, who, given)


def refusal(seat: Seat, user: User) -> str:
    """Return why somebody cannot take a seat over, as a sentence; empty if he can. The seat's game must be loaded.

    His own seat is open to him whatever his reliability, unless the organiser took it from him and has not asked him
    back by name since.
    """
    if seat.vacant is None or seat.game.status != Game.Status.RUNNING:
        return _("This seat waits for nobody.")
    if seat.game.seats.filter(player=user).exists():
        return _("You have a seat in this game already.")
    mine = list(Occupancy.objects.filter(seat__game=seat.game, user=user).order_by("pk"))
    if any(one.why in {"removed", "replaced"} for one in mine) and not standing_by.is_named(seat, user):
        return _("The organiser has given your seat to others, so you cannot come back to this game by yourself.")
    if any(one.seat_id != seat.pk for one in mine):
        return _("You know the secrets of another seat of this game, so you cannot take this one.")
    return "" if mine else unreliable(seat.game, user)


def unreliable(game: Game, user: User) -> str:
    """Return the sentence by which a game's limit keeps somebody out; empty if it does not."""
    if not positions.policy_of(game).least_reliability:
        return ""
    known = reliability.of_all([user.pk, game.organiser_id])
    if policies.admits(positions.policy_of(game), known[user.pk], known[game.organiser_id]):
        return ""
    return _("This game asks for more reliable players: you have missed too many turns of late.")


def _seat(turn: Turn, seat: Seat, user: User, who: User, reason: str = "") -> Seat:
    """Seat somebody on a seat that waits: one conditional UPDATE decides who was first."""
    now = timezone.now()
    last = occupancies.last(seat)
    own = last is not None and last.user_id == user.pk
    fresh = {"player": user, "bot": "", "vacant": None, "joined": now, "always_done": False, "misses": 0}
    if not Seat.objects.filter(pk=seat.pk, player=None, vacant__isnull=False).update(**fresh):
        raise PlayError(_("Somebody else was faster: this seat is taken."))
    seat = _held(seat)
    seat.game = turn.game
    leaving.renew_addresses(seat)
    held = occupancies.begin(seat, user, turn.number)
    turns.renew_sheet(turn, seat)
    games.note(turn.game, who, "reclaimed" if own else "taken-over", seat=seat.index)
    if not own:
        _give_time(turn, seat, now)
    notices.seat_taken(turn, seat, held, reason)
    turns.reckon(turn, now)
    return seat


def _give_time(turn: Turn, seat: Seat, now: datetime) -> None:
    """Move the open turn's deadline so that who is new can read and think, once a turn and within the cap."""
    assert turn.deadline is not None  # noqa: S101 - only the set-up has none
    plan, cause = positions.schedule_of(turn.game), DeadlineChange.Cause.REPLACEMENT
    least, limit = now + policies.rest(plan), turns.scheduled(turn) + schedule.MOST_MOVED
    if turn.deadline >= least or DeadlineChange.objects.filter(turn=turn, cause=cause).exists():
        return
    new = policies.at_least(plan, turn.deadline, least)
    if new > limit or not turn.sheets.filter(seat=seat, asked=True).exists():
        return
    change = DeadlineChange.objects.create(turn=turn, old=turn.deadline, new=new, cause=cause, made=now)
    turn.deadline, turn.reminder = new, schedule.reminder(plan, now, new)
    turn.save(update_fields=["deadline", "reminder"])
    others = turn.game.seats.select_related("player").exclude(pk=seat.pk)
    notices.deadline_moved(turn, others, change.pk)


def _claim(game_id: int) -> Turn:
    turn = turns.claim(game_id)
    if turn is None:
        raise PlayError(_("This game does not run."))
    return turn


def _held(seat: Seat) -> Seat:
    return Seat.objects.select_related("game", "player").get(pk=seat.pk)
