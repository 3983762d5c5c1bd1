"""Making a machine ready: what is missing is installed or named, what is there is left alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import prepare
from tools.prepare import Need

HERE = Need("there", "tests", lambda: True)
MISSING = Need("libmissing1", "tests", lambda: False)


@pytest.fixture
def needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "NEEDS", {"run": (HERE, MISSING), "test": (HERE,)})


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    packages: list[str] = []
    monkeypatch.setattr(prepare, "apt_get", packages.extend)
    return packages


def test_root_installs_what_is_missing_and_only_that(
    needs: None, installed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    prepare.install_system_packages("test")
    assert installed == []
    prepare.install_system_packages("run")
    assert installed == ["libmissing1"]


def test_others_are_told_what_to_type(needs: None, installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(SystemExit, match="Please type `sudo apt-get install libmissing1`, then try again"):
        prepare.install_system_packages("run")
    assert installed == []


def test_without_apt_get_the_packages_are_named(needs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(SystemExit, match="what your system calls these Debian packages, then try again: libmissing1"):
        prepare.install_system_packages("run")


def test_a_lock_file_is_installed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pip is replaced by a Python that counts its calls; all else is real."""
    calls, lock, python = tmp_path / "calls", tmp_path / "some.lock", tmp_path / "bin/python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\necho call >> {calls}\n", encoding="utf-8")
    python.chmod(0o755)
    lock.write_text("six==1\n", encoding="utf-8")
    monkeypatch.setattr(prepare, "VENV", tmp_path)
    monkeypatch.setattr(prepare, "LOCKS", {"run": lock})

    for _ in range(2):
        prepare.install_python_packages("run")
    assert calls.read_text() == "call\n"

    lock.write_text("six==2\n", encoding="utf-8")
    prepare.install_python_packages("run")
    assert calls.read_text() == "call\ncall\n"


def test_the_script_needs_nothing_but_the_standard_library() -> None:
    isolated = [sys.executable, "-I", "-S", str(Path(prepare.__file__)), "neither"]
    done = subprocess.run(isolated, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})

    assert done.returncode == 1
    assert done.stderr.endswith("run|test\n")
