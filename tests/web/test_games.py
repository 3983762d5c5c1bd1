"""Games on pages: making, joining, inviting, ordering, press, votes, the organiser's table."""

import html
import re
from datetime import UTC, date, datetime, timedelta
from urllib.parse import unquote

import msgspec
import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import selectors, services
from postspiel.play.clocks import Clock
from postspiel.play.models import Game, Press, Seat, Sheet, Submission
from postspiel.play.schedule import Schedule
from postspiel.web import invitations
from tests.people import person, signed_in
from tests.play_helpers import opened

NEW = {
    "name": "A first try",
    "size": "3",
    "hours": "48",
    "first_hours": "96",
    "minimum_minutes": "60",
    "reminder_hours": "12",
    "play": "on",
    "bots": "1",
    "bot": "random",
    "option-staged": "on",
}


def text_of(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def page_of(game: Game) -> str:
    return reverse("game", args=[game.key])


def sheet_of(game: Game, user: User) -> Sheet:
    seat = selectors.seat_of(game, user)
    sheet = selectors.sheet_of(seat) if seat else None
    assert sheet is not None
    return sheet


# --- making and joining -----------------------------------------------------------------------------------------------


def test_a_game_is_made_as_it_was_chosen(olga: User) -> None:
    answer = signed_in(olga).post(f"{reverse('new-game')}?title=intrige", NEW)

    game = Game.objects.get()
    assert answer.headers["Location"] == page_of(game)
    assert (game.name, game.size, game.listed, game.options["staged"]) == ("A first try", 3, False, True)
    assert game.schedule == msgspec.to_builtins(Schedule(48, 96, 60, 12)) | {"further_reminders": []}
    assert list(game.seats.order_by("index").values_list("player", "bot")) == [
        (olga.pk, ""),
        (None, "random"),
        (None, ""),
    ]
    shown = signed_in(olga).get(page_of(game)).content.decode()
    assert invitations.link(game) in shown
    assert "Settle group by group" in shown


CLOCK = {
    "minute": "1200",
    "zone": "Europe/Berlin",
    "weekdays": ["0", "3"],
    "off": "2026-12-24, 2026-12-31",
    "wait": "on",
    "grace_minutes": "120",
    "second_reminder_hours": "2",
}


def test_a_weekly_grid_is_chosen_and_read_before_joining(olga: User, client: Client) -> None:
    signed_in(olga).post(f"{reverse('new-game')}?title=intrige", NEW | CLOCK | {"listed": "on"})

    plan = selectors.schedule_of(Game.objects.get())
    off = (date(2026, 12, 24), date(2026, 12, 31))
    assert plan == Schedule(48, 96, 60, 12, (2,), 120, Clock("Europe/Berlin", 1200, (0, 3), off, wait=True))
    assert "Deadlines are at 20:00 (Europe/Berlin), on these days: Monday, Thursday." in text_of(
        client, reverse("lobby")
    )


def test_votes_can_be_shorter_where_a_title_has_some(olga: User) -> None:
    desk, page = signed_in(olga), f"{reverse('new-game')}?title=kreml"
    assert "vote_hours" not in desk.get(f"{reverse('new-game')}?title=intrige").content.decode()
    chosen = {**NEW, "hours": "48", "vote_hours": "24", "bot": "random"}
    kreml = {name: value for name, value in chosen.items() if not name.startswith("option-")}
    shown = desk.post(page, {**kreml, "foresee": "1"}).content.decode()
    assert "If the second turn is only a vote, its deadline is:" in shown
    assert (
        "A vote cannot last longer than another turn." in desk.post(page, kreml | {"vote_hours": "72"}).content.decode()
    )


def test_the_next_ten_deadlines_are_shown_and_nothing_is_made(olga: User, clock: time_machine.Traveller) -> None:
    clock.move_to(datetime(2026, 3, 26, 12, tzinfo=UTC))
    asked = {**NEW, **CLOCK, "name": "", "foresee": "1"}

    answer = signed_in(olga).post(f"{reverse('new-game')}?title=intrige", asked)

    assert len(answer.context["deadlines"]) == 10
    shown = answer.content.decode()
    assert "Thursday, 2 April 2026, 19:00 (Europe/London)" in shown
    assert "This field is required" not in shown
    wrong = signed_in(olga).post(f"{reverse('new-game')}?title=intrige", {**asked, "off": "Christmas"})
    assert "is no day" in wrong.content.decode()
    assert not wrong.context["deadlines"]
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "field"),
    (
        ({**CLOCK, "weekdays": []}, "weekdays"),
        ({**CLOCK, "zone": "Europe/Atlantis"}, "zone"),
        ({**CLOCK, "zone": ""}, "zone"),
        ({**CLOCK, "minute": ""}, "minute"),
        ({**CLOCK, "off": "2026-02-30"}, "off"),
        ({"bots": "3"}, "bots"),
        ({"size": "7"}, "size"),
        ({"name": " "}, "name"),
        ({"option-sealed": "on", "option-open_cash": "on"}, "__all__"),
        ({"hours": "1", "first_hours": "1", "minimum_minutes": "240"}, "__all__"),
    ),
)
def test_a_game_that_cannot_be_is_refused_whole(olga: User, wrong: dict[str, str], field: str) -> None:
    answer = signed_in(olga).post(f"{reverse('new-game')}?title=intrige", {**NEW, **wrong})

    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert not Game.objects.exists()


