"""Catalogues are compiled where they run, and only when they changed."""

import gettext
import os
from pathlib import Path

from postspiel.config.catalogues import compile_stale

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Turn"
msgstr "Zug"

#, fuzzy
msgid "Seat"
msgstr "Sessel"
"""


def test_a_changed_catalogue_is_compiled_once_without_its_fuzzy_messages(tmp_path: Path) -> None:
    source = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(PO, encoding="utf-8")

    assert compile_stale(tmp_path) == [source.with_suffix(".mo")]
    assert compile_stale(tmp_path) == []
    german = gettext.translation("django", tmp_path, ["de"])
    assert (german.gettext("Turn"), german.gettext("Seat")) == ("Zug", "Seat")

    later = source.stat().st_mtime + 5
    os.utime(source, (later, later))
    assert len(compile_stale(tmp_path)) == 1
