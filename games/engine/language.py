"""The order language of a title: reading, writing, help and suggestions, in both languages (docs/orders.md).

Everything follows from the title's verbs and names. A line is an order, a control word of the platform (``done``), part
of a press block, wrong, or none of these and then ignored, for people write about other things too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import OSA

from games.engine import controls, writing
from games.engine.accepting import Unwritable, accepted
from games.engine.clashes import refuse_clashes
from games.engine.contract import Ask, Block, Heading, Items, Locale, Options, Order, Text, Title, Value, Verb
from games.engine.controls import Control
from games.engine.grammar import ALWAYS, THEN, WHEN, Fault, Grammar, LanguageError, Lexicon, Parsed
from games.engine.suggesting import Adviser
from games.engine.texts import fill, text, texts
from games.engine.wording import LONGEST_LINE, bare, each_token, fold, lines, normalise, number, tokens
from games.engine.writing import Writer, head

__all__ = [
    "Control",
    "Language",
    "LanguageError",
    "LineProblem",
    "OrderLine",
    "Reading",
    "Unwritable",
    "language",
    "line_problem_text",
    "reading_of",
]

MOST_SUGGESTIONS = 40
"""Suggestions take time; a text with more wrong lines than this is nonsense."""


class OrderLine(Struct, frozen=True):
    """A line that is an order."""

    line: int
    text: str
    order: Order


class LineProblem(Struct, frozen=True):
    """A line that means to be an order and is none: text ``line.<code>`` over ``data``.

    ``understood`` is what could be read of it, ``suggestion`` a right line near it.
    """

    line: int
    text: str
    code: str
    data: dict[str, Value] = {}
    understood: str = ""
    suggestion: str | None = None


class Reading(Struct, frozen=True):
    """All that a text says: orders, wrong lines, control words, and (line, text) of what was ignored."""

    orders: tuple[OrderLine, ...] = ()
    problems: tuple[LineProblem, ...] = ()
    controls: tuple[Control, ...] = ()
    ignored: tuple[tuple[int, str], ...] = ()


class Language:
    """Reads and writes a title's orders under given names; make it by ``language``."""

    def __init__(self, title: Title[Any], options: Options) -> None:
        self.title = title
        self.names = title.names(options)
        self.verbs = {verb.name: verb for verb in title.verbs}
        self.grammar = Grammar(title.verbs, self.names)
        self.seats = Lexicon(self.names, title.about.seats)
        self.writer = Writer(title, self.names)
        self.adviser = Adviser(self.grammar, self.writer)
        self.first_words = [*self.grammar.orders.first, *controls.SINGLE]
        refuse_clashes(self.grammar, self.writer)

    # --- reading ---

    def read(self, text: str, locale: Locale = "en", asks: Sequence[Ask] = ()) -> Reading:
        """Read a text in either language. ``locale`` is for what is answered; ``asks`` make suggestions legal ones."""
        found = _Found()
        numbered = iter(enumerate(lines(text), 1))
        for at, raw in numbered:
            line = normalise(raw[: 4 * LONGEST_LINE])
            block = controls.press_head(line, self.seats)
            if block is not None:
                self._press(found, at, raw, block, numbered)
            elif line and not line.startswith(">"):
                self._line(found, at, line, locale, asks)
            elif line:
                found.ignored.append((at, line))
        return found.reading()

    def read_clauses(self, order: Order, clauses: str, locale: Locale, asks: Sequence[Ask] = ()) -> Reading:
        """Read what was written behind the "when" of an order (with or without that word) as one line with it."""
        first = clauses.split(maxsplit=1)[0].casefold() if clauses.split() else ""
        joint = "" if first in WHEN | THEN else f"{writing.WHEN[locale]} "
        return self.read(f"{self.write(order, locale)} {joint}{' '.join(clauses.split())}", locale, asks)

    def read_order(self, line: str) -> Order | None:
        """Return the order that one line says, None if it is not a right one."""
        parsed = self.grammar.parse(bare(normalise(line[:LONGEST_LINE])))
        return parsed.order if parsed is not None and parsed.fault is None else None

    def means(self, line: str) -> bool:
        """Return whether a line means anything: an order, right or wrong, or a control word. No mend is looked for."""
        line = normalise(line[: 4 * LONGEST_LINE])
        if not line or line.startswith(">"):
            return False
        if controls.press_head(line, self.seats) is not None:
            return True
        content = bare(line[:LONGEST_LINE])
        if self.grammar.is_meant(content):
            return True
        control, parsed, fault = self._judged(line, content) if content else (None, None, None)
        return control is not None or fault is not None or (parsed is not None and _is_right(parsed))

    def _judged(self, line: str, content: str) -> tuple[Control | None, Parsed | None, Fault | None]:
        """Return what a line is, and what is wrong with it."""
        control = controls.read(content)
        parsed = None if control else self.grammar.parse(content)
        if len(line) > LONGEST_LINE and (control or parsed):
            return control, parsed, Fault("too_long", {"most": LONGEST_LINE})
        return control, parsed, self._fault(content, control, parsed)

    def _line(self, found: _Found, at: int, line: str, locale: Locale, asks: Sequence[Ask]) -> None:
        content = bare(line[:LONGEST_LINE])
        if not content:
            return
        control, parsed, fault = self._judged(line, content)
        if control is None and parsed is None and (behind := self._behind_a_colon(content)) is not None:
            mend = self.write(behind, locale)
            found.problems.append(LineProblem(at, content, "own_line", {}, suggestion=mend))
        elif fault is not None:
            order = parsed.order if parsed is not None else None
            choices = asks if len(found.problems) < MOST_SUGGESTIONS else None
            found.problems.append(self._problem(at, content, fault, order, locale, choices))
        elif control is not None:
            found.controls.append(msgspec.structs.replace(control, line=at))
        elif parsed is not None and parsed.order is not None and _is_right(parsed):
            found.orders.append(OrderLine(at, content, parsed.order))
        else:
            found.ignored.append((at, line[:LONGEST_LINE]))

    def _behind_a_colon(self, content: str) -> Order | None:
        """Return the order behind words with a colon, as in "Orders: send A Red": people write so, and may mean it.

        Only the writer can say: "if he comes: send A Red" is none. `means` knows nothing of it, for mails of ours have
        such lines.
        """
        _words, _colon, rest = content.partition(":")
        return self.read_order(rest) if rest.strip() else None

    def _fault(self, content: str, control: Control | None, parsed: Parsed | None) -> Fault | None:
        """Return what is wrong with a line that means something; None if it is right or means nothing."""
        if control is not None:
            lost = control.word == "cancel" and self.matcher(control.arg) is None
            return Fault("cancel_what", {"word": control.arg}) if lost else None
        if parsed is None:
            near = self._near_verb(content)
            return Fault("verb_near", {"word": tokens(content)[0].text, "near": near}) if near else None
        order = parsed.order
        understood = order is not None and (order.args or order.when or order.then)
        stray = parsed.abbreviated and (not understood or len(tokens(content)[0].key) < 3)  # "Best wishes" is no bribe
        return None if stray else parsed.fault

    def _near_verb(self, content: str) -> str | None:
        """Return the verb that a mistyped first word may mean.

        Only if something behind it belongs to an order, or nothing is behind it: "Sent from my phone" is no order. A
        word of three letters is near to too many others, so with it the whole line has to become a right order.
        """
        first = next((part for part in islice(each_token(content), 40) if part.key not in ALWAYS), None)
        if first is None or len(first.key) < 3 or first.key in controls.SINGLE:
            return None
        near = process.extractOne(
            first.key, self.first_words, scorer=OSA.distance, score_cutoff=1 if len(first.key) < 6 else 2
        )
        if near is None:
            return None
        parts = tokens(content)[:40]
        if len(first.key) == 3:
            return str(near[0]) if self.read_order(content.replace(first.text, str(near[0]), 1)) else None
        rest = [part for part in parts if part.start > first.start and part.key]
        everything = self.grammar.lexicons[()]
        likely = any(everything.find(part.key) or number(parts, parts.index(part)) for part in rest)
        return str(near[0]) if likely or not rest else None

    def _press(
        self, found: _Found, at: int, raw: str, block: controls.PressHead, numbered: Iterator[tuple[int, str]]
    ) -> None:
        """Read on to the end of a press block. Nothing in it is an order."""
        written = [raw.partition(":")[2].strip()]
        ended = False
        for _, line in numbered:
            ended = controls.is_press_end(normalise(line[:100]))
            if ended:
                break
            written.append(line.rstrip())
        lacking = "press_to" if block.unknown else "" if block.to else "press_whom"
        code = lacking if ended else "press_open"
        if code:
            found.problems.append(LineProblem(at, normalise(raw)[:LONGEST_LINE], code, {"word": block.unknown}))
        else:
            found.controls.append(Control("press", line=at, to=block.to, text="\n".join(written).strip("\n")))

    # --- writing ---

    def clauses(self, order: Order, locale: Locale) -> str:
        """Return what stands behind the "when" of an order; "" if it has none."""
        return self.writer.clauses(order, locale)

    def write(self, order: Order, locale: Locale) -> str:
        """Return an order as its canonical line, which ``read`` reads back as the same order."""
        return self.writer.write(order, locale)

    def name(self, one: str, locale: Locale) -> str:
        """Return the canonical name of an id."""
        return self.writer.name(one, locale)

    def usage(self, verb: Verb, locale: Locale) -> str:
        """Return how a verb is written: ``bribe SCHOLAR AMOUNT [max N]``."""
        return self.writer.usage(verb, locale)

    def accept(self, order: Order) -> Order:
        """Return an order that a form or a program sent, as the language knows it; Unwritable says what is wrong."""
        clean = accepted(self.grammar, order)
        line = self.write(clean, "en")
        parsed = self.grammar.parse(line) if len(line) <= LONGEST_LINE else None
        if parsed is None or parsed.fault is not None or parsed.order != clean:
            fault = parsed.fault if parsed is not None and parsed.fault is not None else Fault("unreadable")
            raise Unwritable(fault.code, **fault.data)
        return clean

    # --- cancelling ---

    def matcher(self, what: str) -> Callable[[Order], bool] | None:
        """Return which orders ``cancel WHAT`` takes out; None if that cannot be understood.

        WHAT is ``all``, ``always`` (all standing ones), or the beginning of an order, with or without ``always``.
        """
        content = bare(normalise(what[:LONGEST_LINE]))
        if fold(content) in controls.EVERYTHING:
            return lambda order: True
        if fold(content) in ALWAYS:
            return lambda order: order.standing
        parsed = self.grammar.parse(content, partly=True)
        if parsed is None or parsed.order is None or (parsed.fault and parsed.fault.code != "standing_must"):
            return None
        return _same_beginning(parsed.order, standing=parsed.order.standing or parsed.fault is not None)

    # --- help and suggestions ---

    def help(self, locale: Locale) -> tuple[Block, ...]:
        """Return the language on one page: every verb with its form and its line of help, and the control words."""
        known = self.title.about.texts[locale]
        verbs = [verb for verb in self.title.verbs if verb.role != "trigger"]
        triggers = [verb for verb in self.title.verbs if verb.role == "trigger"]
        blocks: list[Block] = [Heading(text(locale, "help.orders")), self._usages(verbs, known, locale)]
        if triggers:
            blocks += [Heading(text(locale, "help.triggers"), 3), Text(text(locale, "help.triggers.text"))]
            blocks.append(self._usages(triggers, known, locale))
        blocks += [Heading(text(locale, "help.controls")), Items(tuple(controls.help_lines(locale)))]
        return (*blocks, Text(text(locale, "help.writing"), "quiet"))

    def _usages(self, verbs: Iterable[Verb], known: Mapping[str, str], locale: Locale) -> Items:
        return Items(tuple(f"{self.usage(v, locale)}: {known.get(f'verb.{v.name}', v.name)}" for v in verbs))

    def examples(self, asks: Iterable[Ask], locale: Locale) -> tuple[str, ...]:
        """Return one legal-looking line for each ask, with different names where there are several."""
        return self.adviser.examples(asks, locale)

    def nearest(self, line: str, asks: Iterable[Ask], locale: Locale) -> str | None:
        """Return the line that a seat with these asks may have meant, made of legal choices; None without asks."""
        return self.adviser.nearest(line, asks, locale)

    def _problem(
        self, at: int, content: str, fault: Fault, order: Order | None, locale: Locale, asks: Sequence[Ask] | None
    ) -> LineProblem:
        """Describe a wrong line; without ``asks`` (None) no mend is looked for."""
        data = {name: self._told(name, value, locale) for name, value in fault.data.items()}
        if order is not None:
            data["usage"] = self.usage(self.verbs[order.verb], locale)
        suggestion = None if asks is None else self._suggestion(content, fault, order, locale, asks)
        understood = "" if order is None else self.write(order, locale)
        bare = order is not None and not order.args and bool(self.verbs[order.verb].slots)
        # A verb without any of its arguments is no mend.
        return LineProblem(
            at, content, fault.code, data, understood, None if bare and suggestion == understood else suggestion
        )

    def _told(self, name: str, value: Value, locale: Locale) -> Value:
        """Return a fault's datum in the reader's language."""
        if name == "verb" and isinstance(value, str):
            return head(self.verbs[value], locale)
        if name == "slot" and isinstance(value, str):
            return self.writer.label(value, locale)
        return value

    def _suggestion(
        self, content: str, fault: Fault, order: Order | None, locale: Locale, asks: Sequence[Ask]
    ) -> str | None:
        if fault.code == "cancel_what":
            return text(locale, "suggest.cancel")
        if fault.code == "verb_near":
            return self._respelt(content, fault, locale, asks)
        mended = self.adviser.mended(content, fault, order, locale)
        if mended is not None and (not asks or fault.code.startswith("standing")):
            return mended
        mine = [ask for ask in asks if order is None or self._family(ask.verb) == self._family(order.verb)]
        return self.nearest(content, mine, locale) or mended

    def _family(self, verb: str) -> str:
        return self.verbs[verb].family or verb

    def _respelt(self, content: str, fault: Fault, locale: Locale, asks: Sequence[Ask]) -> str | None:
        """Return the line with its mistyped first word put right, and mended further if it needs that."""
        content = content.replace(str(fault.data["word"]), str(fault.data["near"]), 1)
        control = controls.read(content)
        if control is not None:
            return controls.written(control, locale)
        parsed = self.grammar.parse(content)
        if parsed is None or parsed.order is None:
            return self.nearest(content, asks, locale)
        if parsed.fault is None:
            return self.write(parsed.order, locale)
        return self._suggestion(content, parsed.fault, parsed.order, locale, asks)


