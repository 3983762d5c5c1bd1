"""Answers to our mails in the styles of mail programs (`clients`): each style x language x place x form x answer.

What is answered are turn mails as the server writes them, of both titles in both its languages (`sent/`).
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import MIMEPart
from email.policy import SMTP
from functools import cache, cached_property
from html import escape
from itertools import islice, product
from pathlib import Path
from typing import Literal

from games.engine import language as engine
from games.engine import registry
from games.engine.contract import Title
from games.engine.options import complete
from postspiel.mail.reading import mime
from tests.mail.clients import Language, Style

type Place = Literal["top", "bottom", "inline"]
type Form = Literal["text", "html", "both"]

LANGUAGES: tuple[Language, ...] = ("en", "de", "fr")
PLACES: tuple[Place, ...] = ("top", "bottom", "inline")
FORMS: tuple[Form, ...] = ("text", "html", "both")
SENT = Path(__file__).parent / "sent"

GREETINGS: Mapping[Language, tuple[str, str]] = {
    "en": ("Hello,", "Best wishes, Ada"),
    "de": ("Hallo zusammen,", "Viele Grüße, Ada"),
    "fr": ("Bonjour,", "Amitiés, Ada"),
}

INTRIGE: Mapping[str, tuple[str, ...]] = {
    "own": ("send P Yellow", "send S Blue", "done"),
    "german": ("entsende P Gelb", "entsende S an Grün", "fertig"),
    "odd": ("- SEND P to Yellow.", "* entsende s BLAU;", "3. Bribe D \N{EN DASH}2000", "behalte A"),
    "many": (
        *(f"bribe {who} {amount}" for who in "APSD" for amount in (1000, 2000, 4000)),
        *(f"admit {who}" for who in "APSD"),
        *(f"send {who} {where}" for who, where in zip("APSD", ("Yellow", "Green", "Blue", "Red"), strict=True)),
        "verteidige S 4000 max 9000",
        "replace S Green",
        "done",
    ),
    "none": ("I am on a train on Monday, 7 May and think about it.", "No orders from me yet."),
}
LIST = "10 Satin 9 Eisbärski 8 Samowarow 7 Mikrofonow 6 Datschin 5 Schlangestow 4 Traktorow 3 Stempelkow 2 Pelzmützin 1"
KREML: Mapping[str, tuple[str, ...]] = {
    "own": (f"rank {LIST} Rubelow", "done"),
    "german": (f"rangliste {LIST} Tundrow", "kur Aparatschik", "fertig"),
    "odd": ("- bid 7 on Satin.", "* HALTE alle;", "2. schuetze Pelzmuetzin und Eisbärski", "stimme nein zu Satin"),
    "many": (
        "bid 5 on Samowarow when against Satin then stop",
        "bid 7 on Eisbärski when votes no",
        "hold Satin up to 9",
        "halte alle",
        "cure Aparatschik, Permafrostin and Tundrow",
        "säubere Pelzmützin, Ordenskaja, Traktorow, Rubelow, Tundrow, Samowarow und Aktenjew",
        "investigate Tundrow stop after 2",
        "protect Satin, Eisbärski and Kaviarin",
        "vote no on Satin",
        "nominiere Kaviarin",
        "fertig",
    ),
    "none": ("I had no time to look at the lists; on Tuesday I shall.", "Pelzmützin is the best man of them all."),
}


@dataclass(frozen=True)
class Ours:
    """A mail of ours that is answered."""

    raw: bytes
    title: Title[object]
    answers: Mapping[str, tuple[str, ...]]

    @cached_property
    def text(self) -> str:
        """Its plain text."""
        return mime.source(mime.read(self.raw).headers, "text/plain").replace("\r\n", "\n").rstrip("\n")

    @cached_property
    def html(self) -> str:
        """Its HTML."""
        return mime.source(mime.read(self.raw).headers, "text/html").replace("\r\n", "\n")

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The orders that it offers, with the word that ends them."""
        (copy,) = re.findall(r'<pre class="ps-copy"[^>]*>([^<]*)</pre>', self.html)
        return tuple(copy.strip().split("\n"))

    @cached_property
    def spoken(self) -> engine.Language:
        """The order language of its game."""
        return engine.language(self.title, complete(self.title, {}, self.title.about.sizes[-1]))

    def orders(self, lines: Sequence[str]) -> list[str]:
        """What lines say, in the canonical form; they must say it without a mistake."""
        reading = self.spoken.read("\n".join(lines))
        assert not reading.problems, reading.problems
        return [self.spoken.write(one.order, "en") for one in reading.orders]


