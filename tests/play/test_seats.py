"""Missed turns, seats that are opened, people standing by, take-overs, own seats reclaimed, reliability."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Outgoing
from postspiel.play import reliability, selectors, services, vacancies
from postspiel.play.models import Act, Game, Occupancy, Seat, Sheet, Turn
from postspiel.play.policies import Policy
from tests.people import signed_in
from tests.play.conftest import START, hand_in, hours, seat

type Agreed = Callable[..., Game]


@pytest.fixture
def agreed(clock: time_machine.Traveller, olga: User, ada: User, bert: User) -> Agreed:
    """A function that starts a game of nine rounds between Ada and Bert with the usual policy, or another one."""

    def begun(*, listed: bool = True, size: int = 2, **policy: object) -> Game:
        terms = {"excused": 0, "open_after": 2} | policy
        game = services.create_game(
            organiser=olga,
            title="toy",
            name="A game",
            size=size,
            options={"rounds": 9},
            schedule=services.Schedule(hours=48, first_hours=48),
            listed=listed,
            policy=Policy(**terms),  # type: ignore[arg-type]  # fields by name
        )
        for player in (ada, bert):
            services.join_game(game=game, player=player, invitation=game.invitation)
        game.refresh_from_db()
        return game

    return begun


def turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def on(game: Game, clock: time_machine.Traveller, times: int = 1, *keep: int) -> None:
    """Let turns pass; the seats named hand in, the others stay silent."""
    for _time in range(times):
        for index in keep:
            hand_in(game, index, "set 4")
        due = turn(game).due
        assert due is not None
        clock.move_to(due + timedelta(seconds=1))
        services.advance(turn(game).pk)


def standing_by(name: str, title: str = "toy") -> User:
    user = User.objects.create_user(f"{name}@example.org", display_name=name.title())
    services.stand_by(user=user, title=title)
    return user


# --- missed turns -----------------------------------------------------------------------------------------------------


def test_a_seat_is_opened_after_so_many_misses_in_a_row(agreed: Agreed, clock: time_machine.Traveller) -> None:
    game = agreed()
    on(game, clock, 1, 0)
    assert (seat(game, 1).misses, seat(game, 1).player is None) == (1, False)
    on(game, clock, 1, 0, 1)
    assert seat(game, 1).misses == 0, "who comes back begins anew"
    on(game, clock, 2, 0)
    lost = seat(game, 1)
    assert (lost.player, lost.bot, lost.misses) == (None, "", 0)
    assert lost.vacant is not None
    assert game.acts.filter(kind="seat-opened", data__seat=1).count() == 1
    assert Outgoing.objects.get(kind="seat-lost").to == "bert@example.org"
    assert set(Outgoing.objects.filter(kind="seat-news").values_list("to", flat=True)) == {
        "ada@example.org",
        "olga@example.org",
    }
    assert reverse("game-seat", args=[game.key, 1]) in outbox.render(Outgoing.objects.get(kind="seat-lost")).text


def test_excused_misses_open_nothing(agreed: Agreed, clock: time_machine.Traveller) -> None:
    game = agreed(excused=1)
    on(game, clock, 2, 0)
    assert (seat(game, 1).player is None, seat(game, 1).misses) == (False, 1)
    on(game, clock, 1, 0)
    assert seat(game, 1).player is None


def test_nobody_loses_a_seat_where_the_terms_open_none(agreed: Agreed, clock: time_machine.Traveller) -> None:
    game = agreed(open_after=0)
    on(game, clock, 5, 0)
    assert seat(game, 1).player is not None


def test_a_caretaker_plays_until_somebody_comes(agreed: Agreed, clock: time_machine.Traveller) -> None:
    game = agreed(caretaker="five")
    on(game, clock, 2, 0)
    open_sheet = Sheet.objects.get(turn=turn(game), seat=seat(game, 1))
    assert (seat(game, 1).bot, open_sheet.status, open_sheet.player) == ("five", "final", None)
    services.take_over(seat=seat(game, 1), user=standing_by("cleo"))
    taken = Sheet.objects.get(turn=turn(game), seat=seat(game, 1))
    assert (seat(game, 1).bot, taken.status, taken.orders) == ("", "none", [])


def test_a_game_whose_only_other_player_left_goes_on_to_its_end(
    agreed: Agreed, clock: time_machine.Traveller, ada: User, bert: User
) -> None:
    """Case 20, terra-mystica#11: the rest could not finish."""
    game = agreed()
    services.resign(seat=seat(game, 1), who=bert)
    for _turn in range(9):
        hand_in(game, 0, "set 4\ndone")
        services.sweep()
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert [entry["user"] for entry in game.result.entries] == [ada.pk, bert.pk], "who leaves does not escape"


