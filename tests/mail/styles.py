# ruff: noqa: E501 - lines are as long as mail programs make them
"""Mail programs as data: how each introduces, marks, breaks and wraps what it quotes; and mails in their styles.

Written from how such mails look; no mail of anybody's is in here.
"""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import MIMEPart
from email.policy import SMTP
from html import escape
from itertools import product
from typing import Literal

type Language = Literal["en", "de", "fr"]
type Place = Literal["top", "bottom", "inline"]
type Form = Literal["text", "html", "both"]

TEXT = """\
Intrige "Winter Palace", turn 3 of 8. You are Blue.

Your cash is 4200. The market opened on Monday, 7 May 2029 with prices between 900 and 3000, and the harbour office
https://play.example.org/games/q7w8e9r0t1y2u3i4o5p6/turns/3/position-and-all-that-belongs-to-it is open again.

Area      Price  Owner
Harbour   1800   Red
Market    2400   nobody

You may still give these orders:

  bid 1800 harbour
  pay Red 200
  move clerk to market
  done

Answer this mail to give orders. Deadline: Tuesday, 8 May 2029, 20:00 (Europe/Berlin).
--\N{SPACE}
Postspiel, https://play.example.org/
"""

HTML = """\
<html><head><title>Turn 3</title><style>td { padding: 2px }</style></head><body>
<h1>Intrige "Winter Palace", turn 3 of 8. You are Blue.</h1>
<p>Your cash is 4200. The market opened on Monday, 7 May 2029 with prices between 900 and 3000, and the harbour office
<a href="https://play.example.org/">is open again</a>.</p>
<table><tr><th>Area</th><th>Price</th><th>Owner</th></tr>
<tr><td>Harbour</td><td>1800</td><td>Red</td></tr><tr><td>Market</td><td>2400</td><td>nobody</td></tr></table>
<p>You may still give these orders:</p>
<pre>bid 1800 harbour
pay Red 200
move clerk to market
done</pre>
<p>Answer this mail to give orders. Deadline: Tuesday, 8 May 2029, 20:00 (Europe/Berlin).</p>
</body></html>
"""

ANSWERS: Mapping[str, tuple[str, ...]] = {
    "own": ("bid 2600 market", "pay Green 150", "done"),
    "copied": ("bid 1800 harbour", "done"),
    "german": ("biete 2600 markt", "fertig"),
    "on": ("move boat to harbour on turn 5", "done"),
}
"""Orders as a player writes them; "copied" are some of those that our mail offers."""

GREETINGS: Mapping[Language, tuple[str, str]] = {
    "en": ("Hello,", "Best wishes, Ada"),
    "de": ("Hallo zusammen,", "Viele Grüße, Ada"),
    "fr": ("Bonjour,", "Amitiés, Ada"),
}


@dataclass(frozen=True)
class Style:
    """One mail program. `intro` lines stand before the quotation; `prefix` None quotes without marks."""

    name: str
    intro: Mapping[Language, str]
    prefix: str | None = "> "
    width: int = 0
    breaks_marks: bool = False
    blank_after_intro: bool = False
    html_open: str = "<blockquote>"
    html_close: str = "</blockquote>"
    html_intro: Mapping[Language, str] = field(default_factory=dict)
    line: str = "<div>{}</div>"
    signature: Mapping[Language, str] = field(default_factory=dict)
    charset: str = "utf-8"
    encoding: str = "quoted-printable"
    flowed: bool = False


_WROTE: Mapping[Language, str] = {
    "en": "On Mon, 7 May 2029 at 10:12, Intrige <play+token@play.example.org> wrote:",
    "de": "Am Mo., 7. Mai 2029 um 10:12 Uhr schrieb Intrige <play+token@play.example.org>:",
    "fr": "Le lun. 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :",
}
_OUTLOOK: Mapping[Language, str] = {
    "en": "From: Intrige <play+token@play.example.org>\nSent: Monday, 7 May 2029 10:12\n"
    "To: Ada <ada@example.com>\nSubject: Turn 3",
    "de": "Von: Intrige <play+token@play.example.org>\nGesendet: Montag, 7. Mai 2029 10:12\n"
    "An: Ada <ada@example.com>\nBetreff: Turn 3",
    "fr": "De : Intrige <play+token@play.example.org>\nEnvoyé : lundi 7 mai 2029 10:12\n"
    "À : Ada <ada@example.com>\nObjet : Turn 3",
}


