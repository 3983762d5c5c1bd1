"""What our own mail server says of a sender, and what a sender says of himself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postspiel.mail.reading import authentication, mime

OURS = "mx.play.example.org"


def check(*headers: str, sender: str = "ada@example.com", authserv: str = OURS) -> str:
    heads = "".join(f"Authentication-Results: {header}\n" for header in headers)
    return authentication.check(mime.read(f"{heads}From: {sender}\n\nx".encode()), authserv)


@pytest.mark.parametrize(
    ("said", "wanted"),
    (
        ("dmarc=pass header.from=example.com", "pass"),
        ("dmarc=pass (p=none dis=none) header.from=example.com; spf=fail smtp.mailfrom=list.example.net", "pass"),
        ("dmarc=fail header.from=example.com", "fail"),
        ("dmarc=pass header.from=evil.example; dkim=none", "unknown"),
        ("dmarc=pass header.from=example.com; dmarc=fail header.from=example.com", "fail"),
        ("dkim=pass header.d=example.com", "pass"),
        ("dkim=pass header.i=@mail.example.com", "pass"),
        ("dkim=pass header.d=evil.example", "unknown"),
        ("dkim=pass header.d=com", "unknown"),
        ("dkim=fail header.d=example.com; dkim=pass header.d=example.com", "fail"),
        ("spf=pass smtp.mailfrom=ada@example.com", "pass"),
        ("spf=softfail smtp.mailfrom=ada@example.com", "unknown"),
        ("spf=fail smtp.mailfrom=ada@example.com", "fail"),
        ("dmarc=none header.from=example.com; spf=pass smtp.mailfrom=example.com", "pass"),
        ("dmarc=temperror header.from=example.com", "unknown"),
        ("none", "unknown"),
        ("", "unknown"),
        ('dkim=pass reason="dmarc=pass header.from=example.com" header.d=evil.example', "unknown"),
        ("spf=none (sender said ; dmarc=pass header.from=example.com) smtp.mailfrom=x", "unknown"),
        ("spf=none (a (nested ; dmarc=pass) one) smtp.mailfrom=x", "unknown"),
        (r"spf=none (an escaped \) ; dmarc=pass header.from=example.com) smtp.mailfrom=x", "unknown"),
        ("spf=none (open ; dmarc=pass header.from=example.com", "unknown"),
        ('spf=none "open ; dmarc=pass header.from=example.com', "unknown"),
        ("DMARC=Pass HEADER.FROM=Example.com", "pass"),
        ("dkim/1 = pass header.d = example.com", "pass"),
    ),
)
def test_a_header_is_read_as_it_is_meant(said: str, wanted: str) -> None:
    assert check(f"{OURS}; {said}") == wanted
    assert check(f'"{OURS}" 1; {said}') == wanted


def test_only_our_servers_word_counts() -> None:
    good = "dmarc=pass header.from=example.com"
    assert check(f"mx.evil.example; {good}") == "unknown"
    assert check(f"{OURS}.evil.example; {good}") == "unknown"
    assert check(f"{OURS}; {good}", authserv="") == "unknown"
    assert check(f"evil ({OURS}); {good}") == "unknown"
    assert check() == "unknown"
    assert check(f"{OURS}; {good}", sender="ada@example.com, eve@example.net") == "unknown"


def test_what_stands_below_makes_nothing_better() -> None:
    good, bad, none = (f"{OURS}; dmarc={word} header.from=example.com" for word in ("pass", "fail", "none"))
    assert check(bad, good) == "fail"
    assert check(none, good) == "unknown"
    assert check(good, bad) == "fail"
    assert check(good, none) == "pass"
    assert check("mx.elsewhere.example; dmarc=fail header.from=example.com", good) == "pass"


@given(said=st.text(alphabet='abc=;."() \\\t12dmarcpass', max_size=120))
def test_any_header_is_read(said: str) -> None:
    assert check(f"{OURS}; {said}") in {"pass", "fail", "unknown"}
