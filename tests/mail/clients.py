# ruff: noqa: E501 - lines are as long as mail programs make them
"""Mail programs as data: how each introduces, marks, breaks and wraps what it quotes, and what it adds.

Written from how such mails look; no mail of anybody's is in here. A third of the styles (`HELD_BACK`, chosen by the
hashes of their names among those that no reader had met) was not looked at while the reader was made.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal

type Language = Literal["en", "de", "fr"]


@dataclass(frozen=True)
class Style:
    """One mail program.

    `intro` lines stand before the quotation; `prefix` None quotes without marks; `width` is where quoted lines are
    broken, `own_width` where the writer's own lines are (0: nowhere).
    """

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
    own_width: int = 0


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


_FIRST = (
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

_MESSAGE: Mapping[Language, str] = {
    "en": "Original Message",
    "de": "Ursprüngliche Nachricht",
    "fr": "Message d'origine",
}
_DATED: Mapping[Language, str] = {
    "en": "From: Intrige <play+token@play.example.org>\nDate: 07/05/2029 10:12 (GMT+01:00)\n"
    "To: ada@example.com\nSubject: Turn 3",
    "de": "Von: Intrige <play+token@play.example.org>\nDatum: 07.05.29 10:12 (GMT+01:00)\n"
    "An: ada@example.com\nBetreff: Turn 3",
    "fr": "De : Intrige <play+token@play.example.org>\nDate : 07/05/2029 10:12 (GMT+01:00)\n"
    "À : ada@example.com\nObjet : Turn 3",
}


def _ruled(dashes: int, names: Mapping[Language, str], block: Mapping[Language, str]) -> dict[Language, str]:
    """A rule with a name in it, and a block of head lines below it."""
    rule = "-" * dashes
    return {language: f"{rule} {name} {rule}\n{block[language]}" for language, name in names.items()}


_MORE = (
    Style(
        "gmail app",
        {
            "en": "On Mon, 7 May 2029, 10:12 am Intrige, <play+token@play.example.org>\nwrote:",
            "de": "Intrige <play+token@play.example.org> schrieb am Mo., 7. Mai 2029,\n10:12:",
            "fr": "Le lun. 7 mai 2029, 10:12, Intrige <play+token@play.example.org> a\nécrit :",
        },
        width=76,
        own_width=76,
        blank_after_intro=True,
        line='<div dir="auto">{}</div>',
        html_open='<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">',
    ),
    Style(
        "outlook 365",
        _each(_OUTLOOK, "{}"),
        prefix=None,
        blank_after_intro=True,
        line='<div class="elementToProof">{}</div>',
        html_open='<div><hr style="display:inline-block;width:98%">',
        html_close="</div>",
        html_intro=_outlook_html(_OUTLOOK, "<b>{}:</b>"),
    ),
    Style(
        "outlook android",
        _each(_OUTLOOK, "________________________________\n{}"),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Get Outlook for Android<https://aka.ms/AAb9ysg>",
            "de": "Outlook für Android<https://aka.ms/AAb9ysg> beziehen",
            "fr": "Obtenir Outlook pour Android<https://aka.ms/AAb9ysg>",
        },
        html_open='<hr style="display:inline-block;width:98%"><div>',
        html_close="</div>",
        html_intro=_outlook_html(_OUTLOOK, "<strong>{}:</strong>"),
    ),
    Style(
        "outlook mac",
        {
            "en": "From: Intrige <play+token@play.example.org>\nDate: Monday, 7 May 2029 at 10:12\n"
            "To: Ada <ada@example.com>\nSubject: Turn 3",
            "de": "Von: Intrige <play+token@play.example.org>\nDatum: Montag, 7. Mai 2029 um 10:12\n"
            "An: Ada <ada@example.com>\nBetreff: Turn 3",
            "fr": "De : Intrige <play+token@play.example.org>\nDate : lundi, 7 mai 2029 à 10:12\n"
            "À : Ada <ada@example.com>\nObjet : Turn 3",
        },
        prefix=None,
        line='<p class="MsoNormal">{}</p>',
        html_open="<div>",
        html_close="</div>",
    ),
    Style(
        "windows mail",
        _OUTLOOK,
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Sent from Mail for Windows 10",
            "de": "Gesendet von Mail für Windows 10",
            "fr": "Provenance : Courrier pour Windows 10",
        },
        line='<p class="MsoNormal">{}</p>',
        html_open="<div>",
        html_close="</div>",
        html_intro=_outlook_html(_OUTLOOK, "<b>{}: </b>"),
    ),
    Style(
        "windows live mail",
        {
            "en": "From: Intrige\nSent: Monday, May 7, 2029 10:12 AM\nTo: ada@example.com\nSubject: Turn 3",
            "de": "From: Intrige\nSent: Monday, May 7, 2029 10:12 AM\nTo: ada@example.com\nSubject: Turn 3",
            "fr": "From: Intrige\nSent: Monday, May 7, 2029 10:12 AM\nTo: ada@example.com\nSubject: Turn 3",
        },
        width=74,
        prefix=None,
        blank_after_intro=True,
        charset="iso-8859-1",
    ),
    Style(
        "apple mail, answer below",
        {
            "en": "> On 7 May 2029, at 10:12, Intrige <play+token@play.example.org> wrote:\n> ",
            "de": "> Am 07.05.2029 um 10:12 schrieb Intrige <play+token@play.example.org>:\n> ",
            "fr": "> Le 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :\n> ",
        },
        html_open='<blockquote type="cite"><div>',
        html_close="</div></blockquote>",
        line="<div>{}</div>",
        encoding="7bit",
    ),
    Style(
        "ipad",
        {
            "en": "On 7 May 2029, at 10:12, Intrige <play+token@play.example.org> wrote:\n",
            "de": "Am 07.05.2029 um 10:12 schrieb Intrige <play+token@play.example.org>:\n",
            "fr": "Le 7 mai 2029 à 10:12, Intrige <play+token@play.example.org> a écrit :\n",
        },
        prefix="\ufeff> ",
        html_open='<blockquote type="cite">',
        signature={"en": "Sent from my iPad", "de": "Von meinem iPad gesendet", "fr": "Envoyé de mon iPad"},
    ),
    Style(
        "thunderbird, plain",
        {
            "en": "On 5/7/29 10:12 AM, Intrige wrote:",
            "de": "Am 07.05.29 um 10:12 schrieb Intrige:",
            "fr": "Le 07/05/2029 à 10:12, Intrige a écrit\u00a0:",
        },
        flowed=True,
        signature={"en": "-- \nAda Example", "de": "-- \nAda Beispiel\nTel. 030 123456", "fr": "-- \nAda Exemple"},
    ),
    Style(
        "thunderbird, old",
        {"en": "Intrige wrote:", "de": "Intrige schrieb:", "fr": "Intrige a écrit :"},
        width=72,
        charset="iso-8859-15",
    ),
    Style(
        "k-9, html",
        {
            "en": "On 7 May 2029 10:12:00 CEST, Intrige <play+token@play.example.org> wrote:",
            "de": "Am 7. Mai 2029 10:12:00 MESZ schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le 7 mai 2029 10:12:00 GMT+02:00, Intrige <play+token@play.example.org> a écrit :",
        },
        prefix=">",
        html_open='<div class="gmail_quote"><blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex;">',
        html_close="</blockquote></div>",
        line='<div dir="auto">{}</div>',
        signature={
            "en": "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
            "de": "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
            "fr": "-- \nEnvoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.",
        },
    ),
    Style(
        "fairemail",
        {
            "en": "May 7, 2029 10:12:00 AM Intrige <play+token@play.example.org>:",
            "de": "07.05.2029 10:12:00 Intrige <play+token@play.example.org>:",
            "fr": "7 mai 2029 10:12:00 Intrige <play+token@play.example.org> :",
        },
        blank_after_intro=True,
        flowed=True,
        html_open='<blockquote style="margin:0;border-left:3px solid #ccc;padding-left:3px">',
        line='<div style="font-family:sans-serif">{}</div>',
    ),
    Style(
        "samsung mail",
        _ruled(8, {"en": "Original message", "de": "Ursprüngliche Nachricht", "fr": "Message d'origine"}, _DATED),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Sent from my Galaxy",
            "de": "Von meinem/meiner Galaxy gesendet",
            "fr": "Envoyé depuis mon appareil Galaxy",
        },
        html_open="<div>",
        html_close="</div>",
        encoding="base64",
    ),
    Style(
        "samsung mail, old",
        _ruled(8, _MESSAGE, _DATED),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Sent from Samsung tablet.",
            "de": "Von Samsung-Tablet gesendet",
            "fr": "Envoyé depuis un mobile Samsung",
        },
        encoding="base64",
    ),
    Style(
        "huawei mail",
        _ruled(8, _MESSAGE, {
            "en": "Subject: Turn 3\nFrom: Intrige\nTo: ada@example.com\nCC:",
            "de": "Betreff: Turn 3\nVon: Intrige\nAn: ada@example.com\nCc:",
            "fr": "Objet : Turn 3\nDe : Intrige\nÀ : ada@example.com\nCc :",
        }),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Sent from my HUAWEI phone",
            "de": "Von meinem Huawei-Mobiltelefon gesendet",
            "fr": "Envoyé depuis mon téléphone HUAWEI",
        },
    ),
    Style(
        "yahoo app",
        {
            "en": "On Mon, May 7, 2029 at 10:12 AM, Intrige\n<play+token@play.example.org> wrote:",
            "de": "Am Mo., Mai 7, 2029 at 10:12 schrieb Intrige\n<play+token@play.example.org>:",
            "fr": "Le lun., mai 7, 2029 à 10:12, Intrige\n<play+token@play.example.org> a écrit :",
        },
        prefix=None,
        signature={
            "en": "Yahoo Mail: Search, Organize, Conquer",
            "de": "Gesendet von Yahoo Mail auf Android",
            "fr": "Envoyé depuis Yahoo Mail pour Android",
        },
        html_open="<blockquote>",
    ),
    Style(
        "yahoo, old",
        {
            "en": "________________________________\n From: Intrige <play+token@play.example.org>\n"
            "To: Ada <ada@example.com> \nSent: Monday, 7 May 2029, 10:12\nSubject: Turn 3",
            "de": "________________________________\n Von: Intrige <play+token@play.example.org>\n"
            "An: Ada <ada@example.com> \nGesendet: 10:12 Montag, 7.Mai 2029\nBetreff: Turn 3",
            "fr": "________________________________\n De : Intrige <play+token@play.example.org>\n"
            "À : Ada <ada@example.com> \nEnvoyé le : Lundi 7 mai 2029 10h12\nObjet : Turn 3",
        },
        prefix=None,
        blank_after_intro=True,
        charset="iso-8859-1",
    ),
    Style(
        "aol",
        _ruled(5, {"en": "Original Message", "de": "Ursprüngliche Mitteilung", "fr": "E-mail d'origine"}, {
            "en": "From: Intrige <play+token@play.example.org>\nTo: ada <ada@example.com>\n"
            "Sent: Mon, May 7, 2029 10:12 am\nSubject: Turn 3",
            "de": "Von: Intrige <play+token@play.example.org>\nAn: ada <ada@example.com>\n"
            "Verschickt: Mo, 7. Mai. 2029 10:12\nBetreff: Turn 3",
            "fr": "De : Intrige <play+token@play.example.org>\nA : ada <ada@example.com>\n"
            "Envoyé : lun 7 mai 2029 10:12\nSujet : Turn 3",
        }),
        prefix=None,
        width=76,
        blank_after_intro=True,
        html_open='<div style="font-family:arial,helvetica;font-size:10pt;color:black">',
        html_close="</div>",
    ),
    Style(
        "proton, new",
        {
            "en": "-------- Original Message --------\nOn Monday, 05/07/29 at 10:12 Intrige <play+token@play.example.org> wrote:",
            "de": "-------- Originalnachricht --------\nIntrige <play+token@play.example.org> schrieb am Montag, 07.05.29 um 10:12:",
            "fr": "-------- Message d'origine --------\nLe lundi 07/05/29 à 10:12, Intrige <play+token@play.example.org> a écrit :",
        },
        blank_after_intro=True,
        signature={
            "en": "Sent from Proton Mail for Android.",
            "de": "Von Proton Mail für Android gesendet.",
            "fr": "Envoyé depuis Proton Mail pour Android.",
        },
        html_open='<blockquote class="protonmail_quote">',
        line='<div style="font-family: Arial, sans-serif; font-size: 14px;">{}</div>',
    ),
    Style(
        "web.de",
        {
            "en": "Sent: Monday, May 07, 2029 at 10:12 AM\nFrom: \"Intrige\" <play+token@play.example.org>\nTo: ada@example.com\nSubject: Turn 3",
            "de": "Gesendet: Montag, 07. Mai 2029 um 10:12 Uhr\nVon: \"Intrige\" <play+token@play.example.org>\nAn: ada@example.com\nBetreff: Turn 3",
            "fr": "Envoyé: lundi 7 mai 2029 à 10:12\nDe: \"Intrige\" <play+token@play.example.org>\nÀ: ada@example.com\nObjet: Turn 3",
        },
        prefix=None,
        line="<div>{}</div>",
        html_open='<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">',
        html_close="</div>",
        html_intro=_outlook_html({
            "en": "Sent: Monday, May 07, 2029 at 10:12 AM\nFrom: \"Intrige\" <play+token@play.example.org>\nTo: ada@example.com\nSubject: Turn 3",
            "de": "Gesendet: Montag, 07. Mai 2029 um 10:12 Uhr\nVon: \"Intrige\" <play+token@play.example.org>\nAn: ada@example.com\nBetreff: Turn 3",
            "fr": "Envoyé: lundi 7 mai 2029 à 10:12\nDe: \"Intrige\" <play+token@play.example.org>\nÀ: ada@example.com\nObjet: Turn 3",
        }, "<b>{}:</b>"),
    ),
    Style(
        "web.de app",
        {
            "en": "On 07.05.29, 10:12, Intrige <play+token@play.example.org> wrote:",
            "de": "Am 07.05.29, 10:12 schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le 07/05/29, 10:12, Intrige <play+token@play.example.org> a écrit :",
        },
        signature={
            "en": "--\nSent from my Android phone with WEB.DE Mail. Please excuse my brevity.",
            "de": "--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
            "fr": "--\nEnvoyé de mon téléphone Android avec WEB.DE Mail.",
        },
        html_open='<blockquote name="quote">',
    ),
    Style(
        "t-online",
        {
            "en": "-----Original Message-----\nSubject: Turn 3\nDate: 2029-05-07T10:12:00+0200\nFrom: \"Intrige\" <play+token@play.example.org>\nTo: \"Ada\" <ada@example.com>",
            "de": "-----Original-Nachricht-----\nBetreff: Turn 3\nDatum: 2029-05-07T10:12:00+0200\nVon: \"Intrige\" <play+token@play.example.org>\nAn: \"Ada\" <ada@example.com>",
            "fr": "-----Message original-----\nObjet: Turn 3\nDate: 2029-05-07T10:12:00+0200\nDe: \"Intrige\" <play+token@play.example.org>\nÀ: \"Ada\" <ada@example.com>",
        },
        prefix=None,
        blank_after_intro=True,
        line="<p>{}</p>",
        html_open="<div>",
        html_close="</div>",
    ),
    Style(
        "freenet",
        {
            "en": "Original Message\nFrom: Intrige <play+token@play.example.org>\nTo: ada@example.com\nDate: 07.05.2029 10:12:00\nSubject: Turn 3",
            "de": "--- Ursprüngliche Nachricht ---\nVon: Intrige <play+token@play.example.org>\nDatum: 07.05.2029 10:12:00\nAn: ada@example.com\nBetreff: Turn 3",
            "fr": "--- Message d'origine ---\nDe: Intrige <play+token@play.example.org>\nDate: 07.05.2029 10:12:00\nÀ: ada@example.com\nObjet: Turn 3",
        },
    ),
    Style(
        "orange.fr",
        {
            "en": "> Message of 07/05/29 10:12\n> From : \"Intrige\" <play+token@play.example.org>\n> To : ada@example.com\n> Copy to : \n> Subject : Turn 3\n>",
            "de": "> Nachricht vom 07/05/29 10:12\n> Von : \"Intrige\" <play+token@play.example.org>\n> An : ada@example.com\n> Kopie an : \n> Betreff : Turn 3\n>",
            "fr": "> Message du 07/05/29 10:12\n> De : \"Intrige\" <play+token@play.example.org>\n> A : ada@example.com\n> Copie à : \n> Objet : Turn 3\n>",
        },
        html_open='<blockquote style="padding-left: 5px; margin-left: 5px; border-left: #ff0000 2px solid;">',
        width=70,
        breaks_marks=True,
    ),
    Style(
        "la poste",
        {
            "en": "From : Intrige <play+token@play.example.org>\nSent : 07 May 2029 10:12\nTo : ada@example.com\nSubject : Turn 3",
            "de": "Von : Intrige <play+token@play.example.org>\nGesendet : 07 Mai 2029 10:12\nAn : ada@example.com\nBetreff : Turn 3",
            "fr": "De : Intrige <play+token@play.example.org>\nEnvoyé : 07 mai 2029 10:12\nA : ada@example.com\nObjet : Turn 3",
        },
        prefix=None,
        blank_after_intro=True,
        html_open="<div><hr>",
        html_close="</div>",
    ),
    Style(
        "zimbra",
        _ruled(5, {"en": "Original Message", "de": "Ursprüngliche Mail", "fr": "Mail original"}, {
            "en": "From: \"Intrige\" <play+token@play.example.org>\nTo: \"ada\" <ada@example.com>\nSent: Monday, May 7, 2029 10:12:00 AM\nSubject: Turn 3",
            "de": "Von: \"Intrige\" <play+token@play.example.org>\nAn: \"ada\" <ada@example.com>\nGesendet: Montag, 7. Mai 2029 10:12:00\nBetreff: Turn 3",
            "fr": "De: \"Intrige\" <play+token@play.example.org>\nÀ: \"ada\" <ada@example.com>\nEnvoyé: Lundi 7 Mai 2029 10:12:00\nObjet: Turn 3",
        }),
        prefix=None,
        blank_after_intro=True,
        html_open='<hr id="zwchr" data-marker="__DIVIDER__"><blockquote style="border-left:2px solid #1010FF;margin-left:5px;">',
        line='<div style="font-family: arial, helvetica, sans-serif; font-size: 12pt; color: #000000">{}</div>',
    ),
    Style(
        "zimbra, marked",
        {
            "en": "----- Original Message -----\n> From: \"Intrige\" <play+token@play.example.org>\n> To: \"ada\" <ada@example.com>\n> Sent: Monday, May 7, 2029 10:12:00 AM\n> Subject: Turn 3\n",
            "de": "----- Ursprüngliche Mail -----\n> Von: \"Intrige\" <play+token@play.example.org>\n> An: \"ada\" <ada@example.com>\n> Gesendet: Montag, 7. Mai 2029 10:12:00\n> Betreff: Turn 3\n",
            "fr": "----- Mail original -----\n> De: \"Intrige\" <play+token@play.example.org>\n> À: \"ada\" <ada@example.com>\n> Envoyé: Lundi 7 Mai 2029 10:12:00\n> Objet: Turn 3\n",
        },
    ),
    Style(
        "free.fr",
        {
            "en": "----- Mail original -----",
            "de": "----- Mail original -----",
            "fr": "----- Mail original -----",
        },
        width=74,
        charset="iso-8859-1",
    ),
    Style(
        "roundcube",
        {
            "en": "On 2029-05-07 10:12, Intrige wrote:",
            "de": "Am 2029-05-07 10:12, schrieb Intrige:",
            "fr": "Le 2029-05-07 10:12, Intrige a écrit :",
        },
        width=72,
        own_width=72,
        html_open='<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">',
        line="<p>{}</p>",
    ),
    Style(
        "roundcube, flowed",
        {
            "en": "On 07.05.2029 10:12, Intrige wrote:",
            "de": "Am 07.05.2029 10:12, schrieb Intrige:",
            "fr": "Le 07/05/2029 10:12, Intrige a écrit :",
        },
        flowed=True,
    ),
    Style(
        "sogo",
        {
            "en": "On Monday, May 07, 2029 10:12 CEST, \"Intrige\" <play+token@play.example.org> wrote:\n ",
            "de": "Am Montag, Mai 07, 2029 10:12 CEST, schrieb \"Intrige\" <play+token@play.example.org>:\n ",
            "fr": "Le Lundi, Mai 07, 2029 10:12 CEST, \"Intrige\" <play+token@play.example.org> a écrit:\n ",
        },
        html_open='<blockquote type="cite" cite="1@play.example.org">',
    ),
    Style(
        "horde",
        {
            "en": "Quoting Intrige <play+token@play.example.org>:",
            "de": "Zitat von Intrige <play+token@play.example.org>:",
            "fr": "Intrige <play+token@play.example.org> a écrit :",
        },
        blank_after_intro=True,
        width=74,
        own_width=74,
    ),
    Style(
        "squirrelmail",
        {
            "en": "On Mon, May 7, 2029 10:12 am, Intrige wrote:",
            "de": "Am Mo, 7.05.2029, 10:12, schrieb Intrige:",
            "fr": "Le Lun 7 mai 2029 10:12, Intrige a écrit :",
        },
        width=76,
        charset="iso-8859-1",
        encoding="8bit",
    ),
    Style(
        "open-xchange",
        {
            "en": "On 05/07/2029 10:12 AM CEST Intrige <play+token@play.example.org> wrote:\n",
            "de": "Intrige <play+token@play.example.org> hat am 07.05.2029 10:12 CEST geschrieben:\n",
            "fr": "Le 07/05/2029 10:12 CEST, Intrige <play+token@play.example.org> a écrit :\n",
        },
        html_open='<blockquote type="cite">',
        line='<div class="default-style">{}</div>',
    ),
    Style(
        "open-xchange, marked head",
        {
            "en": "> On 05/07/2029 10:12 AM Intrige <play+token@play.example.org> wrote:\n> \n>  ",
            "de": "> Intrige <play+token@play.example.org> hat am 07.05.2029 10:12 geschrieben:\n> \n>  ",
            "fr": "> Le 07/05/2029 10:12, Intrige <play+token@play.example.org> a écrit :\n> \n>  ",
        },
    ),
    Style(
        "em client",
        {
            "en": "------ Original Message ------\nFrom \"Intrige\" <play+token@play.example.org>\nTo \"Ada\" <ada@example.com>\nDate 07/05/2029 10:12:00\nSubject Turn 3",
            "de": "------ Originalnachricht ------\nVon \"Intrige\" <play+token@play.example.org>\nAn \"Ada\" <ada@example.com>\nDatum 07.05.2029 10:12:00\nBetreff Turn 3",
            "fr": "------ Message d'origine ------\nDe \"Intrige\" <play+token@play.example.org>\nÀ \"Ada\" <ada@example.com>\nDate 07/05/2029 10:12:00\nObjet Turn 3",
        },
        prefix=">",
        flowed=True,
        html_open='<blockquote cite="mid:1@play.example.org" type="cite" class="cite2">',
        blank_after_intro=True,
    ),
    Style(
        "em client, old",
        {
            "en": "------ Original Message ------\nFrom: \"Intrige\" <play+token@play.example.org>\nTo: \"Ada\" <ada@example.com>\nSent: 07/05/2029 10:12:00\nSubject: Turn 3",
            "de": "------ Originalnachricht ------\nVon: \"Intrige\" <play+token@play.example.org>\nAn: \"Ada\" <ada@example.com>\nGesendet: 07.05.2029 10:12:00\nBetreff: Turn 3",
            "fr": "------ Message d'origine ------\nDe: \"Intrige\" <play+token@play.example.org>\nÀ: \"Ada\" <ada@example.com>\nEnvoyé: 07/05/2029 10:12:00\nObjet: Turn 3",
        },
        prefix=">",
        blank_after_intro=True,
    ),
    Style(
        "spark",
        {
            "en": "On 7 May 2029, 10:12 +0200, Intrige <play+token@play.example.org>, wrote:",
            "de": "Am 7. Mai 2029, 10:12 +0200 schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le 7 mai 2029, 10:12 +0200, Intrige <play+token@play.example.org>, a écrit :",
        },
        html_open='<blockquote type="cite" style="border-left: thin solid #1abc9c; padding-left: 10px">',
        line='<div dir="auto">{}</div>',
    ),
    Style(
        "airmail",
        {
            "en": "On 7 May 2029 at 10:12:00, Intrige (play+token@play.example.org) wrote:\n",
            "de": "Am 7. Mai 2029 um 10:12:00, Intrige (play+token@play.example.org) schrieb:\n",
            "fr": "Le 7 mai 2029 à 10:12:00, Intrige (play+token@play.example.org) a écrit:\n",
        },
        prefix=None,
        html_open='<blockquote type="cite" class="clean_bq">',
        encoding="quoted-printable",
    ),
    Style(
        "mailbird",
        {
            "en": "On 07.05.2029 10:12:00, Intrige <play+token@play.example.org> wrote:",
            "de": "Am 07.05.2029 10:12:00 schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le 07/05/2029 10:12:00, Intrige <play+token@play.example.org> a écrit :",
        },
        prefix=None,
        html_open='<blockquote class="history_container" type="cite" style="border-left-style: solid;border-width: 1px;">',
        line='<div style="font-family: Arial; font-size: 10pt">{}</div>',
    ),
    Style(
        "mailspring",
        {
            "en": "On May 7 2029, at 10:12 am, Intrige <play+token@play.example.org> wrote:",
            "de": "Am Mai 7 2029, um 10:12, schrieb Intrige <play+token@play.example.org>:",
            "fr": "Le mai 7 2029, à 10:12, Intrige <play+token@play.example.org> a écrit :",
        },
        signature={"en": "Sent from Mailspring", "de": "Von Mailspring gesendet", "fr": "Envoyé avec Mailspring"},
        html_open='<blockquote class="gmail_quote">',
    ),
    Style(
        "evolution",
        {
            "en": "On Mon, 2029-05-07 at 10:12 +0200, Intrige wrote:",
            "de": "Am Montag, dem 07.05.2029 um 10:12 +0200 schrieb Intrige:",
            "fr": "Le lundi 07 mai 2029 à 10:12 +0200, Intrige a écrit :",
        },
        width=71,
        own_width=71,
        html_open='<blockquote type="cite" style="margin:0 0 0 .8ex; border-left:2px #729fcf solid;padding-left:1ex">',
    ),
    Style(
        "kmail",
        {
            "en": "On Monday, 7 May 2029 10:12:00 CEST Intrige wrote:",
            "de": "Am Montag, 7. Mai 2029, 10:12:00 MESZ schrieb Intrige:",
            "fr": "Le lundi 7 mai 2029, 10:12:00 CEST Intrige a écrit :",
        },
        width=78,
        own_width=78,
    ),
    Style(
        "claws mail",
        {
            "en": "On Mon, 07 May 2029 10:12:00 +0200\nIntrige <play+token@play.example.org> wrote:\n",
            "de": "Am Mon, 07 May 2029 10:12:00 +0200\nschrieb Intrige <play+token@play.example.org>:\n",
            "fr": "Le Mon, 07 May 2029 10:12:00 +0200,\nIntrige <play+token@play.example.org> a écrit :\n",
        },
        width=72,
        own_width=72,
        charset="us-ascii",
    ),
    Style(
        "the bat",
        {
            "en": "Monday, May 7, 2029, 10:12:00 AM, you wrote:\n",
            "de": "Am Montag, 7. Mai 2029 um 10:12 schrieben Sie:\n",
            "fr": "Le lundi 7 mai 2029 à 10:12:00, vous écriviez :\n",
        },
        prefix="I> ",
        width=70,
        charset="windows-1252",
        signature={
            "en": "-- \nBest regards,\n Ada                            mailto:ada@example.com",
            "de": "-- \nMit freundlichen Grüßen\nAda\nmailto:ada@example.com",
            "fr": "-- \nCordialement,\n Ada                          mailto:ada@example.com",
        },
    ),
    Style(
        "alpine",
        {
            "en": "On Mon, 7 May 2029, Intrige wrote:",
            "de": "Am Mo, 7. Mai 2029, schrieb Intrige:",
            "fr": "Le lun. 7 mai 2029, Intrige a écrit :",
        },
        blank_after_intro=True,
        own_width=74,
        charset="us-ascii",
    ),
    Style(
        "gnus",
        {
            "en": "Intrige <play+token@play.example.org> writes:\n",
            "de": "Intrige <play+token@play.example.org> schreibt:\n",
            "fr": "Intrige <play+token@play.example.org> écrit :\n",
        },
    ),
    Style(
        "lotus notes",
        {
            "en": "From:\tIntrige <play+token@play.example.org>\nTo:\tada@example.com\nDate:\t07/05/2029 10:12\nSubject:\tTurn 3",
            "de": "Von:\tIntrige <play+token@play.example.org>\nAn:\tada@example.com\nDatum:\t07.05.2029 10:12\nBetreff:\tTurn 3",
            "fr": "De :\tIntrige <play+token@play.example.org>\nA :\tada@example.com\nDate :\t07/05/2029 10:12\nObjet :\tTurn 3",
        },
        prefix=None,
        blank_after_intro=True,
        width=72,
        own_width=72,
        charset="iso-8859-1",
        html_open="<br>",
        html_close="<br>",
        line='<font size=2 face="sans-serif">{}</font><br>',
    ),
    Style(
        "lotus notes, columns",
        {
            "en": "Intrige <play+token@play.example.org>\n07/05/2029 10:12\n\nTo\nada@example.com\ncc\n\nSubject\nTurn 3",
            "de": "Intrige <play+token@play.example.org>\n07.05.2029 10:12\n\nAn\nada@example.com\nKopie\n\nThema\nTurn 3",
            "fr": "Intrige <play+token@play.example.org>\n07/05/2029 10:12\n\nA\nada@example.com\ncc\n\nObjet\nTurn 3",
        },
        prefix=None,
        blank_after_intro=True,
        width=72,
        charset="windows-1252",
    ),
    Style(
        "groupwise",
        {
            "en": ">>> Intrige <play+token@play.example.org> 07.05.29 10.12 >>>",
            "de": ">>> Intrige <play+token@play.example.org> 07.05.29 10.12 >>>",
            "fr": ">>> Intrige <play+token@play.example.org> 07/05/29 10:12 >>>",
        },
        prefix=None,
        html_open="<div>",
        html_close="</div>",
    ),
    Style(
        "blackberry",
        _ruled(5, {"en": "Original Message", "de": "Originalnachricht", "fr": "Message d'origine"}, {
            "en": "From: Intrige <play+token@play.example.org>\nDate: Mon, 07 May 2029 10:12:00 \nTo: <ada@example.com>\nSubject: Turn 3",
            "de": "Von: Intrige <play+token@play.example.org>\nDatum: Mon, 07 May 2029 10:12:00 \nAn: <ada@example.com>\nBetreff: Turn 3",
            "fr": "De: Intrige <play+token@play.example.org>\nDate: Mon, 07 May 2029 10:12:00 \nÀ: <ada@example.com>\nObjet: Turn 3",
        }),
        prefix=None,
        blank_after_intro=True,
        signature={
            "en": "Sent from my BlackBerry® wireless device",
            "de": "Von meinem BlackBerry® Smartphone gesendet",
            "fr": "Envoyé de mon BlackBerry®",
        },
        encoding="base64",
    ),
    Style(
        "tutanota",
        {
            "en": "7 May 2029, 10:12 by play+token@play.example.org:\n",
            "de": "7. Mai 2029, 10:12 von play+token@play.example.org:\n",
            "fr": "7 mai 2029, 10:12 de play+token@play.example.org:\n",
        },
        signature={
            "en": "--\nSecured with Tuta Mail:\nhttps://tuta.com",
            "de": "--\nSicher gesendet mit Tuta Mail:\nhttps://tuta.com/free-email",
            "fr": "--\nEnvoyé en toute sécurité avec Tuta:\nhttps://tuta.com",
        },
        html_open='<blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: 10px; margin-left: 5px;">',
    ),
    Style(
        "fastmail",
        {
            "en": "On Mon, May 7, 2029, at 10:12 AM, Intrige wrote:",
            "de": "Am Mo, 7. Mai 2029, um 10:12, schrieb Intrige:",
            "fr": "Le lun. 7 mai 2029, à 10:12, Intrige a écrit :",
        },
        html_open='<blockquote type="cite" id="qt">',
    ),
    Style(
        "zoho",
        {
            "en": "---- On Mon, 07 May 2029 10:12:00 +0200 Intrige <play+token@play.example.org> wrote ----\n",
            "de": "---- Am Mo, 07 Mai 2029 10:12:00 +0200 schrieb Intrige <play+token@play.example.org> ----\n",
            "fr": "---- Le lun., 07 mai 2029 10:12:00 +0200 Intrige <play+token@play.example.org> a écrit ----\n",
        },
        prefix=None,
        html_open='<blockquote id="blockquote_zmail" style="margin: 0px;">',
        signature={
            "en": "Sent using Zoho Mail",
            "de": "Gesendet mit Zoho Mail",
            "fr": "Envoyé en utilisant Zoho Mail",
        },
    ),
    Style(
        "yandex",
        {
            "en": "07.05.2029, 10:12, \"Intrige\" <play+token@play.example.org>:",
            "de": "07.05.2029, 10:12, \"Intrige\" <play+token@play.example.org>:",
            "fr": "07.05.2029, 10:12, \"Intrige\" <play+token@play.example.org> :",
        },
        html_open="<blockquote>",
    ),
    Style(
        "mailmate",
        {
            "en": "On 7 May 2029, at 10:12, Intrige wrote:\n",
            "de": "Am 7. Mai 2029, um 10:12, schrieb Intrige:\n",
            "fr": "Le 7 mai 2029, à 10:12, Intrige a écrit :\n",
        },
        flowed=True,
    ),
    Style(
        "bluemail",
        {
            "en": "On 7 May 2029, 10:12, at 10:12, Intrige <play+token@play.example.org> wrote:",
            "de": "Am 7. Mai 2029, um 10:12, Intrige <play+token@play.example.org> schrieb:",
            "fr": "Le 7 mai 2029, à 10:12, Intrige <play+token@play.example.org> a écrit:",
        },
        prefix=">",
        signature={"en": "Get BlueMail for Android", "de": "Hol dir BlueMail für Android", "fr": "Télécharger BlueMail pour Android"},
        html_open='<blockquote class="gmail_quote">',
    ),
    Style(
        "posteo",
        {
            "en": "Am 07.05.2029 10:12 schrieb Intrige:",
            "de": "Am 07.05.2029 10:12 schrieb Intrige:",
            "fr": "Am 07.05.2029 10:12 schrieb Intrige:",
        },
        width=72,
        own_width=72,
    ),
)  # fmt: skip


def _by_chance(style: Style) -> bytes:
    return hashlib.sha256(style.name.encode()).digest()


STYLES = _FIRST + _MORE
HELD_BACK = tuple(sorted(_MORE, key=_by_chance)[: len(STYLES) // 3])
OPEN = tuple(style for style in STYLES if style not in HELD_BACK)