def _each(of: Mapping[Language, str], form: str) -> dict[Language, str]:
    return {language: form.format(text) for language, text in of.items()}


def _outlook_html(of: Mapping[Language, str], label: str) -> dict[Language, str]:
    def row(line: str) -> str:
        name, _, rest = escape(line).partition(":")
        return label.format(name) + rest + "<br>"

    return {language: "".join(map(row, text.split("\n"))) for language, text in of.items()}


STYLES = (
    Style(
        "gmail",
        _WROTE,
        width=76,
        breaks_marks=True,
        html_open='<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">',
        html_intro=_each({k: escape(v) for k, v in _WROTE.items()}, '<div dir="ltr" class="gmail_attr">{}<br></div>'),
    ),
    Style(
        "gmail phone",
        {
            "en": "On Mon, 7 May 2029, 10:12 Intrige, <play+token@play.example.org> wrote:",
            "de": "Intrige <play+token@play.example.org> schrieb am Mo., 7. Mai 2029, 10:12:",
            "fr": "Le lun. 7 mai 2029, 10:12, Intrige <play+token@play.example.org> a\u00a0écrit\u00a0:",
        },
        width=76,
        blank_after_intro=True,
        line='<p dir="ltr">{}</p>',
    ),
    Style(
        "apple mail",
        {
            "en": "On 7. May 2029, at 10:12, Intrige <play+token@play.example.org> wrote:",
            "de": "Am 07.05.2029 um 10:12 schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :",
        },
        prefix="> ",
        blank_after_intro=True,
        html_open='<blockquote type="cite">',
        html_intro=_each({k: escape(v) for k, v in _WROTE.items()}, '<blockquote type="cite"><div>{}</div></blockquote>'),
        encoding="8bit",
    ),
    Style(
        "iphone",
        {
            "en": "> On 7. May 2029, at 10:12, Intrige <play+token@play.example.org> wrote:\n>",
            "de": "> Am 07.05.2029 um 10:12 schrieb Intrige <play+token@play.example.org>:\n>",
            "fr": "> Le 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :\n>",
        },
        html_open='<blockquote type="cite">',
        signature={"en": "Sent from my iPhone", "de": "Von meinem iPhone gesendet", "fr": "Envoyé de mon iPhone"},
    ),
    Style(
        "outlook desktop",
        _OUTLOOK,
        prefix=None,
        blank_after_intro=True,
        line='<p class="MsoNormal">{}<o:p></o:p></p>',
        html_open="<div>",
        html_close="</div>",
        html_intro=_each(
            _outlook_html(_OUTLOOK, "<b>{}:</b>"),
            '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">{}</p></div>',
        ),
        charset="windows-1252",
    ),
    Style(
        "outlook classic",
        {
            "en": "-----Original Message-----\n" + _OUTLOOK["en"],
            "de": "-----Ursprüngliche Nachricht-----\n" + _OUTLOOK["de"],
            "fr": "-----Message d'origine-----\n" + _OUTLOOK["fr"],
        },
        prefix=None,
        width=74,
        blank_after_intro=True,
        charset="iso-8859-1",
    ),
    Style(
        "outlook web",
        _each(_OUTLOOK, "________________________________\n{}"),
        prefix=None,
        blank_after_intro=True,
        html_open='<div id="divRplyFwdMsg">',
        html_close="</div>",
        html_intro=_outlook_html(_OUTLOOK, "<b>{}:</b>"),
    ),
    Style(
        "outlook phone",
        _each(_OUTLOOK, "________________________________\n{}"),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Get Outlook for iOS",
            "de": "Holen Sie sich Outlook für iOS",
            "fr": "Téléchargez Outlook pour iOS",
        },
        html_open="<div>",
        html_close="</div>",
        html_intro=_outlook_html(_OUTLOOK, "<b>{}:</b>"),
    ),
    Style(
        "thunderbird",
        {
            "en": "On 07.05.29 10:12, Intrige wrote:",
            "de": "Am 07.05.29 um 10:12 schrieb Intrige:",
            "fr": "Le 07/05/2029 à 10:12, Intrige a écrit :",
        },
        prefix="> ",
        flowed=True,
        html_open='<blockquote type="cite" cite="mid:1@play.example.org">',
        html_intro={
            "en": '<div class="moz-cite-prefix">On 07.05.29 10:12, Intrige wrote:<br></div>',
            "de": '<div class="moz-cite-prefix">Am 07.05.29 um 10:12 schrieb Intrige:<br></div>',
            "fr": '<div class="moz-cite-prefix">Le 07/05/2029 à 10:12, Intrige a écrit :<br></div>',
        },
        line="<p>{}</p>",
    ),
    Style(
        "k-9",
        {
            "en": 'On 7 May 2029 10:12:00 CEST, "Intrige (turn 3)" <play+token@play.example.org> wrote:',
            "de": 'Am 7. Mai 2029 10:12:00 MESZ schrieb "Intrige (turn 3)" <play+token@play.example.org>:',
            "fr": 'Le 7 mai 2029 10:12:00 GMT+02:00, "Intrige (turn 3)" <play+token@play.example.org> a écrit :',
        },
        prefix=">",
        width=72,
        signature={
            "en": "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
            "de": "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
            "fr": "Envoyé de mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté.",
        },
    ),
    Style(
        "yahoo",
        {
            "en": "On Monday, May 7, 2029 at 10:12:00 AM GMT+2, Intrige <play+token@play.example.org> wrote:",
            "de": "Am Montag, 7. Mai 2029 um 10:12:00 MESZ hat Intrige <play+token@play.example.org>\n Folgendes geschrieben:",
            "fr": "Le lundi 7 mai 2029 à 10:12:00 UTC+2, Intrige <play+token@play.example.org> a écrit :",
        },
        prefix=None,
        blank_after_intro=True,
        html_open='<div id="yahoo_quoted_1" class="yahoo_quoted">',
        html_close="</div>",
    ),
    Style(
        "proton",
        {
            "en": "On Monday, May 7th, 2029 at 10:12 AM, Intrige <play+token@play.example.org> wrote:\n",
            "de": "Intrige <play+token@play.example.org> schrieb am Montag, 7. Mai 2029 um 10:12:\n",
            "fr": "Le lundi 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :\n",
        },
        signature={"en": "Sent with Proton Mail secure email.", "de": "Mit Proton Mail gesendet.", "fr": "Envoyé avec la messagerie Proton Mail."},
        html_open='<blockquote class="protonmail_quote" type="cite">',
    ),
    Style(
        "gmx",
        {
            "en": "Sent: Monday, May 07, 2029 at 10:12 AM\nFrom: Intrige <play+token@play.example.org>\nTo: ada@example.com\nSubject: Turn 3",
            "de": "Gesendet: Montag, 7. Mai 2029 um 10:12 Uhr\nVon: Intrige <play+token@play.example.org>\nAn: ada@example.com\nBetreff: Turn 3",
            "fr": "Envoyé: lundi 7 mai 2029 à 10:12\nDe: Intrige <play+token@play.example.org>\nÀ: ada@example.com\nObjet: Turn 3",
        },
        prefix=None,
    ),
    Style("mutt", {k: v.replace(" at ", " ").replace(" um ", " ") for k, v in _WROTE.items()}, charset="us-ascii"),
    Style("initials", _WROTE, prefix="IN> ", width=70),
    Style("pipe", _WROTE, prefix="| ", charset="iso-8859-15"),
    Style("lotus", dict(_OUTLOOK), prefix=None, blank_after_intro=True, width=60),
    Style("no mark at all", {"en": "", "de": "", "fr": ""}, prefix=None),
    Style(
        "wrapped intro",
        {
            "en": "On Mon, 7 May 2029 at 10:12, Intrige \"Winter Palace\" turn 3 <\nplay+token@play.example.org>\nwrote:",
            "de": "Am Mo., 7. Mai 2029 um 10:12 Uhr schrieb Intrige \"Winter Palace\" <\nplay+token@play.example.org\n>:",
            "fr": "Le lun. 7 mai 2029 à 10:12, Intrige \"Winter Palace\" <\nplay+token@play.example.org> a\nécrit :",
        },
        width=60,
        breaks_marks=True,
    ),
)  # fmt: skip


