"""A new server gets its first organiser once, and the secret key of a server is made once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django.fixtures import Settings

from postspiel.accounts.models import User
from postspiel.config.first_run import first_run
from postspiel.config.secret import kept_key, private_folder

made_for: list[str] = []


def make_demo_game(organiser: User) -> None:
    made_for.append(organiser.email)


def fail(organiser: User) -> None:
    raise RuntimeError(f"no game for {organiser}")


@pytest.fixture(autouse=True)
def _no_game_yet(settings: Settings) -> None:
    made_for.clear()
    settings.DEMO_GAME = f"{__name__}.make_demo_game"


@pytest.mark.django_db
def test_the_first_organiser_can_sign_in_and_gets_the_demo_game_once(client: Client) -> None:
    welcome = first_run()

    assert welcome is not None
    assert client.login(email=welcome.email, password=welcome.password)
    assert EmailAddress.objects.get(email=welcome.email).verified
    assert made_for == [welcome.email]
    assert first_run() is None
    assert made_for == [welcome.email]


@pytest.mark.django_db
def test_a_failed_demo_game_leaves_no_organiser_whose_password_nobody_knows(settings: Settings) -> None:
    settings.DEMO_GAME = f"{__name__}.fail"
    with pytest.raises(RuntimeError):
        first_run()

    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "locale"), (("de_AT.UTF-8", "de"), ("C.UTF-8", "en")))
def test_the_organiser_reads_the_machines_language(monkeypatch: pytest.MonkeyPatch, language: str, locale: str) -> None:
    monkeypatch.setenv("LC_ALL", language)
    first_run()

    assert User.objects.get().locale == locale


@pytest.mark.parametrize("attempt", range(20))
def test_starters_at_once_read_one_key(tmp_path: Path, attempt: int) -> None:
    path = private_folder(tmp_path / "new") / "secret-key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: kept_key(path), range(8)))

    assert len(keys) == 1, attempt
    assert len(keys.pop()) == 64
    assert path.stat().st_mode & 0o077 == path.parent.stat().st_mode & 0o077 == 0
    assert [found.name for found in path.parent.iterdir()] == ["secret-key"]


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="POSTSPIEL_DATA: the folder cannot be made"):
        private_folder(tmp_path / "file" / "var")
