"""Whether a mail's sender is who he says, as our own mail server has written it into the head (RFC 8601).

Only headers under the name of our server count, of these the topmost decides, and no other can make it better: what a
sender wrote himself stands below. A small reader of our own: comments, quoted strings and repeated methods must not be
mistaken, and the library for it has had no release for seven years.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from postspiel.mail.reading.mime import Mail, headers

type Check = Literal["pass", "fail", "unknown"]

_WORDS = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[()]|[;=]|\\.|[^\s"();=\\]+')
_FAILS = frozenset({"fail", "hardfail", "reject", "quarantine"})
_DOMAINS = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
MOST = 20
"""So many headers are looked at."""


class Result(NamedTuple):
    """One result: ``dkim=pass header.d=example.org`` is ("dkim", "pass", {"header.d": "example.org"})."""

    method: str
    value: str
    properties: dict[str, str]


def check(mail: Mail, authserv: str) -> Check:
    """What the server called `authserv` says of the address in From. "unknown" without a name, header or result."""
    found = [read(value) for value in headers(mail.headers, "authentication-results")[:MOST]] if authserv else []
    ours = [results for name, results in filter(None, found) if name == authserv.lower()]
    verdicts = [_verdict(results, mail.sender.rpartition("@")[2]) for results in ours if mail.sender]
    if "fail" in verdicts:
        return "fail"
    return verdicts[0] if verdicts else "unknown"


def read(value: str) -> tuple[str, list[Result]] | None:
    """The name of the server and its results; None for a header that is not written as it must be."""
    words = _uncommented(value)
    if words is None:
        return None
    first, *rest = _split(words, ";")
    results = [result for result in map(_result, rest) if result is not None]
    return (first[0].strip('"').lower(), results) if first else None


def _uncommented(value: str) -> list[str] | None:
    """The words of a header without spaces and comments, which may stand in each other; None if one is left open."""
    kept, depth, end = [], 0, 0
    for match in _WORDS.finditer(value):
        if match.start() != end:
            return None
        word, end = match[0], match.end()
        depth += (word == "(") - (word == ")")
        if depth < 0:
            return None
        if not depth and word != ")" and not word.isspace():
            kept.append(word)
    return kept if not depth and end == len(value) else None


def _split(words: Sequence[str], sign: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == sign:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _result(words: Sequence[str]) -> Result | None:
    pairs = list(_pairs(words))
    if not pairs:
        return None
    (method, value), *properties = pairs
    return Result(method.partition("/")[0], value.lower(), dict(reversed(properties)))


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs around equal signs; what stands alone says nothing."""
    for at, word in enumerate(words):
        if word == "=" and 0 < at < len(words) - 1:
            yield words[at - 1].lower(), words[at + 1].strip('"')


def _verdict(results: Sequence[Result], domain: str) -> Check:
    """DMARC, if it was looked at; else DKIM and SPF as far as they are about the domain in From."""
    dmarc = [one for one in results if one.method == "dmarc" and one.value not in {"none", "temperror", "permerror"}]
    about = dmarc or [one for one in results if one.method in _DOMAINS and _is_about(one, domain)]
    if any(one.value in _FAILS for one in about):
        return "fail"
    passed = any(one.value == "pass" and _names(one, domain) for one in about)
    return "pass" if passed else "unknown"


def _is_about(result: Result, domain: str) -> bool:
    named = next((result.properties[name] for name in _DOMAINS[result.method] if name in result.properties), "")
    return _related(named.rpartition("@")[2].lower(), domain)


def _names(result: Result, domain: str) -> bool:
    """A DMARC result that names another From than ours is about something else."""
    named = result.properties.get("header.from", "") if result.method == "dmarc" else ""
    return not named or _related(named.rpartition("@")[2].lower(), domain)


def _related(one: str, other: str) -> bool:
    """The same domain, or one below the other (which has two labels at least)."""
    short, long = sorted((one, other), key=len)
    return one == other != "" or ("." in short and long.endswith(f".{short}"))
