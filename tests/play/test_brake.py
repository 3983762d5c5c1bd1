"""The outage brake: a server that was away, a clock that jumps, mail that comes back, players silent at once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import Settings

from postspiel.accounts.models import User
from postspiel.config import health
from postspiel.mail import outbox
from postspiel.mail.models import Mailbox, Outgoing
from postspiel.play import selectors, services
from postspiel.play.models import DeadlineChange, Game, Hold, Sheet, Turn
from tests.people import signed_in
from tests.play.conftest import START, Make, hand_in, hours


@pytest.fixture(autouse=True)
def _brake(settings: Settings) -> None:
    settings.POSTSPIEL_BRAKE_MINUTES = 30


@pytest.fixture
def host(db: None) -> User:
    return User.objects.create_superuser("hugo@example.org", display_name="Hugo")


@pytest.fixture
def swept(duel: Game, clock: time_machine.Traveller) -> Game:
    """The duel, an hour before its first deadline, with a sweep just over."""
    clock.move_to(START + hours(71))
    services.sweep()
    return duel


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def mails(kind: str) -> list[str]:
    return sorted(Outgoing.objects.filter(kind=kind).values_list("recipient__display_name", flat=True))


def text_to(person: User, kind: str) -> str:
    row = Outgoing.objects.filter(kind=kind, recipient=person).latest("pk")
    return " ".join(outbox.render(row).text.split())


# --- a server that was away -------------------------------------------------------------------------------------------


def test_after_an_outage_over_a_deadline_time_is_given_back_and_everybody_is_told(
    swept: Game, clock: time_machine.Traveller, olga: User, ada: User, bert: User
) -> None:
    """Case 9, webDiplomacy#855: the scheduler is off for three hours over a deadline."""
    clock.move_to(START + hours(74))
    services.sweep()
    services.sweep()

    turn = open_turn(swept)
    assert (turn.number, turn.deadline) == (1, START + hours(77))
    change = DeadlineChange.objects.get()
    assert (change.old, change.new) == (START + hours(72), START + hours(77))
    assert (change.cause, change.given_back) == ("outage", True)
    assert mails("extended") == ["Ada", "Bert"]
    assert mails("held-back") == ["Olga"]
    assert "the server was away for a while" in text_to(ada, "extended")
    assert "der Server war eine Weile" in text_to(bert, "extended")
    assert "1 game" in text_to(olga, "held-back")

    assert hand_in(swept, 0, "set 4").verdict == "accepted"
    for minutes in (20, 40, 60, 80, 100, 120, 140, 160, 179):
        clock.move_to(START + hours(74) + timedelta(minutes=minutes))
        services.sweep()
    assert open_turn(swept).number == 1
    clock.move_to(START + hours(77) + timedelta(seconds=5))
    services.sweep()
    assert open_turn(swept).number == 2
    assert Sheet.objects.get(turn=turn, seat__index=0).missed is False
    assert Hold.objects.get().released is not None


def test_the_organiser_ends_a_turn_that_needs_no_time_back(
    swept: Game, clock: time_machine.Traveller, olga: User, ada: User
) -> None:
    """Case 9: games must not stand until somebody comes, and the organiser may let them go on before."""
    clock.move_to(START + hours(74))
    services.sweep()
    hold = Hold.objects.get()
    with pytest.raises(services.PlayError, match="organises"):
        services.release_hold(hold=hold, who=ada)
    release, sure = reverse("game-deed", args=[swept.key, "release"]), {"hold": str(hold.pk), "sure": "yes"}
    assert signed_in(ada).post(release, sure).status_code == 403
    for reader in (ada, olga):
        assert signed_in(reader).post(reverse("organiser-release", args=[hold.pk])).status_code == 404

    desk = signed_in(olga)
    assert "The server was away" in desk.get(reverse("organiser")).content.decode()
    assert "The server was away" in signed_in(ada).get(reverse("game", args=[swept.key])).content.decode()
    for _click in range(2):
        desk.post(release, sure)
    clock.shift(5)
    services.sweep()
    assert open_turn(swept).number == 2
    assert [change.cause for change in DeadlineChange.objects.order_by("pk")] == ["outage", "release"]
    assert list(selectors.acts_of(swept).filter(kind="released").values_list("who", flat=True)) == [olga.pk]


