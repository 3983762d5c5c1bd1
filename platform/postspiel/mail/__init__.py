"""Mail out and in: outbox, inbox, addresses, doors; knows no game."""
