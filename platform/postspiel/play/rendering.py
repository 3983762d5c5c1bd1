"""Blocks of a title's page, and of the platform's own mails, as HTML and as plain text.

A title shows itself in blocks (DESIGN section 3); pages, mails and the PDF report render the same ones. HTML comes from
``templates/blocks/<kind>.html``, or from ``templates/blocks/<medium>/<kind>.html`` where a medium needs its own: mail
programs show no SVG and read few style sheets, a printed page folds nothing. No database is needed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from django.template.loader import select_template
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from games.engine.contract import Block, Copy, Grid, Heading, Items, Picture, Text

type Medium = Literal["page", "mail", "pdf"]
type IsOrder = Callable[[str], bool]

WIDTH = 72
_GAP = "  "
_NARROWEST = 6
_UNDERLINES = {2: "=", 3: "-"}


class Link(Struct, frozen=True, tag="link"):
    """A place to go to: in HTML a button, in plain text a line with its address below."""

    text: str
    url: str


class Said(Struct, frozen=True, tag="said"):
    """What a person wrote, word for word: who and to whom, then his lines."""

    head: str
    lines: tuple[str, ...]


class Folded(Struct, frozen=True, tag="folded"):
    """Something for those who want to know, shown small at the end: a summary and lines."""

    summary: str
    lines: tuple[str, ...]


type Piece = Block | Link | Said | Folded
"""What can be rendered: a title's blocks, and three that only the platform's mails use."""


# --- HTML -------------------------------------------------------------------------------------------------------------


def as_html(blocks: Iterable[Piece], medium: Medium = "page") -> SafeString:
    """The blocks as HTML in the language that is active; everything but the SVG of pictures is escaped."""
    return SafeString("\n".join(_html(block, medium) for block in blocks))


def _html(block: Piece, medium: Medium) -> str:
    kind = block.__struct_config__.tag
    template = select_template([f"blocks/{medium}/{kind}.html", f"blocks/{kind}.html"])
    html: str = template.render({"block": block, "medium": medium, **_extra(block)})
    return html.strip()


def _extra(block: Piece) -> dict[str, object]:
    if isinstance(block, Picture):
        return {"svg": mark_safe(block.svg)}  # noqa: S308 - drawn by the title, which may contain no script
    if isinstance(block, Grid):
        return {"head": _cells(block.head, block), "rows": [_cells(row, block) for row in block.rows]}
    return {}


def _cells(row: Sequence[str], grid: Grid) -> list[dict[str, object]]:
    return [{"text": text, "numeric": place in grid.numeric} for place, text in enumerate(row)]


# --- plain text -------------------------------------------------------------------------------------------------------


def as_text(blocks: Iterable[Piece], width: int = WIDTH, is_order: IsOrder | None = None) -> str:
    """The blocks as plain text, wrapped at `width`.

    Only lines of a `Copy` can be taken for orders if `is_order` is given: a line of prose that would read as one is
    broken elsewhere, or set behind a bar, so that a quoting mail program never makes an order of our own words.
    """
    return "\n\n".join("\n".join(_lines(block, width, is_order)) for block in blocks)


def _lines(block: Piece, width: int, is_order: IsOrder | None) -> list[str]:
    if isinstance(block, Copy):
        return list(block.lines)
    return list(_harmless(_plain(block, width, is_order), is_order))


def _harmless(lines: Iterable[str], is_order: IsOrder | None) -> Iterator[str]:
    for line in lines:
        yield f"| {line.removeprefix('- ')}" if is_order and is_order(line) else line


def _plain(block: Piece, width: int, is_order: IsOrder | None) -> Iterable[str]:
    match block:
        case Heading():
            return _heading(block, width, is_order)
        case Text():
            return _paragraph(block.text, width, is_order)
        case Items():
            return _items(block, width, is_order)
        case Grid():
            return _grid(block, width)
        case Picture():
            return [line for text in block.twin.splitlines() for line in _fitted(text, width)]
        case Copy():
            return block.lines
        case _:
            return _ours(block, width, is_order)


def _ours(block: Link | Said | Folded, width: int, is_order: IsOrder | None) -> list[str]:
    match block:
        case Link():
            return [*_paragraph(f"{block.text}:", width, is_order), block.url]
        case Said():
            return [*_wrap(block.head, width), *_barred(block.lines, width)]
        case Folded():
            return [*_wrap(block.summary, width), *_barred(block.lines, width)]


def _heading(block: Heading, width: int, is_order: IsOrder | None) -> list[str]:
    # A word alone may be a command ("orders"); with a colon behind it, it is a heading to every reader.
    text = f"{block.text}:" if is_order and is_order(block.text) else block.text
    lines = _wrap(text, width)
    rule = _UNDERLINES.get(block.level)
    # At least three, because two dashes alone on a line begin a signature.
    return [*lines, rule * max(3, *map(len, lines))] if rule else lines


def _paragraph(text: str, width: int, is_order: IsOrder | None) -> list[str]:
    lines: list[str] = []
    for part in text.split("\n"):
        begins = bool(is_order and is_order(_wrap(part, width)[0]))
        lines += _barred([part], width) if begins else _shifted(part, width, is_order)
    return lines


def _items(block: Items, width: int, is_order: IsOrder | None) -> Iterator[str]:
    bullet = "| " if is_order and any(map(is_order, block.items)) else "- "
    for number, text in enumerate(block.items, start=1):
        mark = f"{number}. " if block.ordered else bullet
        first, *rest = _shifted(text, width - len(mark), is_order)
        yield f"{mark}{first}".rstrip()
        yield from (" " * len(mark) + line for line in rest)


def _shifted(text: str, width: int, is_order: IsOrder | None) -> list[str]:
    """Wrap a text; break it a word earlier wherever a line would else begin with what reads as an order."""
    done: list[str] = []
    lines = _wrap(text, width)
    while len(lines) > 1 and is_order:
        line, _, word = lines[0].rpartition(" ")
        if line and is_order(lines[1]):
            done.append(line)
            lines = _wrap(" ".join((word, *lines[1:])), width)
        else:
            done.append(lines.pop(0))
    return [*done, *lines]


def _barred(lines: Iterable[str], width: int) -> Iterator[str]:
    """Somebody's own lines behind a bar, which keeps them from being read as ours or as orders."""
    for line in lines:
        yield from _wrap(line, width, first="| ", rest="| ")