def test_orders_between_the_outage_and_the_first_sweep_count_and_no_worker_is_quicker(
    swept: Game, clock: time_machine.Traveller
) -> None:
    clock.move_to(START + hours(74))
    assert not services.advance(open_turn(swept).pk)
    assert not selectors.time_is_up(open_turn(swept), timezone.now())
    assert hand_in(swept, 0, "set 4").verdict == "accepted"


def test_a_turn_whose_deadline_is_far_off_keeps_it(swept: Game, clock: time_machine.Traveller) -> None:
    Turn.objects.filter(game=swept, status="open").update(deadline=START + hours(80), due=START + hours(80))
    clock.move_to(START + hours(74))
    services.sweep()
    assert open_turn(swept).deadline == START + hours(80)
    assert not Hold.objects.exists()


def test_a_turn_for_which_all_are_final_is_played_after_an_outage(swept: Game, clock: time_machine.Traveller) -> None:
    clock.move_to(START + hours(74))
    for index in (0, 1):
        hand_in(swept, index, "set 4\ndone")
    services.sweep()
    assert open_turn(swept).number == 2


def test_a_short_gap_is_no_outage_and_without_the_brake_none_is(
    swept: Game, clock: time_machine.Traveller, settings: Settings
) -> None:
    for minutes in (25, 50, 65):
        clock.move_to(START + hours(71) + timedelta(minutes=minutes))
        services.sweep()
    assert open_turn(swept).number == 2
    settings.POSTSPIEL_BRAKE_MINUTES = 0
    clock.move_to(datetime(2027, 3, 2, tzinfo=UTC))
    services.sweep()
    assert open_turn(swept).number == 3
    assert not Hold.objects.exists()


# --- a clock that jumps -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", (timedelta(days=365), timedelta(days=-1)))
def test_a_clock_that_jumps_changes_nothing_and_is_told(
    jump: timedelta, swept: Game, clock: time_machine.Traveller, host: User, olga: User, ada: User
) -> None:
    """Case 15, nJudge: the clock jumped a year and every absent player was thrown out."""
    before = Turn.objects.values().get(game=swept, status="open")
    mailed = set(Outgoing.objects.values_list("pk", flat=True))
    clock.move_to(START + hours(71) + jump)
    for _sweep in range(3):
        services.sweep()
        services.advance(open_turn(swept).pk)
        clock.shift(20)

    assert Turn.objects.values().get(game=swept, status="open") == before
    assert hand_in(swept, 1, "set 3").verdict == "accepted"
    assert set(Outgoing.objects.exclude(pk__in=mailed).values_list("kind", flat=True)) == {"held-back"}
    assert mails("held-back") == ["Hugo", "Olga"]
    assert "clock jumped" in text_to(olga, "held-back")
    assert "manage.py hold release" in text_to(host, "held-back")
    assert any("manage.py hold release" in finding.mend for finding in health.examine())
    assert "clock jumped" in signed_in(ada).get(reverse("game", args=[swept.key])).content.decode()

    clock.move_to(START + hours(71) + timedelta(minutes=10))
    services.sweep()
    assert Hold.objects.get().released is not None
    assert open_turn(swept).deadline == START + hours(72)
    for minutes in (30, 55, 61):
        clock.move_to(START + hours(71) + timedelta(minutes=minutes))
        services.sweep()
    assert open_turn(swept).number == 2


def test_a_server_that_really_was_away_for_long_is_released_by_the_host_alone(
    swept: Game, clock: time_machine.Traveller, host: User, olga: User
) -> None:
    now = START + hours(71) + timedelta(days=30)
    clock.move_to(now)
    services.sweep()
    hold = Hold.objects.get()
    with pytest.raises(services.PlayError, match="host"):
        services.release_hold(hold=hold, who=olga)
    desk = signed_in(host)
    assert "Let games go on" in desk.get(reverse("organiser")).content.decode()
    page = desk.post(reverse("organiser-release", args=[hold.pk]), follow=True)
    assert "everybody got the time back" in page.content.decode()
    with pytest.raises(services.PlayError, match="already"):
        services.release_hold(hold=hold, who=host)
    services.sweep()
    assert (open_turn(swept).number, open_turn(swept).deadline) == (1, now + timedelta(days=1))


def test_a_paused_game_gets_no_time_back(swept: Game, clock: time_machine.Traveller) -> None:
    Game.objects.filter(pk=swept.pk).update(paused=START + hours(70))
    clock.move_to(START + hours(71.6))
    services.sweep()
    assert open_turn(swept).deadline == START + hours(72)