def test_an_explicit_nothing_is_no_miss(agreed: Agreed, clock: time_machine.Traveller) -> None:
    """Case 17, webDiplomacy#87: "all hold" counted as missed."""
    game = agreed(open_after=1)
    for _turn in range(3):
        hand_in(game, 1, "nothing")
        on(game, clock, 1, 0)
    assert seat(game, 1).player is not None
    assert not Sheet.objects.filter(missed=True).exists()


# --- leaving ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ("resigned", "removed"))
def test_orders_of_who_left_are_never_carried_out(
    why: str, agreed: Agreed, clock: time_machine.Traveller, bert: User
) -> None:
    """Case 16, webDiplomacy#333: save, eject, process. Standing orders go too, and so does `always done`."""
    game = agreed()
    hand_in(game, 1, "always set 7\nalways done\ndone")
    hand_in(game, 0, "set 4")
    services.open_seat(seat=seat(game, 1), why=why, who=bert)
    on(game, clock)
    assert Sheet.objects.get(seat=seat(game, 1), turn__number=1).orders == []
    on(game, clock, 1, 0)
    assert not Sheet.objects.filter(seat=seat(game, 1)).exclude(orders=[]).exists()
    assert seat(game, 1).always_done is False
    refused = services.hand_in(seat=seat(game, 1), text="set 9", door="form", writer=bert, received=datetime.now(UTC))
    assert (refused.verdict, refused.understood.reason) == ("rejected", "not-yours")


def test_standing_orders_of_who_loses_his_seat_by_missing_are_dropped(
    agreed: Agreed, clock: time_machine.Traveller
) -> None:
    """Case 16: what the rules keep from turn to turn is the leaver's, too."""
    game = agreed(open_after=1)
    hand_in(game, 1, "always guess Ann 3\nset 2")
    on(game, clock, 1, 0)
    assert Sheet.objects.get(turn=turn(game), seat=seat(game, 1)).orders != []
    on(game, clock, 1, 0)
    assert seat(game, 1).player is None
    assert Sheet.objects.get(turn=turn(game), seat=seat(game, 1)).orders == []


# --- standing by and taking over --------------------------------------------------------------------------------------


def test_all_who_stand_by_are_asked_and_the_first_gets_it(
    agreed: Agreed, clock: time_machine.Traveller, ada: User, bert: User
) -> None:
    """Case 19, nJudge 463: a taken-over seat was still shown as vacant."""
    game = agreed(listed=False)
    cleo, dora = standing_by("cleo"), standing_by("dora")
    standing_by("emil", "relay")
    services.stand_by(user=ada, title="toy")
    services.resign(seat=seat(game, 1), who=bert)
    offers = Outgoing.objects.filter(kind="seat-offered")
    assert sorted(offers.values_list("to", flat=True)) == ["cleo@example.org", "dora@example.org"]
    for person in (cleo, dora):
        assert reverse("game-seat", args=[game.key, 1]) in outbox.render(offers.get(recipient=person)).text
        assert signed_in(person).get(reverse("game-seat", args=[game.key, 1])).status_code == 200

    here = seat(game, 1)
    services.take_over(seat=here, user=cleo)
    with pytest.raises(services.PlayError):
        services.take_over(seat=here, user=dora)

    assert (seat(game, 1).player, seat(game, 1).vacant) == (cleo, None)
    assert signed_in(dora).get(reverse("game-seat", args=[game.key, 1])).status_code == 404
    mail.send_due()
    assert set(offers.values_list("state", flat=True)) == {"cancelled"}
    assert "waits for a player" not in signed_in(ada).get(reverse("game", args=[game.key])).content.decode()


