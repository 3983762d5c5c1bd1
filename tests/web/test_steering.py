"""The page of one game for who runs it: three named people before each page and deed, and what stays hidden."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Mailbox, Outgoing
from postspiel.play import selectors, services
from postspiel.play.models import Act, Assistant, DeadlineChange, Game, Hold, Seat, Sheet, Turn
from postspiel.web.steering import DEEDS
from tests.people import signed_in
from tests.play_helpers import opened


def _page(user: User, game: Game) -> str:
    return signed_in(user).get(reverse("game-organise", args=[game.key])).content.decode()


def _do(user: User, game: Game, name: str, **said: object) -> int:
    return signed_in(user).post(reverse("game-deed", args=[game.key, name]), said).status_code


def _turn(game: Game) -> Turn:
    turn = selectors.open_turn(game)
    assert turn is not None
    return turn


def _seen(game: Game) -> dict[str, object]:
    turn = _turn(game)
    assert turn.deadline is not None
    return {"number": turn.number, "deadline": turn.deadline.isoformat()}


def _with_own_seat(game: Game, user: User) -> None:
    bot = Seat.objects.filter(game=game, player=None).first()
    assert bot is not None
    Seat.objects.filter(pk=bot.pk).update(player=user, bot="")


@pytest.fixture
def helper(running: Game, stella: User) -> User:
    """Stella, who helps to run the game."""
    Assistant.objects.create(game=running, user=stella, since=timezone.now())
    return stella


def test_organiser_assistant_and_host_see_the_page(running: Game, olga: User, helper: User, hugo: User) -> None:
    Game.objects.update(listed=True)
    for person in (olga, helper, hugo):
        assert "Move the deadline" in _page(person, running)


def test_player_stranger_and_guest_do_not(running: Game, paul: User, stella: User, client: Client) -> None:
    address = reverse("game-organise", args=[running.key])

    assert signed_in(paul).get(address).status_code == 403
    assert signed_in(stella).get(address).status_code == 404
    assert client.get(address).status_code == 302


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_each_deed_is_refused_to_player_stranger_and_guest(
    running: Game, paul: User, stella: User, client: Client, name: str
) -> None:
    address = reverse("game-deed", args=[running.key, name])
    before = Act.objects.count()

    assert signed_in(paul).post(address, {"sure": "yes"}).status_code == 403
    assert signed_in(stella).post(address, {"sure": "yes"}).status_code == 404
    assert client.post(address).status_code == 302
    assert Act.objects.count() == before


def test_an_assistant_does_what_the_organiser_does_but_name_assistants(running: Game, helper: User) -> None:
    assert _do(helper, running, "extend", hours=24, why="ill", **_seen(running)) == 302
    assert Act.objects.filter(kind="extended", who=helper).exists()
    assert _do(helper, running, "help", helper=helper.pk) == 404
    assert _do(helper, running, "dismiss", assistant=helper.pk) == 302
    assert not Assistant.objects.exists()


def test_the_organiser_names_and_dismisses_people_he_plays_with(running: Game, olga: User, paul: User) -> None:
    assert "Paul" in _page(olga, running)
    _do(olga, running, "help", helper=paul.pk)
    assert selectors.may_run(running, paul)
    _do(olga, running, "dismiss", assistant=paul.pk)
    assert not selectors.may_run(running, paul)


def test_a_stranger_cannot_be_named(running: Game, olga: User, stella: User) -> None:
    assert _do(olga, running, "help", helper=stella.pk) == 200
    with pytest.raises(services.PlayError, match="played with"):
        services.add_assistant(game=running, user=stella, who=olga)


def test_a_second_click_changes_nothing(running: Game, olga: User) -> None:
    said = {"hours": 24, "why": "ill", **_seen(running)}
    for _click in range(2):
        _do(olga, running, "extend", **said)

    assert Act.objects.filter(kind="extended").count() == 1


def test_what_cannot_be_mended_is_asked_once(olga: User) -> None:
    game = opened(olga)
    question = signed_in(olga).post(reverse("game-deed", args=[game.key, "cancel"])).content.decode()
    game.refresh_from_db()
    assert "Call the game off?" in question
    assert game.status == Game.Status.OPEN

    assert _do(olga, game, "cancel", sure="yes") == 302
    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED


def test_a_form_with_a_gap_is_shown_again(running: Game, olga: User) -> None:
    answer = signed_in(olga).post(reverse("game-deed", args=[running.key, "extend"]), {"hours": 24, **_seen(running)})

    assert "errorlist" in answer.content.decode()
    assert not Act.objects.filter(kind="extended").exists()


def test_sheets_and_mails_are_shown_by_their_state(running: Game, olga: User, paul: User) -> None:
    services.hand_in(
        seat=Seat.objects.get(game=running, player=paul), text="send A Yellow", door="form", writer=paul,
        received=timezone.now(),
    )  # fmt: skip
    page = _page(olga, running)

    assert "on file" in page
    assert "to the player: a turn" in page
    assert "send A" not in page


def test_an_organiser_who_plays_is_shown_numbers_only(running: Game, olga: User, paul: User) -> None:
    """Whatever Paul hands in, and whatever mail goes to him, Olga's page says no more than how many sheets are in."""
    _with_own_seat(running, olga)
    before = _page(olga, running)
    Sheet.objects.filter(seat__player=paul).update(updated=timezone.now(), missed=True, orders=[{"verb": "secret"}])
    Outgoing.objects.update(state=Outgoing.State.FAILED, answer="550 No such user")

    assert _plain(_page(olga, running)) == _plain(before)
    assert "you play yourself" in before
    assert 'class="sheets"' not in before