@cache
def ours(title: str, locale: Literal["en", "de"]) -> Ours:
    """The mail of a first turn, to a player who owes orders."""
    raw = (SENT / f"{title}-{locale}.eml").read_bytes()
    found = Ours(raw, registry.title(title), INTRIGE if title == "intrige" else KREML)
    return Ours(raw, found.title, {**found.answers, "copied": (found.offered[0], found.offered[-1])})


@dataclass(frozen=True)
class Answer:
    """A mail in some style that answers one of ours; `orders` are those that its writer gives."""

    name: str
    raw: bytes
    sent: Ours
    orders: list[str]


def answers(style: Style, titles: Sequence[str] = ("intrige", "kreml"), some: slice = slice(None)) -> Iterator[Answer]:
    """Every answer in a style, or `some`: the others are not written. French players get English mails, for we write
    no French."""
    kinds = (
        (*circumstances, answer, lines)
        for circumstances in product(titles, LANGUAGES, PLACES, FORMS)
        for answer, lines in _answered(circumstances[0], circumstances[1]).answers.items()
    )
    for title, locale, place, form, answer, lines in islice(kinds, some.start, some.stop, some.step):
        sent = _answered(title, locale)
        name = f"{style.name} {title} {locale} {place} {form} {answer}"
        yield Answer(name, write(style, locale, place, form, sent, lines), sent, sent.orders(lines))


def _answered(title: str, locale: Language) -> Ours:
    return ours(title, "de" if locale == "de" else "en")


def write(style: Style, locale: Language, place: Place, form: Form, sent: Ours, lines: Sequence[str]) -> bytes:
    """One mail that answers `sent` with these lines."""
    mail = MIMEPart(policy=SMTP)
    mail["From"] = "Ada <ada@example.com>"
    mail["Subject"] = "Re: Turn 3"
    mail["Message-ID"] = "<answer@example.com>"
    if form == "text":
        _set(mail, _text(style, locale, place, sent, lines), style, "plain")
    elif form == "html":
        _set(mail, _html(style, locale, place, sent, lines), style, "html")
    else:
        mail["Content-Type"] = "multipart/alternative"
        for text, kind in (
            (_text(style, locale, place, sent, lines), "plain"),
            (_html(style, locale, place, sent, lines), "html"),
        ):
            part = MIMEPart(policy=SMTP)
            _set(part, text, style, kind)
            mail.attach(part)
    return mail.as_bytes()


def _set(part: MIMEPart, text: str, style: Style, kind: str) -> None:
    fits, encoding = style.charset, style.encoding
    try:
        text.encode(fits)
    except UnicodeEncodeError:
        fits = "utf-8"
    if encoding == "7bit" or (style.charset == "us-ascii" and fits == "utf-8"):
        encoding = "quoted-printable"
    if fits == "us-ascii":
        encoding = "7bit"
    part.set_content(text, subtype=kind, charset=fits, cte=encoding)
    if style.flowed and kind == "plain":
        part.set_param("format", "flowed")


def _answer(locale: Language, lines: Sequence[str]) -> list[str]:
    hello, bye = GREETINGS[locale]
    return [hello, "", *lines, "", bye]


