"""Addresses for press: every player has his own for each other seat, for everybody, and for groups that wrote to him.

An address says who writes and to whom; both follow from its row (`Channel`), so that nothing in a mail has to be
believed but what stands in its new text.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address
from postspiel.play import notices, roles
from postspiel.play.errors import PlayError
from postspiel.play.models import Channel, Game, Seat

KIND = "channel"
EVERYBODY = "*"


def address_for(seat: Seat, to: Sequence[int] | None) -> Address:
    """The address by which a seat writes press to these others (None: to everybody); made if there is none."""
    audience = EVERYBODY if to is None else ",".join(map(str, sorted(set(to))))
    channel, _new = Channel.objects.get_or_create(seat=seat, audience=audience)
    return mail.address_for(KIND, channel.pk)


def audience(channel: Channel) -> list[int] | None:
    """The seats that a channel leads to; None: everybody."""
    return None if channel.audience == EVERYBODY else [int(index) for index in channel.audience.split(",")]


def offered(seat: Seat) -> list[list[int] | None]:
    """To whom a seat may write by addresses of its own, as the game's terms allow: everybody, and each other seat."""
    mode = seat.game.press_mode
    if mode == Game.PressMode.OFF:
        return []
    single = range(seat.game.size) if mode == Game.PressMode.PRIVATE else ()
    return [None, *([index] for index in single if index != seat.index)]


def mail_addresses(*, seat: Seat) -> None:
    """Send who holds a seat all its addresses: for orders, and for press."""
    with transaction.atomic():
        notices.addresses_asked(seat, f"{timezone.now():%Y-%m-%d %H:%M}")


def mail_commands(*, game: Game, who: User) -> None:
    """Send the organiser of a game, or an assistant, the address for his commands; PlayError for others."""
    with transaction.atomic():
        if not roles.may_command(game, who):
            raise PlayError(_("Only who organises the game may do that."))
        notices.commands_asked(game, who)


def renew_addresses(*, seat: Seat) -> None:
    """Revoke all addresses of a seat, and send its player the new ones. Mail to the old ones is answered, not read."""
    with transaction.atomic():
        mail.renew(mail.address_for("seat", seat.pk))
        for channel in Channel.objects.filter(seat=seat):
            mail.renew(mail.address_for(KIND, channel.pk))
        notices.addresses_asked(seat, f"renewed {mail.address_for('seat', seat.pk).generation}")