def test_an_organiser_who_plays_cannot_judge_his_own_game(running: Game, olga: User) -> None:
    _with_own_seat(running, olga)

    judged = [name for name, deed in DEEDS.items() if deed.judges]
    assert {name: _do(olga, running, name, sure="yes") for name in judged} == dict.fromkeys(judged, 404)


def test_the_number_of_queries_is_the_same_with_more_turns(running: Game, olga: User) -> None:
    client, counts = signed_in(olga), []
    for number in (50, 51):
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("game-organise", args=[running.key]))
        counts.append(len(queries))
        turn = _turn(running)
        turn.pk, turn.number, turn.status = None, number, Turn.Status.SUPERSEDED
        turn.save()

    assert counts[0] == counts[1]
    assert counts[0] <= 30


def _plain(page: str) -> list[str]:
    return [line for line in page.splitlines() if "csrfmiddlewaretoken" not in line]


def test_somebody_is_asked_by_address_and_nobody_learns_who_has_an_account(
    running: Game, olga: User, paul: User, stella: User
) -> None:
    seat = Seat.objects.get(game=running, player=paul)
    services.resign(seat=seat, who=paul)
    asked = {"waiting": seat.index}
    shown = [
        signed_in(olga).post(
            reverse("game-deed", args=[running.key, "invite"]), asked | {"address": address}, follow=True
        )
        for address in (stella.email.upper(), "nobody@example.org")
    ]
    told = "If somebody here has this address and may take the seat, a mail is on its way."
    assert all(told in one.content.decode() for one in shown)
    assert list(Outgoing.objects.filter(kind="seat-offered").values_list("to", flat=True)) == [stella.email]
    assert signed_in(stella).get(reverse("game-seat", args=[running.key, seat.index])).status_code == 200


def test_the_organiser_sees_how_reliable_players_and_people_standing_by_are(
    running: Game, olga: User, paul: User, stella: User
) -> None:
    services.stand_by(user=stella, title=running.title)
    _owed(running, paul, kept=9, missed=1)
    page = _page(olga, running)

    assert "Red (Paul) <" in page
    assert "reliability: 90 percent" in page
    assert f'<option value="{stella.pk}">Stella (new here)</option>' in page


@pytest.mark.parametrize("anonymous", (False, True))
def test_whose_mail_comes_back_is_told_to_who_may_know_who_plays(
    running: Game, olga: User, paul: User, anonymous: bool
) -> None:
    """In an anonymous game that he plays in himself it would tell who has the seat."""
    Game.objects.update(anonymous=anonymous)
    box = Mailbox.objects.create(owner=paul, address=paul.email, bounces=3, last=running.created, said="failed 5.1.1")
    assert "5.1.1" not in _page(olga, running)

    Mailbox.objects.filter(pk=box.pk).update(suspended=running.created)
    assert 'mail comes back</span> <span class="meta">failed 5.1.1' in _page(olga, running)

    _with_own_seat(running, olga)
    assert ("5.1.1" in _page(olga, running)) is not anonymous


def test_who_plays_is_not_told_how_reliable_the_others_are(running: Game, olga: User, paul: User) -> None:
    """What others have missed in his own game would show in it."""
    _owed(running, paul, kept=9, missed=1)
    Seat.objects.filter(player=paul).update(misses=2)
    assert "2 turns missed in a row" in _page(olga, running)

    _with_own_seat(running, olga)

    assert "90 percent" not in _page(olga, running)
    assert "missed in a row" not in _page(olga, running)


def test_who_plays_anonymously_cannot_find_out_by_replacing_who_the_others_are(
    running: Game, olga: User, paul: User, stella: User
) -> None:
    """That a person cannot have the seat, or is not on the list, would tell that he plays."""
    for one in (paul, stella):
        services.stand_by(user=one, title=running.title)
    Game.objects.update(anonymous=True)
    _with_own_seat(running, olga)

    assert "Stella" not in _page(olga, running)
    assert _do(olga, running, "replace", given=0, player=stella.pk, why="x", sure="yes") == 404
    for one in (paul, stella):
        with pytest.raises(services.PlayError, match="You play in this game yourself"):
            services.replace_player(seat=Seat.objects.get(game=running, index=0), user=one, who=olga, why="x")


def test_a_held_turn_and_moved_deadlines_are_explained(running: Game, olga: User) -> None:
    turn = _turn(running)
    assert turn.deadline is not None
    Hold.objects.create(game=running, turn=turn, reason="outage", since=turn.opened, made=turn.opened)
    DeadlineChange.objects.create(
        turn=turn, old=turn.deadline, new=turn.deadline, cause="replacement", made=turn.opened
    )  # fmt: skip
    page = _page(olga, running)

    assert "The server was away for a while" in page
    assert "Release the held turn" in page
    assert "somebody has taken over a seat and needs time to read" in page


def _owed(game: Game, player: User, *, kept: int, missed: int) -> None:
    """Turns that are over, in which a player owed orders, before those of the game."""
    seat, now = Seat.objects.get(game=game, player=player), timezone.now()
    for number in range(kept + missed):
        turn = Turn.objects.create(
            game=game, number=100 + number, status=Turn.Status.DONE, rules=1, state=b"", opened=now, deadline=now
        )
        Sheet.objects.create(turn=turn, seat=seat, player=player, owes=True, asked=True, missed=number < missed)
