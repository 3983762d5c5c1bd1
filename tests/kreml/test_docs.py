"""The player's rules page: whole order mails in it can be read, in both languages, and say the same."""

from __future__ import annotations

import re
from pathlib import Path

from games.engine.language import language
from games.kreml.phases import purges
from games.kreml.state import OFFICES
from games.kreml.title import TITLE
from games.kreml.words import VERBS

PAGE = (Path(__file__).parents[2] / "docs" / "kreml.md").read_text("utf-8")
LANGUAGE = language(TITLE, {})
HALVES = PAGE.split("# Kreml auf Deutsch")


def mails(part: str) -> list[str]:
    return re.findall(r"```orders\n(.*?)```", part, re.DOTALL)


def test_every_order_mail_on_the_rules_page_is_read_whole_and_says_the_same_in_both_languages() -> None:
    english, german = ([LANGUAGE.read(mail) for mail in mails(part)] for part in HALVES)
    assert len(english) == len(german) == 7
    used = set()
    for one, other in zip(english, german, strict=True):
        assert not one.problems + other.problems + one.ignored + other.ignored
        assert [control.word for control in one.controls] == [control.word for control in other.controls] != []
        assert [line.order for line in one.orders] == [line.order for line in other.orders] != []
        used |= {line.order.verb for line in one.orders}
    assert used == {verb.name for verb in VERBS if verb.role != "trigger"} - {"recall", "halt", "move"}


def test_every_order_in_the_text_is_right() -> None:
    lines = re.findall(r"`((?:bid|hold|biete|halte) [^`]*)`", PAGE)
    assert len(lines) == 8
    assert all(LANGUAGE.read_order(line) for line in lines)


def test_options_bots_offices_and_needed_dice_are_named_in_both_halves() -> None:
    for half in HALVES:
        assert all(f"`{option.name}`" in half for option in TITLE.about.options)
        assert all(f"`{bot}`" in half for bot in TITLE.bots if bot != "random")
        assert all(re.search(rf"\b{needed}\b", half) for needed in purges.NEEDED)
    for locale, half in zip(("en", "de"), HALVES, strict=True):
        for office in OFFICES:
            assert any(word in half for word in TITLE.names({})[office][locale])  # type: ignore[index]
