"""Typed readers of the environment: the one door through which settings come in.

Every variable has the prefix `POSTSPIEL_`. A value may also come from a file named by the variable with `_FILE` behind
it (secrets of systemd or a container); the file's last line break is cut off. An empty value counts as not set.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PREFIX = "POSTSPIEL_"
_BOOLS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class Environment:
    """Readers of `POSTSPIEL_*`; `variables` is `os.environ` but in tests."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self._variables = variables

    def text(self, name: str, default: str = "") -> str:
        """The text of `POSTSPIEL_{name}`, or of the file that `POSTSPIEL_{name}_FILE` names."""
        value, path = self._raw(name), self._raw(f"{name}_FILE")
        if value and path:
            raise ImproperlyConfigured(f"{PREFIX}{name} and {PREFIX}{name}_FILE are both set: keep one of them.")
        return value or (_read(f"{name}_FILE", path) if path else default)

    def flag(self, name: str, default: bool) -> bool:
        """Yes or no, written as 1/0, true/false, yes/no or on/off."""
        value = self.text(name).lower()
        if value and value not in _BOOLS:
            raise _wrong(name, value, "say yes or no")
        return _BOOLS[value] if value else default

    def number(self, name: str, default: int) -> int:
        """A whole number."""
        value = self.text(name)
        try:
            return int(value) if value else default
        except ValueError:
            raise _wrong(name, value, "say a whole number") from None

    def words(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Words parted by commas; spaces around them are ignored."""
        value = self.text(name)
        return [word.strip() for word in value.split(",") if word.strip()] if value else [*default]

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of `choices`; the first is the default."""
        value = self.text(name, choices[0])
        if value not in choices:
            raise _wrong(name, value, f"say one of {', '.join(choices)}")
        return value

    def path(self, name: str, default: Path) -> Path:
        """A path, made absolute."""
        return Path(self.text(name) or default).expanduser().absolute()

    def url(self, name: str, schemes: tuple[str, ...], default: str = "") -> SplitResult | None:
        """A URL with one of `schemes`; None if it is neither set nor has a default."""
        value = self.text(name, default)
        return _url(name, value, schemes) if value else None

    def urls(self, name: str, schemes: tuple[str, ...]) -> list[SplitResult]:
        """URLs with one of `schemes`, parted by spaces or line breaks."""
        return [_url(name, value, schemes) for value in self.text(name).split()]

    def _raw(self, name: str) -> str:
        return self._variables.get(PREFIX + name, "").strip()


def database(url: SplitResult) -> dict[str, object]:
    """Django's `DATABASES` entry for a URL `sqlite:///path` or `postgresql://user:password@host:port/name?option=value`."""
    if url.scheme == "sqlite":
        return _sqlite(unquote(url.path[1:]))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path[1:]),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": url.port or "",
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(url.query)),
    }


def smtp(url: SplitResult) -> dict[str, object]:
    """Options of Django's SMTP backend for `smtp://user:password@host:port`.

    `smtp+tls` begins in clear text and goes on with STARTTLS; `smtps` is TLS from the first byte.
    """
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    return {
        "host": url.hostname or "localhost",
        "port": url.port or ports[url.scheme],
        "username": unquote(url.username or ""),
        "password": unquote(url.password or ""),
        "use_tls": url.scheme == "smtp+tls",
        "use_ssl": url.scheme == "smtps",
        "timeout": 30,
    }


def imap(url: SplitResult) -> dict[str, object]:
    """A folder to read for `imaps://user:password@host:port/folder?move=folder`; without a folder it is INBOX.

    `imap+tls` begins in clear text and goes on with STARTTLS; `imaps` is TLS from the first byte.
    """
    kinds = {"imap": (143, "none"), "imap+tls": (143, "starttls"), "imaps": (993, "tls")}
    port, security = kinds[url.scheme]
    options = dict(parse_qsl(url.query))
    move = options.pop("move", "")
    if options:
        raise _wrong("MAIL_IMAP", f"?{'&'.join(options)}", "the one option is ?move=FOLDER")
    if not url.username or not url.hostname:
        raise _wrong("MAIL_IMAP", f"{url.scheme}://...", "name the user and the host, as in imaps://user:password@host")
    return {
        "host": url.hostname,
        "port": url.port or port,
        "security": security,
        "username": unquote(url.username),
        "password": unquote(url.password or ""),
        "folder": unquote(url.path[1:]) or "INBOX",
        "move": move,
    }


def _sqlite(path: str) -> dict[str, object]:
    # IMMEDIATE: a transaction that reads first and writes later would else fail at once with "database is locked".
    # FULL: in WAL mode NORMAL may lose what was committed last when the power fails, and with it a mail that a door has
    # said yes to (RFC 5321, 6.1), or a turn of which everybody has been told.
    pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;"
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas},
    }


def _url(name: str, value: str, schemes: tuple[str, ...]) -> SplitResult:
    parts = urlsplit(value)
    if parts.scheme not in schemes:
        raise _wrong(name, parts.scheme, f"begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")
    return parts


def _read(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ImproperlyConfigured(f"{PREFIX}{name} names a file that cannot be read: {error}") from error


def _wrong(name: str, value: str, hint: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{PREFIX}{name} is {value!r}: {hint}.")
