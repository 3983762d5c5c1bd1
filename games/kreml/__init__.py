"""Kreml: a satire of gerontocracy for three to six players (docs/kreml.md)."""
