"""People."""

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Locale(models.TextChoices):
    """A language that pages, mails and reports are written in."""

    EN = "en", _("English")
    DE = "de", _("German")


def check_zone(name: str) -> None:
    """Raise `ValidationError` unless `name` is an IANA time zone that this server knows."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("%(name)s is no time zone that we know."), params={"name": name})


class UserManager(BaseUserManager["User"]):
    """Makes people; an e-mail address is kept in lower case, so that one address is one person."""

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        """Make and save a person. Without a password he signs in by a code that is mailed to him."""
        if not email:
            raise ValueError("A person needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        """Make and save a person who may do everything: the host."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person: signs in by e-mail address, is shown to others by `display_name` only."""

    email = models.EmailField(_("e-mail address"), unique=True)
    display_name = models.CharField(_("public name"), max_length=40, blank=True)
    locale = models.CharField(_("language"), max_length=2, choices=Locale, default=Locale.EN)
    time_zone = models.CharField(_("time zone"), max_length=64, default="Europe/Berlin", validators=[check_zone])
    position_file = models.BooleanField(
        _("position as a file"),
        default=False,
        help_text=_("Attach the position, as I may see it, to the mail of each turn: for programs of my own."),
    )
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily digest"),
        default=18,
        validators=[MaxValueValidator(23)],
    )
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [models.UniqueConstraint(Lower("email"), name="accounts_user_email_once")]

    def __str__(self) -> str:
        return self.public_name

    @property
    def public_name(self) -> str:
        """What others see; never the address."""
        return self.display_name or f"#{self.pk}"

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The person's time zone."""
        return zoneinfo.ZoneInfo(self.time_zone)


class Absence(models.Model):
    """Days on which a person cannot play, from the first to the last, both whole days in his time zone."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    note = models.CharField(max_length=100, blank=True)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=("user", "last"), name="absence_of_user"),)
        constraints = (models.CheckConstraint(condition=models.Q(first__lte=models.F("last")), name="absence_order"),)

    def __str__(self) -> str:
        return f"{self.user_id} away {self.first} to {self.last}"

    def covers(self, moment: datetime) -> bool:
        """Whether a moment lies within the absence. The absence's user must be loaded."""
        return self.begins <= moment < self.ends

    @property
    def begins(self) -> datetime:
        """The moment the first day begins."""
        return _midnight(self.first, self.user.zone)

    @property
    def ends(self) -> datetime:
        """The moment the day after the last one begins."""
        return _midnight(self.last + timedelta(days=1), self.user.zone)


def _midnight(day: date, zone: zoneinfo.ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
