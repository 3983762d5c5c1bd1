"""What tests share that let a door run in threads of its own."""

from django.db import connections


def close_own_connection() -> None:
    """Close this thread's connection, also one to a database in memory, which Django leaves open."""
    connection = connections["default"]
    if connection.vendor == "sqlite" and connection.connection is not None:
        connection.connection.close()
        connection.connection = None
    connection.close()
