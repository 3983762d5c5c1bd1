"""Titles and the engine they share: pure Python without Django, clock, I/O or unseeded randomness."""
