"""One-time codes that confirm by mail what a mail alone may not do.

A code follows from the server's key and from what it confirms; nothing is stored that somebody could read. It is sent
to the registered address only, and used up by what it does: the held mail is read, the seat is given up.
"""

from __future__ import annotations

import re
from base64 import b32encode

from django.utils.crypto import salted_hmac

from games.engine.wording import normalise

_LENGTH = 8
_LONGEST = 30
_MOST = 3
_CODE = re.compile(r"([A-Z2-7]{4})(?: ?- ?| ?)([A-Z2-7]{4})")
_ALIKE = str.maketrans("018", "OIB")
"""Figures that no code has, and the letters that they are mistaken for."""


def code(purpose: str, cause: object) -> str:
    """Return the code that confirms one thing, as people write it: ABCD-EFGH."""
    raw = b32encode(salted_hmac("postspiel.play.codes", f"{purpose}:{cause}", algorithm="sha256").digest())
    letters = raw.decode()[:_LENGTH]
    return f"{letters[:4]}-{letters[4:]}"


def found(text: str) -> set[str]:
    """Return the codes that stand alone on a line of a text, however they were typed; none if somebody tries many."""
    lines = (normalise(line).strip(" >.*\"'").upper().translate(_ALIKE) for line in text.splitlines())
    matches = filter(None, (_CODE.fullmatch(line) for line in lines if len(line) <= _LONGEST))
    codes = {f"{match[1]}-{match[2]}" for match in matches}
    return codes if len(codes) <= _MOST else set()
