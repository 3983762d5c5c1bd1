"""The checker of the chaos run finds what it is there for: each planted fault is named."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import services
from postspiel.play.models import Event, Game, Sheet, Turn
from tests.chaos.checking import check
from tests.chaos.players import TAKEN
from tests.chaos.sink import keep
from tests.play_helpers import seed_for_red, seeded

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def sink(tmp_path: Path) -> Path:
    """A game after its first turn, all of its mails delivered, and one order mail read."""
    with time_machine.travel(NOW, tick=False):
        person = User.objects.create_user("ada@example.org")
        game = services.create_game(
            organiser=person, title="intrige", name="Chaos", size=3, options={}, schedule=services.Schedule()
        )
        seeded(game, seed_for_red(game))
        seat = services.join_game(game=game, player=person)
        for _seat in range(2):
            services.seat_bot(game=game, index=None, bot="random")
        handed = services.hand_in(seat=seat, text="nothing", door="form", writer=person, received=timezone.now())
        assert handed.verdict == "accepted"
        Turn.objects.filter(status=Turn.Status.OPEN).update(due=timezone.now(), deadline=timezone.now())
        assert services.advance(game.turns.get(number=1).pk)
    for row in Outgoing.objects.all():
        Outgoing.objects.filter(pk=row.pk).update(state=Outgoing.State.SENT, message_id=f"<{row.pk}@x>")
        _deliver(tmp_path, f"<{row.pk}@x>")
    _letter("<one@people>")
    (tmp_path / TAKEN).write_text("<one@people>\n")
    return tmp_path


def _deliver(sink: Path, name: str, text: str = "turn") -> None:
    mail = EmailMessage()
    mail["Message-ID"] = name
    mail.set_content(text)
    keep(sink, mail.as_bytes())


def _letter(name: str) -> None:
    Incoming.objects.create(
        door="smtp",
        recipient="x@example.org",
        raw=b"",
        message_id=name,
        digest="",
        received=NOW,
        due=NOW,
        state=Incoming.State.READ,
        verdict=Incoming.Verdict.DROPPED,
    )


def test_a_sound_run_has_no_fault(sink: Path) -> None:
    counts, faults = check(sink)

    assert faults == []
    assert (counts["games"], counts["turns resolved"], counts["order mails taken"]) == (1, 1, 1)
    assert counts["mails delivered"] == counts["mails written"] > 1


def test_a_mail_may_come_twice_but_not_thrice(sink: Path) -> None:
    name = Outgoing.objects.latest("pk").message_id
    _deliver(sink, name)
    assert check(sink)[1] == []
    _deliver(sink, name)
    assert "delivered 3 times" in check(sink)[1][0]


PLANTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a mail that never came": (lambda sink: next(sink.glob("*.eml")).unlink(), "delivered 0 times"),
    "a mail in two versions": (
        lambda sink: _deliver(sink, Outgoing.objects.latest("pk").message_id, "another turn"),
        "in two versions",
    ),
    "a mail that waits": (
        lambda _sink: Outgoing.objects.filter(pk=Outgoing.objects.latest("pk").pk).update(state="queued"),
        "never left",
    ),
    "a mail of nobody": (lambda sink: _deliver(sink, "<foreign@x>"), "no mail of ours"),
    "a letter that got lost": (lambda _sink: Incoming.objects.all().delete(), "0 are kept"),
    "a letter in work": (lambda _sink: Incoming.objects.update(state="reading"), "was not read"),
    "orders without a trace": (lambda _sink: Incoming.objects.update(verdict="accepted"), "left no submission"),
    "a turn that is missing": (lambda _sink: Turn.objects.filter(number=2).update(number=3), "turns [0, 1, 3]"),
    "a game that stopped": (lambda _sink: Turn.objects.filter(number=2).update(status="done"), "is running"),
    "another position": (
        lambda _sink: Turn.objects.filter(number=2).update(state_hash="0" * 64),
        "does not lead to the next one",
    ),
    "events told twice": (
        lambda _sink: Event.objects.create(turn=Turn.objects.get(number=1), index=99, kind="x"),
        "did not tell its events once",
    ),
    "a sheet that was lost": (lambda _sink: Sheet.objects.exclude(digest="").update(digest=""), "not on its sheet"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_every_planted_fault_is_named(fault: str, sink: Path) -> None:
    plant, sentence = PLANTED[fault]
    plant(sink)

    faults = check(sink)[1]
    assert any(sentence in one for one in faults), faults
    assert Game.objects.count() == 1