def test_there_is_no_form_for_a_title_that_is_not_here(olga: User) -> None:
    assert signed_in(olga).get(f"{reverse('new-game')}?title=halma").status_code == 404
    assert signed_in(olga).get(reverse("title-rules", args=["halma"])).status_code == 404


def test_the_lobby_lists_what_can_be_joined(olga: User, paul: User, client: Client) -> None:
    game = opened(olga)
    opened(olga, listed=False, name="Friends only")

    shown = text_of(client, reverse("lobby"))
    assert "Winter court" in shown
    assert "3 of 3 seats are free." in shown
    assert "Friends only" not in shown

    signed_in(paul).post(reverse("game-join", args=[game.key]))
    assert selectors.seat_of(game, paul) is not None
    assert "Winter court" not in text_of(signed_in(paul), reverse("lobby"))


def test_the_last_seat_taken_starts_the_game(clock: time_machine.Traveller, olga: User, paul: User) -> None:
    game = opened(olga)
    signed_in(paul).post(reverse("game-join", args=[game.key]), {"index": "2"})
    for index in ("0", "1"):
        signed_in(olga).post(reverse("game-bot", args=[game.key]), {"index": index, "bot": "random"})

    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert game.seats.get(index=2).player == paul


def test_an_organiser_fills_and_frees_seats(olga: User, paul: User, winter: Game) -> None:
    host = signed_in(olga)
    host.post(reverse("game-bot", args=[winter.key]), {"index": "1", "bot": "random"})
    assert winter.seats.get(index=1).bot == "random"
    assert "There are free seats" in text_of(_after(host, reverse("game-start", args=[winter.key])), page_of(winter))

    host.post(reverse("game-clear", args=[winter.key]), {"index": "1"})
    assert winter.seats.get(index=1).bot == ""
    assert "no bot of that name" in text_of(
        _after(host, reverse("game-bot", args=[winter.key]), index="1", bot="deep blue"), page_of(winter)
    )


def test_calling_off_is_asked_first(olga: User, winter: Game) -> None:
    address = reverse("game-cancel", args=[winter.key])
    signed_in(olga).get(address)
    winter.refresh_from_db()
    assert winter.status == Game.Status.OPEN

    signed_in(olga).post(address)
    winter.refresh_from_db()
    assert winter.status == Game.Status.CANCELLED


def test_a_seat_can_be_given_back_before_the_start(paul: User, winter: Game) -> None:
    services.join_game(game=winter, player=paul, invitation=winter.invitation)

    signed_in(paul).post(reverse("game-leave", args=[winter.key]))

    assert selectors.seat_of(winter, paul) is None


