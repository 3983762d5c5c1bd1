"""The way out: SMTP by smtplib with our own bytes, or, where the host set no server, nowhere (the postbox shows them).

What a server says decides what becomes of a mail: about this mail, 5xx is final and 4xx is not; whatever concerns the
connection, the greeting or the sign-in is the host's matter and never a mail's fault.
"""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, Protocol

from django.conf import settings

from postspiel.mail.letters import host_in_ascii, one_line
from postspiel.mail.said import CUT_OFF, KEPT, NOT_REACHED

TIMEOUT = 30


class Permanent(Exception):  # noqa: N818 - it says how long, not that it is one
    """The server will never take this mail. Its text is the server's answer."""


class Temporary(Exception):  # noqa: N818
    """The server does not take this mail now. Its text is the server's answer."""


class Unreachable(Exception):  # noqa: N818
    """The server cannot be spoken to at all."""


class Wire(Protocol):
    """A way to send. `delivers` False: mails stay here. `unreachable`: no use trying more mails just now."""

    delivers: bool
    unreachable: bool

    def send(self, to: str, raw: bytes, *, sender: str) -> str:
        """Send one mail; the server's answer. `sender` is the envelope's.

        Raises `Permanent`, `Temporary` or `Unreachable`.
        """


class Postbox:
    """No server is set: the mail is kept where the host can read it."""

    delivers = False
    unreachable = False

    def send(self, to: str, raw: bytes, *, sender: str) -> str:
        del to, raw, sender
        return KEPT


class Smtp:
    """One connection to the host's mail server, opened with the first mail and opened anew after a quarrel."""

    delivers = True

    def __init__(self, options: dict[str, object]) -> None:
        self.options = options
        self.unreachable = False
        self._client: smtplib.SMTP | None = None

    def send(self, to: str, raw: bytes, *, sender: str) -> str:
        client = self._client or self._connect()
        try:
            return self._talk(client, to, raw, sender)
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            self.close()
            raise Temporary(f"{CUT_OFF}: {_clean(str(error))}") from error
        except (Permanent, Temporary):
            self._reset()
            raise

    def close(self) -> None:
        if self._client is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._client.quit()
            self._client = None

    def _talk(self, client: smtplib.SMTP, to: str, raw: bytes, sender: str) -> str:
        options = ["SMTPUTF8"] if not to.isascii() else []
        _must(client.mail(sender, options), about_mail=False)
        _must(client.rcpt(host_in_ascii(to)))
        try:
            return _must(client.data(raw))
        except smtplib.SMTPDataError as error:  # it said no before it saw the text
            return _must((error.smtp_code, _bytes(error.smtp_error)))

    def _connect(self) -> smtplib.SMTP:
        try:
            self._client = _client(self.options)
        except (OSError, smtplib.SMTPException) as error:
            self.unreachable = True
            raise Unreachable(f"{NOT_REACHED}: {_clean(str(error))}") from error
        return self._client

    def _reset(self) -> None:
        try:
            assert self._client is not None  # noqa: S101 - only called with a connection
            self._client.rset()
        except (OSError, smtplib.SMTPException):
            self.close()


@contextmanager
def open_wire() -> Iterator[Wire]:
    """The way out that the host has set, for as many mails as one likes."""
    if settings.POSTSPIEL_SMTP is None:
        yield Postbox()
        return
    wire = Smtp(settings.POSTSPIEL_SMTP)
    try:
        yield wire
    finally:
        wire.close()


class Offers(NamedTuple):
    """How the host's mail server was spoken to: with encryption, or whether it would have offered it."""

    encrypted: bool
    tls: bool


def offers() -> Offers:
    """Say hello to the host's mail server, sign-in included; how that went. Raises `Unreachable`, also without one."""
    options = settings.POSTSPIEL_SMTP
    if options is None:
        raise Unreachable("No mail server is set.")
    wire = Smtp(options)
    client = wire._connect()
    try:
        return Offers(bool(options["use_tls"] or options["use_ssl"]), client.has_extn("starttls"))
    finally:
        wire.close()


def _client(options: dict[str, object]) -> smtplib.SMTP:
    host, port = str(options["host"]), int(str(options["port"]))
    context = ssl.create_default_context()
    client: smtplib.SMTP
    if options["use_ssl"]:
        client = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=context)
    else:
        client = smtplib.SMTP(host, port, timeout=TIMEOUT)
    try:
        _sign_in(client, options, context)
    except BaseException:
        client.close()
        raise
    return client


def _sign_in(client: smtplib.SMTP, options: dict[str, object], context: ssl.SSLContext) -> None:
    client.ehlo_or_helo_if_needed()
    if options["use_tls"]:
        client.starttls(context=context)
        client.ehlo()
    if options["username"]:
        client.login(str(options["username"]), str(options["password"]))


def _must(answer: tuple[int, bytes], *, about_mail: bool = True) -> str:
    """The server's answer as a line of text; raises unless it is a yes."""
    code, text = answer
    said = f"{code} {_clean(text.decode('utf-8', 'replace'))}"
    if code < 400:
        return said
    raise Permanent(said) if code >= 500 and about_mail else Temporary(said)


def _bytes(said: bytes | str) -> bytes:
    return said if isinstance(said, bytes) else said.encode()


def _clean(text: str) -> str:
    return one_line(text)[:300]
