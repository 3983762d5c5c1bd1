"""A self-hosted platform for turn-based games played by e-mail."""
