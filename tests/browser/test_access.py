"""Every page can be used by everybody: WCAG 2.2 AA, in both themes, on a phone and on a desk."""

from typing import Literal

import pytest

from postspiel.accounts.models import User

from .conftest import Open, check_access

GUEST_PAGES = (
    "/", "/about/", "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/nowhere/",
)  # fmt: skip
OWN_PAGES = (
    "/profile/", "/accounts/email/", "/accounts/password/change/", "/accounts/logout/", "/accounts/reauthenticate/",
)  # fmt: skip


@pytest.mark.parametrize("scheme", ("light", "dark"))
@pytest.mark.parametrize("path", GUEST_PAGES)
def test_a_guests_page(opened: Open, path: str, scheme: Literal["light", "dark"]) -> None:
    check_access(opened(path, color_scheme=scheme, viewport={"width": 360, "height": 740}))


@pytest.mark.parametrize("scheme", ("light", "dark"))
@pytest.mark.parametrize("path", OWN_PAGES)
def test_a_persons_own_page(opened: Open, olga: User, path: str, scheme: Literal["light", "dark"]) -> None:
    check_access(opened(path, user=olga, color_scheme=scheme, viewport={"width": 1200, "height": 800}))
