"""Kreml: a satire of gerontocracy for three to six players. ``TITLE`` is the whole of it (docs/kreml.md)."""

from games.kreml.title import TITLE

__all__ = ["TITLE"]
