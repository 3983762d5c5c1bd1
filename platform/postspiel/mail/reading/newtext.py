"""New text: what a mail says that the mail it answers did not say (DESIGN section 5).

The order of the rules is what keeps orders alive: first comparison with the mails that we sent, tolerant of quote marks
and of lines broken anew; then the game's own grammar, given as `is_order`, which no rule about quotations may overrule;
only then what mail programs put between an answer and a quotation, and signatures. Whatever is taken away is returned
too, so that a receipt can show it.

Lines that repeat ours without a quote mark are the hard case: programs that quote without any mark repeat our whole
mail, players copy single orders out of it. So an *order* of ours counts as quoted only inside a longer stretch that
repeats our prose; anywhere else it is the player's.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import groupby

from postspiel.mail.reading import caps, quotations
from postspiel.mail.reading.plain import fold, lines_of, tidy

type IsOrder = Callable[[str], bool]

STRETCH = 3
"""Lines of our prose that make a stretch a copy of our mail."""

HEADER_LINES = 3
BLOCK_LABELS = 3
BLOCK_LINES = 10
SIGNATURE_LINES = 15
SIGNS = "-- "
"""What begins a signature (RFC 3676, 4.3)."""


class Role(Enum):
    """What a line is."""

    NEW = auto()
    QUOTED = auto()
    OURS = auto()
    HEADER = auto()
    SIGNATURE = auto()
    BEYOND = auto()


@dataclass(frozen=True, slots=True)
class NewText:
    """`text` is what the writer wrote, `ignored` everything else of the mail, in order.

    `edited_quote`: orders stand in quoted lines that we did not send so: the writer may have changed them in place.
    `forwarded`: the mail passes on another one.
    """

    text: str
    ignored: str = ""
    edited_quote: tuple[str, ...] = ()
    forwarded: bool = False


def new_text(text: str, sent: Iterable[str], is_order: IsOrder) -> NewText:
    """The new text of a mail. `sent` are `comparable` texts of ours that it may quote, `is_order` knows orders.

    Of a line that begins with `>` it is not asked: no language knows such orders.
    """
    text = tidy(text)
    lines = lines_of(text)
    signed = frozenset(index for index, line in enumerate(text.split("\n")) if line == SIGNS) if SIGNS in text else ()
    page = _Page([line[: caps.LINE] for line in lines[: caps.LINES]], ours_of(sent), is_order, signed)
    page.read()
    beyond = "\n".join(lines[caps.LINES :])
    return NewText(
        text=page.joined(Role.NEW, only=True),
        ignored="\n".join(filter(None, (page.joined(Role.NEW, only=False), beyond))),
        edited_quote=tuple(page.edited),
        forwarded=page.forwarded,
    )


def comparable(text: str) -> str:
    """A text of ours as answers are compared with it: its lines folded, without the empty ones."""
    return "\n".join(filter(None, map(fold, lines_of(tidy(text)))))


def ours_of(sent: Iterable[str]) -> "Ours":
    """The words of `comparable` texts of ours. Many answer the same mail; each answer is compared more than once."""
    return _ours(tuple(sent))


class Ours:
    """The words of the mails that we sent, in which lines are looked for however they are broken."""

    def __init__(self, sent: Iterable[str]) -> None:
        texts = [text for text in sent if text]
        pages = [text.split("\n") for text in texts]
        self._words = "\0".join(f" {text} " for text in texts).replace("\n", " ")
        self.lines = set().union(*pages)
        self.first = {page[0] for page in pages}
        self.last = {page[-1] for page in pages}

    def __bool__(self) -> bool:
        return bool(self.lines)

    @cached_property
    def _each_line(self) -> str:
        return "\0".join(f" {line} " for line in self.lines)

    def has(self, line: str) -> bool:
        """Whether a folded line stands in our mails, whole or as a part of a longer or shorter one."""
        if line in self.lines or not line:
            return bool(line)
        return f" {line} " in self._words

    def repeats(self, line: str) -> bool:
        """Whether a folded line repeats ours, be it a piece of a word."""
        return self.has(line) or self.has_piece(line)

    def has_in_one_line(self, start: str, rest: str) -> bool:
        """Whether two folded lines stand in one line of ours, which was broken between them."""
        return f"{start} {rest} " in self._each_line

    def has_piece(self, line: str) -> bool:
        """Whether a folded line is a piece of our text cut inside a word, as long addresses are."""
        return len(line) >= 12 and " " not in line and line in self._words


_ours = lru_cache(64)(Ours)


class _Page:
    """The lines of one mail with their roles. Each step decides about lines that are still undecided."""

    def __init__(self, lines: list[str], ours: Ours, is_order: IsOrder, signed: Collection[int]) -> None:
        self.lines = lines
        self._signed = signed
        marks = quotations.marks(lines)
        depths = {mark: quotations.depth(mark) for mark in set(marks)}
        self.unquoted = [line[len(mark) :] for line, mark in zip(lines, marks, strict=True)]
        self.bare = [fold(line) for line in self.unquoted]
        self.folds = [
            quotations.folded(line, mark, bare) for line, mark, bare in zip(lines, marks, self.bare, strict=True)
        ]
        self.roles = [Role.NEW] * len(lines)
        self.ours = ours
        self.edited: list[str] = []
        self.forwarded = False
        self._is_order = is_order
        self._quote_depth = [depths[mark] for mark in marks]
        self._of_orders: dict[int, bool] = {}
        self._cut_as: set[Role] = set()

    def read(self) -> None:
        self._quoted_lines()
        self._copied_stretches()
        self._headers()
        self._signatures()

    def order(self, line: str) -> bool:
        """Whether a line is an order."""
        return bool(line.strip()) and self._is_order(line)

    def joined(self, role: Role, *, only: bool) -> str:
        kept = [line for line, is_a in zip(self.lines, self.roles, strict=True) if (is_a is role) is only]
        return "\n".join(kept).strip("\n")

    def _of_order(self, index: int) -> bool:
        """Whether a line is an order, or goes on with one of ours that the writer's program broke."""
        begin = index
        while begin not in self._of_orders and not self.order(self.lines[begin]) and self._goes_on(begin):
            begin -= 1
        found = self._of_orders.get(begin, self.order(self.lines[begin]))
        self._of_orders.update(dict.fromkeys(range(begin, index + 1), found))
        return found

    def _goes_on(self, index: int) -> bool:
        return index > 0 and self.ours.has_in_one_line(self.folds[index - 1], self.folds[index])

    # Comparison with what we sent

    def _quoted_lines(self) -> None:
        for index, line in enumerate(self.lines):
            if line.startswith(">From ") and self._mbox_mangled(index):
                self.lines[index] = line[1:]
                self.folds[index] = fold(line[1:])
            elif self._quote_depth[index] and (line.startswith(">") or not self.order(line)):
                self.roles[index] = Role.QUOTED
        if self.ours:
            self._edited_quotes()

    def _mbox_mangled(self, index: int) -> bool:
        """A new line that began with "From " and passed a mailbox file, which puts a quote mark before it."""
        around = self._quote_depth[max(index - 1, 0) : index] + self._quote_depth[index + 1 : index + 2]
        return not any(around) and self.order(self.lines[index][1:])

    def _edited_quotes(self) -> None:
        """Orders in the first depth of a quotation of our mail that we did not write so."""
        quoted = [
            index for index, role in enumerate(self.roles) if role is Role.QUOTED and self._quote_depth[index] == 1
        ]
        others = [index for index in quoted if not self.ours.has(self.bare[index])]
        if len(others) == len(quoted):
            return
        for index in others:
            line = self.unquoted[index]
            if self.order(line) and not self._in_block(index):
                self.edited.append(line)

    def _copied_stretches(self) -> None:
        """Stretches of lines without quote marks that repeat our mail, with its orders and broken lines in them."""
        if not self.ours:
            return
        stretch: list[int] = []
        for index, line in enumerate(self.folds):
            if self._repeats(index) if self.roles[index] is Role.NEW else line in self.ours.lines:
                stretch.append(index)  # some lines of ours have a mark like a quotation's
            elif stretch and line:
                self._settle(stretch)
                stretch = []
        self._settle(stretch)

    def _repeats(self, index: int) -> bool:
        return self.ours.repeats(self.folds[index])

    def _settle(self, stretch: Sequence[int]) -> None:
        """A long stretch is a copy of our mail, a short one only if it hangs on a quotation: it may be the player's."""
        prose = [index for index in stretch if not self._of_order(index)]
        for index in self._inside(stretch, prose) if len(prose) >= STRETCH else filter(self._hangs, stretch):
            self.roles[index] = Role.OURS

    def _inside(self, stretch: Sequence[int], prose: Sequence[int]) -> Sequence[int]:
        """A copied stretch without orders above our first line or below our last one: those are the player's."""
        begin = prose[0] if self.folds[prose[0]] in self.ours.first else stretch[0]
        end = prose[-1] if self.folds[prose[-1]] in self.ours.last else stretch[-1]
        return [index for index in stretch if begin <= index <= end]

    def _hangs(self, index: int) -> bool:
        """Whether a line is the end of a line of ours whose beginning, quoted, stands before it."""
        if not index or self.roles[index - 1] not in {Role.QUOTED, Role.OURS}:
            return False
        before, line = self.bare[index - 1], self.folds[index]
        return self.ours.has_piece(line) or self.ours.has_in_one_line(before, line)

    # What mail programs put in between

    def _headers(self) -> None:
        end = 0
        for index in self._openings():
            if index >= end and not self._is_quoted_of_ours(index) and (length := self._header_at(index)):
                self._cut(index, length)
                end = index + length

    def _is_quoted_of_ours(self, index: int) -> bool:
        """Whether a line is known as one that we sent: it introduces nothing, whatever it looks like."""
        return self.roles[index] is not Role.NEW and self.bare[index] in self.ours.lines

    def _openings(self) -> list[int]:
        """Where an introduction may begin: at labels, at a mark like "-----", or a little above "... wrote:"."""
        found: set[int] = set()
        for index, line in enumerate(self.bare):
            if line.endswith(":"):
                found.update(range(max(index - HEADER_LINES + 1, 0), index + 1))
            elif ":" in line or line[:2] in {"--", "__"}:
                found.add(index)
        return sorted(found)

    def _header_at(self, index: int) -> int:
        """How many lines from here introduce a quotation; 0 if none does."""
        line = self.bare[index]
        block = self._block_at(index) if ":" in line else 0
        if block or not line:
            return block
        length = 1 if quotations.is_rule(line) or quotations.is_delimiter(line) else self._wrote_at(index)
        if not length or self.order(self.lines[index]):
            return 0
        if quotations.is_rule(line):
            return int(self.roles[index] is not Role.OURS and index > self._last_own_order)
        self.forwarded |= quotations.is_forward(line) and not self._quote_depth[index]
        return length

    @cached_property
    def _last_own_order(self) -> int:
        """Where the last order of the writer's own stands; -1 without one. A rule above it is one that he drew."""
        new = [index for index, role in enumerate(self.roles) if role is Role.NEW]
        return next((one for one in reversed(new) if not self._repeats(one) and self.order(self.lines[one])), -1)

    def _block_at(self, index: int) -> int:
        """Outlook's block of From, Sent, To, Subject: at least three known labels, not all of them words of orders.

        "Sent: Monday" may look like an order to send something; beside From and Subject it is none.
        """
        end, labels, orders = index, 0, 0
        while end < len(self.lines) and end < index + BLOCK_LINES and self.bare[end]:
            labelled = bool(quotations.label(self.bare[end]))
            if not labelled and not labels:
                break
            is_order = self.order(self.unquoted[end])
            if is_order and not labelled:
                break
            labels, orders = labels + labelled, orders + (labelled and is_order)
            end += 1
        return end - index if labels >= BLOCK_LABELS and labels - orders >= BLOCK_LABELS - 1 else 0

    def _in_block(self, index: int) -> bool:
        """Whether a line stands in such a block."""
        return any(self._block_at(begin) > index - begin for begin in range(max(index - BLOCK_LINES + 1, 0), index + 1))

    def _wrote_at(self, index: int) -> int:
        lines = self.bare[index : index + HEADER_LINES]
        lengths = [length for length, line in enumerate(lines, 1) if line.endswith(":") and all(lines[:length])]
        if not lengths or not quotations.may_open(lines[0]):
            return 0
        return next((length for length in lengths if self._says_who_wrote(index, length)), 0)

    def _says_who_wrote(self, index: int, length: int) -> bool:
        said = " ".join(self.bare[index : index + length])
        return quotations.says_who_wrote(said) and self._introduces(index + length, named="@" in said)

    def _introduces(self, index: int, *, named: bool) -> bool:
        """Whether what follows is a quotation, or nothing: else the line only looks like an introduction.

        One that names an address introduces a mail that is no answer to us, and may be quoted without marks.
        """
        following = self._filled(index)
        if following is None or self._quote_depth[following] or self.roles[following] is not Role.NEW:
            return True
        return (named or not self.ours) and not self.order(self.lines[following])

    def _cut(self, index: int, length: int) -> None:
        """Ignore an introduction and, unless what follows shows by itself what is quoted, all that follows.

        Below the introduction of a mail of ours that is quoted without marks, what differs from ours is an answer
        written in between.
        """
        end = index + length
        self.roles[index:end] = [Role.HEADER] * length
        following = self._filled(end)
        if following is None or self._quote_depth[following]:
            return
        filled, repeated = self._below[end]
        role = Role.QUOTED if 2 * repeated < filled else Role.OURS
        # Below a first cut the same cut changes nothing more, and below a quotation none does.
        if self._cut_as.isdisjoint({role, Role.QUOTED}):
            self._cut_as.add(role)
            self._take_away(end, role)

    def _take_away(self, begin: int, role: Role) -> None:
        lines = [index for index in range(begin, len(self.lines)) if self.folds[index]]
        for run in [lines] if role is Role.QUOTED else self._runs(lines):
            self._set(run, role)

    def _runs(self, lines: Iterable[int]) -> Iterator[list[int]]:
        """Stretches of repeated lines with some prose of ours: orders that stand alone among others are an answer."""
        for repeats, run in groupby(lines, self._is_repeated):
            stretch = list(run)
            if repeats and not all(map(self._of_order, stretch)):
                yield stretch

    def _is_repeated(self, index: int) -> bool:
        return self.roles[index] is not Role.NEW or self._repeats(index)

    def _filled(self, index: int) -> int | None:
        """The first line from here on that is not empty."""
        return next((one for one in range(index, len(self.lines)) if self.folds[one]), None)

    @cached_property
    def _below(self) -> list[tuple[int, int]]:
        """How many lines from each on are not empty, and how many of these repeat ours; as it is before a cut."""
        filled = repeated = 0
        below = [(0, 0)]
        for index in range(len(self.lines) - 1, -1, -1):
            if self.folds[index]:
                filled, repeated = filled + 1, repeated + self._is_repeated(index)
            below.append((filled, repeated))
        return below[::-1]

    def _set(self, indexes: Iterable[int], role: Role) -> None:
        for index in indexes:
            if self.roles[index] is Role.NEW:
                self.roles[index] = role

    # Signatures

    def _signatures(self) -> None:
        for index, line in enumerate(self.folds):
            if line == "--" and self.roles[index] is Role.NEW and self._signs(index):
                self._sign(index)
        self._mobile_signature()

    def _signs(self, index: int) -> bool:
        """Whether "--" begins a signature: with a space behind it, as programs write it, or if no own order follows.

        Some programs strip the space, and some people draw a line.
        """
        return index in self._signed or (index > self._last_own_order and not self.order(self.lines[index]))

    def _sign(self, index: int) -> None:
        for one in range(index, min(index + SIGNATURE_LINES, len(self.lines))):
            if self.roles[one] is not Role.NEW:
                return
            self.roles[one] = Role.SIGNATURE

    def _mobile_signature(self) -> None:
        last = [index for index, role in enumerate(self.roles) if role is Role.NEW and self.folds[index]][-1:]
        for index in last:
            if quotations.is_mobile_signature(self.folds[index]):
                self.roles[index] = Role.SIGNATURE
