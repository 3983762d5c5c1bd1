"""The demo's players: a process of their own that knows only what arrives by mail.

``python -m postspiel.config.demo.players`` reads its part as JSON from standard input (see ``Part``), listens as the
players' mail server, and answers each turn's mail through the door like anybody's mail program. Of the project it uses
the titles' bots and their language, which a human player has in his head. What to decide comes from the file with the
position that a turn's mail carries, where to answer from its Reply-To. It reports each step as a line of JSON and, when
it is told to stop, what was never answered or was refused against its intent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import smtplib
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, make_msgid
from random import Random
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from games.engine.contract import Locale, Sheet, Title
from games.engine.language import language
from games.engine.registry import title
from games.engine.sheets import missing
from postspiel.config.demo.quoting import STYLES, Quoted

DONE: dict[Locale, str] = {"en": "done", "de": "fertig"}
REFUSED = ("What was not taken", "Was nicht angenommen wurde")
PROBLEM = re.compile(r"[-\s]*(Line|Zeile) \d+")
NOTHING: dict[Locale, str] = {"en": "nothing", "de": "nichts"}


@dataclass(frozen=True)
class Part:
    """What the players are told at the start: ports on loopback, the seed, and who they are."""

    mailbox_port: int
    door_port: int
    seed: int
    players: tuple[dict[str, str], ...]


@dataclass
class Player:
    """One address: its language, its bot, and the mails that wait for an answer, by their Message-ID."""

    email: str
    name: str
    locale: Locale
    bot: str
    random: Random
    waiting: dict[str, Answer] = field(default_factory=dict)
    turns: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Answer:
    """An order mail that was sent: what it answered, and what should have been written where it holds a mistake."""

    mail: EmailMessage
    mended: tuple[str, ...] | None = None


class Mailbox:
    """The players' mail server: takes every mail, and hands it to the loop that plays."""

    def __init__(self) -> None:
        self.arrived: asyncio.Queue[tuple[str, bytes | str]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        for recipient in envelope.rcpt_tos:
            self.loop.call_soon_threadsafe(self.arrived.put_nowait, (recipient.lower(), envelope.content or b""))
        return "250 kept"


class Table:
    """All players of the demo around one mailbox."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.random = Random(part.seed)  # noqa: S311 - players play, they keep no secrets
        self.refused: list[str] = []
        self.sent = 0
        self.players = {
            each["email"]: Player(
                each["email"],
                each["name"],
                _locale(each["locale"]),
                each["bot"],
                Random(f"{part.seed}/{each['email']}"),  # noqa: S311
            )
            for each in part.players
        }

    def receive(self, recipient: str, raw: bytes | str) -> None:
        """Answer a turn's mail; check a receipt off; let everything else lie."""
        player = self.players[recipient]
        mail = message_from_bytes(raw if isinstance(raw, bytes) else raw.encode(), policy=policy.default)
        answer = player.waiting.pop(str(mail.get("In-Reply-To", "")).strip(), None)
        position = _position(mail)
        _tell("received", to=recipient, subject=str(mail["Subject"]), receipt=answer is not None)
        if answer is not None:
            self._check(player, answer, mail)
        elif position is not None and position["turn"] not in player.turns:
            player.turns.add(position["turn"])
            self._play(player, mail, position)

    def _play(self, player: Player, mail: EmailMessage, position: dict[str, Any]) -> None:
        lines = _orders(player, position)
        if lines is None:
            return
        written = (*(lines or (NOTHING[player.locale],)), DONE[player.locale])
        if lines and self.random.random() < 0.1:
            # Nobody answers the same slip twice an hour, and a whole game of the demo takes less.
            remark = f"# {position['turn']}"
            self._send(player, mail, (_spoiled(lines[0], self.random), *lines[1:], remark), mended=written)
        else:
            self._send(player, mail, written)

    def _check(self, player: Player, answer: Answer, receipt: EmailMessage) -> None:
        """A receipt names problems by line; those that were not meant count, those that were meant are mended."""
        complaint = _complaint(_text(receipt))
        if answer.mended is not None:
            if not complaint:
                self.refused.append(f"a mistake was not named to {player.email}: {receipt['Subject']}")
            self._send(player, answer.mail, answer.mended)
        elif complaint:
            self.refused.append(f"{player.email}: {complaint}")

    def _send(
        self, player: Player, mail: EmailMessage, lines: tuple[str, ...], mended: tuple[str, ...] | None = None
    ) -> None:
        reply = _reply(player, mail, self._body("\n".join(lines), mail))
        player.waiting[str(reply["Message-ID"])] = Answer(mail, mended)
        self.hand_over(player, reply)
        self.sent += 1
        _tell("sent", by=player.email, lines=list(lines), mistake=mended is not None)

    def hand_over(self, player: Player, reply: EmailMessage) -> None:
        """Bring a mail to the server's door."""
        with smtplib.SMTP("127.0.0.1", self.part.door_port, timeout=30) as door:
            door.send_message(reply, from_addr=player.email, to_addrs=[str(reply["To"])])

    def _body(self, answer: str, mail: EmailMessage) -> str:
        if self.random.random() >= 0.2:
            return answer + "\n"
        quoted = Quoted(str(mail["From"]), str(mail["Date"]), str(mail["Subject"]), _text(mail))
        return self.random.choice(STYLES)(answer, quoted)

    def summary(self) -> dict[str, Any]:
        """What was sent, what was refused against the intent, what never got a receipt."""
        open_ones = [f"{p.email}: {a.mail['Subject']}" for p in self.players.values() for a in p.waiting.values()]
        return {"sent": self.sent, "refused": self.refused, "unanswered": open_ones}


def _orders(player: Player, position: dict[str, Any]) -> tuple[str, ...] | None:
    """Return what the player's bot orders in this position, in his language; None if he is not asked.

    Who gives orders, but not what he owes, has to say that there is nothing else, or everybody waits for him.
    """
    game: Title[Any] = title(position["title"])
    seen = game.load(json.dumps(position["state"]).encode(), position["rules"])
    if all(ask.early for ask in game.asks(seen, position["seat"])):
        return None
    sheet: Sheet = game.bots[player.bot](seen, position["seat"], player.random)
    words = language(game, position["options"])
    owed = any(ask.must for ask in missing(game, seen, position["seat"], sheet))
    rest = (NOTHING[player.locale],) if sheet and owed else ()
    return (*(words.write(order, player.locale) for order in sheet), *rest)


def _spoiled(line: str, random: Random) -> str:
    """The line with the kind of slip that people make: two letters of the verb swapped, or an odd sum."""
    verb, _, rest = line.partition(" ")
    odd = [word for word in rest.split() if word.isdigit() and len(word) >= 4]
    if odd and random.random() < 0.5:
        return line.replace(odd[0], str(int(odd[0]) + 7), 1)
    swapped = f"{verb[0]}{verb[2]}{verb[1]}{verb[3:]}"
    return f"{swapped if swapped != verb else verb[:-1] + 'x'} {rest}".strip()


def _reply(player: Player, mail: EmailMessage, body: str) -> EmailMessage:
    reply = EmailMessage()
    reply["From"] = formataddr((player.name, player.email))
    reply["To"] = str(mail.get("Reply-To") or mail["From"])
    reply["Subject"] = f"{'AW' if player.locale == 'de' else 'Re'}: {mail['Subject']}"
    reply["Date"] = format_datetime(datetime.now(UTC))
    reply["Message-ID"] = make_msgid(domain=player.email.partition("@")[2])
    reply["In-Reply-To"] = str(mail["Message-ID"])
    reply["References"] = f"{mail.get('References', '')} {mail['Message-ID']}".strip()
    reply.set_content(body)
    return reply


def _position(mail: EmailMessage) -> dict[str, Any] | None:
    for part in mail.iter_attachments():
        if part.get_content_type() == "application/json" and part.get_filename() == "position.json":
            return dict(json.loads(part.get_content()))
    return None


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def _complaint(text: str) -> str:
    """Return the first line that a receipt refuses by its number ("- Line 1, ..."), or ""; remarks are none."""
    _, heading, refused = text.partition(next((one for one in REFUSED if one in text), "\0"))
    return next((line for line in refused.splitlines() if PROBLEM.match(line)), "") if heading else ""


def _locale(text: str) -> Locale:
    return "de" if text == "de" else "en"


def _tell(step: str, **data: Any) -> None:
    print(json.dumps({"step": step, **data}, ensure_ascii=False), flush=True)


async def play(part: Part) -> None:
    """Answer mail until told to stop (SIGTERM), then tell the summary."""
    mailbox, table = Mailbox(), Table(part)
    stop = asyncio.Event()
    mailbox.loop.add_signal_handler(signal.SIGTERM, stop.set)
    controller = Controller(mailbox, hostname="127.0.0.1", port=part.mailbox_port)
    controller.start()
    _tell("listening", port=part.mailbox_port)
    ended = asyncio.ensure_future(stop.wait())
    while not ended.done():
        arrival = asyncio.ensure_future(mailbox.arrived.get())
        await asyncio.wait({arrival, ended}, return_when=asyncio.FIRST_COMPLETED)
        if arrival.done():
            await asyncio.to_thread(table.receive, *arrival.result())
        else:
            arrival.cancel()
    controller.stop()
    _tell("ended", **table.summary())


if __name__ == "__main__":
    told = json.load(sys.stdin)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(play(Part(**{**told, "players": tuple(told["players"])})))
