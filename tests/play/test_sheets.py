"""What a sheet becomes: on file and final, merged and replaced, refused and late, by every door the same."""

from __future__ import annotations

from datetime import datetime

import pytest
import time_machine
from django.db import IntegrityError, transaction
from msgspec.structs import replace

from games.engine.contract import Ask, Order
from postspiel.accounts.models import User
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import positions, selectors, services
from postspiel.play.models import Game, Sheet, Submission, Turn
from tests.engine.toy import State, Toy
from tests.play.conftest import START, Make, hand_in, hours, seat


def sheet(game: Game, index: int) -> Sheet:
    return Sheet.objects.get(turn__game=game, turn__status="open", seat__index=index)


def letter(at: datetime, number: int = 1) -> Incoming:
    return Incoming.objects.create(
        door="smtp",
        recipient="x@example.org",
        raw=b"",
        digest=str(number),
        received=at,
        due=at,
        message_id=f"<{number}@x>",
    )


def test_orders_are_on_file_and_done_makes_them_final(duel: Game) -> None:
    handed = hand_in(duel, 0, "set 4")
    assert (handed.verdict, sheet(duel, 0).status) == ("accepted", "on_file")
    assert handed.understood.accepted == (Order("set", {"number": 4}),)

    assert hand_in(duel, 0, "done").understood.status == "final"
    assert selectors.orders_of(sheet(duel, 0)) == (Order("set", {"number": 4}),)

    assert hand_in(duel, 0, "wait").understood.status == "on_file"


def test_everybody_final_is_due_at_once_and_nobody_else(duel: Game) -> None:
    turn = duel.turns.get(number=1)
    hand_in(duel, 0, "set 4\ndone")
    hand_in(duel, 1, "set 5")
    assert not services.advance(turn.pk)

    hand_in(duel, 1, "done")
    assert services.advance(turn.pk)
    assert not services.advance(turn.pk)


def test_wait_gives_the_turn_its_deadline_back(duel: Game) -> None:
    hand_in(duel, 0, "set 4\ndone")
    hand_in(duel, 1, "set 5\ndone")
    hand_in(duel, 1, "wait")

    turn = duel.turns.get(number=1)
    assert not services.advance(turn.pk)
    assert turn.due is not None
    assert turn.deadline is not None
    assert turn.due > turn.deadline


def test_all_on_file_and_none_final_all_count_at_the_deadline(duel: Game, clock: time_machine.Traveller) -> None:
    """diplicity-react#1011: submitted but not confirmed counted as a no-show."""
    hand_in(duel, 0, "guess Bob 1\nset 8")
    hand_in(duel, 1, "set 9")
    clock.shift(hours(73))
    services.sweep()

    assert not Sheet.objects.filter(missed=True).exists()
    state = selectors.open_turn(duel)
    assert state is not None
    assert b'"numbers":[8,9]' in bytes(state.state)


def test_only_silence_that_was_owed_is_missed(duel: Game, clock: time_machine.Traveller) -> None:
    """webDiplomacy#87, #77: an explicit "nothing" is an order."""
    hand_in(duel, 0, "nothing")
    clock.shift(hours(73))
    services.sweep()

    done = Sheet.objects.filter(turn__number=1).order_by("seat__index")
    assert [(one.status, one.missed) for one in done] == [("on_file", False), ("none", True)]


def test_seats_that_are_not_asked_are_never_missed_and_not_waited_for(
    make: Make, clock: time_machine.Traveller, ada: User, bert: User
) -> None:
    game = make("relay")
    services.join_game(game=game, player=ada)
    services.join_game(game=game, player=bert)
    hand_in(game, 0, "set 4\ndone")
    assert services.advance(game.turns.get(number=1).pk)

    clock.shift(hours(200))
    services.sweep()

    missed = Sheet.objects.filter(missed=True).values_list("turn__number", "seat__index")
    assert list(missed) == [(2, 1)]


def test_a_mail_merges_and_a_form_replaces(duel: Game) -> None:
    hand_in(duel, 0, "set 4\nguess Bob 3")
    hand_in(duel, 0, "set 5")
    assert selectors.orders_of(sheet(duel, 0)) == (
        Order("guess", {"seat": "bob", "number": 3}),
        Order("set", {"number": 5}),
    )

    orders = (Order("set", {"number": 7}),)
    handed = hand_in(duel, 0, "", orders=orders, replace=True, done=True)
    assert (handed.verdict, handed.understood.status) == ("accepted", "final")
    assert selectors.orders_of(sheet(duel, 0)) == orders
    assert handed.submission.text == "set 7"

    hand_in(duel, 0, "", orders=orders, replace=True)
    assert sheet(duel, 0).status == "on_file"


