"""What both titles' tables from rules to tests are checked with."""

import re
from collections.abc import Iterable
from pathlib import Path

type Rule = tuple[str, str, tuple[str, ...]]
"""A section of the rules page, what it says there, and the tests that show it."""


def names_in(files: Iterable[Path]) -> set[str]:
    """The names of the tests in some files."""
    return {name for file in files for name in re.findall(r"^def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE)}


def names_of(table: Iterable[Rule]) -> set[str]:
    """The tests that a table names."""
    return {test for _, _, tests in table for test in tests}
