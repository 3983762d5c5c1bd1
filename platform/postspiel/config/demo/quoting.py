"""How mail programs quote the mail that they answer; the players of the demo take turns with them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

type Style = Callable[[str, "Quoted"], str]


@dataclass(frozen=True)
class Quoted:
    """The mail being answered: who wrote it, when (as its Date header says), its subject and its text."""

    author: str
    date: str
    subject: str
    text: str


def gmail(answer: str, mail: Quoted) -> str:
    """Answer on top, one header line that may wrap, every line behind a sign."""
    return f"{answer}\n\nOn {mail.date} {mail.author}\nwrote:\n\n{_prefixed(mail.text)}\n"


def thunderbird_german(answer: str, mail: Quoted) -> str:
    """Answer below the quotation, with a German header and a signature."""
    return (
        f"Am {mail.date} schrieb {mail.author}:\n{_prefixed(mail.text)}\n\n{answer}\n\n-- \nGesendet mit Thunderbird\n"
    )


def outlook(answer: str, mail: Quoted) -> str:
    """Answer on top; the mail below without any sign, behind a block of headers."""
    block = f"From: {mail.author}\nSent: {mail.date}\nTo: A player\nSubject: {mail.subject}"
    return f"{answer}\n\n________________________________\n{block}\n\n{mail.text}\n"


def outlook_german(answer: str, mail: Quoted) -> str:
    """The same in German, with the line that older versions draw."""
    block = f"Von: {mail.author}\nGesendet: {mail.date}\nAn: Spieler\nBetreff: {mail.subject}"
    return f"{answer}\n\n-----Ursprüngliche Nachricht-----\n{block}\n\n{mail.text}\n"


def apple_phone(answer: str, mail: Quoted) -> str:
    """A phone: its own signature between the answer and the quotation, the header line quoted too."""
    header = f"> On {mail.date}, {mail.author} wrote:\n>"
    return f"{answer}\n\nSent from my iPhone\n\n{header}\n{_prefixed(mail.text)}\n"


def rewrapped(answer: str, mail: Quoted) -> str:
    """An old program that wraps what it quotes at 60 columns."""
    lines = [piece for line in mail.text.splitlines() for piece in (textwrap.wrap(line, 60) or [""])]
    return f"{answer}\n\n{mail.author} wrote on {mail.date}:\n\n{_prefixed(chr(10).join(lines))}\n"


STYLES: tuple[Style, ...] = (gmail, thunderbird_german, outlook, outlook_german, apple_phone, rewrapped)


def _prefixed(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
