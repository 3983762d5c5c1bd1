"""What who runs a game does to it, and what its players agree on."""

from __future__ import annotations

import json
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.engine import records
from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail.models import Outgoing
from postspiel.play import roles, services
from postspiel.play.models import Act, Assistant, DeadlineChange, Game, Result, Sheet, Submission, Turn
from tests.play.conftest import START, Make, hand_in, hours, seat


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def play(game: Game, *values: int) -> None:
    """Play one turn to its end, both seats with these values."""
    for index, value in enumerate(values):
        hand_in(game, index, f"set {value}\ndone")
    assert services.advance(open_turn(game).pk)


def mails(kind: str = "act") -> list[str]:
    return sorted(Outgoing.objects.filter(kind=kind).values_list("to", flat=True))


def letter(to: str, kind: str = "act") -> str:
    row = Outgoing.objects.filter(kind=kind, to=to).latest("pk")
    return outbox.render(row).text


# --- pausing ----------------------------------------------------------------------------------------------------------


def test_a_paused_game_stands_still_and_gets_its_time_back(
    duel: Game, olga: User, clock: time_machine.Traveller
) -> None:
    clock.shift(hours(60))
    services.pause_game(game=duel, who=olga, why="Olga moves house")
    clock.shift(hours(100))
    services.sweep()
    assert (open_turn(duel).number, open_turn(duel).due, open_turn(duel).reminder) == (1, None, None)
    assert hand_in(duel, 0, "set 4").verdict == "accepted"

    services.resume_game(game=duel, who=olga)

    turn = open_turn(duel)
    assert (turn.deadline, turn.game.paused) == (START + hours(172), None)
    change = DeadlineChange.objects.get()
    assert (change.given_back, change.new - change.old) == (True, hours(100))
    services.sweep()
    assert open_turn(duel).number == 1
    clock.move_to(START + hours(173))
    services.sweep()
    assert open_turn(duel).number == 2
    assert open_turn(duel).deadline == START + hours(24 * 10)
    assert mails() == ["ada@example.org"] * 2 + ["bert@example.org"] * 2
    assert "Olga moves house" in "".join(
        outbox.render(row).text for row in Outgoing.objects.filter(kind="act", to="ada@example.org")
    )


def test_nobody_final_ends_a_paused_turn_and_it_ends_when_it_goes_on(duel: Game, olga: User) -> None:
    services.pause_game(game=duel, who=olga, why="")
    for index in (0, 1):
        hand_in(duel, index, "set 4\ndone")
    assert not services.advance(open_turn(duel).pk)
    services.resume_game(game=duel, who=olga)
    assert services.advance(open_turn(duel).pk)


def test_time_given_back_does_not_count_for_the_cap(duel: Game, olga: User, clock: time_machine.Traveller) -> None:
    services.pause_game(game=duel, who=olga, why="")
    clock.shift(hours(24 * 30))
    services.resume_game(game=duel, who=olga)
    services.extend(turn=open_turn(duel), hours=24 * 14, who=olga, why="")
    with pytest.raises(services.PlayError, match="14 days"):
        services.extend(turn=open_turn(duel), hours=1, who=olga, why="")


def test_pausing_twice_and_acts_on_a_paused_game_are_refused(duel: Game, olga: User) -> None:
    with pytest.raises(services.PlayError, match="not paused"):
        services.resume_game(game=duel, who=olga)
    services.pause_game(game=duel, who=olga, why="")
    with pytest.raises(services.PlayError, match="is paused"):
        services.pause_game(game=duel, who=olga, why="")
    with pytest.raises(services.PlayError, match="is paused"):
        services.extend(turn=open_turn(duel), hours=24, who=olga, why="")
    with pytest.raises(services.PlayError, match="is paused"):
        services.remind(turn=open_turn(duel), who=olga)
    with pytest.raises(services.PlayError, match="is paused"):
        services.force_turn(turn=open_turn(duel), who=olga, why="", expected=1)
    assert Act.objects.filter(kind="paused").count() == 1


# --- who may ----------------------------------------------------------------------------------------------------------


