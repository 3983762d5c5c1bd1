"""A real browser against Django's live server."""

import os
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from postspiel.accounts.models import User
from tests.people import hugo, olga, paul, stella

__all__ = ("hugo", "olga", "paul", "stella")

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}
PATIENCE = 40_000
"""Milliseconds. A machine with more to do than cores needs seconds for a page."""
DESK: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}

type Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module's tests.

    Playwright's synchronous interface keeps an event loop in this thread, which Django takes for asynchronous code
    although the tests are not; so its guard is off while the browser runs.
    """
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE)
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))


@pytest.fixture
def opened(chromium: Browser, live_server: LiveServer) -> Iterator[Open]:
    """`opened(path, user=..., **options of the context)`: a page that must neither complain nor break its policy."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and "status of 404" not in message.text:
            complaints.append(f"{message.text} ({message.location.get('url')})")

    def open_page(path: str, user: User | None = None, **options: object) -> Page:
        usual = {"base_url": live_server.url, "locale": "en-GB", "reduced_motion": "reduce"}
        context = chromium.new_context(**usual | options)  # type: ignore[arg-type]
        contexts.append(context)
        if user is not None:
            sign_in(context, live_server.url, user)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def sign_in(context: BrowserContext, url: str, user: User) -> None:
    client = Client()
    client.force_login(user)
    name = django_settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])


def check_access(page: Page) -> None:
    """Fail with axe's own words if the page breaks WCAG 2.2 AA as it is seen now, or is wider than the window."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    result = AxeResults(page.evaluate("rules => axe.run(rules)", RULES))
    assert result.violations_count == 0, result.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "too wide"


def check_for_everybody(page: Page) -> None:
    """Check access by light on a desk, then by dark on a phone."""
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")
    check_access(page)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    check_access(page)
