"""Wrong settings are told with a hint; right ones pass."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from postspiel.config.checks import check_settings

LOCAL: dict[str, Any] = {
    "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
    "DEBUG": True,
    "POSTSPIEL_SMTP": None,
    "POSTSPIEL_LISTEN": "127.0.0.1:8000",
    "POSTSPIEL_MAIL_LISTEN": "127.0.0.1:2525",
    "POSTSPIEL_MAIL_DOMAIN": "localhost",
    "POSTSPIEL_POSTBOX": True,
    "POSTSPIEL_URL": "http://127.0.0.1:8000",
    "SECRET_KEY": "k" * 50,
}
PUBLIC: dict[str, Any] = {
    **LOCAL,
    "ALLOWED_HOSTS": ["games.example.org"],
    "DEBUG": False,
    "POSTSPIEL_SMTP": {"host": "mail.example.org"},
    "POSTSPIEL_MAIL_LISTEN": "0.0.0.0:25",
    "POSTSPIEL_MAIL_DOMAIN": "games.example.org",
    "POSTSPIEL_POSTBOX": False,
    "POSTSPIEL_URL": "https://games.example.org",
}


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> None:
    settings.POSTSPIEL_DATA = tmp_path


def found(settings: Settings, values: dict[str, Any]) -> list[str]:
    for name, value in values.items():
        setattr(settings, name, value)
    messages = check_settings(None)
    assert all(message.hint for message in messages)
    return [str(message.id).removeprefix("postspiel.") for message in messages]


@pytest.mark.parametrize("right", (LOCAL, PUBLIC), ids=("local", "public"))
def test_right_settings_pass(settings: Settings, right: dict[str, Any]) -> None:
    assert found(settings, right) == []


@pytest.mark.parametrize(
    ("base", "change", "expected"),
    (
        (LOCAL, {"POSTSPIEL_MAIL_LISTEN": "2525"}, ["E001"]),
        (LOCAL, {"POSTSPIEL_MAIL_LMTP": "2424"}, ["E001"]),
        (LOCAL, {"POSTSPIEL_MAIL_LMTP": "127.0.0.1:2424"}, []),
        (LOCAL, {"POSTSPIEL_MAIL_LMTP": "/srv/postspiel/mail/lmtp"}, []),
        (LOCAL, {"POSTSPIEL_LISTEN": "0.0.0.0:8000"}, ["E002", "E003", "W004"]),
        (LOCAL, {"ALLOWED_HOSTS": ["localhost", "games.example.org"]}, ["E002", "E003", "W004"]),
        (PUBLIC, {"POSTSPIEL_POSTBOX": True}, ["E002"]),
        (PUBLIC, {"DEBUG": True}, ["E003"]),
        (PUBLIC, {"POSTSPIEL_URL": "http://games.example.org"}, ["W004"]),
        (PUBLIC, {"POSTSPIEL_SMTP": None}, ["E005"]),
        (PUBLIC, {"POSTSPIEL_MAIL_DOMAIN": "localhost"}, ["W006"]),
        (PUBLIC, {"SECRET_KEY": "short"}, ["E008"]),
        (PUBLIC, {"POSTSPIEL_DATA": Path("/nowhere/at/all")}, ["E007"]),
        (PUBLIC, {"POSTSPIEL_MAIL_SCHEME": "single", "POSTSPIEL_MAIL_AUTHSERV": ""}, ["W009"]),
        (PUBLIC, {"POSTSPIEL_MAIL_SCHEME": "single", "POSTSPIEL_MAIL_AUTHSERV": "mx.example.net"}, []),
        (PUBLIC, {"POSTSPIEL_MAIL_WORD": "max@example.org"}, ["E010"]),
        (PUBLIC, {"POSTSPIEL_IMAP": [{"host": "imap.example.net", "security": "none"}]}, ["W011"]),
        (PUBLIC, {"POSTSPIEL_IMAP": [{"host": "127.0.0.1", "security": "none"}]}, []),
    ),
)
def test_wrong_settings_are_named(
    settings: Settings, base: dict[str, Any], change: dict[str, Any], expected: list[str]
) -> None:
    assert found(settings, {**base, **change}) == expected