def acts(game: Game, who: User) -> dict[str, object]:
    one = seat(game, 0)
    turn = open_turn(game)
    return {
        "pause": lambda: services.pause_game(game=game, who=who, why=""),
        "force": lambda: services.force_turn(turn=turn, who=who, why="", expected=turn.number),
        "back": lambda: services.roll_back(game=game, to=1, who=who, why="", expected=turn.number),
        "remove": lambda: services.remove_player(seat=one, who=who, why=""),
        "end": lambda: services.end_game(game=game, who=who, why=""),
        "annul": lambda: services.annul_game(game=game, who=who, why=""),
        "for": lambda: services.act_for(seat=one, text="set 3", who=who, why="", expected=turn.number),
        "message": lambda: services.message(game=game, text="Hello", who=who, to="all"),
    }


def test_players_and_strangers_do_none_of_it(duel: Game, ada: User, stranger: User) -> None:
    play(duel, 3, 4)
    before = (Act.objects.count(), Outgoing.objects.count(), Turn.objects.count())
    for who in (ada, stranger):
        for do in acts(duel, who).values():
            with pytest.raises(services.PlayError, match="organises"):
                do()  # type: ignore[operator]
    assert (Act.objects.count(), Outgoing.objects.count(), Turn.objects.count()) == before


def test_an_assistant_and_the_host_may_and_are_named(duel: Game, stranger: User) -> None:
    with pytest.raises(services.PlayError):
        services.pause_game(game=duel, who=stranger, why="")
    Assistant.objects.create(game=duel, user=stranger, since=timezone.now())
    services.pause_game(game=duel, who=stranger, why="Storm")
    host = User.objects.create_user("host@example.org", display_name="Hanna", is_superuser=True)
    services.resume_game(game=duel, who=host)
    assert [act.who for act in Act.objects.filter(kind__in=("paused", "resumed")).order_by("pk")] == [stranger, host]
    assert "olga@example.org" in mails()
    assert "Stranger" in outbox.render(Outgoing.objects.filter(kind="act", to="ada@example.org").earliest("pk")).text


def test_an_organiser_who_plays_is_refused_what_would_reveal_or_judge(duel: Game, olga: User, ada: User) -> None:
    play(duel, 3, 4)
    Game.objects.filter(pk=duel.pk).update(organiser=ada)
    assert not roles.may_reveal(Game.objects.get(pk=duel.pk), ada)
    refused = acts(duel, ada)
    for name in ("back", "end", "annul", "for"):
        with pytest.raises(services.PlayError, match="play in this game yourself"):
            refused[name]()  # type: ignore[operator]
    with pytest.raises(services.PlayError, match="play in this game yourself"):
        services.message(game=duel, text="Where are you?", who=ada, to="late")
    refused["pause"]()  # type: ignore[operator]


# --- forcing, removing, swapping --------------------------------------------------------------------------------------


def test_a_turn_is_forced_once_with_what_is_there_and_nobody_has_missed_it(duel: Game, olga: User) -> None:
    hand_in(duel, 0, "set 4")
    turn = open_turn(duel)
    services.force_turn(turn=turn, who=olga, why="All agreed at the table", expected=1)
    assert open_turn(duel).number == 2
    assert open_turn(duel).deadline == START + hours(48)
    assert not Sheet.objects.filter(missed=True).exists()
    with pytest.raises(services.PlayError, match="Turn 2 is open"):
        services.force_turn(turn=turn, who=olga, why="", expected=1)
    assert open_turn(duel).number == 2


def test_a_removed_players_orders_are_not_executed(duel: Game, olga: User, clock: time_machine.Traveller) -> None:
    """webDiplomacy#333 (case 16): orders of a player who had been thrown out were executed."""
    hand_in(duel, 0, "set 9\ndone")
    seen = seat(duel, 0)
    services.remove_player(seat=seen, who=olga, why="Silent for weeks")
    with pytest.raises(services.PlayError, match="any more"):
        services.remove_player(seat=seen, who=olga, why="")
    hand_in(duel, 1, "set 4\ndone")
    assert services.advance(open_turn(duel).pk)
    sheet = Sheet.objects.get(turn__game=duel, turn__number=1, seat__index=0)
    assert (sheet.orders, sheet.status, sheet.missed) == ([], "none", False)
    assert sorted(Outgoing.objects.exclude(kind__in=("turn", "joined")).values_list("to", "kind")) == [
        ("ada@example.org", "seat-lost"),
        ("bert@example.org", "act"),
    ], "one mail for each, with the reason"
    assert "Silent for weeks" in letter("ada@example.org", "seat-lost")
    assert "Silent for weeks" in letter("bert@example.org")


