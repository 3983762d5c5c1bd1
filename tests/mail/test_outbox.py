"""The outbox: one mail for one cause, written once, sent once, retried, given up."""

import email
import smtplib
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.policy import default
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.core import mail as django_mail
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.config import environment
from postspiel.mail import bell, outbox, selectors, services
from postspiel.mail.models import Address, Outgoing
from tests.mail import kinds

pytestmark = pytest.mark.django_db

State = Outgoing.State


def written(**fields: Any) -> Outgoing:
    fields = {"event": "turn:1", "kind": "greeting", "to": "ada@example.com", **fields}
    services.queue(**fields)
    return Outgoing.objects.get(event=fields["event"])


def again(row: Outgoing) -> Outgoing:
    return Outgoing.objects.get(pk=row.pk)


def read(row: Outgoing) -> Any:
    return email.message_from_bytes(bytes(row.raw or b""), policy=default)


class Server:
    """Stands where `smtplib.SMTP` stands: answers as told, and keeps what it took."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.taken: list[tuple[str, bytes]] = []
        self.opened = self.closed = 0
        self._to = ""

    def __call__(self, *args: Any, **kwargs: Any) -> "Server":
        self.opened += 1
        return self

    def _next(self) -> Any:
        answer = self.answers.pop(0) if self.answers else (250, b"Ok")
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ehlo_or_helo_if_needed(self) -> None: ...

    def login(self, username: str, password: str) -> None:
        self._next()

    def mail(self, sender: str, options: list[str]) -> tuple[int, bytes]:
        assert sender == "postspiel@play.example.org" or sender.startswith("bounce+")
        return 250, b"Ok"

    def rcpt(self, to: str) -> tuple[int, bytes]:
        self._to = to
        answer: tuple[int, bytes] = self._next()
        return answer

    def data(self, raw: bytes) -> tuple[int, bytes]:
        self.taken.append((self._to, raw))
        return 250, b"Queued as 17"

    def rset(self) -> None: ...

    def quit(self) -> None:
        self.closed += 1


@pytest.fixture
def server() -> Iterator[Callable[..., Server]]:
    options = environment.smtp(urlsplit("smtp://mail.example.org"))
    with pytest.MonkeyPatch.context() as patch, override_settings(POSTSPIEL_SMTP=options):

        def start(*answers: Any) -> Server:
            running = Server(*answers)
            patch.setattr(smtplib, "SMTP", running)
            return running

        yield start


def test_one_cause_mails_nobody_twice(ada: User, ben: User) -> None:
    for user in (ada, ben, ada):
        services.queue(event="turn:1", kind="greeting", recipient=user)

    assert sorted(Outgoing.objects.values_list("to", flat=True)) == ["ada@example.com", "ben@example.com"]


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_queued_with_what_causes_it_or_not_at_all() -> None:
    with pytest.raises(RuntimeError):
        services.queue(event="turn:1", kind="greeting", to="ada@example.com")
    with transaction.atomic():
        services.queue(event="turn:1", kind="greeting", to="ada@example.com")
        assert Outgoing.objects.exists()
        transaction.set_rollback(True)
    assert not Outgoing.objects.exists()


def test_an_unknown_kind_is_refused_where_it_is_caused() -> None:
    with pytest.raises(KeyError):
        services.queue(event="turn:1", kind="grating", to="ada@example.com")


def test_the_queue_is_rung_after_the_commit_and_may_be_down(
    django_capture_on_commit_callbacks: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with mock.patch("postspiel.mail.bell.current_app.send_task", side_effect=OSError("no broker")) as rung:
        with django_capture_on_commit_callbacks(execute=True):
            row = written()
            bell.flush()
            assert not rung.called
        bell.flush()
        shown = {"argsrepr": f"({row.pk},)", "kwargsrepr": "{}"}
        rung.assert_called_once_with("mail.send", (row.pk,), retry=False, ignore_result=True, **shown)

    assert "the sweep will see to them" in caplog.text
    services.sweep()
    assert again(row).state == State.SENT


def test_a_mail_is_written_in_its_readers_language_and_zone(ada: User, ben: User) -> None:
    for user in (ada, ben):
        services.queue(event="turn:1", kind="greeting", recipient=user)
    services.sweep()

    texts = [read(row).get_content() for row in Outgoing.objects.order_by("to")]
    assert "Europe/Berlin de" in texts[0]
    assert "America/New_York en" in texts[1]


def test_heads_say_who_answers_where_and_that_a_machine_wrote(ada: User, address: Address) -> None:
    first = written(recipient=ada, to="", address=address, thread="game-7", data={"sender": "Kreml, “Rot”"})
    services.send(first.pk)
    second = written(event="turn:2", recipient=ada, address=address, thread="game-7", in_reply_to="<q@example.com>")
    services.send(second.pk)

    one, two = read(again(first)), read(again(second))
    token_address = services.spell(address, "kreml12")
    assert one["From"].addresses[0].addr_spec == one["Reply-To"].addresses[0].addr_spec == token_address
    assert one["From"].addresses[0].display_name == "Kreml, “Rot”"
    assert two["From"].addresses[0].display_name == "Postspiel"
    assert one["Subject"] == "Grüße aus Köln"
    assert one["Auto-Submitted"] == "auto-generated"
    assert one["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert one["Postspiel-Instance"] == "play.example.org"
    root = "<game-7.thread@play.example.org>"
    assert one["References"] == root
    assert two["References"].split() == [root, again(first).message_id, "<q@example.com>"]
    assert two["In-Reply-To"] == "<q@example.com>"


def test_text_html_and_files_are_one_mail_of_short_lines(ada: User) -> None:
    data: dict[str, Any] = {"text": "Zug 1: " + "weiß " * 300, "html": "<p>Zug 1</p>", "file": True}
    row = written(data=data)
    services.send(row.pk)

    mail = read(again(row))
    assert mail.get_content_type() == "multipart/mixed"
    assert mail.get_body(("plain",)).get_content().strip() == data["text"].strip()
    assert mail.get_body(("html",)).get_content().strip() == "<p>Zug 1</p>"
    assert [(part.get_filename(), part.get_content()) for part in mail.iter_attachments()] == [("liste.txt", "1\n2\n")]
    assert max(map(len, bytes(again(row).raw or b"").split(b"\r\n"))) <= 78
    opened = selectors.opened(again(row))
    assert opened.html.strip() == "<p>Zug 1</p>"
    assert opened.attachments[0].content == b"1\n2\n"
    assert dict(opened.headers)["To"] == "ada@example.com"


def test_no_name_or_subject_adds_a_line_to_the_head(ada: User) -> None:
    row = written(data={"subject": "Hi\r\nBcc: all@example.com", "sender": 'Eve\n"Bcc: all@example.com'})
    services.send(row.pk)

    assert read(again(row))["Bcc"] is None
    assert read(again(row))["Subject"] == "Hi Bcc: all@example.com"


def test_without_a_server_mails_stay_in_the_postbox(ada: User) -> None:
    row = written(recipient=ada, to="")

    assert services.send(row.pk)
    kept = again(row)
    assert (kept.state, kept.answer) == (State.SENT, "Kept in the postbox.")
    assert list(selectors.postbox("Köln")) == list(selectors.postbox()) == [kept]
    assert selectors.mail_state(selectors.mails_to(ada)[0]).state == State.SENT
    assert not services.send(row.pk)


def test_a_round_of_mails_uses_one_connection(server: Callable[..., Server]) -> None:
    running = server()
    for number in range(5):
        written(event=f"turn:{number}")

    assert services.send_due() == 5
    assert (running.opened, running.closed, len(running.taken)) == (1, 1, 5)
    assert Outgoing.objects.filter(state=State.SENT, answer="250 Queued as 17").count() == 5


def test_a_passing_trouble_is_tried_again_with_the_same_bytes(server: Callable[..., Server]) -> None:
    running = server((451, b"come\nback later"), smtplib.SMTPServerDisconnected("gone"))
    row = written()
    assert not services.send(row.pk)
    waiting = again(row)
    assert (waiting.state, waiting.answer, waiting.attempts) == (State.QUEUED, "451 come back later", 1)
    assert waiting.due > timezone.now()
    assert not services.send(row.pk), "it is not due yet"

    for _ in range(2):
        Outgoing.objects.update(due=timezone.now())
        services.send(row.pk)
    done = again(row)
    assert (done.state, done.attempts, kinds.rendered) == (State.SENT, 3, [row.pk])
    assert [raw for _, raw in running.taken] == [bytes(waiting.raw or b"")]
    assert done.message_id == waiting.message_id != ""


def test_pauses_grow_until_a_mail_is_given_up_loudly(
    server: Callable[..., Server], caplog: pytest.LogCaptureFixture
) -> None:
    server(*[(421, b"busy")] * 50)
    row, pauses = written(), []
    while again(row).state == State.QUEUED:
        services.send(row.pk)
        pauses.append(again(row).due - timezone.now())
        Outgoing.objects.update(due=timezone.now())

    assert len(pauses) == len(outbox.PAUSES) + 1
    assert pauses[:-1] == sorted(pauses[:-1])
    assert (again(row).state, again(row).answer) == (State.FAILED, "421 busy")
    assert "is given up: 421 busy" in caplog.text


def test_a_refused_reader_is_final_but_a_refused_host_is_not(server: Callable[..., Server]) -> None:
    server((550, b"no such user"))
    row = written()
    services.send(row.pk)
    assert (again(row).state, again(row).answer) == (State.FAILED, "550 no such user")

    with mock.patch("postspiel.mail.wire._client", side_effect=smtplib.SMTPAuthenticationError(535, b"bad password")):
        other = written(event="turn:2")
        services.send(other.pk)
    assert again(other).state == State.QUEUED
    assert "bad password" in again(other).answer


def test_a_server_that_is_away_ends_the_round(server: Callable[..., Server]) -> None:
    for number in range(3):
        written(event=f"turn:{number}")
    with mock.patch("postspiel.mail.wire._client", side_effect=ConnectionRefusedError("refused")) as tried:
        assert services.send_due() == 0

    assert tried.call_count == 1
    assert sorted(Outgoing.objects.values_list("attempts", flat=True)) == [0, 0, 1]


def test_a_mail_that_is_no_longer_due_is_cancelled_before_it_is_written() -> None:
    unwanted = written(kind="reminder", data={"wanted": False})
    wanted = written(event="turn:2", kind="reminder", data={"wanted": True})
    services.sweep()

    assert again(unwanted).state == State.CANCELLED
    assert again(wanted).state == State.SENT
    assert kinds.rendered == [wanted.pk]


def test_a_mail_that_cannot_be_written_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    bad = written(kind="broken", priority=1)
    good = written(event="turn:2")
    services.sweep()

    assert (again(bad).state, again(bad).attempts) == (State.QUEUED, 1)
    assert again(bad).answer == "This server could not write the mail."
    assert again(good).state == State.SENT
    assert "no such turn" in caplog.text


def test_a_mail_for_later_waits() -> None:
    row = written(due=timezone.now() + timedelta(hours=1))
    services.sweep()
    assert again(row).state == State.QUEUED


def test_a_claim_that_was_lost_reports_nothing_and_the_mail_goes_out_with_the_same_bytes() -> None:
    row = written()
    killed = outbox._Claim.take(row.pk)
    assert killed is not None
    assert killed._write()
    before = again(row)
    services.sweep()
    assert again(row).state == State.SENDING, "the claim still holds"

    Outgoing.objects.update(claimed=timezone.now() - outbox.LEASE - timedelta(seconds=1))
    services.sweep()
    after = again(row)
    assert (after.state, after.attempts) == (State.SENT, 2)
    assert (after.message_id, bytes(after.raw or b"")) == (before.message_id, bytes(before.raw or b""))
    assert not killed.give_up("too late")
    assert again(row).state == State.SENT


def test_a_mail_whose_every_attempt_breaks_off_is_given_up() -> None:
    row = written()
    long_ago = timezone.now() - outbox.LEASE * 2
    Outgoing.objects.update(state=State.SENDING, claim=20, claimed=long_ago, attempts=len(outbox.PAUSES) + 1)
    services.sweep()
    assert again(row).state == State.FAILED


def test_codes_go_first_and_are_erased_once_sent(server: Callable[..., Server]) -> None:
    running = server()
    written()
    with override_settings(MAILERS={"default": {"BACKEND": "postspiel.mail.backend.OutboxBackend"}}):
        django_mail.EmailMultiAlternatives(
            "Sign in", "Your code is 123456", to=["ada@example.com"], alternatives=[("<b>123456</b>", "text/html")]
        ).send()
    services.sweep()

    assert b"123456" in running.taken[0][1]
    code = Outgoing.objects.get(kind="django")
    assert (code.state, code.raw, code.texts, code.data) == (State.SENT, None, "", {})
    assert code.subject == "Sign in"
    assert selectors.opened(code).gone
    assert "123456" not in everything_kept()


def test_the_postbox_shows_a_code_for_an_hour() -> None:
    row = written(kind="code", data={"text": "123456"})
    services.sweep()
    assert "123456" in selectors.opened(again(row)).text

    Outgoing.objects.update(created=timezone.now() - timedelta(hours=1, minutes=1))
    assert "123456" in everything_kept()
    services.sweep()
    assert "123456" not in everything_kept()
    assert (again(row).raw, again(row).texts, again(row).state) == (None, "", State.SENT)


def everything_kept() -> str:
    """All columns of all mails, as text."""
    rows = Outgoing.objects.values()
    return "".join(
        str(bytes(value) if isinstance(value, memoryview) else value) for one in rows for value in one.values()
    )


def test_djangos_own_tests_still_find_mail_in_its_outbox() -> None:
    django_mail.send_mail("Hi", "text", None, ["ada@example.com"])
    assert len(django_mail.outbox) == 1
    assert not Outgoing.objects.exists()
