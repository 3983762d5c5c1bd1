"""Pure ratings: numbers in, numbers out; no database, no clock."""
