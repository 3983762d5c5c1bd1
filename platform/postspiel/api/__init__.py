"""The JSON API and feeds."""
