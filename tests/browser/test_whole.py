"""A whole server, a real browser: the demo game by form, and by answering a mail in the postbox."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.server import Server, server

from .conftest import PATIENCE


@pytest.mark.whole
@pytest.mark.long
def test_two_turns_by_form_and_by_mail(chromium: Browser, tmp_path: Path) -> None:
    with server(tmp_path) as running:
        context = chromium.new_context(base_url=running.url, locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        sign_in(page, running)
        page.get_by_role("link", name="A first game").click()

        by_form(page)
        by_mail(page)
        context.close()


def sign_in(page: Page, running: Server) -> None:
    said = re.search(r"signs in as (\S+) with the password (\S+)", running.said())
    assert said, running.said()
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(said[1])
    page.get_by_label("Password").fill(said[2])
    page.get_by_role("button", name="Sign in").click()


def by_form(page: Page) -> None:
    orders = owed_orders(page)
    page.get_by_text("Write them as text instead").click()
    page.get_by_label("All your orders").fill(orders)
    number = turn(page)

    page.get_by_role("button", name="Hand in: final").last.click()

    expect(page.get_by_role("region", name="Receipt")).to_contain_text(f"Turn {number}: All you sent was taken.")
    wait_for_turn_after(page, number)


def by_mail(page: Page) -> None:
    orders, number, game = owed_orders(page), turn(page), page.url
    subject = page.get_by_role("link", name=re.compile(rf"A first game: turn {number},"))
    look_until(page, "/postbox/", subject.first)
    subject.first.click()
    expect(page.frame_locator("iframe").get_by_role("heading").first).to_be_visible()

    page.get_by_role("textbox", name="Answer").fill(f"{orders}\ndone")
    page.get_by_role("button", name="Send the answer").click()

    look_until(page, "/postbox/", page.get_by_role("cell", name="receipt", exact=True).first)
    page.goto(game)
    wait_for_turn_after(page, number)


def owed_orders(page: Page) -> str:
    """Wait until the player owes something; the orders that the page offers for copying."""
    for _turn in range(12):
        if page.locator("#order-form .badge.wait").count():
            break
        number = turn(page)
        page.get_by_role("button", name="Hand in: final").first.click()
        wait_for_turn_after(page, number)
    return page.locator(".position pre.copy").first.inner_text()


def turn(page: Page) -> int:
    return int(page.locator("#turn-state h2").inner_text().split()[-1])


def wait_for_turn_after(page: Page, number: int) -> None:
    """The page turns by itself; here it is asked to look at once."""
    for _try in range(80):
        if turn(page) > number:
            return
        page.wait_for_timeout(500)
        page.reload()
    pytest.fail(f"turn {number} was not played")


def look_until(page: Page, path: str, wanted: Locator) -> None:
    for _try in range(80):
        page.goto(path)
        if wanted.count():
            return
        page.wait_for_timeout(500)
    pytest.fail(f"{wanted} did not come")
