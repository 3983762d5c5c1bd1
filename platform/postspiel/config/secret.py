"""The server's secret key, made once where none is given."""

import os
import secrets
from pathlib import Path


def kept_key(path: Path) -> str:
    """The key in the file at `path`; the first caller makes it, with 384 random bits and readable by its owner only.

    Written beside and linked into place, so that of several processes that start at once all read the same whole key.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _make(path)
    return path.read_text(encoding="ascii").strip()


def _make(path: Path) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.touch(mode=0o600)
    beside.write_text(secrets.token_urlsafe(48) + "\n", encoding="ascii")
    try:
        os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        beside.unlink()
