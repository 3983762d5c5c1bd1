"""The checker: reads the database and the sink's folder, and nothing else.

Each turn was resolved exactly once and to what its sheets say, each mail was delivered once or twice with one
Message-ID and the same bytes, each order mail that the door took was read, and no sheet was lost.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

from games.engine import turns as engine
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import positions, turns
from postspiel.play.models import Game, Hold, Sheet, Submission, Turn
from postspiel.play.sheets import understood_of
from tests.chaos.players import TAKEN


def check(sink: Path) -> tuple[dict[str, int], list[str]]:
    """What was counted, and every fault as a sentence."""
    delivered = _delivered(sink)
    taken = (sink / TAKEN).read_text().split() if (sink / TAKEN).exists() else []
    counts = {
        "games": Game.objects.count(),
        "turns resolved": Turn.objects.filter(status=Turn.Status.DONE, number__gt=0).count(),
        "turns held back": Hold.objects.count(),
        "sheets handed in": Sheet.objects.exclude(digest="").count(),
        "order mails taken": len(taken),
        "order mails read": Incoming.objects.filter(state=Incoming.State.READ).count(),
        "mails written": Outgoing.objects.count(),
        "mails delivered": len(delivered),
        "mails delivered twice": sum(len(copies) == 2 for copies in delivered.values()),
    }
    return counts, [*_turns(), *_mails(delivered), *_letters(taken), *_sheets()]


def _delivered(sink: Path) -> dict[str, list[bytes]]:
    copies = defaultdict(list)
    for path in sink.glob("*.eml"):
        raw = path.read_bytes()
        copies[str(message_from_bytes(raw)["Message-ID"]).strip()].append(raw)
    return copies


def _turns() -> Iterator[str]:
    for game in Game.objects.exclude(status=Game.Status.OPEN):
        played = list(Turn.objects.filter(game=game).select_related("game").order_by("number"))
        if [turn.number for turn in played] != list(range(len(played))):
            yield f"{game}: turns {[turn.number for turn in played]}"
        if sum(turn.status == Turn.Status.OPEN for turn in played) != (game.status == Game.Status.RUNNING):
            yield f"{game}: is {game.status} with turns {[turn.status for turn in played]}"
        yield from _replayed(game, played)


def _replayed(game: Game, played: list[Turn]) -> Iterator[str]:
    """Each turn leads from its state and its sheets to the next one's state, and told its events once."""
    hashes = [turn.state_hash for turn in played[1:]]
    if game.status == Game.Status.ENDED:
        hashes.append(engine.state_hash(positions.final_state_of(game)))
    for turn, after in zip(played[1:], hashes[1:], strict=False):
        step = turns.resolve(turn, list(turn.sheets.select_related("seat")))
        if engine.state_hash(step.state) != after:
            yield f"{game}: turn {turn.number} does not lead to the next one"
        if [event.index for event in turn.events.order_by("index")] != list(range(len(step.events))):
            yield f"{game}: turn {turn.number} did not tell its events once"


def _mails(delivered: dict[str, list[bytes]]) -> Iterator[str]:
    rows = {row.message_id: row for row in Outgoing.objects.defer("raw")}
    for row in rows.values():
        copies = delivered.get(row.message_id, [])
        if row.state == Outgoing.State.SENT and not 1 <= len(copies) <= 2:
            yield f"{row} was delivered {len(copies)} times"
        elif row.state not in {Outgoing.State.SENT, Outgoing.State.CANCELLED}:
            yield f"{row} never left: {row.answer}"
        if len(set(copies)) > 1:
            yield f"{row} was delivered in two versions"
    yield from (f"{name} was delivered and is no mail of ours" for name in delivered.keys() - rows.keys())


def _letters(taken: list[str]) -> Iterator[str]:
    kept = Counter(Incoming.objects.values_list("message_id", flat=True))
    yield from (f"the door took {name} and {kept[name]} are kept" for name in taken if kept[name] != 1)
    for row in Incoming.objects.exclude(state=Incoming.State.READ):
        yield f"{row} was not read: {row.reason}"
    receipts = Counter(Outgoing.objects.filter(kind="receipt").values_list("data__submission", flat=True))
    for submission in Submission.objects.filter(door=Submission.Door.MAIL):
        if receipts[submission.pk] != 1:
            yield f"{submission} has {receipts[submission.pk]} receipts"
    orders = (Incoming.Verdict.ACCEPTED, Incoming.Verdict.PARTIAL)
    for letter in Incoming.objects.filter(verdict__in=orders, submission=None):
        yield f"{letter} left no submission"


def _sheets() -> Iterator[str]:
    """The sheet is what the last one that was accepted said it would be."""
    last = {(one.turn_id, one.seat_id): one for one in Submission.objects.filter(applied=True).order_by("pk")}
    for (turn, seat), submission in last.items():
        understood, sheet = understood_of(submission), Sheet.objects.get(turn=turn, seat=seat)
        if understood.digest != sheet.digest or understood.sheet != positions.sheet_of(sheet):
            yield f"{submission} is not on its sheet"
