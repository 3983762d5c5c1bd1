"""The players' page says what is true: its lines are read, its words are all there, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine import controls
from games.engine.contract import Locale
from games.engine.language import language
from games.intrige.title import TITLE
from postspiel.play.inbox import holding, letterbox
from postspiel.play.mails import codes

PAGE = (Path(__file__).resolve().parents[2] / "docs/playing-by-mail.md").read_text("utf-8")
HALVES: dict[Locale, str] = dict(zip(("en", "de"), PAGE.split("\n---\n"), strict=True))


@pytest.mark.parametrize("locale", ("en", "de"))
def test_every_line_of_the_page_that_is_shown_as_an_order_is_read(locale: Locale) -> None:
    spoken = language(TITLE, {})
    blocks = re.findall(r"```\n(.*?)```", HALVES[locale], re.DOTALL)
    assert blocks
    for block in blocks:
        reading = spoken.read(block)
        assert not reading.problems
        assert not reading.ignored
        assert reading.orders
        assert [control.word for control in reading.controls] == ["done"]


@pytest.mark.parametrize("locale", ("en", "de"))
def test_every_control_word_is_explained(locale: Locale) -> None:
    for word in (
        "done",
        "wait",
        "nothing",
        "always done",
        "cancel",
        "help",
        "status",
        "orders",
        "history",
        "away",
        "resign",
    ):
        assert f"`{controls.written(controls.Control(word), locale).strip()}" in " ".join(HALVES[locale].split())
    assert f"`{controls.written(controls.Control('propose', 'end'), locale)}`" in HALVES[locale]
    spoken = language(TITLE, {})
    head, end = re.findall(r"`((?:press|depesche) \w+ [^`]*:)` \.\.\. `([^`]*)`", HALVES[locale])[0]
    (press,) = spoken.read(f"{head} hello\n{end}").controls
    assert (press.word, press.to, press.text) == ("press", ("red", "blue"), "hello")


@pytest.mark.parametrize("locale", ("en", "de"))
def test_numbers_on_the_page_are_those_of_the_code(locale: Locale) -> None:
    text = " ".join(HALVES[locale].split())
    caps = {"en": "up to {} an hour and {} a day", "de": "bis zu {} in der Stunde und {} am Tag"}
    assert caps[locale].format(letterbox.AN_HOUR, letterbox.A_DAY) in text
    (example,) = re.findall(r"`([A-Z]{4}-[A-Z]{4})`", text)
    assert codes.found(example) == {example}
    assert len(holding.WORDS) == 10
