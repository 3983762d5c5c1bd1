"""Whose an e-mail address is."""

from allauth.account.models import EmailAddress

from postspiel import rows
from postspiel.accounts.models import User

_CONFIRMED = rows.Select(
    User, "JOIN account_emailaddress AS its ON its.user_id = this.id WHERE its.email = %s AND its.verified"
)
"""The rows of addresses are in lower case, and one of each is confirmed."""


def owner_of(address: str) -> User | None:
    """The active person whose *confirmed* address this is; None for a stranger's.

    An address that somebody has entered but not confirmed is nobody's. The sign-in address of an account that was made
    by hand or by an invitation has no row of its own and counts as confirmed.
    """
    owner = _CONFIRMED.first(address.lower()) or _by_sign_in_address(address)
    return owner if owner and owner.is_active else None


def _by_sign_in_address(address: str) -> User | None:
    unconfirmed = EmailAddress.objects.filter(email__iexact=address, verified=False).values("user")
    return User.objects.filter(email__iexact=address).exclude(pk__in=unconfirmed).first()
