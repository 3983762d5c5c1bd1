"""Queries whose SQL is written once find what the same query finds, and can be told apart from others."""

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Address, Outgoing
from postspiel.mail.prepared import Prepared

pytestmark = pytest.mark.django_db

to = Prepared(
    lambda word, pk: Outgoing.objects.select_related("recipient", "address").filter(event=word).exclude(pk=pk)
)


def mail(event: str, user: User | None = None, address: Address | None = None) -> Outgoing:
    now = timezone.now()
    data = {"number": 7, "word": "mark 7000000000000"}
    return Outgoing.objects.create(
        event=event, to=event, kind="x", recipient=user, address=address, created=now, due=now, data=data, raw=b"\0\xff"
    )


def test_rows_become_objects_with_all_that_belongs_to_them() -> None:
    ada = User.objects.create_user("ada@example.org")
    address = Address.objects.create(kind="seat", object_id=2**40, digest="d")
    sent = mail("a'%s", ada, address)
    alone = mail("b")
    (found,), (other,) = to(sent.event, 0), to("b", 0)
    fresh = Outgoing.objects.get(pk=sent.pk)
    with CaptureQueriesContext(connection) as queries:
        assert (found.recipient, found.address, other.recipient, other.address) == (ada, address, None, None)
    assert not queries
    assert {name: getattr(found, name) for name in ("created", "data", "state", "to")} == {
        name: getattr(fresh, name) for name in ("created", "data", "state", "to")
    }
    assert bytes(found.raw or b"") == b"\0\xff"
    assert to(sent.event, sent.pk) == to("nothing", 0) == []
    assert to.first("b", 0) == alone
    assert to.first("b", alone.pk) is None


def test_one_query_takes_any_number_of_arguments_and_may_ask_for_columns() -> None:
    events = Prepared(
        lambda *words: Outgoing.objects.filter(event__in=words).order_by("-pk").values_list("event", "data")[:2]
    )
    for event in "abc":
        mail(event)
    assert [event for event, _ in events("a")] == ["a"]
    assert [event for event, _ in events("a", "b", "c")] == ["c", "b"]
    assert events("b")[0][1]["number"] == 7


def test_what_is_no_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="no parameters"):
        Prepared(lambda word, _forgotten: Outgoing.objects.filter(event=word))("a", "b")


@pytest.mark.django_db(transaction=True)
def test_threads_use_their_own_connections() -> None:
    mail("a")
    assert len(to("a", 0)) == 1
    seen: list[int] = []

    def look() -> None:
        with CaptureQueriesContext(connection) as queries:
            to("a", 0)
        seen.append(len(queries))
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [1]