# --- orders -----------------------------------------------------------------------------------------------------------


def test_orders_by_form_are_put_on_file_and_made_final(running: Game, paul: User) -> None:
    client, address = signed_in(paul), reverse("game-orders", args=[running.key])
    game_form = client.get(page_of(running)).context["page"].form
    sent = {"turn": "1", **_answers(game_form)}

    receipt = client.post(address, sent)
    assert sheet_of(running, paul).status == Sheet.Status.ON_FILE
    assert "All you sent was taken." in text_of(client, receipt.headers["Location"])

    client.post(address, {**sent, "control": "done"})
    assert sheet_of(running, paul).status == Sheet.Status.FINAL
    services.sweep()
    assert selectors.open_turn(running).number == 2  # type: ignore[union-attr]
    assert "Turn 1: All you sent was taken." in text_of(client, receipt.headers["Location"])
    assert Submission.objects.filter(door="form", writer=paul).count() == 2


def test_a_wrong_line_is_named_and_can_be_mended(running: Game, paul: User) -> None:
    client = signed_in(paul)
    sent = {"way": "text", "turn": "1", "text": "send A Atlantis\nsend A Yellow"}

    receipt = client.post(reverse("game-orders", args=[running.key]), sent).headers["Location"]

    shown = text_of(client, receipt)
    assert "Line 1: send A Atlantis" in shown
    assert "One of your lines could not be taken, the others were." in shown
    assert "send A Atlantis" in client.get(receipt).context["page"].form["more"].value()
    assert [order["verb"] for order in sheet_of(running, paul).orders] == ["send"]


def test_orders_for_a_turn_that_is_over_change_nothing(running: Game, paul: User) -> None:
    client = signed_in(paul)

    receipt = client.post(reverse("game-orders", args=[running.key]), {"way": "text", "turn": "7", "text": "nothing"})

    assert "What you sent was for turn 7, but turn 1 is open now" in text_of(client, receipt.headers["Location"])
    assert sheet_of(running, paul).status == Sheet.Status.NONE


def test_a_form_with_a_wrong_field_comes_back_as_it_was(running: Game, paul: User) -> None:
    client = signed_in(paul)
    form = client.get(page_of(running)).context["page"].form
    name = next(name for name in form.fields if name != "more")

    answer = client.post(reverse("game-orders", args=[running.key]), {name: "nobody", "more": "send A Yellow"})

    assert answer.status_code == 200
    assert name in answer.context["page"].form.errors
    assert "send A Yellow" in answer.content.decode()
    assert sheet_of(running, paul).status == Sheet.Status.NONE


def test_a_preview_hands_nothing_in(running: Game, paul: User) -> None:
    client, address = signed_in(paul), reverse("game-preview", args=[running.key])
    sent = {"turn": "1", "more": "send A Yellow\nsend P Green"}

    whole = client.post(address, sent)
    part = client.post(address, sent, headers={"HX-Request": "true"})

    assert "If nobody else ordered anything" in whole.content.decode()
    assert "<html" in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert "Nothing has been handed in." in part.content.decode()
    assert sheet_of(running, paul).status == Sheet.Status.NONE
    assert not Submission.objects.filter(writer=paul).exists()


def test_coming_sheets_can_be_made_final_as_they_open(running: Game, paul: User) -> None:
    address = reverse("game-always", args=[running.key])
    signed_in(paul).post(address, {"always": "on"})
    assert Seat.objects.get(player=paul).always_done

    signed_in(paul).post(address, {"always": "off"})
    assert not Seat.objects.get(player=paul).always_done


def test_the_state_of_a_turn_is_asked_for_until_there_is_a_new_one(running: Game, paul: User) -> None:
    address = reverse("game-sheet", args=[running.key])

    assert "sheets are in" in signed_in(paul).get(f"{address}?turn=1").content.decode()
    assert signed_in(paul).get(f"{address}?turn=0").headers["HX-Refresh"] == "true"


