"""Leagues, seasons, tournaments and ladders; `ratings`, `seating` and `standings` inside are pure."""
