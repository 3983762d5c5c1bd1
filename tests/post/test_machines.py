"""What machines write about a player: not answered, but his organiser hears of it (cases 97, 100, 109)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from postspiel.accounts.models import User
from postspiel.mail import bouncing
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import channels
from postspiel.play.models import Game, Press, Seat
from tests.post.conftest import deliver, letter, row, seat, speak, to_bribes, words

AWAY = "Auto-Submitted: auto-replied\r\nSubject: Away\r\n"
CHALLENGE = "Subject: Confirm\r\n"
CLICKS = "Please click the link below to be whitelisted.\r\nhttp://guard.example/x"


def came(to: str, sender: str, head: str, text: str = "I am on leave.") -> Incoming:
    number = Incoming.objects.count()
    raw = f"{head}From: {sender}\r\nMessage-ID: <{number}@x>\r\n\r\n{text} {number}".encode()
    (incoming,) = mail.receive(raw, door="smtp", sender=sender, recipients=[to], received=datetime.now(UTC))
    mail.read(incoming.pk)
    incoming.refresh_from_db()
    assert incoming.verdict == Incoming.Verdict.DROPPED
    return incoming


def told(who: User) -> list[str]:
    rows = Outgoing.objects.filter(kind="player-mail", recipient=who).order_by("pk")
    return [one.data["what"] for one in rows]


@pytest.mark.parametrize("where", ("seat", "channel", "envelope"))
@pytest.mark.parametrize(
    ("head", "text", "what", "sentence"),
    (
        (AWAY, "I am on leave.", "away", "A machine answered our mail to Red (Ada)"),
        (CHALLENGE, CLICKS, "challenge", "The mailbox of Red (Ada) wants whoever writes to click"),
    ),
)
def test_the_organiser_hears_what_a_players_machine_wrote_once_a_day(
    game: Game,
    olga: User,
    ada: User,
    clock: time_machine.Traveller,
    where: str,
    head: str,
    text: str,
    what: str,
    sentence: str,
) -> None:
    Seat.objects.filter(game=game, player=ada).update(player=None)
    Seat.objects.filter(game=game, index=0).update(player=ada)
    one = seat(game, ada)
    address = {
        "seat": mail.spell(mail.address_for("seat", one.pk), "play"),
        "channel": mail.spell(channels.address_for(one, None), "all"),
        "envelope": bouncing.envelope_sender(row("turn", ada)) if Outgoing.objects.filter(recipient=ada) else "",
    }[where]
    before = Outgoing.objects.exclude(kind="player-mail").count()
    for _twice in range(2):
        came(address, ada.email, head, text)
    assert told(olga) == [what]
    assert sentence in words(letter("player-mail", olga).text)
    clock.shift(86400)
    came(address, ada.email, head, text)
    assert told(olga) == [what, what]
    assert Outgoing.objects.exclude(kind="player-mail").count() == before, "nobody is answered"


def test_a_machine_of_nobody_in_a_running_game_is_no_news(game: Game, olga: User, ada: User) -> None:
    envelope = bouncing.envelope_sender(row("turn", ada))
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ENDED)
    came(envelope, ada.email, AWAY)
    came("postspiel@play.example.org", ada.email, AWAY)
    assert told(olga) == []


def test_the_organiser_hears_when_mails_are_not_answered_any_more(game: Game, olga: User, ada: User) -> None:
    for number in range(13):
        deliver(game, ada, f"Thank you {number}")
    assert told(olga) == ["silent"]
    assert "not answered for a while" in words(letter("player-mail", olga).text)


def test_the_last_receipt_says_so_though_answers_to_commands_were_counted_before(
    game: Game, olga: User, ada: User
) -> None:
    for number in range(8):
        deliver(game, ada, f"Thank you {number}")
    deliver(game, ada, "help\nstatus\norders")
    assert told(olga) == []
    receipts = Outgoing.objects.filter(kind="receipt", recipient=ada).exclude(state=Outgoing.State.CANCELLED)
    deliver(game, ada, "Thank you, last")
    assert (told(olga), receipts.count()) == (["silent"], 9)
    assert "not answered for a while" in words(letter("receipt", ada).text)
    deliver(game, ada, "Thank you, too late")
    assert receipts.count() == 9


def test_press_beside_refused_orders_goes_out_in_the_silence_too(
    game: Game, ada: User, bert: User, clock: time_machine.Traveller
) -> None:
    speak(ada, "en")
    speak(bert, "en")
    mail.send(row("turn", ada).pk)
    old = row("turn", ada).message_id
    to_bribes(game, clock)
    for number in range(12):
        deliver(game, ada, f"Thank you {number}")
    text = "done\npress to all:\nAre you there?\nend press"
    read = deliver(game, ada, text, answering=old)
    assert (read.verdict, read.reason) == ("rejected", "wrong-turn")
    assert Press.objects.get().text == "Are you there?"
    assert "Are you there?" in words(letter("press", bert).text)
    assert "Your press to everybody was sent" in words(letter("receipt", ada).text)


def test_in_an_anonymous_game_an_organiser_who_plays_reads_the_seat_alone(game: Game, ada: User, bert: User) -> None:
    Game.objects.filter(pk=game.pk).update(anonymous=True, organiser=ada)
    came(mail.spell(mail.address_for("seat", seat(game, bert).pk), "play"), bert.email, AWAY)
    text = letter("player-mail", ada).text
    assert "Yellow" in text
    assert "Bert" not in text
