"""Letters as files: what is read of each. They are made for these tests; nobody wrote them."""

from collections.abc import Callable
from email.parser import BytesParser
from email.policy import compat32
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Copy, Grid, Heading, Items, Picture, Text
from postspiel.mail.letters import Attachment, Letter, compose
from postspiel.mail.reading import markup, mime, new_text
from postspiel.mail.reading.bounces import bounces_in, returned_ids
from postspiel.mail.reading.plain import fold, lines_of
from postspiel.play.mails import frame
from postspiel.play.rendering import Folded, Link, Said
from tests.mail import kinds, quoting, styles

LETTERS = Path(__file__).parent / "letters"

ORDERS = {
    "base64-broken": ["bid 7 tower"],
    "charset-codec": ["bid 7 \\x41"],
    "charset-cp850": ["bid 7 türm"],
    "charset-empty": ["bid 7 türm"],
    "charset-hebrew-visual": ["bid 7 שלום"],
    "charset-koi8": ["bid 7 башня"],
    "charset-lies": ["bid 7 türm"],
    "charset-polish": ["bid 7 żółw"],
    "charset-unknown": ["bid 7 türm"],
    "charset-unknown-utf8": ["bid 7 türm"],
    "charset-utf16": ["bid 7 türm"],
    "charset-utf7": ["bid 7 +AGE-"],
    "charset-zlib": ["bid 7 tower"],
    "clear-signed": ["bid 7 tower", "done"],
    "empty-text-beside-html": ["bid 7 tower", "done"],
    "encrypted": [],
    "flowed": ["bid 7 tower", "move bear to gate", "pay Red 5", "done"],
    "flowed-delsp": ["bid 7 tower", "move bear to gate", "done"],
    "from-8bit": ["bid 7 tower"],
    "from-comma": ["bid 7 tower"],
    "from-comments": ["bid 7 tower"],
    "from-lies": ["bid 7 tower"],
    "from-none": ["bid 7 tower"],
    "from-two": ["bid 7 tower"],
    "html-only-markup": ["1. bid 7 tower", "move bear to gate", "pay Red 5", "done"],
    "nested-alternatives": ["bid 7 tower"],
    "no-boundary-at-all": ["bid 7 tower", "done"],
    "no-final-boundary": ["bid 7 tower"],
    "no-head-at-all": ["bid 7 tower"],
    "nothing": [],
    "odd-characters": ["bid 7 tower", "move bear – gate", "pay Red 5", "bid 8 gate", "ｄｏｎｅ"],  # noqa: RUF001
    "outlook-table": ["bid 7 tower", "move bear gate", "pay Red 5", "pay Green 6", "bid 8 gate", "bid 9 gate", "done"],
    "quoted-printable": ["bid 7 tower", "move bear – gate", "done"],  # noqa: RUF001
    "references-with-commas": ["bid 7 tower"],
    "right-to-left": ["bid 7 tower"],
    "smart-quotes": ["bid 7 „tower“ − «gate»"],  # noqa: RUF001
    "text-file-attached": ["bid 7 tower"],
    "texts-around-a-picture": ["bid 7 tower", "done"],
    "uuencoded": ["bid 7 tower"],
}


def read(name: str) -> mime.Mail:
    return mime.read((LETTERS / f"{name}.eml").read_bytes())


@pytest.mark.parametrize("name", ORDERS)
def test_a_letters_orders_are_read_and_no_others(name: str) -> None:
    body = read(name).body
    text = new_text(body.text or body.other, (), kinds.is_order).text
    assert [" ".join(line.split()) for line in text.split("\n") if kinds.is_order(line)] == ORDERS[name]


def test_every_letter_is_looked_at() -> None:
    assert {path.stem for path in LETTERS.glob("*.eml")} == set(ORDERS)


def test_a_sender_is_one_bare_address_or_none() -> None:
    names = ("from-lies", "from-two", "from-comma", "from-none", "from-8bit", "from-comments", "no-head-at-all")
    assert [read(name).sender for name in names] == [
        "eve@example.com",
        "",
        "ada@example.com",
        "",
        "ada@example.com",
        "",
        "",
    ]


def test_broken_heads_are_read_as_far_as_they_go() -> None:
    broken = read("from-8bit")
    assert broken.subject.startswith("Grüße")
    assert broken.message_id == "<[b37@example.com]>"
    assert read("references-with-commas").refers == (
        "<c@play.example.org>",
        "<b@play.example.org>",
        "<a@play.example.org>",
    )


def test_files_are_kept_apart_from_the_text() -> None:
    assert [(file.name, file.content.strip()) for file in read("text-file-attached").files] == [
        ("old-orders.txt", b"bid 99 gate"),
        ("more.txt", b"pay Red 5"),
    ]
    assert read("encrypted").files[0].mimetype == "application/pkcs7-mime"
    assert [file.name for file in read("texts-around-a-picture").files] == ["plan.png"]


def test_the_html_form_is_read_beside_the_text() -> None:
    body = read("nested-alternatives").body
    assert "bid 7 tower" in body.text
    assert "bid 7 tower" in body.other
    assert read("flowed").body.other == ""