# --- press, votes, leaving --------------------------------------------------------------------------------------------


def test_press_reaches_whom_it_is_for(running: Game, paul: User, olga: User) -> None:
    client, address = signed_in(paul), reverse("game-press", args=[running.key])
    refused = client.post(address, {"press-text": "Hello?"})
    assert "to" in refused.context["page"].press_form.errors
    assert not Press.objects.exists()

    client.post(address, {"press-to": ["1"], "press-text": "<b>Between us</b>"})
    client.post(address, {"press-public": "on", "press-text": "To whom it may concern"})

    own, others = (signed_in(user).get(page_of(running)).content.decode() for user in (paul, olga))
    assert "&lt;b&gt;Between us" in own
    assert "Between us" not in others
    assert "To whom it may concern" in others


def test_a_vote_to_end_is_cast_and_taken_back(running: Game, paul: User, stella: User) -> None:
    Seat.objects.filter(game=running, index=1).update(bot="", player=stella)
    address = reverse("game-end-vote", args=[running.key])

    signed_in(paul).post(address, {"vote": "propose"})
    assert selectors.wants_end(running) == [0]
    signed_in(paul).post(address, {"vote": "withdraw"})
    assert selectors.wants_end(running) == []

    for player in (paul, stella):
        signed_in(player).post(address, {"vote": "propose"})
    running.refresh_from_db()
    assert running.status == Game.Status.ENDED


def test_resigning_is_asked_first(running: Game, paul: User) -> None:
    address = reverse("game-resign", args=[running.key])
    signed_in(paul).get(address)
    assert selectors.seat_of(running, paul) is not None

    assert "given up your seat" in text_of(_after(signed_in(paul), address), reverse("home"))
    assert selectors.seat_of(running, paul) is None


def test_a_bot_takes_an_open_seat_of_a_running_game(running: Game, olga: User, paul: User) -> None:
    Seat.objects.filter(game=running, index=1).update(bot="")
    shown = signed_in(olga).get(page_of(running)).content.decode()
    assert 'id="bot-1"' in shown
    assert 'id="bot-1"' not in signed_in(paul).get(page_of(running)).content.decode()

    signed_in(olga).post(reverse("game-bot", args=[running.key]), {"index": "1", "bot": "random"})

    assert running.seats.get(index=1).bot == "random"


# --- invitations ------------------------------------------------------------------------------------------------------


def test_a_public_invitation_leads_a_member_to_a_seat(winter: Game, stella: User) -> None:
    address = reverse("invitation", args=[winter.invitation])
    assert signed_in(stella).get(page_of(winter)).status_code == 404
    assert "Winter court" in text_of(signed_in(stella), address)

    signed_in(stella).post(address, {"index": "1"})

    assert selectors.seat_of(winter, stella) == winter.seats.get(index=1)


def test_a_public_invitation_makes_an_account_by_code(winter: Game, client: Client) -> None:
    address = reverse("invitation", args=[winter.invitation])
    newcomer = {"email": "ina@example.org", "display_name": "Ina", "time_zone": "Europe/Vienna", "next": address}

    code_page = client.post(address, newcomer)

    ina = User.objects.get(email="ina@example.org")
    assert unquote(code_page.headers["Location"]) == f"{reverse('account_confirm_login_code')}?next={address}"
    assert (ina.display_name, ina.time_zone) == ("Ina", "Europe/Vienna")
    assert "_auth_user_id" not in client.session
    assert not ina.emailaddress_set.filter(verified=True).exists()  # type: ignore[attr-defined]


def test_a_mailed_invitation_makes_the_account_and_confirms_the_address_at_once(winter: Game, client: Client) -> None:
    address = invitations.link(winter, invitations.ticket_for(winter, "ina@example.org")).partition(":8000")[2]
    assert "ina@example.org" in text_of(client, address)

    answer = client.post(address, {"display_name": "Ina", "time_zone": "Europe/Vienna"})

    ina = User.objects.get(email="ina@example.org")
    assert answer.headers["Location"] == page_of(winter)
    assert client.session["_auth_user_id"] == str(ina.pk)
    assert ina.emailaddress_set.get().verified  # type: ignore[attr-defined]
    assert selectors.seat_of(winter, ina) is not None


