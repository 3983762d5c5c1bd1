"""The German catalogue is complete: nothing is missing, nothing is left over, nothing is half done."""

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings as django_settings
from django.core.management import call_command
from pytest_django import Settings

ROOT = Path(django_settings.BASE_DIR)
GERMAN = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"
PLACE = re.compile(r"%\(\w+\)[a-z]|%[a-z]|</?\w+>")
SOURCES = ("platform", "games", "tournaments", "templates")


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else (str(text or ""),)


def test_every_message_is_translated_and_none_is_a_guess() -> None:
    unfinished = [m.id for m in messages(read(GERMAN)) if m.fuzzy or not all(forms(m.string))]

    assert unfinished == []


def test_translations_keep_every_place_that_is_filled_in() -> None:
    wrong = [
        message.id
        for message in messages(read(GERMAN))
        for asked, said in zip(forms(message.id), forms(message.string), strict=True)
        if sorted(PLACE.findall(said)) != sorted(PLACE.findall(asked))
    ]

    assert wrong == []


def test_no_message_stands_inside_an_f_string() -> None:
    """Older gettext does not look into f-strings, so such a message stays English without a word."""
    inside = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for folder in ("platform", "games", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"_", "gettext", "ngettext", "pgettext"}
    ]

    assert inside == []


@pytest.mark.long
@pytest.mark.skipif(shutil.which("xgettext") is None, reason="GNU gettext is not installed (package gettext).")
def test_the_catalogue_holds_what_the_code_says_and_nothing_else(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in SOURCES:
        (tmp_path / source).symlink_to(ROOT / source)
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)
    settings.LOCALE_PATHS = [tmp_path / "locale"]

    call_command("makemessages", locale=["de"], symlinks=True, verbosity=0)

    fresh = {(m.context, forms(m.id)) for m in messages(read(tmp_path / "locale/de/LC_MESSAGES/django.po"))}
    kept = {(m.context, forms(m.id)) for m in messages(read(GERMAN))}
    assert len(fresh) > 500
    assert fresh - kept == set(), "Run `make messages` and translate what is new."
    assert kept - fresh == set(), "Run `make messages`: these are not used any more."
