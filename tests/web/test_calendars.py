"""Calendars of deadlines: the same words as in mail and on the page, alarms, secrets, and who may read them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services, times
from postspiel.play.models import Feed, Game, Sheet, Turn
from tests.people import signed_in
from tests.play_helpers import opened


def _read(feed: Feed) -> Calendar:
    answer = Client().get(reverse("calendar", args=[feed.token]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    assert calendar.errors == []
    return calendar


def _turn(game: Game) -> Turn:
    turn = selectors.open_turn(game)
    assert turn is not None
    return turn


def test_the_deadline_is_said_as_in_mail_and_page(running: Game, paul: User) -> None:
    """lichobile#2121: the text of a deadline comes from the server once (case 11)."""
    User.objects.update(time_zone="America/New_York", locale="de")
    paul.refresh_from_db()
    said = times.deadline(_turn(running), paul.zone, paul.locale)
    row = Outgoing.objects.get(kind="turn", recipient=paul)
    mail.send(row.pk)
    row.refresh_from_db()

    [event] = _read(services.renew_feed(user=paul)).events

    assert said in event.description
    assert said in signed_in(paul).get(reverse("game", args=[running.key])).content.decode()
    assert row.raw is not None
    assert said in " ".join(mail_text(row).split())
    assert event.start == _turn(running).deadline
    assert event["DTSTART"].params["TZID"] == "America/New_York"


def test_a_calendar_follows_its_game(running: Game, olga: User, paul: User) -> None:
    feed, turn = services.renew_feed(user=paul), _turn(running)
    [before] = _read(feed).events
    services.extend(turn=turn, hours=24, who=olga, why="ill")
    [after] = _read(feed).events

    assert after.start - before.start == timedelta(hours=24)
    assert before.uid == after.uid


def test_alarms_ring_until_the_sheet_is_final(running: Game, paul: User) -> None:
    feed = services.renew_feed(user=paul)
    [event] = _read(feed).events
    assert [alarm.decoded("TRIGGER") for alarm in event.walk("VALARM")] == [-timedelta(hours=24)]

    Sheet.objects.filter(seat__player=paul).update(status=Sheet.Status.FINAL)
    [event] = _read(feed).events
    assert event.walk("VALARM") == []


def test_a_calendar_without_games_is_one(stella: User) -> None:
    calendar = _read(services.renew_feed(user=stella))

    assert calendar.events == []
    assert [zone.tz_name for zone in calendar.timezones] == [stella.time_zone]


@pytest.mark.parametrize("path", ("my-calendar", "game-calendar"))
def test_the_page_makes_renews_and_closes_the_address(running: Game, paul: User, path: str) -> None:
    address = reverse(path, args=[running.key] if path == "game-calendar" else [])
    client = signed_in(paul)
    client.post(address, {"do": "renew"})
    first = Feed.objects.get().token
    client.post(address, {"do": "renew"})
    second = Feed.objects.get().token

    assert second in client.get(address).content.decode()
    assert Client().get(reverse("calendar", args=[first])).status_code == 404
    assert Client().get(reverse("calendar", args=[second])).status_code == 200
    client.post(address, {"do": "close"})
    assert Client().get(reverse("calendar", args=[second])).status_code == 404
    assert "ics" not in client.get(address).content.decode()


def test_a_games_calendar_ends_with_the_right_to_see_the_game(running: Game, olga: User, stella: User) -> None:
    opened(olga, name="Another")
    Game.objects.filter(pk=running.pk).update(listed=True)
    feed = services.renew_feed(user=stella, game=running)
    assert [str(event.summary) for event in _read(feed).events] == [f"{running.name}: deadline of turn 1"]

    Game.objects.filter(pk=running.pk).update(listed=False)
    assert Client().get(reverse("calendar", args=[feed.token])).status_code == 404


def test_nothing_hidden_changes_a_calendar(running: Game, olga: User, paul: User) -> None:
    """Whatever others hand in, and whoever they are, Paul's and Olga's calendars stay the same to the byte."""
    feeds = [services.renew_feed(user=paul), services.renew_feed(user=olga, game=running)]
    before = [_plain(feed) for feed in feeds]

    Sheet.objects.exclude(seat__player=paul).update(status=Sheet.Status.FINAL, orders=[{"verb": "secret"}])
    Turn.objects.filter(game=running).update(state=b"other", state_hash="other")

    assert [_plain(feed) for feed in feeds] == before


def _plain(feed: Feed) -> list[bytes]:
    return [line for line in _read(feed).to_ical().splitlines() if not line.startswith((b"DTSTAMP", b"UID"))]


def mail_text(row: Outgoing) -> str:
    from postspiel.mail import selectors as letters

    return letters.opened(row).text
