"""Intrige: a game of bribery for three to five players. ``TITLE`` is the whole of it (docs/intrige.md)."""

from games.intrige.title import TITLE

__all__ = ["TITLE"]
