"""Files that must agree with each other: settings and their page, locks and pyproject, layout and design."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
READ = re.compile(r"environment\.(?:text|flag|number|words|choice|path|urls?)\(\s*\"([A-Z_]+)\"")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_setting_is_on_its_page_and_the_page_names_no_other() -> None:
    variables = {f"POSTSPIEL_{name}" for name in READ.findall(read("platform/postspiel/config/settings.py"))}
    variables |= set(re.findall(r"environ\.get\(\"(POSTSPIEL_TEST_[A-Z_]+)\"", read("tools/suite.py")))

    assert len(variables) > 15
    assert set(re.findall(r"^\| `(POSTSPIEL_[A-Z_]+)` \|", read("docs/settings.md"), re.MULTILINE)) == variables


def test_the_environment_is_read_in_the_settings_only() -> None:
    readers = [
        str(path.relative_to(ROOT))
        for folder in ("platform", "games", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"os\.environ\.get|os\.environ\[|os\.getenv", path.read_text(encoding="utf-8"))
    ]
    assert readers == ["platform/postspiel/config/first_run.py"], "it reads the machine's language"


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_is_hashed_and_holds_no_address(lock: str) -> None:
    text = read(lock)
    pins = re.findall(r"^([a-z0-9._-]+)==\S+.*?(?=^[a-z]|\Z)", text, re.MULTILINE | re.DOTALL)

    assert len(pins) > 30
    assert text.count("--hash=sha256:") >= len(pins)
    assert not re.search(r"://|--index-url|--find-links", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_pins_what_pyproject_asks_for(lock: str) -> None:
    project = tomllib.loads(read("pyproject.toml"))
    asked = [Requirement(line) for line in project["project"]["dependencies"]]
    if lock == "requirements-dev.lock":
        asked += [Requirement(line) for line in project["dependency-groups"]["dev"]]
    pinned = locked(lock)

    wrong = [str(need) for need in asked if not need.specifier.contains(pinned.get(canonicalize_name(need.name), "0"))]
    assert wrong == [], "run `make lock`"


def test_developers_have_what_hosts_have() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


def locked(lock: str) -> dict[str, str]:
    """Package to version."""
    pins = re.findall(r"^(\S+?)(?:\[.*?\])?==(\S+)", read(lock), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def test_the_source_root_does_not_shadow_the_standard_librarys_platform() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()
    assert not list((ROOT / "platform").glob("*.py"))
    assert not [path for path in (ROOT / "tests").rglob("platform") if path.is_dir()]
