"""What mail programs put between an answer and what it answers, and signatures: English, German, French.

All patterns are anchored to whole lines and linear. They run on folded lines (`plain.fold`: lower case, no accents,
umlauts as two letters) of limited length.
"""

import re
from collections.abc import Iterable

from postspiel.mail.reading.plain import fold

_WROTE = frozenset(("wrote", "writes", "said", "schrieb", "schreibt", "geschrieben", "ecrit", "ecrivait"))
_OPENS = re.compile(r"(?:on|am|le|op|el) |.*(?:[<@]|\d{4})")
_DATED_ADDRESS = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?\b.{0,60}<[^<>]{3,200}> ?:")
_WROTE_LINE = 400
"""No line that says who wrote is longer, even joined from three."""

_FORWARDED = re.compile(
    r"-{2,} ?(?:forwarded message|weitergeleitete nachricht|message transfere) ?-{2,}"
    r"|begin forwarded message ?:|anfang der weitergeleiteten (?:nachricht|e-mail) ?:"
    r"|debut du message (?:transfere|reexpedie) ?:"
)
_ORIGINAL = re.compile(
    r"-{2,} ?(?:original message|original appointment|reply message|urspruengliche (?:nachricht|mail|e-mail)"
    r"|original-?nachricht|antwort|message d'origine|message original) ?-{2,}"
)
_RULE = re.compile(r"_{20,}|-{20,}")
_LABEL = re.compile(
    r"[*_ ]*(from|sent|date|to|cc|subject|reply-to|von|gesendet|datum|an|kopie|betreff|antwort an"
    r"|de|envoye|a|objet|copie)[*_ ]*:"
)
_MOBILE = re.compile(
    r"sent (?:from|with|via) .{2,60}|get outlook for .{2,30}|sent by .{0,30}(?:app|mail)"
    r"|(?:von|mit) (?:mein|der|dem).{2,60} (?:gesendet|geschickt|verschickt)\b.{0,40}"
    r"|(?:gesendet|diese nachricht wurde|gesendet mit) (?:von|mit|aus|ueber) .{2,60}"
    r"|(?:holen sie sich )?outlook fuer .{2,30}"
    r"|envoye (?:de|depuis|avec|a partir) .{2,60}|(?:telechargez|obtenez) outlook .{2,30}"
)

QUOTE = re.compile(r"^ {0,6}((?:[A-Za-z]{0,3}>|[|»\u203a]) ?)+")
"""The quote marks at the beginning of a line."""

_MARKS = frozenset(">|»\u203a")


def marks(lines: Iterable[str]) -> list[str]:
    """The quote marks with which lines begin, and the spaces around them."""
    match = QUOTE.match
    return [found[0] if (found := match(line)) else "" for line in lines]


def depth(marks: str) -> int:
    """How deep a line with these quote marks is quoted."""
    return sum(sign in _MARKS for sign in marks)


def folded(line: str, marks: str, bare: str) -> str:
    """A line folded, of which the quote marks are known and the rest, `bare`, is folded already."""
    if not marks:
        return bare
    return f"> {bare}" if marks == "> " and bare else fold(line)


def says_who_wrote(line: str) -> bool:
    """Whether a folded line is one like "on monday, 7 may 2029 at 10:00, ada <ada@...> wrote:"."""
    if not line.endswith(":") or len(line) > _WROTE_LINE or not re.search(r"[\d@]", line):
        return False
    return not _WROTE.isdisjoint(re.split(r"[ :,]+", line)) or bool(_DATED_ADDRESS.fullmatch(line))


def may_open(line: str) -> bool:
    """Whether a folded line may be the first of such a line broken in several."""
    return bool(_OPENS.match(line))


def is_delimiter(line: str) -> bool:
    """Whether a folded line is a mark like "-----Original Message-----"."""
    return line[0] in "-bad" and bool(_ORIGINAL.fullmatch(line) or _FORWARDED.fullmatch(line))


def is_rule(line: str) -> bool:
    """Whether a folded line is a long rule, as Outlook draws above a quotation and people above what they like."""
    return line[0] in "-_" and bool(_RULE.fullmatch(line))


def is_forward(line: str) -> bool:
    """Whether a folded line says that what follows is a forwarded mail."""
    return bool(_FORWARDED.fullmatch(line))


def label(line: str) -> str:
    """The header label with which a folded line begins ("from", "betreff"); "" without one."""
    found = _LABEL.match(line)
    return found[1] if found else ""


def is_mobile_signature(line: str) -> bool:
    """Whether a folded line is what telephones put below a mail."""
    return bool(_MOBILE.fullmatch(line.rstrip(".!")))
