"""The Kremlin as a drawing: offices by level, candidates, people, Siberia, wall. It works on light and dark paper.

A card shows the office and ★ for each parade, the name, age, marks, cure and § with the year of an investigation, and
chips of declared points, of which the controller's is filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from msgspec.structs import replace

from games.engine.contract import Locale, Picture
from games.kreml.state import CHIEF, LEVEL_1, LEVEL_2, ROW, SEATS, Politician, State, members
from games.kreml.wording import Wording

WIDTH = 520
GAP = 8
CHIP = (30, 17)
LINE = 21
SHOWN = 3
"""So many chips stand beside somebody who is neither member nor candidate; the table has them all."""
FILL = {
    "minsk": "#b3261e",
    "odessa": "#1e5fb3",
    "riga": "#7b2d9b",
    "omsk": "#2e7d32",
    "tula": "#8a5a00",
    "kasan": "#006a6c",
}
RED = "#c62828"
FRAME = "#808080"
"""A grey that can be seen on white and on near black."""


def picture(seen: State, locale: Locale) -> Picture:
    """The drawing, what it is called, and what it says in words (all figures are in a table beside it)."""
    wording = Wording(locale, seen.setting.roster)
    who, people = members(seen), wording.people
    alt = wording.say(
        "board.alt",
        year=seen.year,
        chief=wording.name(seen.offices.get(CHIEF, "")) or wording.say("board.headless"),
        members=len(who),
        candidates=len(seen.candidates),
        siberia=len(seen.siberia),
    )
    twin = wording.say(
        "board.twin", members=people(who), candidates=people(seen.candidates), siberia=people(seen.siberia)
    )
    return Picture(Drawing(seen, wording).svg(), alt, twin)


class Drawing:
    """Draws a position from top to bottom; ``y`` is how far it has come."""

    def __init__(self, seen: State, wording: Wording) -> None:
        self.seen = seen
        self.wording = wording
        self.y: float = GAP

    def svg(self) -> str:
        """The drawing itself: no script, no style, no reference."""
        parts = [f"<title>{escape(self.wording.say('show.board'))}</title>", *self._parts()]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y:.0f}" width="{WIDTH}" role="img" '
            f'font-family="sans-serif" font-size="13" fill="currentColor">{"".join(parts)}</svg>'
        )

    def _parts(self) -> Iterator[str]:
        seen = self.seen
        for level in ((CHIEF,), LEVEL_1, LEVEL_2):
            holders = [seen.offices.get(office, "") for office in level]
            labels = [self.wording.say(f"short.{office}") for office in level]
            yield from self._cards(holders, labels, max(3, len(level)), strong=level == (CHIEF,))
        yield from self._label("candidates")
        row = [*seen.candidates, *[""] * (ROW - len(seen.candidates))]
        yield from self._cards(row, [str(place) for place in range(1, ROW + 1)], ROW)
        for place in ("people", "siberia"):
            if who := getattr(seen, place):
                yield from self._label(place)
                yield from self._list(sorted(who, key=lambda one: -seen.politicians[one].age), cold=place == "siberia")
        for place in ("wall", "honours"):
            if who := getattr(seen, place):
                yield from self._names(place, who)

    # --- cards ---

    def _cards(
        self, holders: Sequence[str], labels: Sequence[str], columns: int, *, strong: bool = False
    ) -> Iterator[str]:
        """One level: cards of equal size in the middle of the line."""
        width = (WIDTH - GAP * (columns + 1)) / columns
        height = 58 + (CHIP[1] + 3) * max(self._chip_rows(who, width) for who in holders)
        size = self._fitting(holders, width - 12)
        x = (WIDTH - len(holders) * width - (len(holders) - 1) * GAP) / 2
        for who, label in zip(holders, labels, strict=True):
            yield f'<g transform="translate({x:.1f} {self.y:.1f})">'
            yield _box(width, height, strong=strong, vacant=not who)
            yield _text(7, 16, label, size=11)
            if who:
                yield from self._card(who, width, size)
            yield "</g>"
            x += width + GAP
        self.y += height + GAP

    def _card(self, who: str, width: float, size: int) -> Iterator[str]:
        one = self.seen.politicians[who]
        if one.waves:
            yield _text(width - 6, 16, "★" * one.waves, anchor="end", size=11, fill=RED)
        yield _text(7, 33, self.wording.name(who), size=size, weight="bold")
        yield from self._health(one, 7, 50, size=12)
        for at, chip in enumerate(self._points(one)):
            across = _across(width)
            x, y = 6 + (CHIP[0] + 2) * (at % across), 57 + (CHIP[1] + 3) * (at // across)
            yield from _chip(*chip, x, y)

    def _health(self, one: Politician, x: float, y: float, *, size: int) -> Iterator[str]:
        """Age, marks, cure and investigation on one line (an investigation sleeps outside of the Politburo)."""
        yield _text(x, y, str(one.age), size=size)
        x += 19
        if one.marks:
            wide = 8 + 9 * one.marks
            yield f'<rect x="{x:.0f}" y="{y - 11:.0f}" width="{wide}" height="14" rx="3" fill="{RED}"/>'
            yield _text(x + wide / 2, y, "+" * one.marks, anchor="middle", size=13, weight="bold", fill="#fff")
            x += wide + 4
        if one.cure:
            word = self.wording.say("board.cure")
            wide = 8 + 6 * len(word)
            yield f'<rect x="{x:.0f}" y="{y - 11:.0f}" width="{wide}" height="14" rx="7" fill="none" stroke="{FRAME}"/>'
            yield _text(x + wide / 2, y - 0.5, word, anchor="middle", size=10)
            x += wide + 4
        if one.opened:
            yield _text(x, y, f"§{one.opened % 100}", size=11)

    def _fitting(self, who: Sequence[str], width: float) -> int:
        """The greatest size of letters, up to 14, at which all these names fit."""
        longest = max(len(self.wording.name(one)) for one in who)
        return max(8, min(14, int(width / (0.58 * max(1, longest)))))

    def _points(self, one: Politician) -> list[tuple[str, str, bool]]:
        """Chips of declared points: whose colour, what is on it, and whether it is the controller's; he comes first."""
        shown = [(seat, points) for seat, points in enumerate(one.declared) if points]
        shown.sort(key=lambda pair: (pair[0] != one.controller, -pair[1]))
        name = self.wording.name
        return [(SEATS[seat], f"{name(SEATS[seat])[:2]}{points}", seat == one.controller) for seat, points in shown]

    def _chip_rows(self, who: str, width: float) -> int:
        chips = sum(points > 0 for points in self.seen.politicians[who].declared) if who else 0
        return -(-chips // _across(width))

    # --- rows ---

    def _label(self, place: str) -> Iterator[str]:
        self.y += 14
        yield _text(GAP, self.y, self.wording.say(f"board.{place}"), size=12, weight="bold")
        self.y += GAP

    def _list(self, who: Sequence[str], *, cold: bool) -> Iterator[str]:
        """People in two columns; Siberia is a little bluer."""
        rows = -(-len(who) // 2)
        height = rows * LINE + 8
        fill = 'fill="#4a90d9" fill-opacity="0.15"' if cold else 'fill="currentColor" fill-opacity="0.04"'
        yield f'<rect x="{GAP}" y="{self.y:.0f}" width="{WIDTH - 2 * GAP}" height="{height}" rx="6" {fill}/>'
        half, size = (WIDTH - 2 * GAP) / 2, self._fitting(who, 82)
        for at, one in enumerate(who):
            yield from self._person(one, GAP + 8 + half * (at // rows), self.y + LINE * (at % rows + 1) - 3, size)
        self.y += height + GAP

    def _person(self, who: str, x: float, y: float, size: int) -> Iterator[str]:
        one = self.seen.politicians[who]
        yield _text(x, y, self.wording.name(who), size=size)
        yield from self._health(replace(one, opened=0), x + 84, y, size=12)
        chips = self._points(one)
        for at, chip in enumerate(chips[:SHOWN]):
            yield from _chip(*chip, x + 132 + (CHIP[0] + 2) * at, y - 13)
        if len(chips) > SHOWN:
            yield _text(x + 131 + (CHIP[0] + 2) * SHOWN, y, "…", size=12)

    def _names(self, place: str, who: Sequence[str]) -> Iterator[str]:
        """The dead or the honoured, by name, a few on each line."""
        yield from self._label(place)
        for start in range(0, len(who), 5):
            self.y += 12
            more = "," if start + 5 < len(who) else ""
            names = ", ".join(self.wording.name(one) for one in who[start : start + 5])
            yield _text(GAP, self.y, names + more, size=12)
            self.y += 4
        self.y += GAP


def _across(width: float) -> int:
    """How many chips stand side by side on a card."""
    return int((width - 10) // (CHIP[0] + 2))


def _box(width: float, height: float, *, strong: bool, vacant: bool) -> str:
    line = f'stroke="{RED}" stroke-width="2.5"' if strong else f'stroke="{FRAME}" stroke-width="1.5"'
    dashes = ' stroke-dasharray="5 4"' if vacant else ""
    size = f'width="{width:.1f}" height="{height}" rx="7"'
    return f'<rect {size} fill="currentColor" fill-opacity="0.05"/><rect {size} fill="none" {line}{dashes}/>'


def _chip(seat: str, label: str, filled: bool, x: float, y: float) -> Iterator[str]:
    colour = FILL[seat]
    look = f'fill="{colour}" stroke="{FRAME}"' if filled else f'fill="none" stroke="{FRAME}"'
    yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{CHIP[0]}" height="{CHIP[1]}" rx="4" {look}/>'
    ink = "#fff" if filled else ""
    yield _text(x + CHIP[0] / 2, y + 13, label, anchor="middle", size=11 if len(label) < 4 else 10, fill=ink)


def _text(x: float, y: float, label: str, *, anchor: str = "", size: int = 0, weight: str = "", fill: str = "") -> str:
    looks = {"text-anchor": anchor, "font-size": size, "font-weight": weight, "fill": fill}
    given = "".join(f' {name}="{value}"' for name, value in looks.items() if value)
    return f'<text x="{x:.1f}" y="{y:.1f}"{given}>{escape(label)}</text>'
