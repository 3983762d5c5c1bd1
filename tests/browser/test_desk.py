"""The desk of somebody who runs a league of twelve games, in a real browser: each act is at most two clicks away.

The league is built once for all tests (`league`); each of them starts from a copy of it, on Friday morning.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Literal, NamedTuple

import pytest
import time_machine
from django.db import connection
from django.urls import reverse
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from postspiel.mail.models import Outgoing
from postspiel.play.models import Act, Hold, Seat, Sheet, Turn
from tests.browser import league

from .conftest import check_access, sign_in

MOST = 2
"""So many clicks from the desk may an act take."""

WHY = "Why (the players read it)"
ACT = "Deed"
TODAY = ("Alder", "Juniper", "Larch")
LATE = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Pine", "Rowan")
"""The games in which somebody is late and that are not paused."""


class Clicks:
    """A page, and how often somebody has clicked since he came to it.

    Each click on a link or a button counts, and each tick. Text that is filled in and entries that are chosen from a
    list do not: they say what is to be done, however the page is made.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def click(self, name: str, role: Literal["button", "link"] = "button", nth: int = 0) -> None:
        """Click on the button or the link that has exactly this name; if several have it, on one of them."""
        self.count += 1
        self.page.get_by_role(role, name=name, exact=True).nth(nth).click()

    def tick(self, name: str) -> None:
        """Tick the box that has exactly this name."""
        self.count += 1
        self.page.get_by_role("checkbox", name=name, exact=True).check()

    def say(self, fields: dict[str, str]) -> None:
        """Fill in fields, or choose from lists, by their labels."""
        for label, value in fields.items():
            field = self.page.get_by_label(re.compile(rf"^{re.escape(label)}( \(optional\))?$"))
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)

    def go(self, game: str, deed: str) -> None:
        """Choose a deed in the menu beside a game, and go there."""
        self.say({f"Deed: {game}": deed})
        self.click(f"Go ({game})")

    def open(self, tab: str) -> None:
        """Go to one of the tabs with their numbers."""
        self.count += 1
        self.page.get_by_role("navigation", name="What there is").get_by_role("link", name=tab).click()

    def told(self, words: str) -> None:
        """See on the desk what came of it, after no more clicks than there may be."""
        expect(self.page.get_by_role("status")).to_contain_text(words)
        assert self.page.url.partition("?")[0].endswith(reverse("organiser"))
        assert self.count <= MOST