def test_a_refused_order_leaves_the_sheet_as_it_was(duel: Game) -> None:
    """eressea 3086; every refusal names its line."""
    hand_in(duel, 0, "set 4\ndone")
    before = Sheet.objects.filter(pk=sheet(duel, 0).pk).values().get()

    handed = hand_in(duel, 0, "\nset 12\ndone")

    assert (handed.verdict, handed.understood.held_back) == ("rejected", "refused")
    assert [(handed.reading.orders[p.order].line, p.code) for p in handed.refused] == [(2, "range")]
    assert Sheet.objects.filter(pk=sheet(duel, 0).pk).values().get() == before
    assert handed.submission.text == "\nset 12\ndone"
    assert not handed.submission.applied


def test_right_lines_of_a_partly_wrong_mail_count_but_do_not_make_it_final(duel: Game) -> None:
    handed = hand_in(duel, 0, "guess Ann 3\nset 5\ndone")

    assert (handed.verdict, handed.understood.held_back, handed.understood.status) == ("partial", "refused", "on_file")
    assert selectors.orders_of(sheet(duel, 0)) == (Order("set", {"number": 5}),)
    assert hand_in(duel, 0, "done").understood.status == "final"


def test_done_without_what_is_owed_is_held_back(duel: Game) -> None:
    handed = hand_in(duel, 0, "done")
    assert (handed.verdict, handed.understood.held_back, handed.understood.status) == ("rejected", "missing", "none")
    assert any(ask.must for ask in handed.missing)

    assert hand_in(duel, 0, "nothing\ndone").understood.status == "final"