def _signature(style: Style, locale: Language) -> list[str]:
    return style.signature[locale].split("\n") if locale in style.signature else []


def _text(style: Style, locale: Language, place: Place, sent: Ours, lines: Sequence[str]) -> str:
    intro = style.intro[locale].split("\n") + ([""] if style.blank_after_intro else [])
    middle = sent.text.split("\n").index(sent.offered[-1]) + 1
    first, second = (_quoted(style, part) for part in (sent.text.split("\n")[:middle], sent.text.split("\n")[middle:]))
    signature = _signature(style, locale)
    signed = ["", *signature] if signature else []
    own = [piece for line in _answer(locale, lines) for piece in _own(style, line)]
    page = {
        "top": [*own, *signed, "", *intro, *first, *second],
        "bottom": [*intro, *first, *second, "", *own, *signed],
        "inline": [*intro, *first, "", *own, "", *second, *signed],
    }[place]
    return "\n".join(page) + "\n"


def _own(style: Style, line: str) -> list[str]:
    if style.flowed:
        return _flowed(line)
    return textwrap.wrap(line, style.own_width, break_long_words=False) or [""] if style.own_width else [line]


def _flowed(line: str) -> list[str]:
    """A paragraph in lines of which all but the last end with a space; a line must not begin with one, or ">"."""
    pieces = textwrap.wrap(line, 70, break_long_words=False, break_on_hyphens=False) or [""]
    return ["-- " if line == "-- " else piece + " " for piece in pieces[:-1]] + pieces[-1:]


def _quoted(style: Style, lines: Sequence[str]) -> list[str]:
    quoted: list[str] = []
    for line in lines:
        if style.flowed:
            wrapped = _flowed(line)
        elif style.width:
            wrapped = textwrap.wrap(line, style.width, break_long_words=style.breaks_marks) or [""]
        else:
            wrapped = [line]
        prefix = style.prefix or ""
        for number, piece in enumerate(wrapped):
            marked = prefix if not (number and style.breaks_marks) else ""
            quoted.append((marked + piece) if piece else marked.rstrip())
    return quoted


def _html(style: Style, locale: Language, place: Place, sent: Ours, lines: Sequence[str]) -> str:
    own = "".join(style.line.format(escape(line) or "<br>") for line in _answer(locale, lines))
    intro = style.html_intro.get(locale) or style.line.format(escape(style.intro[locale]).replace("\n", "<br>"))
    signature = "".join(style.line.format(escape(line)) for line in _signature(style, locale))
    first, second = _halves(sent.html)
    opened, closed = style.html_open, style.html_close
    body = {
        "top": f"{own}{signature}<br>{intro}{opened}{_whole(sent.html)}{closed}",
        "bottom": f"{intro}{opened}{_whole(sent.html)}{closed}<br>{own}{signature}",
        "inline": f"{intro}{opened}{first}{closed}{own}{opened}{second}{closed}{signature}",
    }[place]
    return f"<html><head></head><body>{body}</body></html>"


def _whole(html: str) -> str:
    return re.sub(r"(?s)^.*<body[^>]*>|</body>.*$", "", html)


@cache
def _halves(html: str) -> tuple[str, str]:
    """What a program quotes above and below an answer behind the orders that we offer, all tags closed in each."""
    body = _whole(html)
    middle = re.search(r'<pre class="ps-copy"[^>]*>[^<]*</pre>', body)
    assert middle
    around: list[tuple[str, str]] = []
    for tag in re.finditer(r"<(/?)(\w+)[^>]*>", body[: middle.end()]):
        if tag[1]:
            around.pop()
        elif tag[2] not in {"br", "hr", "img", "meta", "input"}:
            around.append((tag[0], tag[2]))
    closing = "".join(f"</{name}>" for _tag, name in reversed(around))
    opening = "".join(tag for tag, _name in around)
    return body[: middle.end()] + closing, opening + body[middle.end() :]