def test_a_mailed_invitation_opens_no_account_that_exists(winter: Game, stella: User, client: Client) -> None:
    address = invitations.link(winter, invitations.ticket_for(winter, stella.email)).partition(":8000")[2]

    client.post(address, {"display_name": "Not Stella", "time_zone": "Europe/Vienna"})

    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("ticket", ("", "forged", "other game"))
def test_a_forged_ticket_is_as_good_as_none(winter: Game, olga: User, client: Client, ticket: str) -> None:
    if ticket == "other game":
        ticket = invitations.ticket_for(opened(olga), "ina@example.org")
    address = f"{reverse('invitation', args=[winter.invitation])}?ticket={ticket}"

    client.post(address, {"display_name": "Ina", "time_zone": "Europe/Vienna"})

    assert not User.objects.filter(display_name="Ina").exists()


def test_an_invitation_is_mailed_once_to_an_address(winter: Game, olga: User, client: Client) -> None:
    address = reverse("game-invite", args=[winter.key])
    for _again in range(2):
        signed_in(olga).post(address, {"email": "Ina@example.org"})
    assert "no e-mail address" in text_of(_after(signed_in(olga), address, email="ina"), page_of(winter))

    row = Outgoing.objects.get(kind="invitation")
    letter = invitations.letter(row)

    assert row.to == "ina@example.org"
    assert letter.subject == "Olga invites you to a game: Winter court"
    link = re.search(r"http\S+ticket=\S+", letter.text)
    assert link is not None
    assert "ina@example.org" in text_of(client, link[0].partition(":8000")[2])
    assert invitations.still_due(row)
    services.cancel_game(game=winter, who=olga)
    assert not invitations.still_due(row)


def test_mailed_invitations_are_capped(winter: Game, olga: User) -> None:
    for number in range(invitations.MOST):
        invitations.send(game=winter, email=f"a{number}@example.org", by=olga)

    with pytest.raises(services.PlayError):
        invitations.send(game=winter, email="one-more@example.org", by=olga)


def test_an_unknown_invitation_is_nothing(client: Client, db: None) -> None:
    assert client.get(reverse("invitation", args=["nonsense"])).status_code == 404


# --- the organiser's table, and lists ---------------------------------------------------------------------------------


def test_an_organiser_sees_who_is_late_and_moves_the_deadline(
    clock: time_machine.Traveller, running: Game, olga: User, paul: User
) -> None:
    client, turn = signed_in(olga), selectors.open_turn(running)
    assert turn is not None
    assert turn.deadline is not None
    shown = text_of(client, reverse("organiser"))
    assert "Red (Paul)" in shown
    assert "Saturday, 7 March 2026, 19:00 (Europe/London)" in shown

    sent = {"hours": "48", "why": "Paul is ill", "deadline": turn.deadline.isoformat(), "desk": "running"}
    for _twice in range(2):
        answer = client.post(reverse("game-deed", args=[running.key, "extend"]), sent)
        assert answer.headers["Location"] == reverse("organiser") + "?show=running"
    old = turn.deadline
    turn.refresh_from_db()
    assert turn.deadline == old + timedelta(hours=48)
    assert "Monday, 9 March 2026" in text_of(client, reverse("organiser"))

    assert "1 player is reminded." in text_of(
        _after(client, reverse("organiser-remind"), turn=str(turn.pk)), reverse("organiser")
    )


