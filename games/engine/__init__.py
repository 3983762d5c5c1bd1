"""The engine: what a title must offer, and everything that is the same for every title."""
