"""Blocks become pages and mails: what is shown, what is escaped, and that prose is never taken for an order."""

from html.parser import HTMLParser

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Copy, Grid, Heading, Items, Picture, Text
from postspiel.play.rendering import Folded, Link, Medium, Piece, Said, as_html, as_text

CASH = Grid(
    caption="Cash and scholars",
    head=("Seat", "Cash", "At home"),
    rows=(("Red", "32000", "A A P"), ("Yellow", "9000", "S")),
    numeric=(1,),
)
BOARD = Picture(svg="<svg><title>Board</title></svg>", alt="Four courts", twin="Red: 6000 S(Yellow)\nYellow: empty")
COPY = Copy(lines=("bribe A 4000 wish 10000", "done"))
PIECES: tuple[Piece, ...] = (
    Heading("Round 2"),
    Heading("Bribes", level=3),
    Text("Three scholars wait."),
    Items(("one", "two"), ordered=True),
    CASH,
    BOARD,
    COPY,
    Link("Open the game", "https://example.org/games/k3/"),
    Said("Red to you:", ("Trust me.", "", "Really.")),
    Folded("Not read as orders:", ("Kind regards",)),
)
MEDIA: tuple[Medium, ...] = ("page", "mail", "pdf")


def is_order(line: str) -> bool:
    return line.strip("- ").lower().startswith(("bribe", "send", "done", "keep"))


def test_a_text_mail_shows_every_kind_of_block() -> None:
    assert (
        as_text(PIECES)
        == """\
Round 2
=======

Bribes
------

Three scholars wait.

1. one
2. two

Cash and scholars
Seat     Cash  At home
------  -----  -------
Red     32000  A A P
Yellow   9000  S

Red: 6000 S(Yellow)
Yellow: empty

bribe A 4000 wish 10000
done

Open the game:
https://example.org/games/k3/

Red to you:
| Trust me.
|
| Really.

Not read as orders:
| Kind regards"""
    )


def test_orders_to_copy_stand_alone_and_unchanged_however_long() -> None:
    long = Copy(lines=("bribe A +1000 max 8000 else 2000 at Yellow wish " + "ten thousand " * 10,))
    assert as_text((Text("x"), long), width=40).splitlines()[-1] == long.lines[0]


def test_a_table_too_wide_is_wrapped_and_then_stacked() -> None:
    wide = Grid("Wide", ("Seat", "Wish"), (("Red", "the area of ten thousand ducats, please, and soon " * 2),))
    narrow = Grid("Many", tuple("abcdefghijklmnopqrst"), (tuple("value" for _ in range(20)),))
    assert max(map(len, as_text((wide,)).splitlines())) <= 72
    assert "ten thousand" in as_text((wide,))
    assert as_text((narrow,)).splitlines()[1].startswith("- value: b: value; c: value")
    assert max(map(len, as_text((narrow,)).splitlines())) <= 72


def test_prose_that_would_read_as_an_order_does_not() -> None:
    text = "Now choose two of the scholars at home: send them to two foreign courts."
    blocks = (Text(text), Items(("send two scholars",)), Text("Send two scholars."), COPY)
    plain = as_text(blocks, width=40).splitlines()
    safe = as_text(blocks, width=40, is_order=is_order).splitlines()
    assert [line for line in plain if is_order(line)] != list(COPY.lines)
    assert [line for line in safe if is_order(line)] == list(COPY.lines)
    assert " ".join(safe[:2]) == text
    assert max(map(len, safe)) <= 40
    assert as_text((Text("Send two of the scholars that you have at home."),), 20, is_order).splitlines() == [
        "| Send two of the",
        "| scholars that you",
        "| have at home.",
    ]


@given(st.lists(st.text(alphabet="bribe snd kp\n", max_size=90), max_size=4), st.integers(20, 80))
def test_no_prose_reads_as_an_order_and_no_word_is_lost(texts: list[str], width: int) -> None:
    blocks = [Text(text) for text in texts]
    safe = as_text(blocks, width=width, is_order=is_order)
    assert not [line for line in safe.splitlines() if is_order(line)]
    assert safe.replace("|", "").split() == " ".join(texts).split()


@pytest.mark.parametrize("medium", MEDIA)
def test_names_and_press_are_escaped_in_every_medium(medium: Medium) -> None:
    evil = "<b onclick=x>&\"'"
    blocks: tuple[Piece, ...] = (
        Heading(evil),
        Text(evil),
        Items((evil,)),
        Grid(evil, (evil,), ((evil,),)),
        Picture("<svg></svg>", evil, evil),
        Copy((evil,)),
        Link(evil, "https://example.org/?a=1&b=2"),
        Said(evil, (evil,)),
        Folded(evil, (evil,)),
    )
    html = as_html(blocks, medium)
    assert "<b" not in html.replace("<br>", "").replace("<blockquote", "").replace("<body", "")
    assert html.count("&lt;b onclick=x&gt;") >= 10


def test_a_page_shows_the_drawing_and_its_twin_a_mail_only_the_twin() -> None:
    page, mail, printed = (as_html((BOARD,), medium) for medium in MEDIA)
    assert "<svg>" in page
    assert BOARD.twin in page
    assert "<svg>" not in mail
    assert BOARD.twin in mail
    assert "<svg>" in printed
    assert BOARD.twin not in printed


def test_a_twin_is_kept_as_drawn_unless_a_line_is_too_long() -> None:
    drawn = Picture("<svg></svg>", "x", "A   B\n" + "island " * 20)
    lines = as_text((drawn,)).splitlines()
    assert lines[0] == "A   B"
    assert max(map(len, lines)) <= 72


def test_the_word_around_a_picture_is_in_the_readers_language() -> None:
    with translation.override("en"):
        assert "The picture in words" in as_html((BOARD,))


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("medium", MEDIA)
def test_html_is_balanced_and_its_tables_name_their_cells(medium: Medium) -> None:
    html = as_html(PIECES, medium)
    parser = Balance()
    parser.feed(html)
    assert parser.open == []
    assert html.count('scope="col"') == 3
    assert html.count('scope="row"') == 2


def test_a_mail_needs_no_style_sheet_and_a_page_no_inline_style() -> None:
    assert "style=" not in as_html(PIECES, "page")
    assert as_html(PIECES, "mail").count("style=") > 10
