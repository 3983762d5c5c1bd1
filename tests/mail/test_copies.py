"""One mail to many readers: written at once, once, and in as many statements as for one reader."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from postspiel.accounts.models import User
from postspiel.mail import services
from postspiel.mail.models import Outgoing

pytestmark = pytest.mark.django_db


def copies(event: str, count: int) -> list[services.Copy]:
    found = []
    for number in range(count):
        reader, _ = User.objects.get_or_create(email=f"reader{number}@example.org")
        found.append(services.Copy(f"{event}:{number}", reader, number, services.address_for("seat", number)))
    return found


def test_the_same_copies_twice_mail_nobody_twice() -> None:
    services.queue_copies(copies("turn:1", 2), kind="stuck", data={"turn": 1}, thread="game:x")
    services.queue_copies(copies("turn:1", 3), kind="stuck", data={"turn": 1}, thread="game:x")

    rows = Outgoing.objects.order_by("event")
    assert [(row.event, row.to, row.object_id) for row in rows] == [
        (f"turn:1:{number}", f"reader{number}@example.org", number) for number in range(3)
    ]
    assert {(row.kind, row.state, row.thread, row.data["turn"]) for row in rows} == {("stuck", "queued", "game:x", 1)}
    assert all(row.address is not None and row.address.object_id == row.object_id for row in rows)


def test_many_readers_cost_no_more_statements_than_one() -> None:
    def cost(event: str, count: int) -> int:
        given = copies(event, count)
        with CaptureQueriesContext(connection) as found:
            services.queue_copies(given, kind="stuck", data={}, thread="")
        return len(found)

    assert cost("one", 1) == cost("six", 6) == 2
    assert cost("none", 0) == 0


@pytest.mark.parametrize("kind", ("nonsense", ""))
def test_a_kind_that_nobody_renders_is_refused(kind: str) -> None:
    with pytest.raises(KeyError):
        services.queue_copies(copies("x", 1), kind=kind, data={}, thread="")
    assert not Outgoing.objects.exists()
