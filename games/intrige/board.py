"""The table as a drawing: courts clockwise around the island. Colours work on light and dark paper alike."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, radians, sin

from games.engine.contract import Locale, Picture
from games.intrige.state import PAYS, SEATS, Scholar, State
from games.intrige.wording import join, say, scholar_name, seat_name

WIDTH = 720
CARD = (228, 150)
RADII = {3: (250, 206), 4: (242, 206), 5: (252, 206)}
ISLAND = {3: 24, 4: 75, 5: 58}
"""How far below the height of the table's middle the island lies, where there is room for it."""
FILL = {"red": "#c62828", "yellow": "#f5c518", "green": "#2e7d32", "blue": "#1e5fb3", "white": "#fafafa"}
INK = {"red": "#fff", "yellow": "#1a1a1a", "green": "#fff", "blue": "#fff", "white": "#1a1a1a"}
FRAME = "#808080"
"""A grey that can be seen on white and on near black."""


def picture(seen: State, locale: Locale) -> Picture:
    """The drawing, what it is called, and what it says in words (the courts are in a table beside it)."""
    names = [seat_name(locale, seat) for seat in range(seen.seats)]
    island = join(locale, (scholar_name(locale, one) for one in seen.island))
    key = "board.twin_over" if seen.phase == "over" else "board.twin"
    twin = say(locale, key, seats=", ".join(names), active=names[seen.active], island=island)
    return Picture(svg(seen, locale), say(locale, "board.alt", courts=join(locale, names)), twin)


def svg(seen: State, locale: Locale) -> str:
    """The drawing itself: no script, no style, no reference."""
    spots = list(_spots(seen.seats))
    top, bottom = min(y for _, y in spots), max(y for _, y in spots)
    height = bottom - top + CARD[1] + 24
    parts = [f"<title>{escape(say(locale, 'show.board'))}</title>"]
    for seat, (x, y) in enumerate(spots):
        parts += _card(seen, seat, x - CARD[0] / 2, y - top + 12, locale)
    parts += _island(seen, WIDTH / 2, ISLAND[seen.seats] - top + 12, locale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'font-family="sans-serif" font-size="15" fill="currentColor">{"".join(parts)}</svg>'
    )


def _spots(seats: int) -> Iterator[tuple[float, float]]:
    """The middle of each card's upper edge, clockwise from the top; the origin is the table's middle."""
    across, down = RADII[seats]
    for seat in range(seats):
        angle = radians(360 * seat / seats - 90)
        yield WIDTH / 2 + across * cos(angle), down * sin(angle)


def _card(seen: State, seat: int, x: float, y: float, locale: Locale) -> Iterator[str]:
    active = seat == seen.active and seen.phase != "over"
    line = 'stroke="currentColor" stroke-width="3"' if active else f'stroke="{FRAME}" stroke-width="1.5"'
    yield f'<g transform="translate({x:.0f} {y:.0f})">'
    yield f'<rect width="{CARD[0]}" height="{CARD[1]}" rx="10" fill="currentColor" fill-opacity="0.05"/>'
    yield f'<rect width="{CARD[0]}" height="{CARD[1]}" rx="10" fill="none" {line}/>'
    yield f'<rect x="8" y="8" width="14" height="14" rx="3" fill="{FILL[SEATS[seat]]}" stroke="{FRAME}"/>'
    yield _text(28, 21, seat_name(locale, seat), weight="bold")
    yield _text(CARD[0] - 8, 21, seen.home[seat], anchor="end", size=13)
    for place in range(len(PAYS)):
        yield from _area(seen, seat, place, locale)
    for place, scholar in enumerate(seen.waiting[seat][:8]):
        yield from _pill(scholar, 8 + 54 * (place % 4), 98 + 25 * (place // 4), locale)
    yield "</g>"


def _area(seen: State, seat: int, place: int, locale: Locale) -> Iterator[str]:
    x, scholar = 8 + 54 * place, seen.courts[seat][place]
    yield f'<rect x="{x}" y="30" width="50" height="60" rx="6" fill="none" stroke="{FRAME}"/>'
    yield _text(x + 25, 45, str(PAYS[place]), anchor="middle", size=13)
    if scholar is None:
        return
    colour = SEATS[scholar.seat]
    yield f'<rect x="{x + 3}" y="51" width="44" height="36" rx="5" fill="{FILL[colour]}" stroke="{FRAME}"/>'
    yield _text(x + 25, 68, scholar.craft, anchor="middle", weight="bold", fill=INK[colour])
    yield _text(x + 25, 82, seat_name(locale, scholar.seat), anchor="middle", size=12, fill=INK[colour])


def _pill(scholar: Scholar, x: float, y: float, locale: Locale) -> Iterator[str]:
    colour = SEATS[scholar.seat]
    label = f"{scholar.craft} {seat_name(locale, scholar.seat)[:3]}"
    yield f'<rect x="{x:.0f}" y="{y:.0f}" width="50" height="21" rx="10" fill="{FILL[colour]}" stroke="{FRAME}"/>'
    yield _text(x + 25, y + 15, label, anchor="middle", size=13, fill=INK[colour])


def _island(seen: State, x: float, y: float, locale: Locale) -> Iterator[str]:
    rows = max(1, -(-len(seen.island) // 4))
    height = 34 + 25 * rows
    left, top = x - 113, y - height / 2
    shape = f'<rect x="{left:.0f}" y="{top:.0f}" width="226" height="{height}" rx="26"'
    yield f'{shape} fill="#d9b45b" fill-opacity="0.25"/>{shape} fill="none" stroke="#b08a2e"/>'
    yield _text(x, top + 20, say(locale, "board.island"), anchor="middle", size=13)
    for place, scholar in enumerate(seen.island):
        yield from _pill(scholar, left + 7 + 54 * (place % 4), top + 28 + 25 * (place // 4), locale)


def _text(x: float, y: float, label: str, *, anchor: str = "", size: int = 0, weight: str = "", fill: str = "") -> str:
    looks = {"text-anchor": anchor, "font-size": size, "font-weight": weight, "fill": fill}
    given = "".join(f' {name}="{value}"' for name, value in looks.items() if value)
    return f'<text x="{x:.0f}" y="{y:.0f}"{given}>{escape(label)}</text>'
