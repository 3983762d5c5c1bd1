"""The house stands: models and migrations agree, people can be made."""

from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from postspiel.accounts.models import User


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())


@pytest.mark.django_db
def test_an_address_is_one_person_whatever_its_case() -> None:
    ada = User.objects.create_user("Ada@Example.org", display_name="Ada")

    assert ada.email == "ada@example.org"
    assert str(ada) == "Ada"
    assert not ada.has_usable_password()


def test_a_person_is_never_shown_by_address() -> None:
    assert "@" not in str(User(pk=7, email="ada@example.org"))


def test_only_zones_that_exist_are_taken() -> None:
    User(email="ada@example.org", password="x", time_zone="Europe/London").clean_fields()
    with pytest.raises(ValidationError):
        User(email="ada@example.org", password="x", time_zone="Europe/Atlantis").clean_fields()
