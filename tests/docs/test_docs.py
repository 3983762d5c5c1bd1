"""What the pages of documentation say can be typed and followed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```console( run)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FOREIGN = {
    "apt-get", "cd", "cp", "git", "install", "journalctl", "pg_dump", "postfix", "sqlite3", "swaks", "systemctl",
    "useradd",
}  # fmt: skip


def commands(page: Path) -> list[tuple[str, bool]]:
    """Each line typed on `page`, and whether the page wants it run by this test."""
    found = []
    for run, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        joined = block.replace("\\\n", " ")
        found += [(line[2:], bool(run)) for line in joined.splitlines() if line.startswith("$ ")]
    return found


TYPED = [pytest.param(line, id=f"{page.name}: {line}") for page in PAGES for line, _ in commands(page)]
RUN = [pytest.param(line, id=f"{page.name}: {line}") for page in PAGES for line, run in commands(page) if run]


@pytest.mark.parametrize("line", TYPED)
def test_a_command_on_a_page_exists_and_takes_these_arguments(line: str) -> None:
    words = [word for word in shlex.split(line.partition(" | ")[0], comments=True) if not re.match(r"[A-Z_]+=", word)]
    while words[0] in {"sudo", "-u", "postgres", "postspiel"}:
        words.pop(0)
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert set(words[1:]) <= set(targets)
    elif "manage.py" in words:
        takes(words[words.index("manage.py") + 1 :])
    else:
        assert words[0] in FOREIGN or words[0].startswith(".venv/bin/")


def takes(words: list[str]) -> None:
    """Fail unless there is a management command that takes these arguments."""
    name, *arguments = words
    apps = get_commands()
    assert name in apps
    assert isinstance(apps[name], str)
    load_command_class(str(apps[name]), name).create_parser("manage.py", name).parse_args(arguments)


@pytest.mark.once
@pytest.mark.whole
@pytest.mark.parametrize("line", RUN)
def test_a_command_that_a_page_shows_with_its_answer_runs(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    python = [sys.executable if word in {"python", ".venv/bin/python"} else word for word in words]
    environment = {**os.environ, "POSTSPIEL_DATA": str(tmp_path)}
    done = subprocess.run(python, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = [link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8"))]
    dead = [link for link in links if link and "://" not in link and not (page.parent / link).exists()]

    assert dead == []
