"""The eight phases of a year, one module each or two (section 3)."""
