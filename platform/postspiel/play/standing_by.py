"""People who stand by to take over a seat of a title."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import registry
from postspiel.accounts.models import User
from postspiel.play import policies, positions, reliability
from postspiel.play.errors import PlayError
from postspiel.play.models import Act, Game, Occupancy, Seat, StandBy

MOST_INVITED = 20


def stand_by(*, user: User, title: str) -> StandBy:
    """Put somebody on the list for a title; who stands there already keeps his place.

    PlayError if there is no such title.
    """
    if title not in registry.titles():
        raise PlayError(_("There is no such title on this server."))
    row, _made = StandBy.objects.get_or_create(user=user, title=title, defaults={"since": timezone.now()})
    return row


def withdraw(*, user: User, title: str) -> None:
    """Take somebody off the list for a title; nothing happens if he does not stand there."""
    StandBy.objects.filter(user=user, title=title).delete()


def waiting(title: str) -> QuerySet[StandBy]:
    """Return who stands by for a title, who has waited longest first."""
    return StandBy.objects.select_related("user").filter(title=title, user__is_active=True).order_by("since", "pk")


def offers(seat: Seat) -> QuerySet[Act]:
    """Return the acts by which who runs the game has asked people by name to take a seat, since it is open."""
    asked = Act.objects.filter(game=seat.game_id, kind="offered", data__seat=seat.index)
    return asked.filter(made__gte=seat.vacant) if seat.vacant else asked.none()


def is_named(seat: Seat, user: User) -> bool:
    """Whether who runs the game has asked this person to take the seat, since it is open."""
    return offers(seat).filter(data__player=user.pk).exists()


def is_called(seat: Seat, user: User) -> bool:
    """Whether a seat that waits is offered to this person: by name, or because he stands by for its title."""
    if seat.vacant is None:
        return False
    return StandBy.objects.filter(user=user, title=seat.game.title).exists() or is_named(seat, user)


def invited(game: Game, seat: Seat) -> list[User]:
    """Return whom to offer a seat: all who stand by and may take it, the longest waiting first, so many at most."""
    had_one = Occupancy.objects.filter(seat__game=game).values("user")
    rows = (
        waiting(game.title).exclude(user__in=had_one).exclude(user__in=game.seats.exclude(player=None).values("player"))
    )
    people = [row.user for row in rows[: 3 * MOST_INVITED]]
    known = reliability.of_all([*(one.pk for one in people), game.organiser_id])
    policy, organiser = positions.policy_of(game), known[game.organiser_id]
    return [one for one in people if policies.admits(policy, known[one.pk], organiser)][:MOST_INVITED]
