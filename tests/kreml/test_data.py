"""What an organiser may swap: the roster and the health table."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from games.kreml import data
from games.kreml.words import names


def test_the_shipped_roster_and_table_are_those_of_the_rules() -> None:
    people = data.roster("classic").people
    assert [(one.age, one.surname) for one in people.values()][:3] == [
        (80, "Aparatschik"),
        (75, "Schukrutoff"),
        (74, "Samowarow"),
    ]
    assert [one.age for one in people.values()] == [80, *range(75, 70, -1), *range(69, 52, -1), 50]
    assert len({one.surname for one in people.values()}) == 24
    table = data.health("classic")
    for b in range(data.FRAILEST + 1):
        assert table.work.sudden[b] == (0 if b < 5 else 1 + (b - 5) // 3)
        assert (table.work.two[b], table.work.one[b], table.work.heals[b]) == (2 + b // 2, 4 + b, min(20, 14 + b))
        assert (table.cure.sudden[b], table.cure.two[b]) == (0, b // 4)
        assert (table.cure.one[b], table.cure.heals[b]) == (2 + b // 4, 6 + b)


def test_an_organisers_files_are_found_and_bad_ones_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("rosters", "health"):
        (tmp_path / kind).mkdir()
        source = Path(data.__file__).parent / kind / "classic.toml"
        (tmp_path / kind / "classic.toml").write_text(source.read_text("utf-8"), "utf-8")
    classic = (tmp_path / "rosters" / "classic.toml").read_text("utf-8")
    (tmp_path / "rosters" / "aunts.toml").write_text(classic.replace("Satin", "Taft"), "utf-8")
    (tmp_path / "rosters" / "short.toml").write_text(classic.replace("p24 =", "p25 ="), "utf-8")
    (tmp_path / "health" / "short.toml").write_text(
        (tmp_path / "health" / "classic.toml").read_text("utf-8").replace("[14, 15,", "[15,"), "utf-8"
    )
    monkeypatch.setattr(data, "_folder", lambda kind: tmp_path / kind)
    assert data.names("rosters") == ("classic", "aunts", "short")
    assert data.roster("aunts").people["p11"].surname == "Taft"
    assert names("aunts")["p11"]["en"] == ("Taft", "Osip Taft")
    with pytest.raises(msgspec.ValidationError):
        data.roster("short")
    with pytest.raises(msgspec.ValidationError):
        data.health("short")