type AtDesk = Callable[..., Clicks]
type Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def kept(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[sqlite3.Connection]:
    """The league in a copy of the whole database."""
    del django_db_setup
    assert connection.vendor == "sqlite", "Tests in a browser are no part of the run on PostgreSQL."
    copy = sqlite3.connect(":memory:")
    with django_db_blocker.unblock():
        league.build()
        connection.connection.backup(copy)
    yield copy
    copy.close()


@pytest.fixture
def friday(kept: sqlite3.Connection, live_server: LiveServer) -> Iterator[LiveServer]:
    """The server with the league as it was built, and the time at which its organiser looks at it."""
    connection.ensure_connection()
    kept.backup(connection.connection)
    with time_machine.travel(league.NOW, tick=False):
        yield live_server


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Iterator[Callable[[bool, str], Page]]:
    """One window with scripts and one without for all tests, so that they load styles and scripts once."""
    made: dict[bool, Page] = {}

    def window(scripts: bool, url: str) -> Page:
        if scripts not in made:
            made[scripts] = chromium.new_context(base_url=url, locale="en-GB", java_script_enabled=scripts).new_page()
            made[scripts].set_default_timeout(10_000)
        return made[scripts]

    yield window
    for page in made.values():
        page.context.close()


@pytest.fixture
def at_desk(windows: Callable[[bool, str], Page], friday: LiveServer) -> Iterator[AtDesk]:
    """`at_desk(scripts=..., scheme=..., width=...)`: Olga comes to her desk; nothing may complain on the way."""
    complaints: list[str] = []
    pages: list[Page] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    def come(*, scripts: bool = True, scheme: Scheme = "light", width: int = 1200) -> Clicks:
        page = windows(scripts, friday.url)
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        pages.append(page)
        page.on("console", note)
        sign_in(page.context, friday.url, league.who("Olga"))
        page.goto(reverse("organiser"))
        return Clicks(page)

    yield come
    for page in pages:
        page.goto("about:blank")
        page.remove_listener("console", note)
    assert complaints == []


def acted(kind: str, *games: str) -> bool:
    """Whether Olga has done this to just these games."""
    acts = Act.objects.filter(kind=kind, who__display_name="Olga", made=league.NOW)
    return sorted(acts.values_list("game__name", flat=True)) == sorted(games)


def turn(name: str) -> Turn:
    """The open turn of a game."""
    return Turn.objects.get(game__name=name, status=Turn.Status.OPEN)


def seat(name: str, index: int) -> Seat:
    """One of the seats of a game."""
    return Seat.objects.select_related("player").get(game__name=name, index=index)


def written(kind: str, *names: str) -> Callable[[], bool]:
    """Return a question: whether mails of a kind were written just now to just these people."""
    rows = Outgoing.objects.filter(kind=kind, created=league.NOW)
    return lambda: sorted(rows.values_list("recipient__display_name", flat=True)) == sorted(names)


# --- one game ---------------------------------------------------------------------------------------------------------


class Deed(NamedTuple):
    """Something that is done to one game by the menu beside it: what is said, what is told, and what came of it."""

    game: str
    name: str
    said: dict[str, str]
    told: str
    came: Callable[[], bool]


DEEDS = (
    Deed("Rowan", "Remind who is late", {}, "1 player is reminded", written("reminder", "Simon")),
    Deed(
        "Alder",
        "Move the deadline",
        {"Move it by": "2 days", WHY: "Snow"},
        "is moved",
        lambda: turn("Alder").deadline == league.MONDAY + timedelta(days=6) and acted("extended", "Alder"),
    ),
    Deed("Larch", "Pause the game", {WHY: "Snow"}, "is paused", lambda: league.game("Larch").paused == league.NOW),
    Deed("Oak", "Let the game go on", {}, "goes on", lambda: league.game("Oak").paused is None),
    Deed("Birch", "End the turn now", {WHY: "Late enough"}, "Turn 1 is over", lambda: turn("Birch").number == 2),
    Deed(
        "Pine",
        "Take the game back",
        {"To the beginning of": "Turn 1", WHY: "A mistake"},
        "beginning of turn 1",
        lambda: turn("Pine").number == 1,
    ),
    Deed(
        "Juniper",
        "Release the held turn",
        {},
        "ends now",
        lambda: Hold.objects.get().released_by == league.who("Olga"),
    ),
    Deed(
        "Rowan",
        "Remove a player",
        {"Seat": "Odessa (Simon)", WHY: "Silent"},
        "the seat is open",
        lambda: seat("Rowan", 1).vacant == league.NOW,
    ),
    Deed(
        "Hazel",
        "Give a seat to somebody who stands by",
        {"Seat": "Red", "Who stands by": "Stella (new here)", WHY: "Welcome"},
        "Stella has the seat",
        lambda: seat("Hazel", 0).player == league.who("Stella"),
    ),
    Deed(
        "Hazel",
        "Look for somebody for an open seat",
        {"Open seat": "Red"},
        "1 person is written to",
        written("seat-offered", "Stella"),
    ),
    Deed(
        "Rowan",
        "Hand in for a player",
        {"Seat": "Odessa (Simon)", "Orders, one a line": league.SECRET_LIST, WHY: "By phone"},
        "the player is told",
        lambda: turn("Rowan").sheets.get(seat__index=1).status == Sheet.Status.ON_FILE,
    ),
    Deed(
        "Willow",
        "Swap two seats",
        {"One seat": "Red (Paul)", "The other seat": "Yellow (Carl)"},
        "are swapped",
        lambda: seat("Willow", 0).player == league.who("Carl"),
    ),
    Deed(
        "Rowan",
        "Name an assistant",
        {"Who is to help": "Hanna"},
        "Hanna helps",
        lambda: league.game("Rowan").assistants.get().user == league.who("Hanna"),
    ),
    Deed("Willow", "Call the game off", {}, "is called off", lambda: league.game("Willow").status == "cancelled"),
    Deed("Elm", "End the game", {WHY: "No time"}, "is over", lambda: league.game("Elm").status == "ended"),
    Deed("Elm", "Annul the game", {WHY: "A cheat"}, "is annulled", lambda: league.game("Elm").result.annulled),
    Deed(
        "Rowan",
        "Write to players",
        {"To": "all players", "Text": "Snow!"},
        "3 players are",
        written("act", "Carl", "Paul", "Simon"),
    ),
    Deed(
        "Rowan",
        "Write to players",
        {"To": "those who are late", "Text": "Snow!"},
        "1 player is",
        written("act", "Simon"),
    ),
    Deed("Rowan", "Write to players", {"To": "Minsk (Carl)", "Text": "Snow!"}, "1 player is", written("act", "Carl")),
)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
def test_a_deed_from_the_menu_beside_a_game(at_desk: AtDesk, deed: Deed) -> None:
    desk = at_desk(scripts=deed.name not in {"Pause the game", "End the game"})

    desk.go(deed.game, deed.name)
    desk.say(deed.said)
    desk.click(deed.name)

    desk.told(deed.told)
    assert deed.came()


def test_reminding_by_the_button_beside_a_game(at_desk: AtDesk) -> None:
    desk = at_desk()

    desk.click("Remind (Rowan)")

    desk.told("1 player is reminded")
    assert written("reminder", "Simon")()


def test_a_held_turn_is_released_from_the_top_and_asked_about_once(at_desk: AtDesk) -> None:
    desk = at_desk()

    desk.click("End the turn now (Juniper)", "link")
    assert Hold.objects.get().released is None
    desk.click("Release the held turn")

    desk.told("ends now")
    assert Hold.objects.get().released_by == league.who("Olga")


# --- many games at once -----------------------------------------------------------------------------------------------


class Many(NamedTuple):
    """Something that is done to all games of one tab: what is said, to which games it happens, and as what act."""

    tab: str
    said: dict[str, str]
    games: tuple[str, ...]
    kind: str


MANY = (
    Many("sheets missing", {ACT: "remind who is late"}, LATE, "reminded"),
    Many("due today", {ACT: "move the deadline", "Move it by": "1 day", WHY: "Snow"}, TODAY, "extended"),
    Many("due today", {ACT: "pause", WHY: "Snow"}, TODAY, "paused"),
)


@pytest.mark.parametrize("many", MANY, ids=lambda many: many.kind)
def test_something_is_done_to_all_games_of_a_tab(at_desk: AtDesk, many: Many) -> None:
    desk = at_desk(scripts=many.kind != "extended")

    desk.open(many.tab)
    desk.say({"With the games": "that are shown: all", **many.said})
    desk.click("Do it")

    desk.told(f"Done for {len(many.games)} games")
    assert acted(many.kind, *many.games)


def test_something_is_done_to_one_game_that_is_ticked(at_desk: AtDesk) -> None:
    desk = at_desk(scripts=False)

    desk.tick("Oak")
    desk.say({ACT: "go on"})
    desk.click("Do it")

    desk.told("Done for 1 game")
    assert acted("resumed", "Oak")


# --- looking ----------------------------------------------------------------------------------------------------------


def test_the_desk_says_at_a_glance_who_is_late_and_what_is_wrong(at_desk: AtDesk) -> None:
    page = at_desk().page
    for name, words in {
        "Birch": "Friday, 6 March 2026, 09:30 (Europe/London) overdue",
        "Alder": "late Red (Simon; 1 turn missed)",
        "Cedar": "late Red (Sue; 1 turn missed)",
        "Fir": "late Minsk (Hanna; away then)",
        "Elm": "mail comes back Minsk (Bianca)",
        "Hazel": "open seat Red",
        "Larch": "1 mail held",
        "Maple": "1 mail given up",
        "Oak": "paused",
    }.items():
        expect(page.get_by_role("row", name=name)).to_contain_text(words)
    expect(page.get_by_role("button", name="Remind (Oak)")).to_have_count(0)
    expect(page.get_by_role("region", name="Held back")).to_contain_text("Juniper: The server was away")


def test_what_was_done_is_seen_on_the_desk_in_the_log_and_on_the_page_of_a_game(at_desk: AtDesk) -> None:
    desk = at_desk()
    desk.page.get_by_text("What was done last").click()
    expect(desk.page.get_by_role("group")).to_contain_text("Oak: game paused (Olga)")

    desk.click("Log and exports", "link")
    expect(desk.page.get_by_role("row", name="Oak").first).to_contain_text("Sue moves house")

    desk = at_desk()
    desk.click("Maple", "link")
    mails = desk.page.get_by_role("region", name="Mail")
    expect(mails.get_by_role("row", name="given up")).to_contain_text("The mailbox of carl@example.org is full")


@pytest.mark.parametrize(("link", "words"), (("CSV", "Rowan,kreml"), ("JSON", '"name":"Rowan"')))
def test_a_table_is_taken_away(at_desk: AtDesk, link: str, words: str) -> None:
    desk = at_desk()

    desk.click("Log and exports", "link")
    with desk.page.expect_download() as coming:
        desk.click(link, "link", nth=1)

    assert words in coming.value.path().read_text(encoding="utf-8")
    assert desk.count <= MOST


def test_the_desk_refreshes_only_while_nobody_does_anything_on_it(at_desk: AtDesk) -> None:
    page = at_desk().page
    assert refreshes(page)

    box = page.get_by_role("checkbox", name="Oak")
    box.check()
    assert not refreshes(page)
    box.uncheck()
    assert refreshes(page)
    page.get_by_label("Deed: Oak").select_option(label="End the game")
    assert not refreshes(page)
    page.reload()
    page.get_by_text("What was done last").click()
    assert not refreshes(page)
    page.reload()
    page.get_by_label("Name contains").fill("Oak")
    assert not refreshes(page)


def refreshes(page: Page) -> bool:
    """Let htmx ask for a fresh desk now, as it does every minute, and wait for it; say whether it did."""
    sent = page.evaluate("""async () => {
        let sent = false;
        document.activeElement.blur();
        document.addEventListener("htmx:beforeSend", () => { sent = true; }, {once: true});
        await htmx.ajax("GET", location.pathname, {source: "#desk", target: "#desk", swap: "innerHTML"});
        return sent;
    }""")
    return bool(sent)


@pytest.mark.parametrize(("scheme", "width"), (("light", 1200), ("dark", 390)))
def test_the_desk_a_deed_and_the_page_of_a_game_are_for_everybody(at_desk: AtDesk, scheme: Scheme, width: int) -> None:
    desk = at_desk(scheme=scheme, width=width)
    check_access(desk.page)

    desk.go("Juniper", "Release the held turn")
    expect(desk.page.get_by_role("heading", level=1)).to_have_text("End the held turn now?")
    check_access(desk.page)
    desk.click("Juniper", "link")
    expect(desk.page.get_by_role("heading", level=1)).to_have_text("Juniper")
    check_access(desk.page)