def _is_right(parsed: Parsed) -> bool:
    return parsed.order is not None and parsed.fault is None


class _Found:
    """A reading in the making."""

    def __init__(self) -> None:
        self.orders: list[OrderLine] = []
        self.problems: list[LineProblem] = []
        self.controls: list[Control] = []
        self.ignored: list[tuple[int, str]] = []

    def reading(self) -> Reading:
        return Reading(tuple(self.orders), tuple(self.problems), tuple(self.controls), tuple(self.ignored))


def language(title: Title[Any], options: Options) -> Language:
    """Return the language of a title under these options; it is built once. LanguageError if words clash."""
    return _built(_Same(title), msgspec.json.encode(options, order="sorted"))


@lru_cache(16)
def reading_of(text: str, spoken: Language) -> Reading:
    """Return what a text says. On its way a mail is asked for that several times."""
    return spoken.read(text)


def line_problem_text(problem: LineProblem, locale: Locale) -> str:
    """Return the sentence that tells a player what is wrong with a line."""
    return fill(texts(locale)[f"line.{problem.code}"], problem.data, {}, locale)


class _Same:
    """A title as a key of a cache: the same object, whatever it thinks of equality."""

    def __init__(self, title: Title[Any]) -> None:
        self.title = title

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.title is self.title

    def __hash__(self) -> int:
        return id(self.title)


@lru_cache(maxsize=128)
def _built(same: _Same, options: bytes) -> Language:
    return Language(same.title, msgspec.json.decode(options))


def _same_beginning(wanted: Order, *, standing: bool) -> Callable[[Order], bool]:
    def matches(order: Order) -> bool:
        same = order.verb == wanted.verb and order.standing == standing
        return same and wanted.args.items() <= order.args.items()

    return matches
