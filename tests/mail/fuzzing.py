"""Mails with damage (`make fuzz-mail`): letters of `cases/` and some of each style, changed at random.

No mail may raise, take a second or much memory, or bring an order that is no unquoted line of its own text.
"""

import time
from collections import Counter
from pathlib import Path
from random import Random

from games.engine import registry
from games.engine.contract import Title
from postspiel.mail.explaining import Explanation, explain
from postspiel.mail.reading import broken, caps, mime
from postspiel.mail.reading.plain import lines_of, tidy
from tests.mail import clients, styles

PROGRESS = 10_000
CASES = Path(__file__).parent / "cases"
SECONDS = 1.0
STYLES = tuple(enumerate(clients.OPEN))
KINDS = 162
"""So many answers to one title's mails each style has. One of each style is damaged, all of different kinds."""
BROKEN = range(2, broken.PIECES + 1)
PIECES = (
    b"> ", b">> ", b"| ", b"-- ", b"\r", b"\0", b"\xff", b"=C2=A0", b"=\n", b"=?utf-8?q?=0A?=", b"--b1", b"--b1--",
    b"\n\n", b"Content-Type: message/rfc822\n", b"Content-Type: multipart/mixed; boundary=b1\n", b"charset=utf-16",
    b"charset=x", b"Content-Transfer-Encoding: base64\n", b"format=flowed", b"<blockquote>", b"</div>", b"<pre>",
    b"&nbsp;", b"On Mon, 1 Jun 2026 at 08:00, Carnival <x@y> wrote:\n", b"-----Original Message-----\n",
    b"From: a\nTo: b\nSubject: c\n",
    b"bribe A 1000\n", b"> bribe S 3000\n", b"done\n", b"\xe2\x80\xa8", b"\xc2\xad", b"\xe2\x80\x8b",
    b"Sent from my iPhone\n",
)  # fmt: skip


def corpus() -> list[bytes]:
    """The letters that are damaged."""
    letters = [path.read_bytes() for path in sorted(CASES.glob("[0-9]*.eml"))]
    in_styles = (next(styles.answers(style, ("intrige",), slice(at * 37 % KINDS, None))) for at, style in STYLES)
    return letters + [answer.raw for answer in in_styles]


def damaged(letters: list[bytes], rng: Random) -> bytes:
    """A letter with one to six changes."""
    raw = rng.choice(letters)
    for _change in range(rng.randint(1, 6)):
        raw = rng.choice((_bytes, _piece, _lines, _quoting, _spliced))(raw, letters, rng)
    return raw


def _bytes(raw: bytes, letters: list[bytes], rng: Random) -> bytes:
    at = rng.randint(0, len(raw))
    return raw[:at] + rng.randbytes(rng.randint(0, 4)) + raw[at + rng.randint(0, 8) :]


def _piece(raw: bytes, letters: list[bytes], rng: Random) -> bytes:
    at = rng.choice((raw.find(b"\n", rng.randint(0, len(raw))) + 1, rng.randint(0, len(raw))))
    return raw[:at] + rng.choice(PIECES) + raw[at:]


def _lines(raw: bytes, letters: list[bytes], rng: Random) -> bytes:
    """Lines dropped, doubled, or moved."""
    lines = raw.split(b"\n")
    start = rng.randrange(len(lines))
    some = lines[start : start + rng.randint(1, 12)]
    rest = lines[:start] + lines[start + len(some) :]
    to = rng.randint(0, len(rest))
    return b"\n".join(rest[:to] + some * rng.randint(0, 3) + rest[to:])


def _quoting(raw: bytes, letters: list[bytes], rng: Random) -> bytes:
    """Quote marks put before some lines, or taken away."""
    lines = raw.split(b"\n")
    start = rng.randrange(len(lines))
    for at in range(start, min(start + rng.randint(1, 30), len(lines))):
        lines[at] = lines[at].removeprefix(b"> ") if lines[at].startswith(b"> ") else b"> " + lines[at]
    return b"\n".join(lines)


def _spliced(raw: bytes, letters: list[bytes], rng: Random) -> bytes:
    other = rng.choice(letters)
    return raw[: rng.randint(0, len(raw))] + other[rng.randint(0, len(other)) :]


def checked(raw: bytes, sent: list[bytes], title: Title[object]) -> Explanation:
    """Read a mail and check what must hold of every one."""
    started = time.process_time()
    found = explain(raw, answering=sent, title=title)
    took = time.process_time() - started
    assert took < SECONDS, f"It took {took:.2f} s."
    assert not found.reason.startswith("The reader failed"), found.reason
    if found.orders:
        _must_be_its_own(raw, found)
    return found


def _must_be_its_own(raw: bytes, found: Explanation) -> None:
    """Every order is a line of the new text, and that a line of the mail without a quote mark, or some, joined."""
    try:
        lines = [line[: caps.LINE].rstrip(" ") for line in lines_of(tidy(mime.read(raw).text))]
    except caps.TooMuch:
        raise AssertionError("A mail that is put aside has no orders.") from None
    there = {*lines, *(" ".join(map(str.strip, lines[at : at + n])) for n in BROKEN for at in range(len(lines)))}
    new = lines_of(found.new_text)
    for order in found.orders:
        line = new[order.line - 1]
        assert line in there or f">{line}" in there, line
        assert not line.startswith(">"), line


def run(count: int, seed: int = 0) -> Counter[str]:
    """Read so many mails; how many had which verdict."""
    letters, title = corpus(), registry.title("intrige")
    sent = [(CASES / "sent.eml").read_bytes(), styles.ours("intrige", "en").raw, styles.ours("intrige", "de").raw]
    verdicts: Counter[str] = Counter()
    for number in range(seed, seed + count):
        raw = damaged(letters, Random(number))
        try:
            verdicts[checked(raw, sent, title).verdict] += 1
            if sum(verdicts.values()) % PROGRESS == 0:
                print(f"{sum(verdicts.values())} mails: {dict(verdicts)}", flush=True)
        except BaseException:
            print(f"Mail {number}:\n{raw!r}")
            raise
    return verdicts
