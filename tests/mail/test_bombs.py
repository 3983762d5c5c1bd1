"""Mails made to break or to hold up the reader, and letters with random damage."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postspiel.mail.reading import caps, comparable, mime, new_text
from postspiel.mail.reading.automatic import why_automatic
from tests.mail import kinds, styles

TEXT = styles.ours("intrige", "en").text
HTML = b"Content-Type: text/html\n\n"
UTF8 = b"Content-Type: text/plain; charset=utf-8\n\n"
QUOTED = b"".join(b"> " + line + b"\n" for line in TEXT.encode().split(b"\n"))

BOMBS = {
    "one line": b"\n" + b"x" * 4_000_000,
    "quote marks": b"\n" + b">" * 4_000_000,
    "deep quotation": b"\n" + (b"> " * 500 + b"bid 7\n") * 4000,
    "spaces": b"\n" + b" " * 4_000_000,
    "dashes": b"\n" + b"-" * 4_000_000,
    "empty lines": b"\n" + b"\n" * 5_000_000,
    "flowed": b"Content-Type: text/plain; format=flowed\n\n" + b"x \n" * 190_000,
    "introductions": b"\n" + (b"Am 7. hat " + b"hat " * 90 + b":\n") * 12_000,
    "open introductions": b"\n" + (b"On 7. <a@b> \n") * 190_000,
    "labels": b"\n" + b"From: x\n" * 190_000,
    "our mail again and again": b"\n" + QUOTED * 2000,
    "marks on a sign": UTF8 + b"a" + "\u0301\u0323".encode() * 1_000_000,
    "marks on many signs": UTF8 + ("a" + "\u0301\u0323" * 900 + "\n").encode() * 1200,
    "signs that grow": UTF8 + "ﷺ".encode() * 1_500_000,
    "elements in elements": HTML + b"<div>" * 800_000,
    "quotations in quotations": HTML + b"<blockquote>x" * 300_000,
    "quotations": HTML + b"<blockquote>x</blockquote>" * 100_000,
    "rows": HTML + b"<table>" + b"<tr><td>bid</td><td>7</td></tr>" * 100_000,
    "tables in tables": HTML + b"<table><tr><td>x" * 100_000,
    "line breaks": HTML + b"x<br>" * 800_000,
    "preformatted": HTML + b"<pre>" + b"x\n" * 190_000,
    "angles": HTML + b"<" * 4_000_000,
    "comments": HTML + b"<!--" * 1_000_000,
    "attributes": HTML + b"<p " + b"a=b " * 1_000_000 + b">x",
    "margins": HTML + b'<p style="margin-top:99999999em;padding-left:99999999em">x</p>' * 1000,
    "encoded words": b"Subject: " + b"=?utf-8?q?x?= " * 4000 + b"\n\nx",
    "half words": b"Subject: " + b"=?" * 30_000 + b"\n\nx",
    "senders": b"From: " + b"a@b," * 15_000 + b"\n\nx",
    "quotes in the sender": b"From: " + b'"' * 60_000 + b"\n\nx",
    "angles in the sender": b"From: " + b"<" * 60_000 + b"\n\nx",
    "comments in the sender": b"From: " + b"(\\" * 30_000 + b"\n\nx",
    "parameters": b"Content-Type: text/plain; " + b";".join(b"charset*%d=x" % n for n in range(4000)) + b"\n\nx",
    "references": b"References: " + b"<a@b> " * 10_000 + b"\n\nx",
    "half references": b"References: " + b"<a" * 30_000 + b"\n\nx",
    "many headers": b"".join(b"X-%d: y\n" % n for n in range(5000)) + b"\nx",
}
LETTERS = [path.read_bytes() for path in sorted((Path(__file__).parent / "letters").glob("*.eml"))]


def read(raw: bytes) -> None:
    try:
        mail = mime.read(raw)
    except caps.TooMuch:
        return
    why_automatic(mail, envelope_sender="ada@example.com")
    for text in (mail.body.text, mail.body.other):
        new_text(text, (comparable(TEXT),), kinds.is_order)


@pytest.mark.parametrize("name", BOMBS)
def test_no_mail_holds_up_the_reader(name: str) -> None:
    started = time.process_time()
    read(BOMBS[name])
    assert time.process_time() - started < 1


@given(letter=st.sampled_from(LETTERS), data=st.data())
def test_no_damage_breaks_the_reader(letter: bytes, data: st.DataObject) -> None:
    raw = bytearray(letter)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw)))
        cut = data.draw(st.integers(0, 20))
        put = data.draw(st.one_of(st.binary(max_size=8), st.sampled_from(PIECES)))
        raw[at : at + cut] = put
    read(bytes(raw))


@given(raw=st.lists(st.one_of(st.sampled_from(LETTERS), st.binary(max_size=60)), max_size=4).map(b"\n".join))
def test_any_bytes_are_read(raw: bytes) -> None:
    read(raw)


PIECES = (
    b"\n\n",
    b"\r",
    b"\0",
    b"--b1\n",
    b"Content-Type: multipart/mixed; boundary=b1\n",
    b"Content-Type: message/rfc822\n",
    b"; charset*=utf-8'en'x",
    b"; name*0*=''%",
    b"=?utf-8?b?",
    b"=?",
    b"base64",
    b"x-uuencode",
    b"<blockquote>",
    b"</td>",
    b"<![CDATA[",
    b"&#xFFFFFF;",
    b"\xff\xfe",
    b"\xed\xa0\x80",
)
