"""What is written about people."""

from allauth.account.models import EmailAddress
from django.db import transaction

from postspiel.accounts.models import Locale, User


def choose_locale(*, user: User, locale: str) -> None:
    """Write pages and mails for `user` in `locale` from now on. Raises `ValueError` if there is no such language."""
    user.locale = Locale(locale)
    user.save(update_fields=("locale",))


@transaction.atomic
def welcome(*, email: str, display_name: str, time_zone: str, locale: str, confirmed: bool = False) -> User:
    """Make the account of somebody who was invited, or find it if the address has one.

    Nothing of an account that exists is changed, except that `confirmed` (the person has shown that he reads mail to
    that address) confirms the address. A new account has no password: its owner signs in by mailed codes.
    """
    email = email.strip().lower()
    user = owner_of(email)
    if user is None:
        user = User.objects.create_user(email, display_name=display_name, time_zone=time_zone, locale=locale)
    address, _made = EmailAddress.objects.get_or_create(
        user=user, email=email, defaults={"primary": user.email == email, "verified": confirmed}
    )
    if confirmed and not address.verified:
        EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    return user


def owner_of(email: str) -> User | None:
    """Who signs in with `email`, or has confirmed it."""
    confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True).select_related("user").first()
    return confirmed.user if confirmed else User.objects.filter(email__iexact=email).first()
