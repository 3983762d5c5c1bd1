"""The readers of the environment."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured

from postspiel.config.environment import Environment, database, imap, smtp


def reader(**variables: str) -> Environment:
    return Environment({f"POSTSPIEL_{name}": value for name, value in variables.items()})


def test_a_text_comes_from_the_variable_or_the_file_but_not_both(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame \n", encoding="utf-8")

    assert reader().text("KEY", "default") == "default"
    assert reader(KEY="  ").text("KEY", "default") == "default"
    assert reader(KEY="open").text("KEY") == "open"
    assert reader(KEY_FILE=str(secret)).text("KEY") == "sesame "
    with pytest.raises(ImproperlyConfigured, match="KEY_FILE are both set"):
        reader(KEY="open", KEY_FILE=str(secret)).text("KEY")
    with pytest.raises(ImproperlyConfigured, match="POSTSPIEL_KEY_FILE names a file that cannot be read"):
        reader(KEY_FILE=str(tmp_path / "none")).text("KEY")


@pytest.mark.parametrize(
    ("written", "meant"), (("yes", True), ("On", True), ("0", False), ("FALSE", False), ("", True))
)
def test_a_flag_is_yes_or_no(written: str, meant: bool) -> None:
    assert reader(FLAG=written).flag("FLAG", default=True) is meant


def test_wrong_values_are_named_with_what_would_be_right() -> None:
    with pytest.raises(ImproperlyConfigured, match="POSTSPIEL_FLAG is 'maybe': say yes or no"):
        reader(FLAG="maybe").flag("FLAG", default=True)
    with pytest.raises(ImproperlyConfigured, match="POSTSPIEL_N is 'many': say a whole number"):
        reader(N="many").number("N", 3)
    with pytest.raises(ImproperlyConfigured, match="say one of plus, dash"):
        reader(SCHEME="minus").choice("SCHEME", ("plus", "dash"))
    with pytest.raises(ImproperlyConfigured, match="begin with one of sqlite://, postgresql://"):
        reader(DATABASE="mysql://root@localhost/x").url("DATABASE", ("sqlite", "postgresql"))


def test_a_refused_url_does_not_show_its_password() -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        reader(SMTP="http://ada:sesame@mail.example.org").url("SMTP", ("smtp",))
    assert "sesame" not in str(refused.value)


def test_numbers_words_choices_and_paths() -> None:
    given = reader(N=" 7 ", HOSTS="a.example.org, b.example.org,", SCHEME="dash", DATA="~/there")

    assert (given.number("N", 3), given.number("M", 3)) == (7, 3)
    assert given.words("HOSTS") == ["a.example.org", "b.example.org"]
    assert given.words("OTHERS", ("c",)) == ["c"]
    assert given.choice("SCHEME", ("plus", "dash")) == "dash"
    assert given.path("DATA", Path("x")) == Path.home() / "there"
    assert given.path("ELSE", Path("x")) == Path.cwd() / "x"


def test_sqlite_takes_its_lock_when_a_transaction_begins() -> None:
    entry = database(urlsplit("sqlite:////srv/game%20data/p.sqlite3"))

    assert entry["NAME"] == "/srv/game data/p.sqlite3"
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"  # type: ignore[index]


def test_a_postgresql_url_keeps_odd_passwords_and_options() -> None:
    entry = database(urlsplit("postgresql://ada:p%40ss@db.example.org:5433/games?sslmode=require"))

    assert {name: entry[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "games",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": 5433,
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("url", "port", "starttls", "tls"),
    (
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://ada:x@mail.example.org", 587, True, False),
        ("smtps://ada:x@mail.example.org:4650", 4650, False, True),
    ),
)
def test_an_smtp_url_says_how_it_is_encrypted(url: str, port: int, starttls: bool, tls: bool) -> None:
    options = smtp(urlsplit(url))

    assert (options["host"], options["port"]) == ("mail.example.org", port)
    assert (options["use_tls"], options["use_ssl"]) == (starttls, tls)


def test_mailboxes_are_urls_parted_by_spaces() -> None:
    given = reader(IMAP="imaps://games%40example.org:a%2Fb@mail.example.org\n imap+tls://u:p@h:1143/In%20box?move=Done")
    first, second = (imap(url) for url in given.urls("IMAP", ("imap+tls", "imaps")))
    assert first == {
        "host": "mail.example.org", "port": 993, "security": "tls", "username": "games@example.org", "password": "a/b",
        "folder": "INBOX", "move": "",
    }  # fmt: skip
    assert (second["port"], second["security"], second["folder"], second["move"]) == (
        1143,
        "starttls",
        "In box",
        "Done",
    )
    assert reader().urls("IMAP", ("imaps",)) == []


@pytest.mark.parametrize(
    ("url", "hint"),
    (
        ("imaps://u:sesame@h/INBOX?mvoe=Done", "the one option is"),
        ("imaps://mail.example.org/INBOX?move=sesame", "name the user"),
    ),
)
def test_a_wrong_mailbox_is_told_without_its_password(url: str, hint: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=hint) as refused:
        imap(urlsplit(url))
    assert "sesame" not in str(refused.value)
