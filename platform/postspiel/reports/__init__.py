"""The PDF report of a game."""
