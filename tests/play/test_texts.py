"""What play says to people is there in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from django.utils import translation

from postspiel.accounts.models import User
from postspiel.play import services

ROOT = Path(__file__).resolve().parents[2]
MAILS = {"receipts.py", "rendering.py"}
KEYWORDS = {"_": None, "gettext": None}


def sentences() -> set[str]:
    """Every text to be translated in play's own modules; what mails say is looked after by their tests."""
    found = extract_from_dir(ROOT / "platform/postspiel/play", [("*.py", "python")], keywords=KEYWORDS)
    return {str(message) for file, _line, message, _comments, _context in found if file not in MAILS}


def test_every_sentence_has_a_german_one() -> None:
    with (ROOT / "locale/de/LC_MESSAGES/django.po").open("rb") as file:
        german = read_po(file, locale="de")
    said = sentences()
    assert "This is not your seat." in said
    missing = {one for one in said if one not in german or not german[one].string or german[one].fuzzy}
    assert not missing


@pytest.mark.django_db
def test_a_refusal_is_told_in_the_readers_language(olga: User) -> None:
    with translation.override("de"), pytest.raises(services.PlayError, match="Namen von höchstens 80 Zeichen"):
        services.create_game(
            organiser=olga, title="toy", name="", size=2, options={}, schedule=services.Schedule(), listed=True
        )
