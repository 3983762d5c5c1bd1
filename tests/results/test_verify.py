"""The command that every report names: a true record is called true, a changed one is not."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine import playing, records, registry
from games.engine.options import complete


@pytest.fixture
def record(tmp_path: Path) -> Path:
    title = registry.title("intrige")
    bots = [title.bots["random"]] * 3
    game = playing.play(title, complete(title, {}, 3), 3, b"seed" * 8, bots, recorded=True)
    assert game.record is not None
    path = tmp_path / "record.json"
    path.write_bytes(records.encode(game.record))
    return path


def verified(path: Path) -> str:
    out = StringIO()
    call_command("verify", str(path), stdout=out)
    return out.getvalue()


def test_a_true_record_is_called_true(record: Path) -> None:
    assert verified(record).startswith("True: intrige, 3 seats,")


def test_a_changed_record_is_not(record: Path) -> None:
    known = json.loads(record.read_bytes())
    roll = known["turns"][0]["rolls"][0]
    roll["value"] = roll["value"] % roll["sides"] + 1
    record.write_text(json.dumps(known), encoding="utf-8")

    with pytest.raises(CommandError):
        verified(record)


@pytest.mark.parametrize("content", (None, b"", b"{}", b"\xff"))
def test_what_is_no_record_is_answered_by_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other.json"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(CommandError, match=r"^This .*\.$"):
        verified(path)
