"""Every page can be used by everybody: WCAG 2.2 AA, in both themes, on a phone and on a desk."""

import pytest

from postspiel.accounts.models import User

from .conftest import Open, check_for_everybody

GUEST_PAGES = (
    "/", "/about/", "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/nowhere/",
)  # fmt: skip
OWN_PAGES = (
    "/profile/", "/accounts/email/", "/accounts/password/change/", "/accounts/logout/", "/accounts/reauthenticate/",
)  # fmt: skip


@pytest.mark.parametrize("path", GUEST_PAGES)
def test_a_guests_page(opened: Open, path: str) -> None:
    check_for_everybody(opened(path))


@pytest.mark.parametrize("path", OWN_PAGES)
def test_a_persons_own_page(opened: Open, olga: User, path: str) -> None:
    check_for_everybody(opened(path, user=olga))
