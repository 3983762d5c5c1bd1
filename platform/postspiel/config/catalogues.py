"""Message catalogues: `.po` files are kept, `.mo` files are made from them where they run."""

from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_stale(folder: Path) -> list[Path]:
    """Compile each `folder/LANGUAGE/LC_MESSAGES/*.po` that is newer than its `.mo`; return what was written.

    Fuzzy messages are left out. A file is put in place whole, so that processes that start at once do not meet half.
    """
    stale = [source for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if _is_stale(source)]
    return [_compile(source) for source in stale]


def _is_stale(source: Path) -> bool:
    target = source.with_suffix(".mo")
    return not target.exists() or target.stat().st_mtime < source.stat().st_mtime


def _compile(source: Path) -> Path:
    target = source.with_suffix(".mo")
    with source.open("rb") as text, NamedTemporaryFile(dir=source.parent, suffix=".mo", delete=False) as binary:
        write_mo(binary, read_po(text, locale=source.parents[1].name))
    beside = Path(binary.name)
    beside.chmod(source.stat().st_mode)
    return beside.replace(target)