def _fitted(line: str, width: int) -> list[str]:
    """Leave a line that fits as it is drawn."""
    return [line] if len(line) <= width else _wrap(line, width)


def _wrap(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


# --- tables in plain text ---------------------------------------------------------------------------------------------


def _grid(grid: Grid, width: int) -> Iterator[str]:
    rows = [grid.head, *grid.rows]
    widths = _widths(rows, width)
    yield from _wrap(grid.caption, width) if grid.caption else ()
    if sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        yield from _stacked(grid, width)
        return
    for number, row in enumerate(rows):
        yield from _row(row, widths, grid.numeric)
        if number == 0:
            yield _GAP.join("-" * max(3, size) for size in widths)


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Natural widths of the columns; while they do not fit, the widest gives way, down to its longest word."""
    columns = list(zip(*rows, strict=True))
    widths = [max(3, *map(len, column)) for column in columns]
    least = [max([_NARROWEST, *(len(word) for cell in column for word in cell.split())]) for column in columns]
    room = width - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda place: widths[place] - least[place])
        if widths[widest] <= least[widest]:
            break
        widths[widest] -= 1
    return widths


def _row(row: Sequence[str], widths: Sequence[int], numeric: Sequence[int]) -> Iterator[str]:
    cells = [_wrap(text, size) for text, size in zip(row, widths, strict=True)]
    for line in range(max(map(len, cells))):
        texts = [cell[line] if line < len(cell) else "" for cell in cells]
        yield _GAP.join(
            text.rjust(size) if place in numeric else text.ljust(size)
            for place, (text, size) in enumerate(zip(texts, widths, strict=True))
        ).rstrip()


def _stacked(grid: Grid, width: int) -> Iterator[str]:
    """A table too wide for a mail: one paragraph a row, each cell named by its column."""
    for row in grid.rows:
        first, *others = row
        named = [f"{head}: {text}" for head, text in zip(grid.head[1:], others, strict=True) if text]
        yield from _wrap(f"{first}: {'; '.join(named)}", width, first="- ", rest="  ")