def test_who_takes_over_gets_the_position_the_press_and_new_addresses(
    agreed: Agreed, clock: time_machine.Traveller, bert: User
) -> None:
    """Case 93: the addresses of who had the seat are of no use any more."""
    game = agreed()
    services.send_press(seat=seat(game, 0), to=[1], text="Attack Cid with me")
    old = Address.objects.get(kind="seat", object_id=seat(game, 1).pk, revoked=None)
    hand_in(game, 1, "set 9")
    clock.shift(60)
    services.resign(seat=seat(game, 1), who=bert)
    cleo = standing_by("cleo")

    services.take_over(seat=seat(game, 1), user=cleo)

    old.refresh_from_db()
    assert old.revoked is not None
    letter = Outgoing.objects.get(kind="seat-taken", recipient=cleo)
    assert letter.address == Address.objects.get(kind="seat", object_id=seat(game, 1).pk, revoked=None)
    assert "Bob is yours" in outbox.render(letter).text
    page = signed_in(cleo).get(reverse("game", args=[game.key])).content.decode()
    assert "Attack Cid with me" in page
    assert not selectors.submissions_of(seat(game, 1), turn(game)).exists(), "what another wrote is not his"
    assert Sheet.objects.get(turn=turn(game), seat=seat(game, 1)).player == cleo


def test_who_held_it_when_and_who_scores(agreed: Agreed, clock: time_machine.Traveller, ada: User, bert: User) -> None:
    game = agreed()
    cleo = standing_by("cleo")
    on(game, clock, 1, 0, 1)
    services.resign(seat=seat(game, 1), who=bert)
    on(game, clock, 1, 0)
    services.take_over(seat=seat(game, 1), user=cleo)
    held = [(one.user, one.from_turn, one.until_turn, one.why, one.scores) for one in vacancies.history(game)]
    assert held == [
        (ada, 1, None, "", True),
        (bert, 1, 2, "resigned", False),
        (cleo, turn(game).number, None, "", True),
    ]
    for index in (0, 1):
        services.propose_end(seat=seat(game, index))
    game.refresh_from_db()
    assert [entry["user"] for entry in game.result.entries] == [ada.pk, cleo.pk]


def test_a_new_player_has_time_but_who_takes_his_own_seat_again_stretches_nothing(
    agreed: Agreed, clock: time_machine.Traveller, bert: User
) -> None:
    """Case 18, webDiplomacy#485: people re-took their own seat to stretch phases."""
    game = agreed()
    clock.move_to(START + hours(47))
    deadline = turn(game).deadline
    assert deadline is not None
    for _time in range(3):
        services.resign(seat=seat(game, 1), who=bert)
        services.reclaim(seat=seat(game, 1), user=bert)
    assert turn(game).deadline == deadline
    for name in ("cleo", "dora"):
        holder = seat(game, 1).player
        assert holder is not None
        services.resign(seat=seat(game, 1), who=holder)
        services.take_over(seat=seat(game, 1), user=standing_by(name))
    moved = list(turn(game).deadline_changes.values_list("cause", "old", "new"))
    assert moved == [("replacement", deadline, deadline + hours(24))], "once a turn, however many come"


def test_who_lost_his_seat_is_welcome_back_whatever_his_reliability(
    agreed: Agreed, clock: time_machine.Traveller, bert: User, olga: User
) -> None:
    """Case 19, nJudge 430: a returning player was refused for his new low rating."""
    game = agreed(least_reliability=90)
    owed(bert, kept=2, missed=18)
    assert reliability.of(bert) == 10
    on(game, clock, 2, 0)
    assert seat(game, 1).player is None
    assert seat(game, 1) in vacancies.lost_seats(bert)
    page = reverse("game-seat", args=[game.key, 1])
    signed_in(bert).post(page)
    assert seat(game, 1).player == bert
    on(game, clock, 1, 0)
    assert seat(game, 1).player == bert, "his row of misses begins anew"


def test_a_seat_that_the_organiser_took_is_not_reclaimed(
    agreed: Agreed, clock: time_machine.Traveller, bert: User, olga: User
) -> None:
    game = agreed()
    cleo = standing_by("cleo")
    services.replace_player(seat=seat(game, 1), user=cleo, who=olga, why="silent")
    assert seat(game, 1).player == cleo
    services.resign(seat=seat(game, 1), who=cleo)
    with pytest.raises(services.PlayError):
        services.take_over(seat=seat(game, 1), user=bert)
    with pytest.raises(services.PlayError):
        services.replace_player(seat=seat(game, 1), user=cleo, who=bert, why="")


