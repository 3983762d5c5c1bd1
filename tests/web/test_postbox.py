"""The postbox: it shows mails as they were sent, and answers them as their readers do."""

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.config.kinds import MAIL_KINDS
from postspiel.mail import services as mail
from postspiel.mail.letters import Attachment, Letter
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.selectors import opened
from postspiel.web import postbox, wording
from tests.people import signed_in

HTML = "<h1 style='color:red'>Turn 3</h1><script>alert(1)</script>"


def letter(outgoing: Outgoing) -> Letter:
    return Letter("Turn 3: your move", "Round 2\n\nsend A Red\ndone\n", HTML, (Attachment("../map.html", b"<b>"),))


@pytest.fixture
def sent(settings: object, hugo: User, paul: User) -> Outgoing:
    """A turn mail to Paul that lies in the postbox."""
    settings.MAIL_KINDS = {**settings.MAIL_KINDS, "turn": {"render": f"{__name__}.letter"}}  # type: ignore[attr-defined]
    address = mail.address_for("seat", 77)
    mail.queue(event="turn:1:77", kind="turn", recipient=paul, object_id=77, address=address)
    row = Outgoing.objects.get()
    mail.send(row.pk)
    row.refresh_from_db()
    return row


def test_mails_are_listed_and_found(sent: Outgoing, hugo: User) -> None:
    client, address = signed_in(hugo), reverse("postbox")

    assert "Turn 3: your move" in client.get(address).content.decode()
    assert "Turn 3: your move" in client.get(f"{address}?search=paul@").content.decode()
    assert "Turn 3: your move" not in client.get(f"{address}?search=olga@").content.decode()


def test_a_mails_html_is_locked_in(sent: Outgoing, hugo: User) -> None:
    page = signed_in(hugo).get(reverse("postbox-mail", args=[sent.pk])).content.decode()
    frame = signed_in(hugo).get(reverse("postbox-html", args=[sent.pk]))

    assert "alert(1)" not in page
    assert 'sandbox=""' in page
    assert frame.content.decode().strip() == HTML
    policy = frame.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script-src" not in policy


def test_a_file_is_only_saved(sent: Outgoing, hugo: User) -> None:
    file = signed_in(hugo).get(reverse("postbox-file", args=[sent.pk, 0]))

    assert file.content == b"<b>"
    assert file.headers["Content-Disposition"] == 'attachment; filename="0-.._map.html"'
    assert signed_in(hugo).get(reverse("postbox-file", args=[sent.pk, 1])).status_code == 404


def test_an_answer_is_threaded_and_quoted(sent: Outgoing) -> None:
    answer = postbox.reply(opened(sent), "paul@example.org", "send A Blue\ndone\n", timezone.now())

    heads = dict(opened(sent).headers)
    assert answer["To"].addresses[0].addr_spec == heads["Reply-To"].rpartition("<")[2].rstrip(">")
    assert answer["Subject"] == "Re: Turn 3: your move"
    assert answer["In-Reply-To"] == sent.message_id
    text = answer.get_content()
    assert text.startswith("send A Blue\ndone\n\nOn ")
    assert "> send A Red" in text


def test_a_closed_door_is_told_and_loses_no_text(sent: Outgoing, hugo: User, settings: object) -> None:
    settings.POSTSPIEL_MAIL_LISTEN = "127.0.0.1:9"  # type: ignore[attr-defined]

    answer = signed_in(hugo).post(reverse("postbox-answer", args=[sent.pk]), {"text": "send A Blue"})

    assert "did not take it" in answer.content.decode()
    assert "send A Blue" in answer.content.decode()
    assert not Incoming.objects.exists()


def test_the_readers_own_page_tells_state_and_no_text(sent: Outgoing, paul: User) -> None:
    page = signed_in(paul).get(reverse("my-mails")).content.decode()

    assert "Turn 3: your move" in page
    assert "send A Red" not in page


def test_a_mail_without_a_subject_yet_is_called_by_its_kind(paul: User) -> None:
    with transaction.atomic():
        mail.queue(event="x", kind="reminder", recipient=paul)
    assert "a reminder" in signed_in(paul).get(reverse("my-mails")).content.decode()


@pytest.mark.pure
def test_every_kind_of_mail_has_a_name() -> None:
    assert set(MAIL_KINDS) == set(wording.MAIL_NAMES)
