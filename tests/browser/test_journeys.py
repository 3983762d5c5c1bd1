"""Whole ways through the pages, as a person goes them."""

import re

import pytest
from django.core import mail
from playwright.sync_api import expect

from .conftest import Open, check_access


def code() -> str:
    found = re.search(r"^    (\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[1]


@pytest.mark.parametrize("scripts", (True, False))
def test_from_the_front_page_to_an_own_profile(opened: Open, scripts: bool) -> None:
    page = opened("/", java_script_enabled=scripts, timezone_id="Europe/Lisbon")
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Email").fill("nora@example.org")
    page.get_by_label("Public name").fill("Nora")
    page.get_by_label("Password").fill("a-long-walk-to-the-post")
    page.get_by_role("button", name="Sign up").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Enter the code")
    if scripts:
        check_access(page)
    page.get_by_label("Code").fill(code())
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Profile").click()

    expect(page.get_by_label("Public name")).to_have_value("Nora")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Lisbon" if scripts else "Europe/Berlin")

    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