def mails(style: Style) -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """Every mail of a style: a name, the bytes, and the orders in its new text."""
    languages: tuple[Language, ...] = ("en", "de", "fr")
    places: tuple[Place, ...] = ("top", "bottom", "inline")
    forms: tuple[Form, ...] = ("text", "html", "both")
    for language, place, form, answer in product(languages, places, forms, ANSWERS):
        yield (
            f"{style.name} {language} {place} {form} {answer}",
            write(style, language, place, form, answer),
            ANSWERS[answer],
        )


def write(style: Style, language: Language, place: Place, form: Form, answer: str) -> bytes:
    """One mail: an answer to `TEXT` and `HTML`."""
    mail = MIMEPart(policy=SMTP)
    mail["From"] = "Ada <ada@example.com>"
    mail["Subject"] = "Re: Turn 3"
    mail["Message-ID"] = "<answer@example.com>"
    if form == "text":
        _set(mail, _text(style, language, place, answer), style, "plain")
    elif form == "html":
        _set(mail, _html(style, language, place, answer), style, "html")
    else:
        mail["Content-Type"] = "multipart/alternative"
        for text, kind in (
            (_text(style, language, place, answer), "plain"),
            (_html(style, language, place, answer), "html"),
        ):
            part = MIMEPart(policy=SMTP)
            _set(part, text, style, kind)
            mail.attach(part)
    return mail.as_bytes()


