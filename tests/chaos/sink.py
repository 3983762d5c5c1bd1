"""The outside mail server of the chaos run: `python -m tests.chaos.sink PORT FOLDER`.

Each mail is a file before it is accepted, so what was accepted is known even of a sink that was killed. While a file
`refuse` lies in the folder, every mail is put off (451).
"""

import asyncio
import os
import secrets
import sys
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

REFUSE = "refuse"


class Sink:
    """Takes every mail for everybody."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if (self.folder / REFUSE).exists():
            return "451 4.3.0 not now"
        content = envelope.content or b""
        keep(self.folder, content if isinstance(content, bytes) else content.encode())
        return "250 kept"


def keep(folder: Path, content: bytes) -> None:
    """Write a mail so that it is whole or not there."""
    path = folder / secrets.token_hex(8)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    path.replace(path.with_suffix(".eml"))


async def serve(port: int, folder: Path) -> None:
    """Listen until killed."""
    Controller(Sink(folder), hostname="127.0.0.1", port=port).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
