"""Who may act by mail, what is held and how it is confirmed, and what a mail does beside giving orders."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import services
from postspiel.play.mails import codes
from postspiel.play.models import Ballot, Game, Press, Seat, Submission, Turn
from tests.post.conftest import (
    deliver,
    forward,
    last_mail,
    letter,
    new_mails,
    orders,
    player,
    row,
    seat,
    speak,
    state,
    to_bribes,
    turn,
    words,
)

Verdict = Incoming.Verdict


@pytest.fixture
def acts(game: Game) -> User:
    """Who owes orders in the first turn; reads English."""
    found = player(game, state(game).active)
    speak(found, "en")
    return found


@pytest.fixture
def right(game: Game, acts: User) -> str:
    """What he may answer."""
    return "\n".join(orders(letter("turn", acts).text, game))


def on_file(game: Game, who: User) -> list[object]:
    found = seat(game, who).sheets.get(turn=turn(game)).orders
    assert isinstance(found, list)
    return found


def code_in(text: str) -> str:
    (found,) = codes.found(text)
    return found


# --- who may act ------------------------------------------------------------------------------------------------------


def test_a_confirmed_second_address_acts_an_unconfirmed_one_does_not(game: Game, acts: User, right: str) -> None:
    EmailAddress.objects.create(user=acts, email=acts.email, verified=True, primary=True)
    EmailAddress.objects.create(user=acts, email="unsure@work.example", verified=False)
    EmailAddress.objects.create(user=acts, email="sure@work.example", verified=True)
    assert deliver(game, acts, right, sender="unsure@work.example").verdict == Verdict.HELD
    assert on_file(game, acts) == []
    assert deliver(game, acts, right, sender="sure@work.example").verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


def test_a_strangers_mail_is_held_until_its_code_comes_back(game: Game, acts: User, right: str) -> None:
    said = f"{right}\npress to all: hello\nend press"
    incoming = deliver(game, acts, said, sender="new@phone.example")
    assert incoming.verdict == Verdict.HELD
    assert on_file(game, acts) == []
    assert not Press.objects.exists()
    question = letter("held", acts)
    assert row("held", acts).to == acts.email
    assert "A mail for your seat came from new@phone.example." in words(question.text)
    assert orders(question.text, game) == []
    code = code_in(question.text)

    answer = deliver(game, acts, f"{code.lower()}\n\n> {question.text}")
    assert answer.verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2
    assert Press.objects.count() == 1
    incoming.refresh_from_db()
    assert (incoming.verdict, incoming.reason) == (Verdict.ACCEPTED, "confirmed by code")

    assert deliver(game, acts, code).verdict == Verdict.REJECTED, "a code works once"
    assert Press.objects.count() == 1


@pytest.mark.parametrize("text", ("AAAA-BBBB", "ok", "yes, it was me"))
def test_nothing_but_the_code_confirms(game: Game, acts: User, right: str, text: str) -> None:
    incoming = deliver(game, acts, right, sender="new@phone.example")
    deliver(game, acts, text)
    incoming.refresh_from_db()
    assert incoming.verdict == Verdict.HELD
    assert on_file(game, acts) == []


@pytest.mark.parametrize(
    "form",
    (
        "{0}-{1}", "{0}\N{EN DASH}{1}", "{0}\N{NON-BREAKING HYPHEN}{1}", "{0} - {1}", "{0} {1}", "{0}{1}", "*{0}-{1}*",
        "\N{LEFT DOUBLE QUOTATION MARK}{0}-{1}\N{RIGHT DOUBLE QUOTATION MARK}", " {0}-{1}.",
    ),
)  # fmt: skip
def test_a_code_confirms_however_it_was_typed(game: Game, acts: User, right: str, form: str) -> None:
    deliver(game, acts, right, sender="new@phone.example")
    first, _, last = code_in(letter("held", acts).text).partition("-")
    typed = form.format(first.lower().replace("o", "0").replace("i", "1"), last.replace("B", "8"))
    assert deliver(game, acts, typed).verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


def test_many_codes_in_one_mail_are_none(game: Game, acts: User, right: str) -> None:
    deliver(game, acts, right, sender="new@phone.example")
    code = code_in(letter("held", acts).text)
    deliver(game, acts, f"{code}\nAAAA-BBBB\nCCCC-DDDD\nEEEE-FFFF")
    assert on_file(game, acts) == []
    deliver(game, acts, f"My code:\n{code}\nAAAA-BBBB")
    assert len(on_file(game, acts)) == 2


def test_a_code_that_is_only_quoted_confirms_nothing(game: Game, acts: User, right: str) -> None:
    deliver(game, acts, right, sender="new@phone.example")
    asked = row("held", acts)
    mail.send(asked.pk)
    asked.refresh_from_db()
    text = letter("held", acts).text
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    for answer in (quoted, text, f"I am away.\n\n{quoted}"):
        deliver(game, acts, answer, answering=asked.message_id)
        assert on_file(game, acts) == []
    assert deliver(game, acts, code_in(text), answering=asked.message_id).verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


def test_another_seats_code_confirms_nothing_here(game: Game, acts: User, right: str) -> None:
    other = player(game, (state(game).active + 1) % 3)
    deliver(game, acts, right, sender="new@phone.example")
    code = code_in(letter("held", acts).text)
    deliver(game, other, code)
    assert on_file(game, acts) == []


def test_another_players_mail_is_held_the_address_renewed_and_the_organiser_told(
    game: Game, acts: User, olga: User, right: str
) -> None:
    other = player(game, (state(game).active + 1) % 3)
    old = mail.address_for("seat", seat(game, acts).pk)
    assert deliver(game, acts, right, sender=other.email).verdict == Verdict.HELD
    assert on_file(game, acts) == []
    assert mail.address_for("seat", seat(game, acts).pk).generation == old.generation + 1
    assert Address.objects.get(pk=old.pk).revoked is not None
    assert "wrote to the secret address of" in letter("alarm", olga).text
    question = letter("held", acts)
    assert "came from another player of this game" in question.text
    code = code_in(question.text)
    assert deliver(game, acts, code, sender=other.email).verdict == Verdict.HELD, "not even with the code"
    assert on_file(game, acts) == []
    assert deliver(game, acts, code).verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


def test_a_player_is_asked_once_a_day(game: Game, acts: User, right: str, clock: time_machine.Traveller) -> None:
    for number in range(3):
        deliver(game, acts, f"{right}\n# {number}", sender="new@phone.example")
    assert Outgoing.objects.filter(kind="held").count() == 1
    clock.shift(86400)
    deliver(game, acts, right, sender="new@phone.example")
    assert Outgoing.objects.filter(kind="held").count() == 2
    deadline = turn(game).deadline
    assert deadline is not None
    clock.move_to(deadline)
    clock.shift(-3600)
    deliver(game, acts, right, sender="new@phone.example")
    deliver(game, acts, right, sender="new@phone.example")
    assert Outgoing.objects.filter(kind="held").count() == 3


def test_each_mail_of_his_own_that_is_in_doubt_is_asked_about(game: Game, acts: User, right: str) -> None:
    def asked() -> int:
        return Outgoing.objects.filter(kind="held").count()

    for subject in ("Fwd: one", "Fwd: two"):
        for _twice in range(2):
            assert deliver(game, acts, f"{right}\n# {subject}\n\n> quoted", subject=subject).verdict == Verdict.HELD
    assert asked() == 2, "a repeated body is not asked about again"
    Game.objects.filter(pk=game.pk).update(strict_mail=True)
    deliver(game, acts, f"{right}\n# unchecked")
    assert asked() == 3
    for number in range(12):
        deliver(game, acts, f"{right}\n# {number}")
    assert asked() == 10, "ten an hour"


def test_a_held_mail_counts_from_when_it_came_if_the_turn_still_runs(
    game: Game, acts: User, right: str, clock: time_machine.Traveller
) -> None:
    deadline = turn(game).deadline
    assert deadline is not None
    clock.move_to(deadline)
    clock.shift(-60)
    deliver(game, acts, right, sender="new@phone.example")
    code = code_in(letter("held", acts).text)
    clock.shift(61)
    assert deliver(game, acts, code).verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


def test_a_held_mail_that_is_confirmed_late_is_told_that_a_later_one_counts(
    game: Game, acts: User, right: str, clock: time_machine.Traveller
) -> None:
    deliver(game, acts, right.replace(" A ", " P "), sender="new@phone.example")
    code = code_in(letter("held", acts).text)
    clock.shift(60)
    deliver(game, acts, right)
    before = on_file(game, acts)
    clock.shift(60)
    assert deliver(game, acts, code).verdict == Verdict.ACCEPTED
    assert on_file(game, acts) == before
    told = words(letter("receipt", acts).text)
    assert "What you sent was read, but where you said otherwise later, that counts." in told
    for line in right.replace(" A ", " P ").splitlines()[:2]:
        assert f"{line}: you said otherwise later." in told


def test_a_seat_given_up_takes_no_mail_and_says_so_once(game: Game, acts: User, right: str) -> None:
    services.resign(seat=seat(game, acts), who=acts)
    Seat.objects.filter(game=game, index=state(game).active).update(player=None)
    one = Seat.objects.get(game=game, index=state(game).active)
    address = mail.spell(mail.address_for("seat", one.pk), "play")
    for number in range(2):
        raw = f"From: {acts.email}\r\nMessage-ID: <{number}@x>\r\n\r\nstatus {number}\r\n{right}".encode()
        (incoming,) = mail.receive(
            raw, door="smtp", sender=acts.email, recipients=[address], received=turn(game).opened
        )
        mail.read(incoming.pk)
        incoming.refresh_from_db()
        assert incoming.verdict == Verdict.REJECTED
    assert Outgoing.objects.filter(kind="refused").count() == 1
    told = letter("refused", acts).text
    assert "was not read" in told
    assert "ducats" not in told
    raw = b"From: who@example.net\r\nMessage-ID: <3@x>\r\n\r\nstatus"
    (incoming,) = mail.receive(
        raw, door="smtp", sender="who@example.net", recipients=[address], received=turn(game).opened
    )
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    assert incoming.verdict == Verdict.DROPPED


# --- doubts about a player's own mail ---------------------------------------------------------------------------------


def test_orders_changed_inside_a_quotation_are_held(game: Game, acts: User) -> None:
    sent = row("turn", acts)
    mail.send(sent.pk)
    sent.refresh_from_db()
    text = letter("turn", acts).text
    first = orders(text, game)[0]
    edited = "\n".join(f"> {line}" for line in text.replace(first, first.replace("A", "D", 1)).splitlines())
    assert deliver(game, acts, edited, answering=sent.message_id).verdict == Verdict.HELD
    assert on_file(game, acts) == []
    question = letter("held", acts)
    assert "inside the quotation" in words(question.text)
    assert deliver(game, acts, code_in(question.text)).verdict == Verdict.ACCEPTED
    assert [order["args"]["scholar"] for order in on_file(game, acts)] == ["D"]  # type: ignore[index]


def test_a_mail_with_different_orders_in_its_two_forms_is_held(game: Game, acts: User, right: str) -> None:
    lines = right.splitlines()
    same = "".join(f"<div>{line}</div>" for line in lines)
    other = "".join(f"<div>{line.replace('A', 'D', 1)}</div>" for line in lines)
    assert deliver(game, acts, right, html=other).verdict == Verdict.HELD
    assert on_file(game, acts) == []
    assert deliver(game, acts, right, html=same).verdict == Verdict.ACCEPTED
    assert len(on_file(game, acts)) == 2


# --- commands, press, resigning ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kinds"),
    (
        ("help", ["help"]),
        ("Hilfe", ["help"]),
        ("status", ["status"]),
        ("orders\nstatus", ["orders", "status"]),
        ("Befehle", ["orders"]),
    ),
)
def test_commands_are_answered_and_change_nothing(game: Game, acts: User, text: str, kinds: list[str]) -> None:
    after = last_mail()
    assert deliver(game, acts, text).verdict == Verdict.ACCEPTED
    assert [one.kind for one in new_mails(after)] == kinds
    assert {one.to for one in new_mails(after)} == {acts.email}
    assert not Submission.objects.exists()


@pytest.mark.parametrize("locale", ("en", "de"))
def test_help_explains_every_order_and_nothing_in_it_is_one(game: Game, acts: User, locale: str) -> None:
    speak(acts, locale)
    deliver(game, acts, "help")
    text = letter("help", acts).text
    for verb in ("bribe", "defend", "admit", "keep", "replace", "send") if locale == "en" else ("biete", "entsende"):
        assert verb in text
    assert orders(text, game) == []


def test_status_is_the_position_as_the_seat_sees_it(game: Game, acts: User) -> None:
    deliver(game, acts, "status")
    text = letter("status", acts).text
    assert text.count("hidden") == 2
    assert "32000" in text


def test_orders_on_file_are_sent_on_request(game: Game, acts: User, right: str) -> None:
    deliver(game, acts, "orders")
    assert "You have handed in nothing for this turn yet." in letter("orders", acts).text
    deliver(game, acts, right)
    deliver(game, acts, "orders")
    assert orders(letter("orders", acts).text, game) == right.splitlines()[:-1]


def test_a_mail_may_give_orders_and_ask(game: Game, acts: User, right: str) -> None:
    after = last_mail()
    assert deliver(game, acts, f"{right}\nstatus").verdict == Verdict.ACCEPTED
    assert {"receipt", "status"} <= {one.kind for one in new_mails(after)}


def test_press_in_an_order_mail_is_relayed_from_scratch(game: Game, acts: User) -> None:
    one, other = (player(game, (state(game).active + step) % 3) for step in (1, 2))
    name = ("Red", "Yellow", "Green")[seat(game, one).index]
    text = f"press to {name}:\nTrust me. My address is x+abcdefghijklmnopqrstuvwx23@play.example.org\nend press\n"
    assert deliver(game, acts, text).verdict == Verdict.ACCEPTED
    press = Press.objects.get()
    assert (press.to, press.text) == ([seat(game, one).index], "Trust me. My address is (…)")
    assert f"Your press to {name} was sent." in letter("receipt", acts).text
    assert not Outgoing.objects.filter(kind="press", recipient=other).exists()


def test_press_to_oneself_too_names_those_who_got_it(game: Game, acts: User) -> None:
    mine = state(game).active
    names = ("Red", "Yellow", "Green")
    other = names[(mine + 1) % 3]
    deliver(game, acts, f"press to {names[mine]}, {other}: Hello\nend press")
    assert f"Your press to {other} was sent." in letter("receipt", acts).text
    deliver(game, acts, f"press to {names[mine]}: Hello, me\nend press")
    assert "was not sent: You cannot write to yourself: name somebody else." in words(letter("receipt", acts).text)
    assert Press.objects.count() == 1


def test_press_behind_a_failure_is_not_sent(game: Game, acts: User, right: str) -> None:
    block = "press to all: hello\nend press"
    assert deliver(game, acts, f"{block}\nsend A Nowhere\n{block}\n{right}").verdict == Verdict.PARTIAL
    assert Press.objects.count() == 1, "the one above the wrong line"
    text = words(letter("receipt", acts).text)
    assert "Your press to everybody was sent." in text
    assert "was not sent, because lines of your mail could not be taken. Please send it again." in text


def test_press_of_a_refused_mail_is_not_sent(game: Game, acts: User) -> None:
    assert deliver(game, acts, "press to all: hello\nend press\nsend A Nowhere").verdict != Verdict.HELD
    assert deliver(game, acts, "send A Nowhere\npress to all: hello\nend press").verdict in {"rejected", "partial"}
    assert Press.objects.count() <= 1


def test_press_to_nobody_known_is_not_sent_and_told(game: Game, acts: User) -> None:
    deliver(game, acts, "press to Purple: hello\nend press")
    assert not Press.objects.exists()
    assert "has no recipient who is known" in words(letter("receipt", acts).text)


def test_resigning_by_mail_takes_a_code(game: Game, acts: User) -> None:
    assert deliver(game, acts, "resign").verdict == Verdict.ACCEPTED
    assert seat(game, acts).player == acts
    assert "You asked to leave the game." in letter("receipt", acts).text
    question = letter("resign-confirm", acts)
    deliver(game, acts, "yes")
    assert seat(game, acts).player == acts
    where = seat(game, acts).index
    assert deliver(game, acts, code_in(question.text)).verdict == Verdict.ACCEPTED
    assert game.seats.get(index=where).player is None
    assert "You have left this game" in letter("resigned", acts).text


def test_the_end_is_proposed_by_mail(game: Game, acts: User) -> None:
    deliver(game, acts, "propose end")
    assert Ballot.objects.count() == 1
    assert "You proposed to end the game." in letter("receipt", acts).text
    deliver(game, acts, "propose nothing")
    assert not Ballot.objects.exists()
    deliver(game, acts, "propose pause")
    assert "You proposed to pause the game." in letter("receipt", acts).text
    for one in game.seats.select_related("player"):
        assert one.player is not None
        deliver(game, one.player, "propose end")
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    ended = words(letter("ended", acts).text)
    assert "Nobody won: the game ended undecided." in ended
    assert "You came in at place" not in ended


# --- loops ------------------------------------------------------------------------------------------------------------


def test_mails_without_orders_are_answered_ten_times_an_hour(
    game: Game, acts: User, right: str, clock: time_machine.Traveller
) -> None:
    after = last_mail()
    for number in range(14):
        deliver(game, acts, f"I am away {number}")
    answered = [one for one in new_mails(after) if one.kind == "receipt" and one.state == Outgoing.State.QUEUED]
    assert len(answered) == 10
    assert "not answered for a while" in words(letter("receipt", acts, pk=answered[-1].pk).text)
    assert deliver(game, acts, right).verdict == Verdict.ACCEPTED
    assert row("receipt", acts).state == Outgoing.State.QUEUED, "orders are always answered"
    clock.shift(3700)
    deliver(game, acts, "I am still away")
    assert row("receipt", acts).state == Outgoing.State.QUEUED


def test_the_same_mail_again_is_not_answered(game: Game, acts: User, clock: time_machine.Traveller) -> None:
    after = last_mail()
    for _time in range(2):
        deliver(game, acts, "I am away")
    assert [one.state for one in new_mails(after)] == [Outgoing.State.QUEUED, Outgoing.State.CANCELLED]
    clock.shift(3700)
    deliver(game, acts, "I am away")
    assert new_mails(after)[-1].state == Outgoing.State.QUEUED


def test_the_same_slip_in_the_next_turn_is_answered(game: Game, acts: User, clock: time_machine.Traveller) -> None:
    deliver(game, acts, "sedn A Yellow")
    Turn.objects.filter(pk=turn(game).pk).update(due=timezone.now())
    assert services.advance(turn(game).pk)
    after = last_mail()
    deliver(game, acts, "sedn A Yellow")
    deliver(game, acts, "sedn A Yellow")
    told = [one for one in new_mails(after) if one.kind == "receipt"]
    assert [one.state for one in told] == [Outgoing.State.QUEUED, Outgoing.State.CANCELLED]


def test_a_mail_read_twice_acts_once(game: Game, clock: time_machine.Traveller) -> None:
    pays = to_bribes(game, clock)
    incoming = deliver(game, pays, "press to all: hi\nend press")
    count = Outgoing.objects.count()
    Incoming.objects.filter(pk=incoming.pk).update(state="waiting")
    mail.read(incoming.pk)
    assert Press.objects.count() == 1
    assert Outgoing.objects.count() == count
    forward(game, clock)


def test_a_copy_of_another_mail_of_ours_is_no_order_though_the_mail_answers_a_receipt(
    game: Game, acts: User, right: str
) -> None:
    mail.send(row("turn", acts).pk)
    deliver(game, acts, "sedn A Yellow")
    mail.send(row("receipt", acts).pk)
    copied = letter("turn", acts).text
    assert orders(copied, game)
    came = deliver(game, acts, f"{right}\n\nThe position was:\n\n{copied}", answering=row("receipt", acts).message_id)
    assert came.verdict == Verdict.ACCEPTED
    assert Submission.objects.latest("pk").text == f"{right}\n\nThe position was:"


def test_an_order_mail_takes_few_statements_however_many_games_there_are(
    begin: Callable[..., Game], game: Game, acts: User, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`bench/mail.py` measures time; what its statements are is in docs/decisions/0007-speed-of-mail.md."""
    counts: list[int] = []
    read = mail.read

    def counted(incoming_id: int) -> bool:
        with CaptureQueriesContext(connection) as found:
            done = read(incoming_id)
        counts.append(len(found))
        return done

    mail.send(row("turn", acts).pk)
    answering = row("turn", acts).message_id
    monkeypatch.setattr(mail, "read", counted)
    for games in (0, 0, 4):  # the first mail of a turn changes how many owe orders, too
        for _ in range(games):
            begin()
        assert deliver(game, acts, right, answering=answering).verdict == Verdict.ACCEPTED
    assert counts[1] == counts[2]
    assert max(counts) <= 17, counts
