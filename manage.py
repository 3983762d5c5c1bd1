#!/usr/bin/env python3
"""Postspiel's commands: `python manage.py help` lists them."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Put the plain source root `platform/` on the path and hand over to Django."""
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - the path is set above

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
