"""The inbox: kept before the door says yes, read once, each mail for itself."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import inbox, selectors, services
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.mail.reading import caps
from tests.mail import kinds

pytestmark = pytest.mark.django_db

State, Verdict = Incoming.State, Incoming.Verdict
WHEN = datetime(2029, 5, 7, 17, 59, 58, tzinfo=UTC)


def letter(text: str = "bid 3000\n", *, sender: str = "Ada <ada@example.com>", head: str = "") -> bytes:
    top = f"From: {sender}\nSubject: Re: turn 1\nMessage-ID: <1@example.com>\n{head}"
    return f"{top}\n{text}".replace("\n", "\r\n").encode()


def keep(raw: bytes, to: Address | Sequence[str], *, sender: str = "ada@example.com") -> list[Incoming]:
    recipients = [services.spell(to, "kreml")] if isinstance(to, Address) else to
    return services.receive(raw, door="smtp", sender=sender, recipients=recipients, received=WHEN)


def taken(raw: bytes, to: Address | Sequence[str], **fields: Any) -> Incoming:
    (row,) = keep(raw, to, **fields)
    services.read(row.pk)
    return Incoming.objects.get(pk=row.pk)


def test_an_order_mail_reaches_its_handler_with_all_it_needs(ada: User, address: Address) -> None:
    row = taken(letter(), address)

    assert (row.state, row.verdict, row.reason, row.writer) == (State.READ, Verdict.ACCEPTED, "bid 3000", ada)
    (received,) = kinds.heard
    assert (received.user, received.sender, received.mail.subject) == (ada, "ada@example.com", "Re: turn 1")
    assert (received.address, received.incoming.received) == (address, WHEN)


def test_the_bytes_are_kept_as_they_came(address: Address) -> None:
    raw = letter("Gr\xfc\xdfe").replace("Gr\xfc\xdfe".encode(), b"Gr\xfc\xdfe \x00\xff")
    (row,) = keep(raw, address)
    assert bytes(Incoming.objects.get(pk=row.pk).raw) == raw


def test_the_same_mail_again_adds_nothing_but_another_recipient_does(ada: User, address: Address) -> None:
    other = services.address_for("echo", 8)
    (first,) = keep(letter(), address)
    (again,) = keep(b"Received: by another way\r\n" + letter(), address)
    both = keep(letter(), [services.spell(address, "kreml").upper(), services.spell(other, "kreml")])
    (changed,) = keep(letter("bid 4000"), address)

    assert first == again == both[0]
    assert Incoming.objects.count() == 3
    assert changed != first


def test_mails_without_message_id_are_told_apart_by_their_bytes(address: Address) -> None:
    raw = letter().replace(b"Message-ID: <1@example.com>\r\n", b"")
    (first,) = keep(raw, address)
    (again,) = keep(raw, address)
    (other,) = keep(raw + b"done", address)
    (monster,) = keep(letter(head="").replace(b"<1@", b"<" + b"x" * 900 + b"@"), address)

    assert first == again != other
    assert {row.message_id.partition(":")[0] for row in (first, other, monster)} == {"sha256"}


def test_a_mail_is_read_once(ada: User, address: Address) -> None:
    (row,) = keep(letter(), address)

    assert services.read(row.pk)
    assert not services.read(row.pk)
    services.sweep()
    assert len(kinds.heard) == 1


def test_a_stranger_with_the_token_is_shown_as_one(address: Address) -> None:
    row = taken(letter(sender="Eve <eve@example.com>"), address)

    assert kinds.heard[0].user is None
    assert row.writer is None


def test_the_sender_is_the_address_not_what_the_name_says(ada: User, address: Address) -> None:
    taken(letter(sender="=?utf-8?q?ada=40example=2Ecom_=3Cada=40example=2Ecom=3E?= <eve@example.com>"), address)
    assert kinds.heard[0].sender == "eve@example.com"
    assert kinds.heard[0].user is None


@pytest.mark.parametrize(
    ("head", "sender"),
    (
        ("Auto-Submitted: auto-replied\n", "ada@example.com"),
        ("Precedence: bulk\n", "ada@example.com"),
        ("X-Autoreply: yes\n", "ada@example.com"),
        ("Postspiel-Instance: play.example.org\n", "ada@example.com"),
        ("Content-Type: multipart/report; boundary=b\n", "ada@example.com"),
        ("Content-Type: text/vnd.google.email-reaction+json\n", "ada@example.com"),
        ("Content-Type: text/calendar; method=REPLY\n", "ada@example.com"),
        ("", ""),
    ),
)
def test_what_a_machine_wrote_is_kept_and_never_answered(ada: User, address: Address, head: str, sender: str) -> None:
    row = taken(letter(head=head), address, sender=sender)

    assert (row.state, row.verdict) == (State.READ, Verdict.DROPPED)
    assert row.reason
    assert not kinds.heard
    assert not Outgoing.objects.exists()


@pytest.mark.parametrize("head", ("Auto-Submitted: no\n", "X-Auto-Response-Suppress: All\n", "Precedence: normal\n"))
def test_ordinary_mail_with_odd_headers_is_read(ada: User, address: Address, head: str) -> None:
    assert taken(letter(head=head), address).verdict == Verdict.ACCEPTED


def test_a_revoked_address_is_refused_and_its_writer_told_once_a_day(ada: User, address: Address) -> None:
    services.renew(address)
    rows = [taken(letter(f"bid {number}"), address) for number in range(3)]

    assert {row.verdict for row in rows} == {Verdict.REJECTED}
    assert not kinds.heard
    services.sweep()
    answer = Outgoing.objects.get()
    assert answer.to == "ada@example.com"
    assert "Re: turn 1" in selectors.opened(answer).text
    assert "Europe/Berlin" in selectors.opened(answer).text


def test_strangers_get_no_answer_from_a_revoked_address(address: Address) -> None:
    services.renew(address)
    assert taken(letter(sender="eve@example.com"), address).verdict == Verdict.DROPPED
    assert not Outgoing.objects.exists()


def test_mail_to_the_servers_own_address_is_answered_to_people_it_knows(ada: User) -> None:
    known = taken(letter(), ["postspiel@play.example.org"])
    unknown = taken(letter(sender="eve@example.com", text="x"), ["postspiel@play.example.org"])

    assert (known.verdict, unknown.verdict) == (Verdict.REJECTED, Verdict.DROPPED)
    assert Outgoing.objects.get().kind == "astray"


def test_a_mail_that_breaks_the_reader_stops_no_other_and_its_writer_is_told(
    ada: User, address: Address, caplog: pytest.LogCaptureFixture
) -> None:
    (bad,) = keep(letter("pay 1"), services.address_for("cursed", 1))
    (good,) = keep(letter(), address)
    for _ in range(5):
        Incoming.objects.filter(state=State.WAITING).update(due=timezone.now())
        services.sweep()

    bad, good = (Incoming.objects.get(pk=row.pk) for row in (bad, good))
    assert good.verdict == Verdict.ACCEPTED
    assert (bad.state, bad.attempts, bad.writer) == (State.STUCK, len(inbox.PAUSES) + 1, ada)
    assert "a bug of ours" in bad.reason
    assert list(selectors.stuck()) == [bad]
    assert "is stuck" in caplog.text
    notice = Outgoing.objects.get()
    assert (notice.kind, notice.to, notice.in_reply_to) == ("stuck", "ada@example.com", "<1@example.com>")


def test_each_mail_of_a_burst_is_read_on_its_own(ada: User, address: Address) -> None:
    cursed = services.address_for("cursed", 1)
    burst = [keep(letter(f"bid {number}"), cursed if number == 1 else address)[0] for number in range(4)]
    assert services.read(burst[3].pk)

    assert services.read_each(row.pk for row in burst) == 2
    found = [Incoming.objects.get(pk=row.pk) for row in burst]
    assert [row.state for row in found] == [State.READ, State.WAITING, State.READ, State.READ]
    assert [row.attempts for row in found] == [1, 1, 1, 1]
    assert services.read_each(()) == 0


def test_the_next_mail_of_a_burst_is_claimed_only_with_the_verdict_of_the_last(ada: User, address: Address) -> None:
    first, following = (keep(letter(f"bid {number}"), address)[0] for number in range(2))
    lost = inbox._claim(first.pk)
    assert lost is not None
    Incoming.objects.filter(pk=first.pk).update(claim=7)
    assert inbox._read(lost, following.pk) == (False, None)
    assert Incoming.objects.get(pk=following.pk).state == State.WAITING

    Incoming.objects.filter(pk=first.pk).update(claim=lost.claim)
    done, claimed = inbox._read(lost, following.pk)
    assert (done, claimed) == (True, following)
    assert Incoming.objects.get(pk=following.pk).state == State.READING


def test_no_earlier_mail_is_claimed_ahead_so_that_no_two_readers_wait_for_each_other(
    ada: User, address: Address
) -> None:
    first, following = (keep(letter(f"bid {number}"), address)[0] for number in range(2))
    claimed = inbox._claim(following.pk)
    assert claimed is not None
    assert inbox._read(claimed, first.pk) == (True, None)
    assert services.read_each([following.pk, first.pk]) == 1


def test_a_stuck_mail_can_be_read_again(ada: User) -> None:
    row = taken(letter(), services.address_for("cursed", 1))
    Incoming.objects.update(state=State.STUCK)
    with mock.patch.object(kinds, "cursed", kinds.echo):
        assert services.reread(row)
    row.refresh_from_db()
    assert (row.state, row.verdict) == (State.READ, Verdict.ACCEPTED)


def test_a_host_sees_what_is_stuck_saves_it_and_has_it_read_again(
    ada: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = taken(letter(), services.address_for("cursed", 1))
    Incoming.objects.update(state=State.STUCK, reason="KeyError: 'a bug'", received=WHEN)

    call_command("mail", "stuck", "--save", str(tmp_path))
    line = f"{row.pk}, come in {WHEN:%Y-%m-%d %H:%M} UTC: {{}}. KeyError: 'a bug'\n"
    assert capsys.readouterr().out == line.format("stuck")
    assert (tmp_path / f"{row.pk}.eml").read_bytes() == bytes(row.raw)
    with pytest.raises(CommandError, match=r"cannot be written: No such file or directory\. Name a folder"):
        call_command("mail", "stuck", "--save", str(tmp_path / "nowhere"))

    call_command("mail", "stuck", "--again")
    assert "failed again" in capsys.readouterr().out
    Incoming.objects.update(state=State.STUCK)
    with mock.patch.object(kinds, "cursed", kinds.echo):
        call_command("mail", "stuck", "--again")
    assert ": read. " in capsys.readouterr().out
    call_command("mail", "stuck")
    assert capsys.readouterr().out == ""


def test_what_a_handler_wrote_goes_with_its_failure(ada: User) -> None:
    def writes_and_fails(received: Any) -> None:
        services.queue(event="receipt:1", kind="greeting", recipient=ada)
        raise ZeroDivisionError

    with mock.patch.object(kinds, "cursed", writes_and_fails):
        taken(letter(), services.address_for("cursed", 1))
    assert not Outgoing.objects.exists()


def test_a_reader_that_lost_its_claim_changes_nothing(ada: User, address: Address) -> None:
    (row,) = keep(letter(), address)
    lost = inbox._claim(row.pk)
    assert lost is not None
    Incoming.objects.update(claimed=timezone.now() - inbox.LEASE - timedelta(seconds=1))
    services.sweep()
    assert len(kinds.heard) == 1

    assert inbox._read(lost, None) == (False, None)
    row.refresh_from_db()
    assert (row.state, row.verdict, row.attempts) == (State.READ, Verdict.ACCEPTED, 2)


def test_a_mail_that_costs_too_much_is_set_aside_unread(ada: User, address: Address) -> None:
    bomb = letter("--b\n" * 5000, head='Content-Type: multipart/mixed; boundary="b"\n')
    row = taken(bomb, address)
    assert (row.state, row.verdict) == (State.READ, Verdict.QUARANTINED)
    assert "too many parts" in row.reason


@pytest.mark.parametrize(
    "bomb",
    (
        letter("--b\n\nx\n" * 100_000, head='Content-Type: multipart/mixed; boundary="b"\n'),
        letter(head="".join(f"X-{number}: y\n" for number in range(100_000))),
        letter(head="Subject: " + "x" * 70_000 + "\n"),
        letter("".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(1000)),
               head='Content-Type: multipart/mixed; boundary="b0"\n'),
        letter("Content-Type: message/rfc822\n\n" * 1000, head="Content-Type: message/rfc822\n"),
        letter("x" * (caps.SIZE + 1)),
    ),
)  # fmt: skip
def test_bombs_are_seen_before_they_are_parsed(bomb: bytes) -> None:
    with pytest.raises(caps.TooMuch):
        caps.check(bomb)


def test_notices_speak_the_writers_language(ada: User, ben: User, address: Address) -> None:
    services.renew(address)
    for number, user in enumerate((ada, ben)):
        taken(letter(f"bid {number}", sender=user.email), ["postspiel@play.example.org"])
    services.sweep()

    subjects = dict(Outgoing.objects.values_list("to", "subject"))
    assert subjects[ben.email] == "This address takes no orders"
    assert subjects[ada.email] == "Diese Adresse nimmt keine Befehle an"
    texts = [selectors.opened(row).text for row in Outgoing.objects.order_by("to")]
    assert "America/New_York" in texts[1]
    assert "Nichts davon wurde ausgeführt" in texts[0]


@pytest.mark.parametrize("kept", (True, False), ids=("kept", "older than what is kept"))
def test_an_answer_is_compared_with_what_we_wrote(ada: User, address: Address, kept: bool) -> None:
    said = {"text": "Grüße.\nbid 7 tower", "html": "<body><p>Grüße.</p><p>bid 7 tower</p></body>"}
    with transaction.atomic():
        services.queue(event="turn:1", kind="greeting", recipient=ada, address=address, data=said)
    services.sweep()
    if not kept:
        Outgoing.objects.update(texts="")
    taken(letter("bid 8 gate\n\nGrüße.\nbid 7 tower\n"), address)

    (received,) = kinds.heard
    assert received.sent == ("gruesse.\nbid 7 tower",) * 2