# --- mail that comes back ---------------------------------------------------------------------------------------------


def bounced(count: int, *, among: int) -> None:
    now = timezone.now()
    people = [User.objects.create_user(f"reader{number}@example.org") for number in range(among)]
    for one in people:
        Outgoing.objects.create(event="x", kind="turn", to=one.email, due=now, created=now, sent=now, state="sent")
    for one in people[:count]:
        Mailbox.objects.create(address=one.email, owner=one, bounces=1, last=now)


@pytest.mark.parametrize(("count", "among", "held"), ((5, 8, True), (4, 4, False), (6, 20, False)))
def test_a_wave_of_bounces_holds_all_games_until_the_host_has_seen_to_it(
    count: int, among: int, held: bool, swept: Game, clock: time_machine.Traveller, host: User
) -> None:
    bounced(count, among=among)
    for minutes in (25, 50, 61):
        clock.move_to(START + hours(71) + timedelta(minutes=minutes))
        services.sweep()
    assert open_turn(swept).number == (1 if held else 2)
    assert Hold.objects.filter(reason="bounces").count() == held
    if held:
        services.release_hold(hold=Hold.objects.get(), who=host)
        services.sweep()
        assert not Hold.objects.filter(game=None, released=None).exists()
        assert open_turn(swept).deadline == START + hours(72) + timedelta(minutes=37)


# --- players who are silent at once -----------------------------------------------------------------------------------


def four(make: Make, *, bots: int) -> Game:
    game = make(size=4)
    for number in range(4 - bots):
        services.join_game(game=game, player=User.objects.create_user(f"p{number}@example.org"))
    for _bot in range(bots):
        services.seat_bot(game=game, index=None, bot="five")
    game.refresh_from_db()
    return game


@pytest.mark.parametrize(("silent", "bots", "held"), (((0, 1, 2), 0, True), ((0, 1), 0, False), ((0, 1), 2, False)))
def test_most_players_silent_at_once_get_more_time_once(
    silent: tuple[int, ...], bots: int, held: bool, clock: time_machine.Traveller, make: Make
) -> None:
    game = four(make, bots=bots)
    for index in range(4 - bots):
        hand_in(game, index, "set 4\ndone")
    services.advance(open_turn(game).pk)
    for index in set(range(4 - bots)) - set(silent):
        hand_in(game, index, "set 3")
    first = open_turn(game).deadline
    assert first is not None
    clock.move_to(first + timedelta(seconds=5))
    for _try in range(2):
        services.advance(open_turn(game).pk)
    assert open_turn(game).number == (2 if held else 3)
    if held:
        assert open_turn(game).deadline == first + timedelta(seconds=5) + hours(24)
        clock.shift(hours(25))
        assert services.advance(open_turn(game).pk)
        assert Sheet.objects.filter(turn__game=game, turn__number=2, missed=True).count() == len(silent)


# --- the command ------------------------------------------------------------------------------------------------------


def said(*words: str) -> str:
    out = StringIO()
    call_command("hold", *words, stdout=out)
    return out.getvalue()


def test_the_command_lists_and_releases(swept: Game, clock: time_machine.Traveller, olga: User, ada: User) -> None:
    assert "Nothing" in said("list")
    clock.move_to(START + hours(74))
    services.sweep()
    hold = Hold.objects.get()
    (row,) = json.loads(said("list", "--json"))
    assert (row["number"], row["reason"], row["game"]) == (hold.pk, "outage", swept.key)
    for words in (("release", "999", "--by", olga.email), ("release", str(hold.pk), "--by", "nobody@example.org")):
        with pytest.raises(CommandError) as wrong:
            said(*words)
        assert wrong.value.returncode == 2
    with pytest.raises(CommandError, match="organises"):
        said("release", str(hold.pk), "--by", ada.email)
    assert "ends now" in said("release", str(hold.pk), "--by", olga.email)


def test_why_turns_are_held_is_said_in_german() -> None:
    with translation.override("de"):
        said_in_german = {reason: selectors.held_why(Hold(reason=reason)) for reason in Hold.Reason.values}
    with translation.override("en"):
        assert not {selectors.held_why(Hold(reason=reason)) for reason in said_in_german} & {*said_in_german.values()}
