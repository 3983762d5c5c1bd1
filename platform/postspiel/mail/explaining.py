"""What the server would make of a mail, without doing it: the very reader of real mail, on a file.

Who wrote it, to whom, and which game it is about is not asked: that needs rows, and this touches none.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from games.engine.contract import Title
from games.engine.language import Language, Reading, language, line_problem_text, reading_of
from games.engine.options import complete
from postspiel.mail.models import Incoming
from postspiel.mail.reading import Judged, caps, comparable, judge, mime
from postspiel.mail.reading.automatic import why_automatic
from postspiel.mail.reading.bounces import Bounce, bounces_in
from postspiel.mail.reading.judging import DOUBTS, UNREADABLE

Verdict = Incoming.Verdict


class Line(Struct, frozen=True):
    """An order: the number of its line in the new text, and its canonical English form."""

    line: int
    text: str


class Trouble(Struct, frozen=True):
    """A line that means to be an order and is none: as it stands there, why, and a right line near it ("": none)."""

    line: int
    text: str
    reason: str
    suggestion: str = ""


class Explanation(Struct, frozen=True):
    """What becomes of a mail. `automatic`: no person wrote it; `bounce`: the failed deliveries that it reports."""

    verdict: str
    reason: str = ""
    new_text: str = ""
    orders: tuple[Line, ...] = ()
    problems: tuple[Trouble, ...] = ()
    ignored: str = ""
    automatic: bool = False
    bounce: tuple[Bounce, ...] | None = None


def explain(raw: bytes, *, answering: Sequence[bytes] = (), title: Title[Any] | None = None) -> Explanation:
    """Read a mail as one that came in. `answering` are the mails of ours that it may quote; never raises.

    Without a `title` no line counts as an order, and reading stops at the new text.
    """
    try:
        return _explained(raw, answering, title)
    except caps.TooMuch as error:
        return Explanation(Verdict.QUARANTINED, str(error))
    except Exception as error:  # a real mail would wait as "stuck" for somebody to look
        return Explanation(Verdict.QUARANTINED, f"The reader failed: {type(error).__name__}.")


def _explained(raw: bytes, answering: Sequence[bytes], title: Title[Any] | None) -> Explanation:
    mail = mime.read(raw)
    automatic = why_automatic(mail, envelope_sender=mime.return_path(raw))
    if automatic:
        return Explanation(Verdict.DROPPED, automatic, automatic=True, bounce=bounces_in(mail) or None)
    spoken = language(title, complete(title, {}, title.about.sizes[-1])) if title else None
    sent = [comparable(text) for one in answering for text in mime.texts(one)]
    return _told(judge(mail, sent, spoken), spoken)


def _told(judged: Judged, spoken: Language | None) -> Explanation:
    reading = reading_of(judged.new.text, spoken) if spoken and not judged.unreadable else Reading()
    verdict, reason = _verdict(judged, reading, spoken)
    return Explanation(
        verdict,
        reason,
        new_text=judged.new.text,
        orders=tuple(Line(one.line, spoken.write(one.order, "en")) for one in reading.orders) if spoken else (),
        problems=tuple(
            Trouble(one.line, one.text, line_problem_text(one, "en"), one.suggestion or "") for one in reading.problems
        ),
        ignored=judged.new.ignored,
    )


def _verdict(judged: Judged, reading: Reading, spoken: Language | None) -> tuple[Verdict, str]:
    if judged.unreadable:
        return Verdict.REJECTED, UNREADABLE[judged.unreadable]
    if judged.doubt:
        return Verdict.HELD, DOUBTS[judged.doubt]
    if not reading.orders and not reading.controls and (spoken or not judged.new.text.strip()):
        return Verdict.REJECTED, "No line could be taken." if reading.problems else "It has no new orders."
    return (Verdict.PARTIAL, "Some lines could not be taken.") if reading.problems else (Verdict.ACCEPTED, "")
