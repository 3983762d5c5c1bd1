"""The player's rules page: whole order mails in it can be read, in both languages, and say the same."""

from __future__ import annotations

import re
from pathlib import Path

from games.intrige import TITLE
from games.intrige.title import OPTIONS
from tests.intrige.playing import LANGUAGE

PAGE = Path(__file__).parents[2] / "docs" / "intrige.md"


def test_every_order_mail_on_the_rules_page_is_read_whole() -> None:
    english, german = PAGE.read_text("utf-8").split("# Intrige auf Deutsch")
    mails = [
        [LANGUAGE.read(mail) for mail in re.findall(r"```orders\n(.*?)```", part, re.DOTALL)]
        for part in (english, german)
    ]
    assert [len(part) for part in mails] == [3, 3]
    for one, other in zip(*mails, strict=True):
        assert not one.problems + other.problems + one.ignored + other.ignored
        assert [control.word for control in one.controls] == [control.word for control in other.controls]
        for ours, theirs in zip(one.orders, other.orders, strict=True):
            wishless = [{k: v for k, v in line.order.args.items() if k != "wish"} for line in (ours, theirs)]
            assert (ours.order.verb, wishless[0]) == (theirs.order.verb, wishless[1])


def test_every_order_and_number_in_the_text_is_right() -> None:
    text = PAGE.read_text("utf-8")
    for line in re.findall(r"`((?:bribe|keep|biete|behalte) [^`]*)`", text):
        assert LANGUAGE.read_order(line) is not None, line
    for half in text.split("# Intrige auf Deutsch"):
        assert all(f"`{option}`" in half for option in OPTIONS)
        assert all(f"`{bot}`" in half for bot in TITLE.bots if bot != "random")
