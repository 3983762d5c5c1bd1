"""Games, seats, turns, sheets, events, press and the turn cycle."""
