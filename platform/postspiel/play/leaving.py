"""How a seat loses its player in a running game, whatever the reason: what he leaves is taken off, a caretaker comes.

Nothing that he ordered is carried out any more, his vote is void, and people standing by are written to, as the game's
policy says. Mail to the seat's addresses is refused while nobody holds it; who takes it over gets new ones.
"""

from __future__ import annotations

from datetime import datetime

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address
from postspiel.play import channels, notices, noting, occupancies, positions, standing_by
from postspiel.play.models import Ballot, Game, Seat

DEEDS = {"resigned": "resigned", "missed": "seat-opened", "removed": "removed", "replaced": "removed"}
"""Why somebody leaves a seat, and what that is called in the list of acts."""


def vacate(game: Game, seat: Seat, *, number: int, why: str, who: User | None, now: datetime, reason: str = "") -> bool:
    """Take a seat's player off it in turn ``number``; False if nobody holds it. ``why`` is a key of `DEEDS`.

    ``reason`` is what the organiser gave for it: who loses the seat reads it. People standing by are not asked for a
    seat that goes to somebody at once. The game's turn must be claimed, or be resolved right now. The open turn's sheet
    is left to the caller.
    """
    leaver = seat.player
    if leaver is None or not _take_off(game, seat, now):
        return False
    occupancies.end(seat, number, why)
    seat.player = None
    Ballot.objects.filter(seat=seat).delete()
    noting.note(game, who, DEEDS[why], seat=seat.index)
    notices.seat_left(seat, leaver, why, reason)
    if why != "replaced" and positions.policy_of(game).invite:
        notices.seat_offered(seat, standing_by.invited(game, seat))
    return True


def renew_addresses(seat: Seat) -> None:
    """Revoke all addresses of a seat that were ever used, so that who had it cannot write in its name."""
    channel = seat.channels.values_list("pk", flat=True)
    known = Address.objects.filter(kind="seat", object_id=seat.pk, revoked=None)
    press = Address.objects.filter(kind=channels.KIND, object_id__in=channel, revoked=None)
    for address in (*known, *press):
        mail.renew(address)


def _take_off(game: Game, seat: Seat, now: datetime) -> bool:
    bot = positions.policy_of(game).caretaker
    seat.bot = bot if bot in positions.title_of(game).bots else ""
    seat.vacant, seat.always_done, seat.misses = now, False, 0
    held = Seat.objects.filter(pk=seat.pk, player=seat.player)
    return held.update(player=None, bot=seat.bot, vacant=now, always_done=False, misses=0) == 1
