"""A turn mail answered from real mail programs: with text and HTML, and the whole of our own mail quoted below."""

from __future__ import annotations

import html as entities
from collections.abc import Callable

import pytest
import time_machine

from postspiel.mail import selectors
from postspiel.mail import services as mail
from postspiel.play.models import Game, Submission
from tests.post.conftest import deliver, forward, letter, orders, player, row, seat, speak, state, turn

type Style = Callable[[str, str, str], tuple[str, str]]
"""Makes (text, HTML) of an answer from what was written, and our mail's text and HTML."""


def divs(text: str) -> str:
    return "".join(f"<div>{entities.escape(line) or '<br>'}</div>" for line in text.splitlines())


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def gmail(new: str, text: str, html: str) -> tuple[str, str]:
    head = "On Mon, Mar 2, 2026 at 8:00 PM Carnival <play+token@play.example.org> wrote:"
    quote = f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{html}</blockquote>'
    return (
        f"{new}\n\n{head}\n\n{quoted(text)}\n",
        f'<div dir="ltr">{divs(new)}</div><br><div class="gmail_quote"><div dir="ltr">{head}<br></div>{quote}</div>',
    )


def outlook(new: str, text: str, html: str) -> tuple[str, str]:
    head = "Von: Carnival <play@play.example.org>\nGesendet: Montag, 2. März 2026 20:00\nAn: Ada\nBetreff: Zug"
    bold = "<br>".join(f"<b>{entities.escape(line)}</b>" for line in head.splitlines())
    return f"{new}\n\n{head}\n\n{text}\n", f"<div>{divs(new)}<div style='border-top:solid'>{bold}</div>{html}</div>"


def thunderbird(new: str, text: str, html: str) -> tuple[str, str]:
    return f"Am 02.03.26 um 20:00 schrieb Carnival:\n{quoted(text)}\n\n{new}\n", ""


def nothing_marked(new: str, text: str, html: str) -> tuple[str, str]:
    return f"{new}\n{text}", ""


def web_mail(new: str, text: str, html: str) -> tuple[str, str]:
    return "", f"<html><body>{divs(new)}<hr>{html}</body></html>"


@pytest.mark.parametrize("locale", ("en", "de"))
@pytest.mark.parametrize("style", (gmail, outlook, thunderbird, nothing_marked, web_mail))
def test_an_answer_from_a_real_program_gives_exactly_its_orders(
    game: Game, clock: time_machine.Traveller, style: Style, locale: str
) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    speak(acts, locale)
    sent = row("turn", acts)
    mail.send(sent.pk)
    sent.refresh_from_db()
    ours = selectors.opened(sent)
    lines = orders(letter("turn", acts).text, game)
    mine = [*lines[1:-1], lines[0].replace("10000", "3000"), lines[-1]]
    text, html = style("\n".join(mine), ours.text, ours.html)
    incoming = deliver(game, acts, text, html=html, answering=sent.message_id)
    assert incoming.verdict == "accepted", (incoming.reason, letter("receipt", acts).text)
    kept = Submission.objects.get(incoming=incoming)
    assert orders(kept.text, game) == mine
    receipt = letter("receipt", acts).text
    assert [line for line in orders(receipt, game) if line not in mine] == []
    sheet = seat(game, acts).sheets.get(turn=turn(game))
    assert (sheet.status, len(sheet.orders)) == ("final", len(mine) - 1)


@pytest.mark.parametrize("style", (gmail, outlook, thunderbird, nothing_marked, web_mail))
def test_our_own_mail_sent_back_orders_nothing(game: Game, clock: time_machine.Traveller, style: Style) -> None:
    forward(game, clock, 4)
    acts = player(game, state(game).active)
    sent = row("turn", acts)
    mail.send(sent.pk)
    sent.refresh_from_db()
    ours = selectors.opened(sent)
    text, html = style("ok", ours.text, ours.html)
    incoming = deliver(game, acts, text, html=html, answering=sent.message_id)
    assert incoming.verdict == "rejected", Submission.objects.get(incoming=incoming).text
    assert incoming.reason == "empty"
    assert seat(game, acts).sheets.get(turn=turn(game)).orders == []
