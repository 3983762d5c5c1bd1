"""Text made comparable: what people, keyboards and mail programs write the same way must come out the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.wording import bare, fold, lines, normalise, number, tokens, words


@given(text=st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert once == once.strip()
    assert unicodedata.is_normalized("NFKC", once)


@given(text=st.text(alphabet=st.characters(codec="utf-8")))
def test_folding_knows_no_case_and_no_composition(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))
    assert not any(unicodedata.combining(sign) for sign in fold(text))


@pytest.mark.parametrize(
    ("one", "other"),
    (
        ("Grün", "GRUEN"),
        ("grün", "gru\u0308n"),
        ("Weiß", "WEISS"),
        ("Straße", "strasse"),
        ("Café", "cafe"),
        ("Æ", "ae"),
    ),
)
def test_spellings_of_one_word_are_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize("dash", tuple("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"))
def test_every_dash_is_a_hyphen(dash: str) -> None:
    assert normalise(f"a{dash}b") == "a-b"


@pytest.mark.parametrize("space", tuple("\u00a0\u2003\u2009\u202f\u3000\t\u1680"))
def test_every_space_is_a_space(space: str) -> None:
    assert normalise(f"{space}a{space}{space}b") == "a b"


@pytest.mark.parametrize("nothing", tuple("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202e\x00\ud800"))
def test_what_nobody_sees_is_not_there(nothing: str) -> None:
    assert normalise(f"se{nothing}nd") == "send"


@given(
    parts=st.lists(st.text(alphabet="ab \t", max_size=4), min_size=1, max_size=5),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_lines_are_counted_alike_for_every_kind_of_end(parts: list[str], end: str) -> None:
    assert lines(end.join(parts)) == parts


@pytest.mark.parametrize(
    ("line", "left"),
    (
        ("- send A", "send A"),
        ("-send A", "send A"),
        ("12) send A", "send A"),
        ("b) send A", "send A"),
        ("* send A # why", "send A"),
        ("**send A**", "send A"),
        ("_send A_", "send A"),
        ("*send A*", "send A"),
        ("- *send A*", "send A"),
        ("* *send A*", "send A"),
        ("*send* A", "send* A"),
        ("(1) send A", "send A"),
        ("1: send A", "send A"),
        ("(b) send A", "send A"),
        ("[x] send A", "send A"),
        ("[] send A", "send A"),
        ("→ send A", "send A"),
        ("\U0001f449 send A", "send A"),
        ("# all comment", ""),
        ('say "a # b" # c', 'say "a # b"'),
        ('say "a # b', 'say "a'),
        ("send #1", "send"),
        ("C# is a language", "C# is a language"),
        ("-5 degrees", "-5 degrees"),
    ),
)
def test_a_line_is_stripped_of_bullet_emphasis_and_comment(line: str, left: str) -> None:
    assert bare(line) == left


@given(value=st.integers(0, 10**12), mark=st.sampled_from([".", ",", "'", " "]))
def test_a_number_is_read_however_its_thousands_are_marked(value: int, mark: str) -> None:
    written = f"{value:,}".replace(",", mark)
    assert number(tokens(written), 0) == ("", value, len(tokens(written)))


def test_groups_are_only_joined_where_that_is_allowed() -> None:
    assert number(tokens("4 000"), 0, grouped=False) == ("", 4, 1)
    assert number(tokens("4 00"), 0) == ("", 4, 1)
    assert number(tokens("4000 000"), 0) == ("", 4000, 1)


def test_stressed_words_are_read_as_plain_ones() -> None:
    assert words("*send* _A_ **Green**") == words("send A Green")
    assert number(tokens("*4000*"), 0) == ("", 4000, 1)


def test_words_are_compared_without_their_punctuation() -> None:
    assert words('Send: "Red", blue!') == ("send", "red", "blue")
