"""Make this checkout ready: `python3 tools/prepare.py run` to play, `... test` to develop.

Stands on the standard library alone, since it runs before anything is installed. It looks at what is there, installs
what is missing (system packages by `apt-get` where it may, Python packages into `.venv`), and otherwise says in one
sentence what to type. When everything is there it does nothing, in a fraction of a second.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
LOCKS = {"run": ROOT / "requirements.lock", "test": ROOT / "requirements-dev.lock"}
FONTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")


class Need(NamedTuple):
    """A part of the system: Debian's name for it, what it is for, and how to see whether it is there."""

    package: str
    purpose: str
    is_there: Callable[[], bool]


def library(name: str) -> Callable[[], bool]:
    """Whether the dynamic linker finds `name`."""

    def is_there() -> bool:
        try:
            ctypes.CDLL(name)
        except OSError:
            return False
        return True

    return is_there


def command(*names: str) -> Callable[[], bool]:
    """Whether one of the commands is on the path."""
    return lambda: any(shutil.which(name) for name in names)


def font(pattern: str) -> Callable[[], bool]:
    """Whether a font file matches `pattern`."""
    return lambda: any(next(folder.rglob(pattern), None) for folder in FONTS if folder.is_dir())


RUN = (
    Need("libpango-1.0-0", "PDF reports", library("libpango-1.0.so.0")),
    Need("libpangoft2-1.0-0", "PDF reports", library("libpangoft2-1.0.so.0")),
    Need("libharfbuzz-subset0", "PDF reports", library("libharfbuzz-subset.so.0")),
    Need("fonts-dejavu-core", "PDF reports", font("DejaVuSans.ttf")),
    Need("fonts-linuxlibertine", "PDF reports", font("LinLibertine_R*")),
)
TEST = (
    *RUN,
    Need("chromium", "browser tests", command("chromium")),
    Need("poppler-utils", "reading PDF reports in tests", command("pdftotext")),
    Need("gettext", "gathering texts to translate", command("xgettext")),
    Need("git", "tests of the files under version control", command("git")),
)
NEEDS = {"run": RUN, "test": TEST}


def main(purpose: str) -> None:
    """Make everything ready for `purpose`, or end with a sentence that says what is in the way."""
    install_system_packages(purpose)
    make_venv()
    install_python_packages(purpose)


def install_system_packages(purpose: str) -> None:
    """Install what is missing by `apt-get` if we are root on a Debian-like system, else say what to type."""
    missing = [need.package for need in NEEDS[purpose] if not need.is_there()]
    if not missing:
        return
    if not shutil.which("apt-get"):
        sys.exit(f"Please install what your system calls these Debian packages, then try again: {' '.join(missing)}")
    if os.geteuid() != 0:
        sys.exit(f"Please type `sudo apt-get install {' '.join(missing)}`, then try again.")
    say(f"Installing {', '.join(missing)} ...")
    apt_get(missing)


def apt_get(packages: list[str]) -> None:
    """Install `packages` without questions; the package lists are fetched first if they are missing or old."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)  # type: ignore[call-overload]
    done = subprocess.run(install, check=False, **quiet)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"`{' '.join(install)}` failed:\n{done.stderr}")


def make_venv() -> None:
    """Make `.venv`, unless one with a working Python is there."""
    python = VENV / "bin/python"
    if python.exists() and not subprocess.run([python, "-c", ""], check=False).returncode:
        return
    say("Making the virtual environment .venv ...")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=False, capture_output=True, text=True)
    if done.returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        hint = f"Making .venv failed; on Debian, `sudo apt-get install python{version}-venv` mends it."
        sys.exit(f"{hint}\n{done.stdout}{done.stderr}")


def install_python_packages(purpose: str) -> None:
    """Install the lock file of `purpose`, unless this very file was installed last time."""
    lock = LOCKS[purpose]
    stamp, digest = VENV / f"installed-{purpose}", hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    say(f"Installing the Python packages of {lock.name} ...")
    pip = [str(VENV / "bin/python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes"]
    if subprocess.run([*pip, "-r", lock], check=False).returncode:
        sys.exit(f"Installing {lock.name} failed; the lines above say why.")
    stamp.write_text(digest, encoding="ascii")


def say(line: str) -> None:
    """Tell what is being done."""
    print(line, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in NEEDS:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(NEEDS)}")
    main(sys.argv[1])