def test_done_alone_leaves_a_power_unused_that_one_may_leave(
    duel: Game, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = Toy.asks

    def waivable(toy: Toy, seen: State, seat: int) -> tuple[Ask, ...]:
        return tuple(replace(ask, waivable=ask.must) for ask in asks(toy, seen, seat))

    monkeypatch.setattr(Toy, "asks", waivable)
    assert [ask.verb for ask in hand_in(duel, 0, "wait").understood.owed] == ["set", "lift"]
    handed = hand_in(duel, 0, "done")
    assert (handed.verdict, handed.understood.held_back, handed.understood.status) == ("accepted", "", "final")
    assert handed.understood.owed == ()

    hand_in(duel, 1, "always done")
    assert sheet(duel, 1).status == "final"
    assert services.advance(duel.turns.get(number=1).pk)
    following = Sheet.objects.get(turn__number=2, seat__index=1)
    assert (following.status, following.owes) == ("none", True), "`always done` waits for a word where a power is owed"


@pytest.mark.parametrize("text", ("", "Hello Bob,\nhow are you?", "> set 4", "help", "status"))
def test_what_is_no_order_hands_nothing_in(duel: Game, text: str) -> None:
    handed = hand_in(duel, 0, text)
    assert sheet(duel, 0).status == "none"
    assert handed.submission.text == text
    assert handed.verdict == ("accepted" if text in {"help", "status"} else "rejected")


def test_always_done_makes_coming_sheets_final_unless_something_is_owed(
    make: Make, clock: time_machine.Traveller, ada: User, bert: User
) -> None:
    game = make("relay", size=2, minimum_minutes=0)
    services.join_game(game=game, player=ada)
    services.join_game(game=game, player=bert)
    hand_in(game, 0, "always set 4\nalways done")
    assert services.advance(game.turns.get(number=1).pk)
    hand_in(game, 1, "set 4\nalways done")
    assert services.advance(game.turns.get(number=2).pk)

    third = sheet(game, 0)
    assert (third.status, third.automatic, third.owes) == ("final", True, False)
    assert hand_in(game, 0, "wait").understood.status == "none"
    assert not seat(game, 0).always_done
    assert seat(game, 1).always_done


def test_cancel_takes_orders_back(duel: Game) -> None:
    hand_in(duel, 0, "set 4\nguess Bob 3\nalways guess Bob 2")
    handed = hand_in(duel, 0, "cancel guess")
    assert handed.understood.cancelled == (Order("guess", {"seat": "bob", "number": 3}),)
    hand_in(duel, 0, "nothing")
    assert [order.standing for order in selectors.orders_of(sheet(duel, 0))] == [True]


def test_standing_orders_stay_in_force(duel: Game) -> None:
    for index in (0, 1):
        hand_in(duel, index, "always set 4\ndone")
    assert services.advance(duel.turns.get(number=1).pk)

    kept = sheet(duel, 0)
    assert selectors.orders_of(kept) == (Order("set", {"number": 4}, standing=True),)
    assert (kept.status, kept.owes) == ("none", False)


def test_a_mail_for_another_turn_is_refused_and_names_both(duel: Game) -> None:
    """webDiplomacy PR 615: clients re-sent orders for an earlier phase."""
    for index in (0, 1):
        hand_in(duel, index, "set 4\ndone")
    services.advance(duel.turns.get(number=1).pk)

    handed = hand_in(duel, 0, "set 9", turn_number=1)
    assert (handed.verdict, handed.understood.reason) == ("rejected", "wrong-turn")
    assert (handed.understood.named, handed.understood.open) == (1, 2)
    assert handed.submission.text == "set 9"
    assert sheet(duel, 0).status == "none"

    assert hand_in(duel, 0, "set 9", turn_number=2).verdict == "accepted"


@pytest.mark.parametrize(("late", "verdict"), ((0, "accepted"), (0.000001, "rejected")))
def test_the_second_of_the_deadline_counts(
    duel: Game, clock: time_machine.Traveller, late: float, verdict: str
) -> None:
    """swords-and-ravens PR 1689: zero seconds left, both ways round."""
    turn = duel.turns.get(number=1)
    assert turn.deadline is not None
    clock.move_to(turn.deadline + hours(late / 3600))
    assert not services.advance(turn.pk)

    handed = hand_in(duel, 0, "set 9", received=turn.deadline + hours(late / 3600))

    assert handed.verdict == verdict
    assert handed.understood.reason == ("" if verdict == "accepted" else "late")
    clock.shift(3)
    assert services.advance(turn.pk)


def test_mail_accepted_before_the_deadline_is_waited_for(duel: Game, clock: time_machine.Traveller) -> None:
    from postspiel.mail import services as mail

    turn = duel.turns.get(number=1)
    assert turn.deadline is not None
    waiting = letter(turn.deadline)
    waiting.address = mail.address_for("seat", seat(duel, 0).pk)
    waiting.save()
    clock.move_to(turn.deadline + hours(20 / 3600))
    assert not services.advance(turn.pk)

    handed = hand_in(duel, 0, "set 9", door="mail", incoming=waiting, received=waiting.received)
    assert handed.verdict == "accepted"
    waiting.state = Incoming.State.READ
    waiting.save()

    assert services.advance(turn.pk)


def test_mail_that_nobody_reads_delays_a_turn_by_two_minutes_at_most(duel: Game, clock: time_machine.Traveller) -> None:
    from postspiel.mail import services as mail

    turn = duel.turns.get(number=1)
    assert turn.deadline is not None
    waiting = letter(turn.deadline)
    waiting.address = mail.address_for("seat", seat(duel, 0).pk)
    waiting.save()
    clock.move_to(turn.deadline + hours(119 / 3600))
    assert not services.advance(turn.pk)
    clock.shift(6)
    assert services.advance(turn.pk)


def test_the_same_mail_read_twice_is_handed_in_once_and_answered_once(duel: Game) -> None:
    incoming = letter(START)
    first = hand_in(duel, 0, "set 4", door="mail", incoming=incoming)
    incoming.verdict = first.verdict
    again = hand_in(duel, 0, "set 9", door="mail", incoming=incoming)

    assert again.submission == first.submission
    assert again.understood == first.understood
    assert positions.sheet_of(sheet(duel, 0)) == (Order("set", {"number": 4}),)
    assert Submission.objects.count() == 1
    receipt = Outgoing.objects.get(kind="receipt")
    assert (receipt.to, receipt.in_reply_to) == ("ada@example.org", "<1@x>")
    assert receipt.address is not None


def test_a_mail_that_is_handed_in_again_unseen_changes_nothing(duel: Game) -> None:
    incoming = letter(START)
    hand_in(duel, 0, "set 4", door="mail", incoming=incoming)
    with pytest.raises(IntegrityError), transaction.atomic():
        hand_in(duel, 0, "set 9", door="mail", incoming=incoming)

    assert positions.sheet_of(sheet(duel, 0)) == (Order("set", {"number": 4}),)
    assert Outgoing.objects.filter(kind="receipt").count() == 1


def test_orders_of_others_are_refused(duel: Game, stranger: User, bert: User) -> None:
    """eressea 2892."""
    for other in (stranger, bert, None):
        handed = hand_in(duel, 0, "set 4", writer=other)
        assert (handed.verdict, handed.understood.reason) == ("rejected", "not-yours")
    assert sheet(duel, 0).status == "none"
    assert hand_in(duel, 0, "set 4").verdict == "accepted"


def test_a_game_that_does_not_run_takes_nothing_and_throws_nothing_away(make: Make, ada: User) -> None:
    game = make()
    services.join_game(game=game, player=ada)
    handed = hand_in(game, 0, "set 4", received=START)

    assert (handed.verdict, handed.understood.reason, handed.turn) == ("rejected", "not-running", None)
    assert Submission.objects.get().text == "set 4"
    assert not Turn.objects.exists()


def test_a_wrong_order_from_a_program_is_a_problem_not_an_error(duel: Game) -> None:
    handed = hand_in(duel, 0, "", orders=(Order("fly", {}), Order("set", {"number": 3})), replace=True)
    assert (handed.verdict, len(handed.reading.problems)) == ("partial", 1)
    assert handed.reading.problems[0].line == 1
    assert selectors.orders_of(sheet(duel, 0)) == (Order("set", {"number": 3}),)


def test_the_receipts_digest_is_the_one_the_rolls_depend_on(duel: Game) -> None:
    from games.engine import rolls

    handed = hand_in(duel, 0, "set 4")
    game = Game.objects.get(pk=duel.pk)
    assert handed.understood.digest == rolls.sheet_digest(
        bytes(game.seed), game.key, 1, 0, (Order("set", {"number": 4}),)
    )


NASTY = (
    "\0set 4\0",
    "set 4 \ud800\udc00 \udfff",
    "s\0et 4",
    "guess Bob 3 note \0\ud800",
    "cancel \0",
    "press to Bob:\n\0\nend press",
    "press to \0",
    "x" * 1_000_000,
    "set " * 200_000,
    "\n".join(f"sett {number} \0" for number in range(200)),
    "\u202eset 4\u2066",
)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nothing_that_a_mail_brings_breaks_the_sheet(duel: Game, text: str) -> None:
    """PostgreSQL takes neither NUL nor half surrogates, and 200 lines of nonsense get an answer too."""
    handed = hand_in(duel, 0, text, door="mail", incoming=letter(START))
    assert selectors.understood_of(Submission.objects.get(pk=handed.submission.pk)).verdict == handed.verdict
    assert Outgoing.objects.filter(kind="receipt").count() == 1
    assert hand_in(duel, 0, "set 4").verdict == "accepted"


@pytest.mark.parametrize("bad", ("\0", "\ud800", "", "x" * 5000, "Bob\nset 5"))
def test_nothing_that_a_program_sends_breaks_the_sheet(duel: Game, bad: str) -> None:
    orders = (
        Order(bad, {}),
        Order("guess", {"seat": bad, "number": 3}),
        Order("guess", {"seat": "bob", "number": 3, bad: bad}),
        Order("guess", {"seat": "bob", "number": 4, "note": bad}),
        Order("set", {"number": 3}),
    )
    handed = hand_in(duel, 0, "", orders=orders, door="api", replace=True)
    assert handed.verdict in {"partial", "accepted"}
    assert Order("set", {"number": 3}) in selectors.orders_of(sheet(duel, 0))


def test_what_was_accepted_first_ranks_below_what_came_later_though_it_is_read_after(
    duel: Game, clock: time_machine.Traveller
) -> None:
    hand_in(duel, 0, "guess bob 1", door="mail")
    clock.move_to(START + hours(3))
    hand_in(duel, 0, "set 6\nguess bob 3\ndone", door="mail")

    early = "cancel all\nset 4\nsay hello\nwait"
    held = hand_in(duel, 0, early, door="mail", received=START + hours(2))

    assert held.verdict == "accepted"
    assert held.understood.accepted == (Order("say", {"text": "hello"}),)
    assert held.understood.outranked == (Order("set", {"number": 4}),)
    assert sheet(duel, 0).status == "final"
    on_file = {(order.verb, order.args.get("number")) for order in selectors.orders_of(sheet(duel, 0))}
    assert on_file == {("set", 6), ("guess", 3), ("say", None)}


def test_a_page_that_was_sent_later_leaves_nothing_of_a_mail_that_is_read_after(
    duel: Game, clock: time_machine.Traveller
) -> None:
    clock.move_to(START + hours(3))
    hand_in(duel, 0, "set 6", door="form", replace=True)
    held = hand_in(duel, 0, "say hello\ndone", door="mail", received=START + hours(2))
    assert (held.understood.accepted, held.understood.status) == ((), "on_file")
    assert held.understood.outranked == (Order("say", {"text": "hello"}),)
    assert selectors.orders_of(sheet(duel, 0)) == (Order("set", {"number": 6}),)