def test_seats_are_swapped_before_the_start_only_and_once(make: Make, olga: User, ada: User, bert: User) -> None:
    game = make(size=3)
    services.join_game(game=game, player=ada, index=0)
    services.seat_bot(game=game, index=1, bot="five")
    one, other = seat(game, 0), seat(game, 1)
    services.swap_seats(one=one, other=other, who=olga)
    assert (seat(game, 0).bot, seat(game, 1).player) == ("five", ada)
    with pytest.raises(services.PlayError, match="Two seats"):
        services.swap_seats(one=seat(game, 0), other=seat(game, 0), who=olga)
    stale = game.seats.get(index=0)
    stale.bot, stale.player = "", ada
    with pytest.raises(services.PlayError, match="meanwhile"):
        services.swap_seats(one=stale, other=seat(game, 2), who=olga)
    services.join_game(game=game, player=bert)
    with pytest.raises(services.PlayError, match="started"):
        services.swap_seats(one=seat(game, 0), other=seat(game, 1), who=olga)
    assert mails() == ["ada@example.org"]


# --- ending, annulling, acting for, writing ---------------------------------------------------------------------------


def test_a_game_is_ended_and_annulled_once(duel: Game, olga: User) -> None:
    services.end_game(game=duel, who=olga, why="The group has broken up")
    result = Result.objects.get()
    assert (result.decided, result.annulled, Game.objects.get().status) == (False, False, "ended")
    with pytest.raises(services.PlayError, match="does not run"):
        services.end_game(game=duel, who=olga, why="")
    services.annul_game(game=duel, who=olga, why="It was a test")
    with pytest.raises(services.PlayError, match="no result"):
        services.annul_game(game=duel, who=olga, why="")
    assert Result.objects.get().annulled
    assert records.verify(records.decode(services.export_record(Game.objects.get()))).ok


def test_annulling_a_running_game_ends_it(duel: Game, olga: User) -> None:
    services.annul_game(game=duel, who=olga, why="")
    assert (Game.objects.get().status, Result.objects.get().annulled) == ("ended", True)


def test_a_player_is_told_what_was_handed_in_for_him(duel: Game, olga: User) -> None:
    services.act_for(seat=seat(duel, 0), text="set 7\ndone", who=olga, why="He phoned", expected=1)
    sheet = Sheet.objects.get(turn__game=duel, turn__number=1, seat__index=0)
    assert (sheet.status, "7" in str(sheet.orders)) == ("final", True)
    sent = Submission.objects.get()
    assert (sent.door, sent.writer, sent.applied) == ("organiser", olga, True)
    assert mails() == ["ada@example.org"]
    assert all(part in letter("ada@example.org") for part in ("set 7", "He phoned", "Olga"))
    with pytest.raises(services.PlayError, match="already"):
        services.act_for(seat=seat(duel, 0), text="set 7\ndone", who=olga, why="", expected=1)
    with pytest.raises(services.PlayError, match="No line"):
        services.act_for(seat=seat(duel, 1), text="dance", who=olga, why="", expected=1)
    with pytest.raises(services.PlayError, match="Turn 1 is open"):
        services.act_for(seat=seat(duel, 1), text="set 3", who=olga, why="", expected=2)
    assert Submission.objects.count() == 1


def test_messages_go_to_all_to_the_late_or_to_one_and_not_twice(duel: Game, olga: User) -> None:
    hand_in(duel, 1, "set 4")
    assert services.message(game=duel, text="Dear all,\n\nthe server moves.", who=olga, to="all") == 2
    with pytest.raises(services.PlayError, match="already"):
        services.message(game=duel, text="Dear all,\n\nthe server moves.", who=olga, to="all")
    assert services.message(game=duel, text="Where are you?", who=olga, to="late") == 1
    assert services.message(game=duel, text="Well done", who=olga, to=1) == 1
    assert mails() == ["ada@example.org"] * 2 + ["bert@example.org"] * 2
    assert "Where are you?" in letter("ada@example.org")
    assert "Well done" in letter("bert@example.org")
    for text, to in (("  ", "all"), ("x" * 4001, "all"), ("Hello", 7)):
        with pytest.raises(services.PlayError):
            services.message(game=duel, text=text, who=olga, to=to)  # type: ignore[arg-type]


