"""Tokens in addresses: made from the server's key, written in three ways, read back from whatever came.

A token is 128 bits of HMAC-SHA-256 in lower-case base32: 26 characters that survive any mail server. It is never
stored; rows hold its SHA-256 (DESIGN section 5). Pure but for the keys and the domain, which are arguments.
"""

import base64
import hashlib
import hmac
import re

LENGTH = 26
_TOKEN = re.compile(rf"[a-z2-7]{{{LENGTH}}}")
_TAG = re.compile(r"\[\s*postspiel\s+([0-9]{1,18})\s*\]", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"[^a-z0-9]+")


def token(key: str, kind: str, object_id: int, generation: int) -> str:
    """The token of one generation of an address."""
    mac = hmac.digest(key.encode(), f"postspiel address {kind}/{object_id}/{generation}".encode(), "sha256")
    return base64.b32encode(mac[:16]).decode().rstrip("=").lower()


def digest(word: str) -> str:
    """What a row keeps of a token: its SHA-256 in hex."""
    return hashlib.sha256(word.encode()).hexdigest()


def spell(word: str, secret: str, *, scheme: str, domain: str, box: str = "") -> str:
    """The whole address: `word+token@domain`, `word-token@domain` or `token@domain` (a domain that is ours alone).

    `box` stands for every word where the mail server knows one mailbox only.
    """
    word = box or plain(word)
    local = {"plus": f"{word}+{secret}", "dash": f"{word}-{secret}", "subdomain": secret}[scheme]
    return f"{local}@{domain}"


def plain(word: str) -> str:
    """A word that every mail server takes."""
    return _WORD.sub("", word.lower())[:30] or "mail"


def tag(number: int) -> str:
    """What stands for an address row in a subject: `[Postspiel 17]`."""
    return f"[Postspiel {number}]"


def find_tag(subject: str) -> int | None:
    """The number in the last tag of a subject, whatever was written around it; None without one."""
    found = _TAG.findall(subject)
    return int(found[-1]) if found else None


def local_part(address: str, domain: str) -> str | None:
    """What stands before the @ of an address in our domain or below it, in lower case; None if it is elsewhere."""
    local, at, host = address.strip().strip("<>").lower().rpartition("@")
    ours = domain.lower()
    return local if at and (host == ours or host.endswith(f".{ours}")) else None


def find(address: str, domain: str) -> str | None:
    """The token in an address, however it is written and cased; None if there is none.

    All schemes are read whatever the server writes now, so that a change of scheme breaks no mail already sent.
    """
    local = local_part(address, domain)
    if local is None:
        return None
    last = re.split(r"[+-]", local)[-1]
    return last if _TOKEN.fullmatch(last) else None
