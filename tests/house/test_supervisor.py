"""Parts are started, restarted with growing pauses, named, and all stopped."""

import os
import sys
import time
from pathlib import Path

import pytest

from postspiel.config import supervisor as module
from postspiel.config.supervisor import Part, Supervisor

SLEEPER = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"
CRASHES_ONCE = """
import pathlib, sys
crashed = pathlib.Path("{folder}/crashed")
if not crashed.exists():
    crashed.touch()
    sys.exit("no luck")
pathlib.Path("{folder}/log/again.log").write_text("x")
"""


def watched(folder: Path, programs: dict[str, str]) -> tuple[Supervisor, list[str]]:
    said: list[str] = []
    parts = [Part(name, (sys.executable, "-c", program)) for name, program in programs.items()]
    return Supervisor(parts, logs=folder / "log", environment=dict(os.environ), say=said.append), said


def run_until(supervisor: Supervisor, done: str, folder: Path, seconds: float = 60) -> None:
    """Run until the log called `done` has text."""
    deadline = time.monotonic() + seconds

    def look() -> None:
        log = folder / "log" / f"{done}.log"
        if (log.exists() and log.stat().st_size) or time.monotonic() > deadline:
            supervisor.stop()

    supervisor.run(on_tick=look)


def alive(folder: Path) -> list[int]:
    """Processes whose command line names `folder`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_all_parts_are_started_and_none_is_left(tmp_path: Path) -> None:
    supervisor, said = watched(tmp_path, {"web": f"# {tmp_path}\n{SLEEPER}", "mail": f"# {tmp_path}\n{SLEEPER}"})
    run_until(supervisor, "mail", tmp_path)

    assert (tmp_path / "log/mail.log").read_text() == "up\n"
    assert said == []
    assert alive(tmp_path) == []


def test_a_crashed_part_is_named_with_its_last_words_and_started_again(tmp_path: Path) -> None:
    supervisor, said = watched(tmp_path, {"worker": CRASHES_ONCE.format(folder=tmp_path) + SLEEPER})
    run_until(supervisor, "again", tmp_path)

    assert (tmp_path / "log/again.log").read_text() == "x"
    assert len(said) == 1
    assert said[0].startswith("worker crashed (exit code 1) and is started again in 1 s.")
    assert said[0].endswith("    no luck")


def test_pauses_grow_until_the_part_has_lived(tmp_path: Path) -> None:
    run = module._Run(Part("web", (sys.executable, "-c", "")), tmp_path, dict(os.environ))
    pauses, now = [], 1000.0
    for lived in (0, 0, 0, 0, 0, 0, 0, 0, 100):
        run.start(now)
        assert run.process is not None
        run.process.wait()
        now += lived
        assert run.crashed(now) == 0
        pauses.append(run.pause)
        now = run.start_at

    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 1]


def test_a_part_that_will_not_stop_is_killed_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_WITHIN", 0.3)
    supervisor, said = watched(tmp_path, {"web": f"# {tmp_path}\n{STUBBORN}"})
    run_until(supervisor, "web", tmp_path)

    assert said == ["Had to be killed: web."]
    assert alive(tmp_path) == []


def test_a_long_log_begins_anew_and_keeps_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOG_BYTES", 10)
    log = tmp_path / "log/web.log"
    supervisor, _ = watched(tmp_path, {"web": SLEEPER})
    log.write_text("the story of an earlier life\n")
    supervisor.run(on_tick=lambda: supervisor.stop() if log.exists() and log.read_text() == "up\n" else None)

    assert log.with_suffix(".log.1").read_text() == "the story of an earlier life\n"
