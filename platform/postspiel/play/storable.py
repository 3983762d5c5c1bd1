"""Text that any database takes: PostgreSQL refuses NUL, and UTF-8 knows no half surrogates; mails bring both."""

from __future__ import annotations

from typing import Any

import msgspec

_NUL = rb"\u0000"


def storable(value: Any) -> Any:
    """Return a text, or JSON data, in which what no database takes is replaced by U+FFFD."""
    try:
        taken = _NUL not in msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a surrogate
        taken = False
    return value if taken else _replaced(value)


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {_replaced(key): _replaced(one) for key, one in value.items()}
    return [_replaced(one) for one in value] if isinstance(value, list | tuple) else value


def text(value: str) -> str:
    """Return a text in which what no database takes is replaced by U+FFFD."""
    if value.isascii() and "\0" not in value:
        return value
    return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
