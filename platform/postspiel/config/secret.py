"""The data folder, which is nobody else's, and the secret key in it, made once where none is given."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured


def private_folder(path: Path) -> Path:
    """The folder at `path`; if it is missing it is made, open to its owner only, since it holds mails and codes."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"POSTSPIEL_DATA: the folder cannot be made: {error}.") from error
    return path


def kept_key(path: Path) -> str:
    """The key in the file at `path`; the first caller makes it, with 384 random bits and readable by its owner only.

    Written beside and linked into place, so that threads or processes that start at once all read the same whole key;
    the name beside is random, since two containers on one volume may have the same process number.
    """
    if not path.exists():
        _make(path)
    return path.read_text(encoding="ascii").strip()


def _make(path: Path) -> None:
    with NamedTemporaryFile("w", encoding="ascii", dir=path.parent, prefix=f"{path.name}.") as beside:
        beside.write(secrets.token_urlsafe(48) + "\n")
        beside.flush()
        with suppress(FileExistsError):
            os.link(beside.name, path)
