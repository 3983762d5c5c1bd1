"""Invitations: a link for everybody who has it, and a link by mail that confirms its reader's address."""

from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.letters import Letter
from postspiel.mail.models import Outgoing
from postspiel.play.models import Game
from postspiel.play.services import PlayError
from postspiel.web import wording

KIND = "invitation"
SALT = "postspiel.invitation"
VALID = 30 * 24 * 60 * 60
MOST = 20
"""Invitations by mail for one game: they go to people who did not ask for mail."""


class Ticket(NamedTuple):
    """What a mailed invitation says: for which game, to which address."""

    game: int
    email: str


def link(game: Game, ticket: str = "") -> str:
    """The address of a game's invitation page."""
    path = reverse("invitation", args=[game.invitation])
    return f"{settings.POSTSPIEL_URL}{path}{f'?ticket={ticket}' if ticket else ''}"


def ticket_for(game: Game, email: str) -> str:
    """The signed word that shows that its bearer reads mail to `email`."""
    return signing.dumps([game.pk, email.strip().lower()], salt=SALT)


def read_ticket(word: str, game: Game) -> Ticket | None:
    """What a ticket says; None if it is forged, for another game, or older than a month."""
    try:
        number, email = signing.loads(word, salt=SALT, max_age=VALID)
    except (signing.BadSignature, ValueError):
        return None
    return Ticket(number, email) if number == game.pk else None


@transaction.atomic
def send(*, game: Game, email: str, by: User) -> None:
    """Mail an invitation; an address gets one for a game, however often it is asked for.

    PlayError if the game has started, or if too many have been sent.
    """
    if game.status != Game.Status.OPEN:
        raise PlayError(_("This game has started already, or it was called off."))
    if Outgoing.objects.filter(kind=KIND, object_id=game.pk).count() >= MOST:
        said = _("For one game %(most)s invitations can be mailed; the link can be passed on by anybody.")
        raise PlayError(said % {"most": MOST})
    data = {"email": email, "by": by.public_name, "locale": by.locale}
    mail.queue(event=f"invitation:{game.pk}", kind=KIND, to=email.strip().lower(), object_id=game.pk, data=data)


def letter(outgoing: Outgoing) -> Letter:
    """Write an invitation, in the language of who sent it: its reader's is not known yet."""
    game = Game.objects.get(pk=outgoing.object_id or 0)
    with translation.override(outgoing.data["locale"]):
        subject = _("%(name)s invites you to a game: %(game)s") % {"name": outgoing.data["by"], "game": game.name}
        facts = {
            "game": game,
            "by": outgoing.data["by"],
            "tagline": wording.title_text(game.title, "tagline"),
            "link": link(game, ticket_for(game, outgoing.to)),
        }
        return Letter(subject, render_to_string("web/invitation.txt", facts))


def still_due(outgoing: Outgoing) -> bool:
    """Whether the game still looks for players."""
    return Game.objects.filter(pk=outgoing.object_id or 0, status=Game.Status.OPEN).exists()