def test_a_deadline_is_written_in_its_readers_zone_and_language(running: Game, paul: User) -> None:
    Game.objects.update(listed=True)
    User.objects.filter(pk=paul.pk).update(locale="de")
    tom = person("Tom", time_zone="America/New_York")

    german = text_of(signed_in(User.objects.get(pk=paul.pk)), reverse("home"))

    assert "Frist Samstag, 7. März 2026, 20:00 Uhr (Europe/Berlin)" in german
    assert "Saturday, 7 March 2026, 14:00 (America/New_York)" in text_of(signed_in(tom), page_of(running))


def test_the_games_that_wait_come_first(running: Game, paul: User, winter: Game) -> None:
    services.join_game(game=winter, player=paul, invitation=winter.invitation)

    running_ones = signed_in(paul).get(reverse("home")).context["running"]

    assert [mine.game for mine in running_ones] == [running, winter]
    assert [mine.waits for mine in running_ones] == [True, False]


@pytest.mark.parametrize("name", ("home", "lobby", "organiser"))
def test_lists_need_the_same_number_of_queries_however_long_they_are(
    clock: time_machine.Traveller, olga: User, stella: User, name: str
) -> None:
    client = signed_in(olga if name != "lobby" else stella)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert client.get(reverse(name)).status_code == 200
        return len(found)

    def more(count: int) -> None:
        for number in range(count):
            full = opened(olga, name=f"full {number}")
            services.join_game(game=full, player=olga if number % 2 else stella)
            services.seat_bot(game=full, index=None, bot="random")
            services.seat_bot(game=full, index=None, bot="random")
            services.join_game(game=opened(olga, name=f"open {number}"), player=olga)

    more(2)
    few = queries()
    more(6)
    assert queries() == few
    assert few <= 15


def _after(client: Client, address: str, **sent: str) -> Client:
    client.post(address, sent)
    return client


def _answers(form: object) -> dict[str, str]:
    """A legal answer to each owed question: the first choice of each field, in different courts."""
    answers: dict[str, str] = {}
    for number, question in enumerate(form.owed):  # type: ignore[attr-defined]
        for row in question.rows[:1]:
            for field in row.fields:
                choices = [value for value, _label in field.field.choices if value]
                answers[field.html_name] = choices[min(number, len(choices) - 1)]
    return answers


def test_many_games_are_helped_at_once_and_each_refusal_is_told(
    clock: time_machine.Traveller, running: Game, olga: User, paul: User
) -> None:
    client, turn = signed_in(olga), selectors.open_turn(running)
    assert turn is not None
    assert turn.deadline is not None
    pick, address = f"{turn.pk} {turn.deadline.isoformat()}", reverse("organiser-many")
    ticked = {"which": "pick", "pick": pick}

    nothing = {"which": "pick", "shown": pick, "act": "remind"}
    assert "Tick at least one game." in text_of(_after(client, address, **nothing), reverse("organiser"))
    sent = {**ticked, "act": "extend", "hours": "24", "why": "a holiday"}
    client.post(address, sent)
    assert "Done for 1 game." in text_of(client, reverse("organiser"))
    client.post(address, sent)
    assert "The deadline has been moved meanwhile" in text_of(client, reverse("organiser"))
    turn.refresh_from_db()
    assert turn.deadline is not None
    assert turn.deadline.isoformat() == (datetime.fromisoformat(pick.split()[1]) + timedelta(hours=24)).isoformat()

    client.post(address, {**ticked, "act": "pause", "why": "a holiday"})
    assert "paused" in text_of(client, reverse("organiser"))
    client.post(address, {**ticked, "act": "resume"})
    running.refresh_from_db()
    assert running.paused is None
    signed_in(paul).post(address, {**ticked, "act": "pause", "why": "I lose"})
    running.refresh_from_db()
    assert running.paused is None


def test_a_line_that_is_no_order_is_shown_in_the_receipt(running: Game, paul: User) -> None:
    """What a player writes is never passed over without a word."""
    client, sent = signed_in(paul), {"way": "text", "text": "nothing\nfly to the moon"}
    page = text_of(client, client.post(reverse("game-orders", args=[running.key]), sent).headers["Location"])
    assert "These lines were not read as orders: fly to the moon" in page