def test_a_replacement_is_one_mail_for_each_with_the_reason(
    agreed: Agreed, clock: time_machine.Traveller, olga: User, ada: User, bert: User
) -> None:
    game, cleo, dora = agreed(), standing_by("cleo"), standing_by("dora")
    before = list(Outgoing.objects.values_list("pk", flat=True))
    services.replace_player(seat=seat(game, 1), user=cleo, who=olga, why="Silent for weeks")
    sent = {row.to: row for row in Outgoing.objects.exclude(pk__in=before)}
    assert {to: row.kind for to, row in sent.items()} == {
        ada.email: "seat-news",
        bert.email: "seat-lost",
        cleo.email: "seat-taken",
        olga.email: "seat-news",
    }
    assert dora.email not in sent
    for person in (ada, bert):
        assert "Silent for weeks" in outbox.render(sent[person.email]).text
    assert "Somebody else plays" in signed_in(ada).get(reverse("game", args=[game.key])).content.decode()


def test_who_is_asked_by_name_may_look_at_the_seat_and_take_it(
    agreed: Agreed, clock: time_machine.Traveller, olga: User, ada: User, bert: User, stranger: User
) -> None:
    """Also if he does not stand by, if the game is not listed, or if it was taken from him before."""
    game = agreed(listed=False, invite=False)
    page = reverse("game-seat", args=[game.key, 1])
    with pytest.raises(services.PlayError, match="waits for nobody"):
        services.invite_replacement(seat=seat(game, 1), who=olga, user=stranger)
    services.remove_player(seat=seat(game, 1), who=olga, why="")
    with pytest.raises(services.PlayError, match="Only who organises"):
        services.invite_replacement(seat=seat(game, 1), who=ada, user=stranger)
    assert signed_in(stranger).get(page).status_code == 404

    for _click in range(2):
        assert services.invite_replacement(seat=seat(game, 1), who=olga, user=stranger) == 1
    assert services.invite_replacement(seat=seat(game, 1), who=olga, user=ada) == 0
    with pytest.raises(services.PlayError, match="given your seat"):
        services.take_over(seat=seat(game, 1), user=bert)
    assert services.invite_replacement(seat=seat(game, 1), who=olga, user=bert) == 1

    offers = Outgoing.objects.filter(kind="seat-offered")
    assert sorted(offers.values_list("to", flat=True)) == [bert.email, stranger.email]
    for person, because in ((bert, "wer die Partie leitet"), (stranger, "organises the game asks you")):
        assert because in " ".join(outbox.render(offers.get(recipient=person)).text.split())
        assert signed_in(person).get(page).status_code == 200
    signed_in(stranger).post(page)
    assert seat(game, 1).player == stranger
    with pytest.raises(services.PlayError, match="waits for nobody"):
        services.take_over(seat=seat(game, 1), user=bert)
    mail.send_due()
    assert set(offers.values_list("state", flat=True)) == {"cancelled"}
    clock.shift(60)
    services.resign(seat=seat(game, 1), who=stranger)
    with pytest.raises(services.PlayError, match="given your seat"):
        services.take_over(seat=seat(game, 1), user=bert)


def test_for_one_seat_so_many_people_can_be_asked_and_no_more(agreed: Agreed, olga: User, bert: User) -> None:
    game = agreed()
    services.resign(seat=seat(game, 1), who=bert)
    people = [User.objects.create_user(f"p{number}@example.org") for number in range(21)]
    for person in people[:20]:
        services.invite_replacement(seat=seat(game, 1), who=olga, user=person)
    with pytest.raises(services.PlayError, match="20 people"):
        services.invite_replacement(seat=seat(game, 1), who=olga, user=people[20])


def test_nobody_sees_two_seats_of_one_game(
    agreed: Agreed, clock: time_machine.Traveller, ada: User, bert: User
) -> None:
    game = agreed()
    services.resign(seat=seat(game, 1), who=bert)
    for who in (ada, bert):
        if who == ada:
            services.resign(seat=seat(game, 0), who=ada)
        other = 1 - next(index for index in (0, 1) if Occupancy.objects.filter(seat=seat(game, index), user=who))
        with pytest.raises(services.PlayError):
            services.take_over(seat=seat(game, other), user=who)


