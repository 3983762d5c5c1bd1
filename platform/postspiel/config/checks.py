"""System checks of what a host may set: each says what is wrong and how to mend it."""

import ipaddress
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

LOCAL_NAMES = {"localhost", "testserver"}


@checks.register()
def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """All that is wrong with this server's settings."""
    return [*_addresses(), *_exposure(), *_mail(), *_data()]


def is_local(host: str) -> bool:
    """Whether `host` is this machine and nothing else."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host in LOCAL_NAMES or host.endswith(".localhost")


def _addresses() -> Iterator[checks.CheckMessage]:
    for name in ("POSTSPIEL_LISTEN", "POSTSPIEL_MAIL_LISTEN", "POSTSPIEL_MAIL_LMTP"):
        value = getattr(settings, name)
        spared = name == "POSTSPIEL_MAIL_LMTP" and (not value or "/" in value)  # nowhere, or a socket's path
        if not spared and not re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}", value):
            yield checks.Error(
                f"{name} is {value!r}.", hint="Say host:port, for example 127.0.0.1:8000.", id="postspiel.E001"
            )


def _exposure() -> Iterator[checks.CheckMessage]:
    """What must not be reachable from other machines."""
    foreign = [host for host in (*settings.ALLOWED_HOSTS, _host(settings.POSTSPIEL_LISTEN)) if not is_local(host)]
    if foreign and settings.POSTSPIEL_POSTBOX:
        yield checks.Error(
            f"The postbox shows every mail, and this server answers to {', '.join(foreign)}.",
            hint="Set POSTSPIEL_SMTP to send real mail, or POSTSPIEL_POSTBOX=no; the postbox is for one's own machine.",
            id="postspiel.E002",
        )
    if foreign and settings.DEBUG:
        yield checks.Error(
            f"POSTSPIEL_DEBUG shows source and settings, and this server answers to {', '.join(foreign)}.",
            hint="Unset POSTSPIEL_DEBUG, or let POSTSPIEL_HOSTS and POSTSPIEL_LISTEN name only this machine.",
            id="postspiel.E003",
        )
    if foreign and settings.POSTSPIEL_URL.startswith("http:"):
        yield checks.Warning(
            "POSTSPIEL_URL begins with http: passwords and cookies travel in clear text.",
            hint="Put a web server with a certificate in front and set POSTSPIEL_URL=https://...; see docs/hosting.md.",
            id="postspiel.W004",
        )


def _mail() -> Iterator[checks.CheckMessage]:
    sends = settings.POSTSPIEL_SMTP is not None
    if not sends and not settings.POSTSPIEL_POSTBOX:
        yield checks.Error(
            "No mail leaves this server: neither POSTSPIEL_SMTP nor POSTSPIEL_POSTBOX is set.",
            hint="Set POSTSPIEL_SMTP=smtp+tls://user:password@mail.example.org:587.",
            id="postspiel.E005",
        )
    if sends and is_local(settings.POSTSPIEL_MAIL_DOMAIN):
        yield checks.Warning(
            f"Mail goes out, but answers to {settings.POSTSPIEL_MAIL_DOMAIN} find no way back.",
            hint="Set POSTSPIEL_MAIL_DOMAIN to the domain whose mail reaches this server.",
            id="postspiel.W006",
        )
    if settings.POSTSPIEL_MAIL_SCHEME == "single" and not settings.POSTSPIEL_MAIL_AUTHSERV:
        yield checks.Warning(
            "Addresses carry no token and no sender is checked, so all orders by mail wait to be confirmed.",
            hint="Set POSTSPIEL_MAIL_AUTHSERV to the name that your provider writes into Authentication-Results.",
            id="postspiel.W009",
        )
    if not re.fullmatch(r"[A-Za-z0-9._-]{0,30}", settings.POSTSPIEL_MAIL_WORD):
        yield checks.Error(
            f"POSTSPIEL_MAIL_WORD is {settings.POSTSPIEL_MAIL_WORD!r}.",
            hint="Say what stands before the @ in your mailbox's address: at most 30 letters, digits, dots and dashes.",
            id="postspiel.E010",
        )
    for place in settings.POSTSPIEL_IMAP:
        if place["security"] == "none" and not is_local(place["host"]):
            yield checks.Warning(
                f"The password for {place['host']} travels in clear text.",
                hint="Begin POSTSPIEL_MAIL_IMAP with imaps:// or imap+tls://.",
                id="postspiel.W011",
            )


def _data() -> Iterator[checks.CheckMessage]:
    folder = settings.POSTSPIEL_DATA
    if not os.access(folder, os.W_OK | os.X_OK):
        yield checks.Error(
            f"{folder} cannot be written.",
            hint="Let it belong to the user that Postspiel runs as, or set POSTSPIEL_DATA to another folder.",
            id="postspiel.E007",
        )
    if len(settings.SECRET_KEY) < 32:
        yield checks.Error(
            "POSTSPIEL_SECRET_KEY is shorter than 32 characters.",
            hint="Unset it: the server then makes a good one and keeps it in its data folder.",
            id="postspiel.E008",
        )


def _host(listen: str) -> str:
    return listen.rpartition(":")[0]
