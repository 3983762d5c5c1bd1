"""A server that has run for a while is brought up to date, and what it sent before is still known in answers."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from postspiel.mail import inbox
from postspiel.mail.models import Outgoing

KEPT_AS_JSON = ("mail", "0009_texts_that_answers_quote")
RAW = b"Content-Type: text/plain; charset=utf-8\r\n\r\nYour  ORDERS are due.\r\n"


def migrated(to: tuple[str, str]) -> MigrationExecutor:
    executor = MigrationExecutor(connection)
    executor.migrate([to])
    return MigrationExecutor(connection)


@pytest.fixture
def before(transactional_db: None) -> Iterator[MigrationExecutor]:
    """A database in which the texts of our mails are kept as JSON."""
    (newest,) = MigrationExecutor(connection).loader.graph.leaf_nodes("mail")
    yield migrated(KEPT_AS_JSON)
    migrated(newest)


def test_texts_that_were_kept_as_json_are_read_again_from_the_mail(before: MigrationExecutor) -> None:
    (newest,) = before.loader.graph.leaf_nodes("mail")
    now = timezone.now()
    old = before.loader.project_state([KEPT_AS_JSON]).apps.get_model("mail", "Outgoing")
    texts = {"one": ["Your  ORDERS are due."], "other": None}
    for event, kept in texts.items():
        old.objects.create(event=event, kind="turn", to="a@example.org", raw=RAW, texts=kept, created=now, due=now)
    migrated(newest)
    for row in Outgoing.objects.all():
        assert row.texts == ""
        assert inbox._texts({row.pk: row.texts}) == ("your orders are due.",)
    Outgoing.objects.create(event="new", kind="turn", to="a@example.org", texts="a text", created=now, due=now)