def test_signs_that_no_tree_takes_are_left_out_of_quoted_html() -> None:
    assert markup.text_of("<p>one</p><blockquote>tw&#1;o\x02\uffff</blockquote>").split() == ["one", ">", "two"]
    behind = "one<blockquote>two</blockquote>th\x02r&#x1;ee<i style='display: none'>hidden</i><!-- -->&#2;\ud800 four"
    assert markup.text_of(behind).split() == ["one", ">", "two", "three", "four"]


BLOCKS = (
    Heading("Round 3 & more"),
    Heading("“Smaller”", 3),
    Text("One line,\nand  a second: <b>no markup</b>.", "quiet"),
    Items(("first", "sec&ond")),
    Items(("one", "two"), ordered=True),
    Grid("Courts", ("Court", "1000", "Waiting"), (("Red", "ä", ""), ("Blue & Green", "A  B", "C")), (1,)),
    Picture("<svg><text>Red</text></svg>", "The board", "Red > Blue\n  |\n  v\nGreen  (3)"),
    Copy(("send A Red", "", "done")),
    Link("Open the game", "https://play.example.org/games/1/?a=1&b=2"),
    Said("Red to all:", ("hello", "> so you said", "", "  bye <br>")),
    Folded("Not read as orders", ("Hi Ada", "  it  rains")),
)
"""All that our mails are made of."""


SIGNS = (b"\n", b"\r", b"\r\n", b" ", b"x", b":", b"\n\n", b"\xff")


@given(st.sampled_from(sorted(Path(__file__).parent.glob("[cl]*/*.eml"))), st.data())
def test_a_mail_is_taken_apart_as_by_the_parser_alone(path: Path, data: st.DataObject) -> None:
    raw = path.read_bytes()
    for _change in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, min(len(raw), 600)))
        raw = raw[:at] + data.draw(st.sampled_from(SIGNS)) + raw[at:]
    ours, whole = mime.parsed(raw), BytesParser(policy=compat32).parsebytes(raw)
    assert list(ours.raw_items()) == list(whole.raw_items())
    assert ours.is_multipart() == whole.is_multipart()
    assert [part.get_payload() for part in ours.walk() if not part.is_multipart()] == [
        part.get_payload() for part in whole.walk() if not part.is_multipart()
    ]


def composed() -> bytes:
    return compose(frame.plain_letter("A subject", BLOCKS), quoting.ENVELOPE)


@pytest.mark.parametrize("charset", ("idna", "punycode", "undefined", "unicode_escape", "hex"))
@pytest.mark.parametrize("broken", ("", "no h\xe4der at all\n"), ids=("head", "head that breaks off"))
def test_a_charset_that_is_no_charset_hides_no_line(charset: str, broken: str) -> None:
    head = f"From: ada@example.com\nContent-Type: text/plain; charset={charset}\n{broken}\n"
    assert "bid 7 tower" in mime.read(f"{head}Gr\xfc\xdfe\nbid 7 tower\n".encode("latin-1")).text


@pytest.mark.parametrize("kind", ("text/plain", "application/pdf", "message/rfc822", "message/delivery-status"))
def test_no_part_under_a_charset_that_is_none_breaks_the_reader(kind: str) -> None:
    part = f"--b\nContent-Type: {kind}; charset=idna\n\nGr\xfc\xdfe\n\nAction: f\xe4iled\n"
    for whole in ("multipart/mixed", "multipart/report", "multipart/alternative"):
        head = f"From: ada@example.com\nContent-Type: {whole}; boundary=b; charset=idna\n\n"
        raw = f"{head}--b\nContent-Type: text/plain\n\nbid 7 tower\n{part}--b--\n".encode("latin-1")
        found = mime.read(raw)
        assert "bid 7 tower" in found.text
        assert isinstance(bounces_in(found), tuple)
        assert isinstance(returned_ids(found), list)


@pytest.mark.parametrize(
    "raw", (composed, *(lambda t=t, n=n: styles.ours(t, n).raw for t in ("intrige", "kreml") for n in ("en", "de")))
)
def test_our_own_mails_are_read_by_their_templates_as_by_the_reader_of_any_html(raw: Callable[[], bytes]) -> None:
    quick, slow = (
        [[line for line in map(fold, lines_of(text)) if line] for text in texts(raw())]
        for texts in (mime.texts_of_ours, mime.texts)
    )
    assert len(slow) == 2
    assert quick == slow


FILE = Attachment("<b>.html", b"<p>not ours", "text/html")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)


@given(text=TEXTS, html=TEXTS, said=st.lists(TEXTS.filter(bool)), files=st.sampled_from(((), (FILE,))))
def test_of_a_letter_the_same_is_kept_for_answers_as_is_read_in_its_bytes(
    text: str, html: str, said: list[str], files: tuple[Attachment, ...]
) -> None:
    quoting.checked(Letter("x", text, html, attachments=files))
    quoting.checked(frame.plain_letter("x", [Text(one) for one in said]))