def _set(part: MIMEPart, text: str, style: Style, kind: str) -> None:
    fits = style.charset
    try:
        text.encode(fits)
    except UnicodeEncodeError:
        fits = "utf-8"
    part.set_content(text, subtype=kind, charset=fits, cte=style.encoding if fits != "us-ascii" else "7bit")
    if style.flowed and kind == "plain":
        part.set_param("format", "flowed")


def _answer(language: Language, answer: str) -> list[str]:
    hello, bye = GREETINGS[language]
    return [hello, "", *ANSWERS[answer], "", bye]


def _text(style: Style, language: Language, place: Place, answer: str) -> str:
    intro = style.intro[language].split("\n") + ([""] if style.blank_after_intro else [])
    first, second = _halves(_quoted(style))
    signature = ["", style.signature[language]] if language in style.signature else []
    own = _answer(language, answer)
    lines = {
        "top": [*own, *signature, "", *intro, *first, *second],
        "bottom": [*intro, *first, *second, "", *own, *signature],
        "inline": [*intro, *first, "", *own, "", *second, *signature],
    }[place]
    return "\n".join(lines) + "\n"


def _quoted(style: Style) -> list[str]:
    quoted: list[str] = []
    for line in TEXT.rstrip("\n").split("\n"):
        if style.flowed:
            wrapped = [piece + " " for piece in textwrap.wrap(line, 70, break_long_words=False)] or [""]
            wrapped[-1] = wrapped[-1].rstrip()
        elif style.width:
            wrapped = textwrap.wrap(line, style.width, break_long_words=style.breaks_marks) or [""]
        else:
            wrapped = [line]
        prefix = style.prefix or ""
        for number, piece in enumerate(wrapped):
            marked = prefix if not (number and style.breaks_marks) else ""
            quoted.append((marked + piece) if piece else marked.rstrip())
    return quoted


def _halves(lines: list[str]) -> tuple[list[str], list[str]]:
    middle = next(number for number, line in enumerate(lines) if "You may still give" in line) + 1
    return lines[:middle], lines[middle:]


def _html(style: Style, language: Language, place: Place, answer: str) -> str:
    own = "".join(style.line.format(escape(line) or "<br>") for line in _answer(language, answer))
    intro = style.html_intro.get(language) or style.line.format(escape(style.intro[language]).replace("\n", "<br>"))
    signature = style.line.format(escape(style.signature[language])) if language in style.signature else ""
    first, second = HTML.split("<p>You may still give these orders:</p>")
    first = first[first.index("<h1>") :] + "<p>You may still give these orders:</p>"
    second = second.partition("</body>")[0]
    opened, closed = style.html_open, style.html_close
    body = {
        "top": f"{own}{signature}<br>{intro}{opened}{first}{second}{closed}",
        "bottom": f"{intro}{opened}{first}{second}{closed}<br>{own}{signature}",
        "inline": f"{intro}{opened}{first}{closed}{own}{opened}{second}{closed}{signature}",
    }[place]
    return f"<html><head></head><body>{body}</body></html>"
