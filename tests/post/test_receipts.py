"""Receipts: each kind of wrong mail is answered with line, reason and mend, in its language, and changes nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Game, Sheet, Submission
from tests.post.conftest import (
    deliver,
    forward,
    letter,
    orders,
    player,
    row,
    seat,
    speak,
    state,
    to_bribes,
    told,
    turn,
    words,
)

LOCALES = ("en", "de")
IN_FORCE = {"en": "bribe {} 3000", "de": "biete {} 3000"}
NOTHING = "Nothing of what you sent could be taken, so nothing has changed."
LINE = "Line %(line)d, “%(text)s”: %(reason)s"
PERHAPS = "Perhaps: %(suggestion)s"


class Table:
    """A turn of bribes: who owes one, for which scholar, with an order on file already."""

    def __init__(self, game: Game, clock: time_machine.Traveller, locale: str) -> None:
        self.game, self.locale = game, locale
        self.who = to_bribes(game, clock)
        speak(self.who, locale)
        self.mine = next(one.craft for one in state(game).groups[0].members if player(game, one.seat).pk == self.who.pk)
        self.on_file = IN_FORCE[locale].format(self.mine)
        assert deliver(game, self.who, self.on_file).verdict == "accepted"
        self.before = self.sheet()

    def sheet(self) -> tuple[object, ...]:
        """What is on file."""
        sheet = Sheet.objects.get(seat=seat(self.game, self.who), turn=turn(self.game))
        return sheet.orders, sheet.status, sheet.digest

    def refused(self, text: str, **more: str) -> str:
        """The receipt to a mail that must change nothing."""
        incoming = deliver(self.game, self.who, text, **more)
        assert incoming.verdict == Incoming.Verdict.REJECTED
        assert self.sheet() == self.before
        receipt = letter("receipt", self.who)
        assert orders(receipt.text, self.game).count(self.on_file) == 1, "what is in force is repeated"
        return words(receipt.text)

    def line(self, text: str, reason: str, line: int = 1) -> str:
        """How a receipt names a line."""
        return told(LINE, self.locale, line=line, text=text, reason=reason)

    def perhaps(self, suggestion: str) -> str:
        """How a receipt suggests another line."""
        return told(PERHAPS, self.locale, suggestion=suggestion)


@pytest.fixture(params=LOCALES)
def table(request: pytest.FixtureRequest, game: Game, clock: time_machine.Traveller) -> Table:
    """A turn of bribes whose player reads English, then one whose player reads German."""
    return Table(game, clock, request.param)


def say(table: Table, en: str, de: str) -> str:
    return en if table.locale == "en" else de


def test_an_unknown_word(table: Table) -> None:
    text = f"brieb {table.mine} 4000"
    told_ = table.refused(f"Hello,\n\n{text}")
    reason = say(
        table,
        "“brieb” is no order; perhaps you meant “bribe”.",
        "„brieb“ ist kein Befehl; gemeint ist vielleicht „bribe“.",
    )
    assert table.line(text, reason, line=3) in told_
    assert table.perhaps(say(table, f"bribe {table.mine} 4000", f"biete {table.mine} 4000")) in told_
    assert told(NOTHING, table.locale) in told_
    assert "| Hello," in told_


def test_a_foreign_piece(table: Table) -> None:
    theirs = next(craft for craft in "DSPA" if craft != table.mine)
    told_ = table.refused(f"bribe {theirs} 2000")
    reason = say(table, "of yours waits at", f"wartet kein {theirs} von dir.")
    assert f"“bribe {theirs} 2000”" in told_ or f"„bribe {theirs} 2000“" in told_
    assert reason in told_
    assert say(table, f"bribe {table.mine} 2000", f"biete {table.mine} 2000") in told_


def test_more_than_the_cash(table: Table) -> None:
    told_ = table.refused(f"bribe {table.mine} 99000")
    assert say(table, "99000 ducats at worst", "schlimmstenfalls 99000 Dukaten") in told_
    assert table.line(f"bribe {table.mine} 99000", "")[:10] in told_
    cash = state(table.game).cash[seat(table.game, table.who).index]
    assert say(table, f"of your {cash} are left", f"von deinen {cash} sind aber nur") in told_


def test_a_taken_area(game: Game, clock: time_machine.Traveller) -> None:
    for locale in LOCALES:
        while not _decides_beside_a_taken_area(game):
            forward(game, clock)
        now = state(game)
        host, applicant = player(game, now.active), now.groups[0].members[0]
        speak(host, locale)
        taken = next(pay for place, pay in enumerate((1000, 6000, 10000, 3000)) if now.courts[now.active][place])
        name = ("Red", "Yellow", "Green")[applicant.seat]
        line = f"admit {applicant.craft} {name} {taken}"
        before = seat(game, host).sheets.get(turn=turn(game)).orders
        assert deliver(game, host, line).verdict == "rejected"
        assert seat(game, host).sheets.get(turn=turn(game)).orders == before
        reason = f"The area {taken} is taken." if locale == "en" else f"Der Bereich {taken} ist besetzt."
        receipt = words(letter("receipt", host).text)
        assert told(LINE, locale, line=1, text=line, reason=reason) in receipt
        assert told(PERHAPS, locale, suggestion="")[:8] in receipt
        forward(game, clock)


def _decides_beside_a_taken_area(game: Game) -> bool:
    now = state(game)
    free = [group for group in now.groups[:1] if group.kind == "free"]
    return now.phase == "decision" and bool(free) and any(now.courts[now.active])


def test_a_late_mail(table: Table, clock: time_machine.Traveller) -> None:
    deadline = turn(table.game).deadline
    assert deadline is not None
    clock.move_to(deadline + timedelta(seconds=1))
    told_ = table.refused(f"bribe {table.mine} 4000\npress to all: bye\nend press")
    number = turn(table.game).number
    late = "What you sent came after the deadline of turn %(open)d, so nothing was changed."
    assert told(late, table.locale, open=number) in told_
    assert told("Your press to %(names)s was sent.", table.locale, names=told("everybody", table.locale)) in told_


def test_a_mail_for_a_turn_that_is_over(table: Table) -> None:
    old = Outgoing.objects.filter(kind="turn", recipient=table.who).order_by("pk")[0]
    Outgoing.objects.filter(pk=old.pk).update(message_id="<first@play.example.org>")
    told_ = table.refused(f"bribe {table.mine} 4000", answering="<first@play.example.org>")
    numbers = {"named": 1, "open": turn(table.game).number}
    both = "What you sent was for turn %(named)d, but turn %(open)d is open now, so nothing was changed."
    assert told(both, table.locale, **numbers) in told_
    assert told("Please answer the mail of turn %(open)d.", table.locale, **numbers) in told_
    assert say(table, "are on file and count at the deadline.", "liegen vor und gelten zur Frist.") in told_


@pytest.mark.parametrize("text", ("", "ok", "+1", "> Carnival, turn 4\n> ================\n> done\n"))
def test_an_empty_mail(table: Table, text: str) -> None:
    told_ = table.refused(text)
    assert told("There were no orders in what you sent, so nothing has changed.", table.locale) in told_


def test_two_hundred_lines_of_nonsense(table: Table) -> None:
    told_ = table.refused("\n".join(f"brieb {table.mine} {number}000" for number in range(101, 301)))
    assert told_.count("brieb") >= 20
    assert table.line(f"brieb {table.mine} 120000", "", line=20)[:8] in told_
    assert table.line(f"brieb {table.mine} 121000", "", line=21) not in told_
    more = "%(count)d more lines could not be taken; they are not listed here."
    assert told(more, table.locale, count=180) in told_


def test_prose_of_two_hundred_lines_is_ignored_and_shown_in_part(table: Table) -> None:
    told_ = table.refused("\n".join(f"Lorem ipsum {number}" for number in range(200)))
    assert told("These lines of your mail were not read as orders:", table.locale) in told_
    assert "| Lorem ipsum 59" in told_
    assert told("… and %(count)d more lines", table.locale, count=140) in told_


# --- what is taken ----------------------------------------------------------------------------------------------------


def test_a_right_mail_is_echoed_with_state_preview_and_seal(table: Table) -> None:
    assert deliver(table.game, table.who, f"bribe {table.mine} 5000 wish peace\ndone").verdict == "accepted"
    mailed = letter("receipt", table.who)
    text = words(mailed.text)
    new = say(table, f"bribe {table.mine} 5000 wish peace", f"biete {table.mine} 5000 wunsch peace")
    assert orders(mailed.text, table.game) == [new]
    assert told("All you sent was taken.", table.locale) in text
    assert say(table, "Your orders are final", "Deine Befehle sind endgültig") in text
    sheet = Sheet.objects.get(seat=seat(table.game, table.who), turn=turn(table.game))
    assert sheet.digest in text
    assert sheet.status == Sheet.Status.FINAL
    assert say(table, "slips", "steckt") in text, "the preview tells what would happen"
    assert "5000" in text
    assert say(table, "(Europe/", "Uhr (Europe/") in text


def test_a_mail_merges_and_the_receipt_parts_new_from_old(game: Game, clock: time_machine.Traveller) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    speak(acts, "en")
    lines = orders(letter("turn", acts).text, game)[:-1]
    assert deliver(game, acts, "\n".join(lines[:-1])).verdict == "accepted"
    assert "What you still owe" in letter("receipt", acts).text
    assert deliver(game, acts, f"{lines[-1]}\ndone").verdict == "accepted"
    text = letter("receipt", acts).text
    assert f"New with this mail:\n\n{lines[-1]}\n\nAs before:\n\n{'\n'.join(lines[:-1])}\n" in text
    assert "What you still owe" not in text


def test_done_with_orders_missing_is_explained(game: Game, clock: time_machine.Traveller) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    speak(acts, "en")
    line = orders(letter("turn", acts).text, game)[0]
    assert deliver(game, acts, f"{line}\ndone").verdict == "partial"
    text = words(letter("receipt", acts).text)
    assert "What you sent was taken, but your orders are not final yet." in text
    assert "not final yet, because you still owe some" in text
    assert "What you still owe" in text
    assert "for example: “send" in text


def test_a_partly_wrong_mail_keeps_what_is_right(table: Table) -> None:
    assert deliver(table.game, table.who, f"bribe {table.mine} 6000\nsend A Red\ndone").verdict == "partial"
    mailed = letter("receipt", table.who)
    assert told("not taken", table.locale) not in mailed.subject
    assert say(table, f"bribe {table.mine} 6000", f"biete {table.mine} 6000") in orders(mailed.text, table.game)
    assert told("Your orders in force", table.locale) in mailed.text
    assert say(table, "You send nobody now.", "Du entsendest jetzt niemanden.") in mailed.text
    assert Sheet.objects.get(seat=seat(table.game, table.who), turn=turn(table.game)).status == "on_file"


def test_what_was_cancelled_is_told(table: Table) -> None:
    assert deliver(table.game, table.who, "cancel all").verdict == "accepted"
    text = letter("receipt", table.who).text
    assert told("No longer in force:", table.locale) in text
    assert f"| {table.on_file}" in text
    assert orders(text, table.game) == []


def test_nothing_in_a_receipt_reads_as_an_order_but_what_is_meant_to(table: Table) -> None:
    deliver(table.game, table.who, "bribe Q\nwurst\nbribe A 99000\npress to Nobody: x\nend press")
    text = letter("receipt", table.who).text
    assert table.on_file in orders(text, table.game)
    blocks = [block.splitlines() for block in text.split("\n\n")]
    copied = [line for block in blocks if all(orders(line, table.game) for line in block) for line in block]
    assert orders(text, table.game) == copied


def test_a_receipt_goes_to_the_registered_address(game: Game, ada: User, olga: User) -> None:
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    EmailAddress.objects.create(user=ada, email="ada@work.example", verified=True)
    assert deliver(game, ada, "ok", sender="ada@work.example").verdict == "rejected"
    assert row("receipt", ada).to == "ada@example.org"


def test_what_was_sent_is_kept_word_for_word(table: Table) -> None:
    deliver(table.game, table.who, "bribe Q 1000\nregards")
    kept = Submission.objects.filter(seat=seat(table.game, table.who)).order_by("-pk")[0]
    assert kept.text == "bribe Q 1000\nregards"
    assert kept.ignored == "regards"
    assert not kept.applied


def test_the_page_is_told_of_orders_that_came_too_early(clock: time_machine.Traveller, olga: User, ada: User) -> None:
    game = services.create_game(
        organiser=olga, title="intrige", name="Lent", size=3, options={}, schedule=services.Schedule()
    )
    services.join_game(game=game, player=ada)
    assert deliver(game, ada, "bribe A 1000").verdict == "rejected"
    assert "No turn of this game is open for your orders" in letter("receipt", ada).text
