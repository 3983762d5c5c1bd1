"""Template tags of pages."""