# --- rollback ---------------------------------------------------------------------------------------------------------


def test_a_game_is_taken_back_to_a_turn_and_both_runs_are_kept(
    duel: Game, olga: User, clock: time_machine.Traveller
) -> None:
    play(duel, 3, 4)
    clock.shift(hours(1))
    play(duel, 5, 6)
    hand_in(duel, 0, "set 9")
    old = Turn.objects.get(game=duel, number=2)

    turn = services.roll_back(game=duel, to=2, who=olga, why="Wrong sheet", expected=3)

    assert (turn.number, bytes(turn.state), turn.state_hash) == (2, bytes(old.state), old.state_hash)
    assert open_turn(duel).pk == turn.pk != old.pk
    kept = Turn.objects.filter(game=duel, status="superseded").order_by("number")
    assert [(one.number, one.taken_back) for one in kept] == [(2, True), (3, False)]
    assert {sheet.status for sheet in turn.sheets.all()} == {"on_file"}
    act = Act.objects.get(kind="rolled-back")
    assert (act.who, act.data) == (olga, {"turn": 2, "why": "Wrong sheet", "before": 3, "after": 2})
    assert mails() == ["ada@example.org", "bert@example.org"]
    with pytest.raises(services.PlayError, match="gone on"):
        services.roll_back(game=duel, to=2, who=olga, why="", expected=3)
    with pytest.raises(services.PlayError, match="from 1 to 1"):
        services.roll_back(game=duel, to=2, who=olga, why="", expected=2)


def test_an_ended_game_that_is_taken_back_runs_again_without_its_result(duel: Game, olga: User) -> None:
    number = 0
    while Game.objects.get().status == "running":
        number = open_turn(duel).number
        play(duel, 3, 4)
    first = Outgoing.objects.filter(kind="ended").count()

    services.roll_back(game=Game.objects.get(), to=number, who=olga, why="", expected=number)

    game = Game.objects.get()
    assert (game.status, game.ended, game.outcome, game.final_state) == ("running", None, None, None)
    assert not Result.objects.exists()
    play(duel, 4, 3)
    assert Result.objects.count() == 1
    assert Outgoing.objects.filter(kind="ended").count() == 2 * first
    assert records.verify(records.decode(services.export_record(Game.objects.get()))).ok


def test_what_a_removed_player_had_handed_in_does_not_come_back(duel: Game, olga: User) -> None:
    play(duel, 3, 4)
    services.remove_player(seat=seat(duel, 0), who=olga, why="")
    turn = services.roll_back(game=duel, to=1, who=olga, why="", expected=2)
    assert [sheet.status for sheet in turn.sheets.order_by("seat__index")] == ["none", "on_file"]


def test_a_paused_game_stays_paused_when_it_is_taken_back(
    duel: Game, olga: User, clock: time_machine.Traveller
) -> None:
    play(duel, 3, 4)
    services.pause_game(game=duel, who=olga, why="")
    clock.shift(hours(10))
    turn = services.roll_back(game=duel, to=1, who=olga, why="", expected=2)
    assert (turn.due, turn.reminder) == (None, None)
    before = turn.deadline
    clock.shift(hours(5))
    services.resume_game(game=duel, who=olga)
    assert before is not None
    assert open_turn(duel).deadline == before + hours(5)


# --- votes ------------------------------------------------------------------------------------------------------------


def test_players_pause_and_go_on_if_all_agree(duel: Game, clock: time_machine.Traveller) -> None:
    assert not services.propose(seat=seat(duel, 0), motion="pause")
    assert not services.propose(seat=seat(duel, 0), motion="pause")
    assert open_turn(duel).game.paused is None
    assert services.propose(seat=seat(duel, 1), motion="pause")
    assert open_turn(duel).game.paused == START
    clock.shift(hours(9))
    with pytest.raises(services.PlayError, match="is paused"):
        services.propose(seat=seat(duel, 1), motion="prolong")
    for index in (0, 1):
        services.propose(seat=seat(duel, index), motion="resume")
    assert open_turn(duel).deadline == START + hours(81)
    assert Act.objects.filter(kind="pause-proposed").count() == 2
    assert "olga@example.org" in mails()


