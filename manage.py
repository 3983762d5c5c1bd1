#!/usr/bin/env python3
"""Postspiel's commands: `python manage.py help` lists them."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Put the plain source root `platform/` on the path and hand over to Django.

    Wrong settings end with a sentence, and with the code by which a mail server keeps a mail (`mail deliver`).
    """
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - the path is set above
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(os.EX_TEMPFAIL)


if __name__ == "__main__":
    main()
