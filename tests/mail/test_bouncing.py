"""Mail that comes back: what counts, what does not, and what follows."""

from unittest import mock

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from postspiel.accounts.models import User
from postspiel.mail import bouncing, outbox, said, selectors, services
from postspiel.mail.models import Incoming, Mailbox, Outgoing
from postspiel.mail.reading import bounces
from tests.mail.test_inbox import WHEN

pytestmark = pytest.mark.django_db

REPORT = """\
From: MAILER-DAEMON@mx.example.net
Message-ID: <{number}@mx.example.net>
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

It could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ada@example.com
Action: {action}
Status: {status}
--b--
"""


def mailed(to: User, event: str, kind: str = "greeting") -> Outgoing:
    """Queue a mail and try to send it."""
    with transaction.atomic():
        services.queue(event=event, kind=kind, recipient=to)
    row = Outgoing.objects.get(event=event)
    services.send(row.pk)
    row.refresh_from_db()
    return row


def came(to: str, raw: str) -> Incoming:
    (row,) = services.receive(raw.encode(), door="smtp", sender="", recipients=[to], received=WHEN)
    services.read(row.pk)
    row.refresh_from_db()
    assert row.state == Incoming.State.READ
    return row


def report(to: str, number: int, action: str = "failed", status: str = "5.1.1") -> Incoming:
    raw = REPORT.format(number=f"{action}{number}", action=action, status=status)
    return came(to, raw)


def test_three_failures_for_good_suspend_an_address_until_its_owner_says_otherwise(ada: User) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    for number in range(2):
        assert report(verp, number).reason == "A delivery report: failed 5.1.1"
    assert mailed(ada, "second").state == Outgoing.State.SENT
    assert selectors.suspended(ada) is None
    report(verp, 2)

    rests = selectors.suspended(ada)
    assert rests is not None
    assert rests.said == "failed 5.1.1"
    stopped = mailed(ada, "third")
    assert (stopped.state, stopped.answer) == (Outgoing.State.CANCELLED, said.RESTS)
    assert mailed(ada, "code", "code").state == Outgoing.State.SENT, "else nobody could sign in to mend it"

    services.resume(ada)
    assert mailed(ada, "fourth").state == Outgoing.State.SENT


def test_soft_failures_and_repeated_reports_do_not_suspend(ada: User) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    for number in range(5):
        report(verp, number, "delayed", "4.2.2")
        report(verp, number, "failed", "4.4.7")
        report(verp, 0)
    assert Mailbox.objects.get().bounces == 1
    assert selectors.suspended(ada) is None


@pytest.mark.parametrize("end", ("\n", "\r\n"))
def test_a_report_about_an_address_beyond_ascii_counts(ada: User, end: str) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    plain = REPORT.format(number=1, action="failed", status="5.1.1").replace("rfc822; ada", "utf-8; ädä")
    raw = plain.replace("message/delivery-status", "message/global-delivery-status").replace("\n", end)
    assert came(verp, raw).reason == "A delivery report: failed 5.1.1"
    assert Mailbox.objects.get().bounces == 1


GMX = """\
From: GMX Mailer Daemon <mailer-daemon@gmx.example>
Subject: Mail delivery failed: returning message to sender
Message-ID: <{number}@gmx.example>
Auto-Submitted: auto-replied
X-Failed-Recipients: ada@example.com
Content-Type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

  ada@example.com:
  SMTP error from remote server for RCPT TO command, host: mx.example.com
  reason: 550 Requested action not taken: mailbox unavailable

--- The header of the original message is following. ---
"""
QMAIL = """\
From: MAILER-DAEMON@mx.example.net
Subject: failure notice
Message-ID: <{number}@mx.example.net>

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.com>:
192.0.2.1 does not like recipient.
Remote host said: 550 no such user
Giving up on 192.0.2.1.
"""


@pytest.mark.parametrize("words", (GMX, QMAIL), ids=("gmx", "qmail"))
def test_a_failure_told_in_words_counts_if_a_mail_server_tells_it(ada: User, words: str) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    for number in range(3):
        assert came(verp, words.format(number=number)).reason == "A delivery report: failed"
    assert selectors.suspended(ada) is not None