def test_a_rollback_takes_back_misses_and_what_was_excused(
    agreed: Agreed, clock: time_machine.Traveller, olga: User, bert: User
) -> None:
    """Each run of a game counts its own misses: those that were taken back neither count nor use up an excuse."""
    game = agreed(excused=1, open_after=3)
    on(game, clock, 2, 0)
    before = seat(game, 1).misses
    on(game, clock, 1, 0)
    assert (before, seat(game, 1).misses) == (1, 2)
    services.roll_back(game=game, to=3, who=olga, why="", expected=4)
    assert seat(game, 1).misses == 1
    services.roll_back(game=game, to=1, who=olga, why="", expected=3)
    assert (seat(game, 1).misses, seat(game, 0).misses) == (0, 0)
    on(game, clock, 2, 0)
    missed = Sheet.objects.filter(missed=True, turn__status="done").order_by("turn__number")
    assert list(missed.values_list("excused", flat=True)) == ["free", ""]
    assert seat(game, 1).player == bert


def test_who_came_later_answers_for_the_turns_that_are_played_again(
    agreed: Agreed, clock: time_machine.Traveller, olga: User
) -> None:
    game, cleo = agreed(), standing_by("cleo")
    on(game, clock, 2, 0, 1)
    services.replace_player(seat=seat(game, 1), user=cleo, who=olga, why="")
    on(game, clock, 1, 0, 1)
    services.roll_back(game=game, to=1, who=olga, why="", expected=4)
    on(game, clock, 1, 0)
    assert (seat(game, 1).player, seat(game, 1).misses) == (cleo, 1)


# --- reliability ------------------------------------------------------------------------------------------------------


def owed(user: User, *, kept: int, missed: int) -> None:
    """Turns of another game in which somebody owed orders."""
    game = services.create_game(
        organiser=user, title="toy", name="Old", size=2, options={}, schedule=services.Schedule()
    )
    for number in range(kept + missed):
        row = Turn.objects.create(
            game=game, number=number, status="done", rules=1, state=b"", state_hash="", opened=START
        )
        Sheet.objects.create(
            turn=row, seat=Seat.objects.get(game=game, index=0), owes=True, player=user, missed=number >= kept
        )


def test_reliability_is_of_the_last_turns_and_newcomers_have_none(db: None, ada: User, bert: User) -> None:
    owed(ada, kept=7, missed=0)
    assert reliability.of_all([ada.pk, bert.pk]) == {ada.pk: None, bert.pk: None}
    owed(ada, kept=10, missed=5)
    assert reliability.of(ada) == 75, "fifteen of the last twenty"
    owed(ada, kept=20, missed=0)
    assert reliability.of(ada) == 100
    with CaptureQueriesContext(connection) as queries:
        vacancies.reliabilities([ada.pk, bert.pk])
    assert len(queries) == 1


def test_a_row_of_misses_counts_once(agreed: Agreed, clock: time_machine.Traveller, bert: User) -> None:
    """Nobody is punished twice for the same leaving."""
    owed(bert, kept=19, missed=0)
    game = agreed(open_after=3)
    on(game, clock, 3, 0)
    assert list(Sheet.objects.filter(player=bert, missed=True).order_by("pk").values_list("excused", flat=True)) == [
        "once",
        "once",
        "",
    ]
    assert reliability.of(bert) == 95


def test_a_limit_keeps_unreliable_people_out_but_not_more_than_the_organiser_keeps(
    clock: time_machine.Traveller, olga: User, ada: User, bert: User
) -> None:
    owed(olga, kept=15, missed=5)
    owed(ada, kept=14, missed=6)
    new = {"organiser": olga, "title": "toy", "name": "A", "size": 2, "options": {}, "schedule": services.Schedule()}
    with pytest.raises(services.PlayError, match="75"):
        services.create_game(**new, policy=Policy(least_reliability=90))  # type: ignore[arg-type]
    game = services.create_game(**new, policy=Policy(least_reliability=75))  # type: ignore[arg-type]
    with pytest.raises(services.PlayError, match="reliable"):
        services.join_game(game=game, player=ada)
    owed(olga, kept=4, missed=16)
    services.join_game(game=game, player=ada)
    services.join_game(game=game, player=bert)
    assert not Act.objects.filter(game=game, kind="seat-opened").exists()
