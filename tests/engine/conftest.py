"""The toy title where the registry would find it."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from games.engine import registry
from tests.engine.toy import TOY


@pytest.fixture
def toy_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = MappingProxyType({**registry.titles(), "toy": TOY})
    monkeypatch.setattr(registry, "titles", lambda: known)
