"""What is written about people."""

from datetime import date, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import Absence, Locale, User

LONGEST = timedelta(days=60)
MOST_ABSENCES = 20


class AbsenceError(ValueError):
    """An absence cannot be announced, for a reason that its player can read and mend; nothing has changed."""


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


def announce_absence(*, user: User, first: date, last: date, note: str = "") -> Absence:
    """Note that a person is away from the first day to the last; the same days twice are noted once.

    AbsenceError if the days are past, in the wrong order, or too many, or if there are too many absences already.
    """
    today = timezone.now().astimezone(user.zone).date()
    if last < first:
        raise AbsenceError(_("The last day comes before the first."))
    if last < today:
        raise AbsenceError(_("These days are past."))
    if last - first >= LONGEST:
        raise AbsenceError(_("An absence has %(days)s days at most.") % {"days": LONGEST.days})
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Absence.objects.filter(user=user, last__gte=today).count() >= MOST_ABSENCES:
            raise AbsenceError(_("You have announced %(most)s absences already.") % {"most": MOST_ABSENCES})
        absence, _made = Absence.objects.get_or_create(user=user, first=first, last=last, defaults={"note": note[:100]})
    return absence


def cancel_absence(*, absence: Absence, user: User) -> None:
    """Forget an absence. Deadlines that it has moved stay; nothing happens if it is not this person's."""
    Absence.objects.filter(pk=absence.pk, user=user).delete()