def test_a_failure_told_in_words_by_anybody_else_does_not_count(ada: User) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    seat = services.spell(services.address_for("echo", 7), "kreml")
    came(seat, GMX.format(number=1))
    came(verp, QMAIL.format(number=2) + "x" * bounces.READ)
    person = GMX.format(number=3).replace("mailer-daemon@gmx.example", "ada@example.com")
    (row,) = services.receive(person.encode(), door="smtp", sender="ada@example.com", recipients=[verp], received=WHEN)
    services.read(row.pk)
    with mock.patch.object(bounces, "all_failures", side_effect=ValueError):
        came(verp, GMX.format(number=4))
    assert not Mailbox.objects.exists()


def test_only_a_report_to_the_address_for_failures_counts(ada: User, ben: User) -> None:
    mailed(ada, "first")
    verp, other = (services.spell(services.address_for("bounce", one.pk), "bounce") for one in (ada, ben))
    seat = services.spell(services.address_for("echo", 7), "kreml")
    for number in range(3):
        report(seat, number)
        report("postspiel@play.example.org", number)
        away = f"From: ada@example.com\nMessage-ID: <{number}@a>\nAuto-Submitted: auto-replied\n\nI am away, 5.1.1."
        assert came(verp, away).verdict == Incoming.Verdict.DROPPED
        person = f"From: ada@example.com\nMessage-ID: <p{number}@a>\n\nbid 3000"
        assert came(verp, person).verdict == Incoming.Verdict.DROPPED
    assert not Mailbox.objects.exists()
    report(other, 0)
    assert Mailbox.objects.get().owner == ben, "the address that it came to says whose mail failed"


@pytest.mark.parametrize("form", ("message/rfc822", "text/rfc822-headers"))
def test_with_a_single_mailbox_a_report_counts_that_returns_our_mail(
    ada: User, ben: User, settings: Settings, form: str
) -> None:
    settings.POSTSPIEL_MAIL_SCHEME = "single"
    sent = mailed(ada, "turn:1")
    assert bouncing.envelope_sender(sent) == "postspiel@play.example.org"

    def returned(number: int, message_id: str) -> Incoming:
        raw = REPORT.format(number=number, action="failed", status="5.1.1")
        part = f"--b\nContent-Type: {form}\n\nMessage-ID: {message_id}\nSubject: x\n\n--b--"
        return came("postspiel@play.example.org", raw.replace("--b--", part))

    guessed = returned(0, f"<{sent.pk}.0123456789abcdef@play.example.org>")
    assert guessed.verdict == Incoming.Verdict.DROPPED
    assert not Mailbox.objects.exists()
    for number in (1, 2, 3):
        assert returned(number, sent.message_id).verdict == Incoming.Verdict.DROPPED
    assert Mailbox.objects.get().owner == ada
    assert bouncing.suspended(ada)


def test_a_broken_report_stops_nothing(ada: User) -> None:
    verp = bouncing.envelope_sender(mailed(ada, "first"))
    broken = REPORT.format(number=1, action="", status="").partition("Reporting")[0]
    assert came(verp, broken).verdict == Incoming.Verdict.DROPPED
    report(verp, 2)
    assert Mailbox.objects.get().bounces == 1


def test_every_mail_to_a_person_names_where_failures_go_and_nobody_can_guess_it(ada: User, ben: User) -> None:
    senders = {bouncing.envelope_sender(mailed(one, f"to {one}")) for one in (ada, ben)}
    assert len(senders) == 2
    assert all(sender.startswith("bounce+") and len(sender.partition("@")[0]) == 33 for sender in senders)
    with transaction.atomic():
        services.queue(event="x", kind="greeting", to="stranger@example.net")
    assert bouncing.envelope_sender(Outgoing.objects.get(event="x")) == "postspiel@play.example.org"
    assert outbox.send(Outgoing.objects.get(event="x").pk)
