"""Tables that an organiser takes away: the same rows as CSV for spreadsheets and as JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from django.http import HttpResponse

from postspiel.accounts.models import User
from postspiel.play import audits, selectors
from postspiel.play.audits import Sought

type Cell = str | int | bool | None
type Line = dict[str, Cell]

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection)."""

MOMENTS = frozenset({"created", "started", "paused", "ended", "deadline"})

HIDDEN = "?"
"""Stands for a player whose name is hidden until the game is over, as in the API."""


def games(user: User) -> Iterator[Line]:
    """Each game that a person runs, with its open turn."""
    for row in audits.listed(user):
        yield {name: _moment(cell) if name in MOMENTS else cell for name, cell in row.items()}


def misses(user: User) -> Iterator[Line]:
    """Each turn that a player missed in a person's games."""
    for miss in audits.misses(user):
        yield {
            "key": miss.game.key,
            "game": miss.game.name,
            "turn": miss.turn,
            "seat": selectors.seat_name(miss.game, miss.seat),
            "player": miss.player.public_name if miss.player else HIDDEN,
            "excused": miss.excused,
            "closed": _moment(miss.closed),
        }


def log(user: User, sought: Sought) -> Iterator[Line]:
    """Each act in a person's games that was sought."""
    for entry in audits.entries(user, list(audits.acts(user, sought))):
        yield {
            "made": _moment(entry.act.made),
            "key": entry.act.game.key,
            "game": entry.act.game.name,
            "kind": entry.act.kind,
            "who": HIDDEN if entry.hidden else entry.who,
            "why": entry.why,
        }


def answer(name: str, form: str, lines: Iterable[Line]) -> HttpResponse:
    """Lines as a file of that name; `form` is "csv" or "json"."""
    content = as_csv(lines) if form == "csv" else msgspec.json.encode(list(lines))
    kind = {"csv": "text/csv; charset=utf-8", "json": "application/json"}[form]
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "Cache-Control": "private, no-store"}
    return HttpResponse(content, content_type=kind, headers=headers)


def as_csv(lines: Iterable[Line]) -> bytes:
    """Lines as CSV (RFC 4180) with a byte order mark, by which spreadsheets know UTF-8; no cell is a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    for number, line in enumerate(lines):
        if number == 0:
            writer.writerow(line)
        writer.writerow([safe(cell) for cell in line.values()])
    return text.getvalue().encode("utf-8-sig")


def safe(cell: Cell) -> Cell:
    """A cell that no spreadsheet runs: a text that looks like a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _moment(when: datetime | None) -> str:
    return when.isoformat() if when else ""