def test_players_prolong_a_turn_and_old_votes_for_it_do_not_count(duel: Game, clock: time_machine.Traveller) -> None:
    services.propose(seat=seat(duel, 0), motion="prolong")
    clock.shift(hours(1))
    play(duel, 3, 4)
    before = open_turn(duel).deadline
    assert not services.propose(seat=seat(duel, 1), motion="prolong")
    assert services.propose(seat=seat(duel, 0), motion="prolong")
    assert before is not None
    assert open_turn(duel).deadline == before + hours(48)
    assert len(mails("extended")) == 2


def test_a_vote_can_be_taken_back_and_others_do_not_exist(duel: Game) -> None:
    services.propose(seat=seat(duel, 0), motion="pause")
    services.withdraw(seat=seat(duel, 0), motion="pause")
    assert not services.propose(seat=seat(duel, 1), motion="pause")
    with pytest.raises(services.PlayError, match="vote to end"):
        services.propose(seat=seat(duel, 1), motion="party")
    with pytest.raises(services.PlayError, match="not paused"):
        services.propose(seat=seat(duel, 1), motion="resume")


# --- the command line -------------------------------------------------------------------------------------------------


def run(*words: str) -> dict[str, object]:
    out = StringIO()
    call_command("game", *words, "--json", stdout=out)
    told: dict[str, object] = json.loads(out.getvalue())
    return told


def test_every_act_is_done_from_the_command_line(duel: Game, clock: time_machine.Traveller) -> None:
    key = duel.key
    assert run("extend", key, "--hours", "24", "--why", "Snow")["after"] == "2026-03-06T19:00:00+00:00"
    assert run("remind", key)["reminded"] == 2
    run("pause", key)
    clock.shift(hours(2))
    assert run("resume", key)["after"] == "2026-03-06T21:00:00+00:00"
    assert run("message", key, "--text", "Hello", "--to", "late")["sent"] == 2
    assert run("act-for", key, "--seat", "0", "--turn", "1", "--text", "set 4\ndone")["verdict"] == "accepted"
    run("force", key, "--turn", "1")
    assert run("roll-back", key, "--to", "1", "--turn", "2") == {"game": key, "act": "roll-back", "turn": 1}
    run("remove", key, "--seat", "1", "--why", "Silent")
    cleo = User.objects.create_user("cleo@example.org", display_name="Cleo")
    assert run("invite", key, "--seat", "1")["asked"] == 0
    assert run("invite", key, "--seat", "1", "--user", "cleo@example.org")["asked"] == 1
    services.stand_by(user=cleo, title="toy")
    run("replace", key, "--seat", "1", "--user", "cleo@example.org", "--why", "Cleo has time")
    assert seat(duel, 1).player == cleo
    run("end", key)
    run("annul", key)
    kinds = ("extended", "reminded", "paused", "resumed", "message", "acted-for", "forced", "rolled-back", "removed")
    done = set(Act.objects.values_list("kind", flat=True))
    assert {*kinds, "offered", "replaced", "ended-early", "annulled"} <= done


def test_seats_are_swapped_from_the_command_line(make: Make, ada: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)
    assert run("swap", game.key, "--seat", "0", "--other", "1") == {"game": game.key, "act": "swap"}
    assert seat(game, 1).player == ada


@pytest.mark.parametrize(
    ("words", "sentence"),
    (
        (("dance", "KEY"), "no such act"),
        (("pause", "nothing"), "no game"),
        (("pause", "KEY", "--by", "nobody@example.org"), "Nobody here"),
        (("pause", "KEY", "--by", "ada@example.org"), "organises"),
        (("force", "KEY", "--turn", "seven"), "number"),
        (("force", "KEY", "--turn", "7"), "Turn 1 is open"),
        (("remove", "KEY", "--seat", "9"), "no such seat"),
        (("replace", "KEY", "--seat", "0", "--user", "x"), "Nobody here"),
        (("swap", "KEY", "--seat", "0", "--other", "1"), "started"),
        (("resume", "KEY"), "not paused"),
    ),
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_two(
    words: tuple[str, ...], sentence: str, duel: Game
) -> None:
    before = Act.objects.count()
    with pytest.raises(CommandError, match=sentence) as caught:
        run(*(duel.key if word == "KEY" else word for word in words))
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)
    assert Act.objects.count() == before
