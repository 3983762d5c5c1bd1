"""Days in mails, as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from postspiel.play import days

TODAY = date(2026, 12, 20)
XMAS, KINGS = date(2026, 12, 24), date(2027, 1, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    (
        ("2026-12-24 2027-01-06", (XMAS, KINGS)),
        ("from 2026-12-24 to 2027-01-06", (XMAS, KINGS)),
        ("24.12. - 6.1.", (XMAS, KINGS)),
        ("24.12.-6.1.", (XMAS, KINGS)),
        ("vom 24.12.2026 bis zum 6.1.2027", (XMAS, KINGS)),
        ("24. 12. bis 6. 1. 2027", (XMAS, KINGS)),
        ("24 December to 6 January", (XMAS, KINGS)),
        ("24th Dec until 6 Jan 2027", (XMAS, KINGS)),
        ("24. Dezember bis 6. Januar", (XMAS, KINGS)),
        ("24.12.", (XMAS, XMAS)),
        ("20.12.", (TODAY, TODAY)),
        ("19.12.", (date(2027, 12, 19), date(2027, 12, 19))),
        ("1.3. bis 5. März", (date(2027, 3, 1), date(2027, 3, 5))),
        ("2026-12-24 2026-12-20", (XMAS, TODAY)),
        ("29.2.", None),
        ("31.11. bis 6.1.", None),
        ("2026-13-01", None),
        ("24.12. 6.1. 7.1.", None),
        ("24.12. with my family", None),
        ("next week", None),
        ("for 3 days", None),
        ("", None),
        ("1.1.1.1", None),
        ("99999-12-24", None),
    ),
)
def test_a_span_of_days(text: str, expected: tuple[date, date] | None) -> None:
    assert days.span(text, TODAY) == expected
