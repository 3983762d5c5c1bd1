"""People who help to run a game."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.play import noting, roles
from postspiel.play.errors import PlayError
from postspiel.play.models import Assistant, Game, Seat

MOST = 10


def known_to(user: User) -> QuerySet[User]:
    """Return whom a person may ask to help: those who play in games that he runs, or run games that he plays in.

    Nobody else, so that the list tells nothing of who has an account here.
    """
    mine = Seat.objects.filter(game__in=Game.objects.filter(roles.runs(user)), player__isnull=False)
    hosts = Game.objects.filter(seats__player=user).values("organiser")
    found = User.objects.filter(Q(pk__in=mine.values("player")) | Q(pk__in=hosts), is_active=True)
    return found.exclude(pk=user.pk).order_by("display_name", "pk")


def add(*, game: Game, user: User, who: User) -> None:
    """Let somebody help to run a game. PlayError if another than its organiser asks, or beyond ten."""
    with transaction.atomic():
        _must_organise(game, who)
        if not known_to(who).filter(pk=user.pk).exists():
            raise PlayError(_("Only people whom you have played with can help you."))
        if game.assistants.count() >= MOST:
            raise PlayError(_("More than %(count)d assistants would be a committee.") % {"count": MOST})
        _row, made = Assistant.objects.get_or_create(game=game, user=user, defaults={"since": timezone.now()})
        if made:
            noting.note(game, who, "assistant", user=user.public_name)


def remove(*, game: Game, user: User, who: User) -> None:
    """Let somebody help no more: as the organiser decides, or the assistant himself. PlayError for others."""
    with transaction.atomic():
        if who.pk != user.pk:
            _must_organise(game, who)
        gone = Assistant.objects.filter(game=game, user=user).first()
        if gone is not None:
            mail.renew(mail.address_for("assistant", gone.pk))
            gone.delete()
            noting.note(game, who, "assistant-left", user=user.public_name)


def _must_organise(game: Game, who: User) -> None:
    if roles.role_of(game, who) not in {roles.Role.ORGANISER, roles.Role.HOST}:
        raise PlayError(_("Only the organiser decides who helps."))
