"""The order language of a title: reading, writing, help and suggestions, in both languages (docs/orders.md).

Everything follows from the title's verbs and names. A line is an order, a control word of the platform (``done``), part
of a press block, wrong, or none of these and then ignored, for people write about other things too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from games.engine import controls
from games.engine.contract import (
    LOCALES,
    Ask,
    Block,
    Domain,
    Heading,
    Items,
    Locale,
    Options,
    Order,
    Slot,
    Text,
    Title,
    Value,
    Verb,
)
from games.engine.controls import Control
from games.engine.grammar import ALWAYS, THEN, WHEN, Fault, Form, Grammar, LanguageError, Lexicon, Parsed
from games.engine.sheets import usual
from games.engine.texts import fill, text, texts
from games.engine.wording import LONGEST_LINE, bare, fold, lines, normalise, number, tokens, words

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


class Unwritable(ValueError):  # noqa: N818 - says what is the matter with an order
    """An order (from a form or a program) that the language has no line for; a fault as of a line."""

    def __init__(self, code: str, **data: Value) -> None:
        super().__init__(f"{code} {data}")
        self.code = code
        self.data = data


class Language:
    """Reads and writes a title's orders under given names; make it by ``language``."""

    def __init__(self, title: Title[Any], options: Options) -> None:
        self.title = title
        self.names = title.names(options)
        self.verbs = {verb.name: verb for verb in title.verbs}
        self.grammar = Grammar(title.verbs, self.names)
        self.seats = Lexicon(self.names, title.about.seats)
        self._refuse_clashes()

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

    def read_order(self, line: str) -> Order | None:
        """Return the order that one line says, None if it is not a right one."""
        parsed = self.grammar.parse(bare(normalise(line[:LONGEST_LINE])))
        return parsed.order if parsed is not None and parsed.fault is None else None

    def _line(self, found: _Found, at: int, line: str, locale: Locale, asks: Sequence[Ask]) -> None:
        content = bare(line[:LONGEST_LINE])
        if not content:
            return
        control = controls.read(content)
        parsed = None if control else self.grammar.parse(content)
        fault = self._fault(content, control, parsed)
        if len(line) > LONGEST_LINE and (control or parsed):
            fault = Fault("too_long", {"most": LONGEST_LINE})
        if fault is not None:
            found.problems.append(self._problem(at, content, fault, parsed, locale, asks, len(found.problems)))
        elif control is not None:
            found.controls.append(msgspec.structs.replace(control, line=at))
        elif parsed is not None and parsed.order is not None and parsed.fault is None:
            found.orders.append(OrderLine(at, content, parsed.order))
        else:
            found.ignored.append((at, line[:LONGEST_LINE]))

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

        Only if something behind it belongs to an order, or nothing is behind it: "Sent from my phone" is no order.
        """
        parts = tokens(content)[:40]
        first = next((part for part in parts if part.key not in ALWAYS), None)
        if first is None or len(first.key) < 4 or first.key in controls.SINGLE:
            return None
        near = process.extractOne(
            first.key, self._first_words(), scorer=OSA.distance, score_cutoff=1 if len(first.key) < 6 else 2
        )
        if near is None:
            return None
        rest = [part for part in parts if part.start > first.start and part.key]
        everything = self.grammar.lexicons[()]
        likely = any(everything.find(part.key) or number(parts, parts.index(part)) for part in rest)
        return str(near[0]) if likely or not rest else None

    def _first_words(self) -> list[str]:
        return [*self.grammar.orders.first, *controls.SINGLE]

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
        code = "press_to" if block.unknown or not block.to else "" if ended else "press_open"
        if code:
            found.problems.append(LineProblem(at, normalise(raw)[:LONGEST_LINE], code, {"word": block.unknown}))
        else:
            found.controls.append(Control("press", line=at, to=block.to, text="\n".join(written).strip("\n")))

    # --- writing ---

    def write(self, order: Order, locale: Locale) -> str:
        """Return an order as its canonical line, which ``read`` reads back as the same order."""
        return self._written(order, locale)

    def accept(self, order: Order) -> Order:
        """Return an order that a form or a program sent, as the language knows it; Unwritable says what is wrong."""
        if order.verb not in self.verbs or self.verbs[order.verb].role == "trigger":
            raise Unwritable("verb_unknown", word=order.verb)
        clean = self._accept(order, "order")
        line = self._written(clean, "en")
        parsed = self.grammar.parse(line) if len(line) <= LONGEST_LINE else None
        if parsed is None or parsed.fault is not None or parsed.order != clean:
            fault = parsed.fault if parsed is not None and parsed.fault is not None else Fault("unreadable")
            raise Unwritable(fault.code, **fault.data)
        return clean

    def understood(self, order: Order | None, locale: Locale) -> str:
        """Return as much of a line as an incomplete order has."""
        return "" if order is None else self._written(order, locale)

    def usage(self, verb: Verb, locale: Locale) -> str:
        """Return how a verb is written: ``bribe SCHOLAR AMOUNT [max N]``."""
        parts = [self._label_with_word(slot, locale) for slot in _in_order(verb)]
        shown = " ".join(
            f"[{part}]" if slot.optional else part for slot, part in zip(_in_order(verb), parts, strict=True)
        )
        always = {"never": "", "may": f"[{_ALWAYS[locale]}] ", "must": f"{_ALWAYS[locale]} "}[verb.standing]
        return f"{always}{_head(verb, locale)} {shown}".strip()

    def _written(self, order: Order, locale: Locale) -> str:
        clauses = [(_WHEN[locale], order.when)] if order.when else []
        clauses += [(_THEN[locale], one) for one in order.then]
        line = self._simple(order, locale, last=not clauses)
        for at, (word, clause) in enumerate(clauses, 1):
            line += f" {word} {self._simple(clause, locale, last=at == len(clauses))}"
        return f"{_ALWAYS[locale]} {line}" if order.standing else line

    def _simple(self, order: Order, locale: Locale, *, last: bool) -> str:
        verb = self.verbs[order.verb]
        given = [slot for slot in _in_order(verb) if slot.name in order.args]
        line = _head(verb, locale)
        for slot in given:
            key = f"{slot.words[locale][0]} " if slot.words else ""
            value = order.args[slot.name]
            plain = last and slot is given[-1] and bool(slot.words)
            line += f" {key}{_quoted(value, plain=plain) if slot.kind == 'text' else self._shown(slot, value, locale)}"
        return line

    def _shown(self, slot: Slot, value: Value, locale: Locale) -> str:
        if isinstance(value, int):
            return f"+{value}" if slot.sign == "+" else str(value)
        return ", ".join(self.name(one, locale) for one in ((value,) if isinstance(value, str) else value))

    def name(self, one: str, locale: Locale) -> str:
        """Return the canonical name of an id."""
        return self.names[one][locale][0] if one in self.names else one

    def _accept(self, order: Order, place: str) -> Order:
        verb = self.verbs.get(order.verb)
        if verb is None or (verb.role == "trigger") is not (place == "trigger"):
            raise Unwritable("verb_unknown", word=order.verb)
        slots = {slot.name: slot for slot in verb.slots}
        for name in order.args:
            if name not in slots:
                raise Unwritable("slot_unknown", word=name, verb=verb.name)
        args = {n: self._accept_value(s, order.args[n]) for n, s in slots.items() if n in order.args}
        for name, slot in slots.items():
            if not slot.optional and name not in args:
                raise Unwritable("missing", slot=name, verb=verb.name)
        if place != "order":
            return Order(verb.name, args)
        when = self._accept(order.when, "trigger") if order.when else None
        then = tuple(self._accept(one, "then") for one in order.then)
        return Order(verb.name, args, when, then, order.standing)

    def _accept_value(self, slot: Slot, value: Value) -> Value:
        if slot.kind == "text" and isinstance(value, str):
            return normalise(value)
        if slot.kind == "number" and type(value) is int and (value >= 0 or not slot.sign):
            return value
        ids = self.grammar.lexicons[slot.among].ids
        if slot.kind == "name" and isinstance(value, str) and value in ids:
            return value
        if slot.kind == "names" and isinstance(value, tuple) and value and all(one in ids for one in value):
            return value
        raise Unwritable("slot_value", slot=slot.name, word=str(value)[:80])

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
        return _same_beginning(parsed.order)

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
        used: set[tuple[str, Value]] = set()
        found: list[str] = []
        for ask in asks:
            order = self._legal(_fresh(ask, used), Order(ask.verb))
            used.update(order.args.items())
            found.append(self._written(order, locale))
        return tuple(dict.fromkeys(found))

    def nearest(self, line: str, asks: Iterable[Ask], locale: Locale) -> str | None:
        """Return the line that a seat with these asks may have meant, made of legal choices; None without asks."""
        content = bare(normalise(line[:LONGEST_LINE]))
        written = [self._written(self._legal(ask, self._partly(content, ask.verb), content), locale) for ask in asks]
        return process.extractOne(content, written, scorer=fuzz.ratio)[0] if written else None

    def _partly(self, content: str, verb: str) -> Order:
        """Return what can be read of a line under a verb."""
        parsed = self.grammar.parse(content, partly=True)
        if parsed is None or parsed.order is None:
            rest = content.partition(" ")[2]
            parsed = self.grammar.parse(f"{_head(self.verbs[verb], 'en')} {rest}", partly=True)
        if parsed is None or parsed.order is None:
            return Order(verb)
        order = parsed.order
        known = {slot.name for slot in self.verbs[verb].slots}
        standing = order.standing and self.verbs[verb].standing != "never"
        return Order(verb, {n: v for n, v in order.args.items() if n in known}, order.when, order.then, standing)

    def _legal(self, ask: Ask, order: Order, line: str = "") -> Order:
        """Return an order with the arguments that an ask allows; those it does not are replaced by the nearest."""
        verb = self.verbs[ask.verb]
        args: dict[str, Value] = {}
        for slot in verb.slots:
            domain, value = ask.domains.get(slot.name), order.args.get(slot.name)
            if domain is not None and (value is not None or _unsaid(slot, order, verb)):
                args[slot.name] = self._legal_value(slot, domain, value, line)
            elif value is not None:
                args[slot.name] = value
        return Order(verb.name, args, order.when, order.then, order.standing or verb.standing == "must")

    def _legal_value(self, slot: Slot, domain: Domain, value: Value | None, line: str) -> Value:
        if slot.kind == "text":
            return value if value is not None else "..."
        if slot.kind == "number":
            wanted = value if isinstance(value, int) else domain.low
            return domain.low + max(0, min(wanted, domain.high) - domain.low) // max(1, domain.step) * domain.step
        wanted_names = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
        legal = tuple(one for one in wanted_names if one in domain.names)[: domain.many]
        legal = legal or ((self._near_name(domain.names, line),) if domain.names else ())
        return legal[0] if slot.kind == "name" and legal else legal

    def _near_name(self, names: Sequence[str], line: str) -> str:
        """Return the name that is most like one of the words of a line."""
        forms = {word: one for one in reversed(names) for loc in LOCALES for word in words(self.name(one, loc))}
        said = [word for word in words(line) if len(word) > 2]
        found = [process.extractOne(word, list(forms), scorer=fuzz.ratio, score_cutoff=60) for word in said[:20]]
        best = max((hit for hit in found if hit), key=lambda hit: hit[1], default=None)
        return forms[best[0]] if best else names[0]

    def _problem(
        self,
        at: int,
        content: str,
        fault: Fault,
        parsed: Parsed | None,
        locale: Locale,
        asks: Sequence[Ask],
        count: int,
    ) -> LineProblem:
        order = parsed.order if parsed is not None else None
        data = {name: self._told(name, value, locale) for name, value in fault.data.items()}
        if order is not None:
            data["usage"] = self.usage(self.verbs[order.verb], locale)
        suggestion = self._suggestion(content, fault, order, locale, asks) if count < MOST_SUGGESTIONS else None
        return LineProblem(at, content, fault.code, data, self.understood(order, locale), suggestion)

    def _told(self, name: str, value: Value, locale: Locale) -> Value:
        """Return a fault's datum in the reader's language."""
        if name == "verb" and isinstance(value, str):
            return _head(self.verbs[value], locale)
        if name == "slot" and isinstance(value, str):
            return self._label(value, locale)
        return value

    def _suggestion(
        self, content: str, fault: Fault, order: Order | None, locale: Locale, asks: Sequence[Ask]
    ) -> str | None:
        if fault.code == "cancel_what":
            return text(locale, "suggest.cancel")
        if fault.code == "verb_near":
            content = _replaced(content, str(fault.data["word"]), str(fault.data["near"]))
            control = controls.read(content)
            if control is not None:
                return controls.written(control, locale)
            parsed = self.grammar.parse(content)
            if parsed is not None and parsed.fault is None and parsed.order is not None:
                return self._written(parsed.order, locale)
            order = parsed.order if parsed is not None else None
        mended = self._mended(content, fault, order, locale)
        if mended is not None and (not asks or fault.code.startswith("standing")):
            return mended
        mine = [ask for ask in asks if order is not None and ask.verb == order.verb] or asks
        return self.nearest(content, mine, locale) or mended

    def _mended(self, content: str, fault: Fault, order: Order | None, locale: Locale) -> str | None:
        """Return the line with its unknown name replaced by the nearest, or without what was too much."""
        if order is None:
            return None
        slots = {slot.name: slot for slot in self.verbs[order.verb].slots}
        slot = slots.get(str(fault.data.get("slot")))
        args = dict(order.args)
        if slot is not None and slot.kind in {"name", "names"}:
            near = self._near_name(self.grammar.lexicons[slot.among].ids, str(fault.data.get("word", content)))
            args[slot.name] = near if slot.kind == "name" else (near,)
        standing = self.verbs[order.verb].standing
        mended = Order(
            order.verb, args, order.when, order.then, standing == "must" or (order.standing and standing == "may")
        )
        line = self._written(mended, locale)
        return line if self.read_order(line) == mended else None

    def _label(self, slot: str, locale: Locale) -> str:
        known = self.title.about.texts[locale]
        return known.get(f"slot.{slot}", slot).upper()

    def _label_with_word(self, slot: Slot, locale: Locale) -> str:
        if slot.kind == "name" and len(slot.among) == 1:
            return self.name(slot.among[0], locale)
        sign = "+" if slot.sign else ""
        label = sign + self._label(slot.name, locale)
        return f"{slot.words[locale][0]} {label}" if slot.words else label

    # --- building ---

    def _refuse_clashes(self) -> None:
        """Refuse a title whose words cannot be told apart, so that it shows when it is built, not when it is played."""
        for verbs in (self.grammar.orders, self.grammar.triggers):
            for first in verbs.first:
                if first in controls.RESERVED or first in ALWAYS | WHEN | THEN:
                    raise LanguageError(f"The verb “{first}” is a word of the platform.")
        for form in self.grammar.forms.values():
            self._refuse_unreadable_names(form)
            _refuse_greedy_places(form)

    def _refuse_unreadable_names(self, form: Form) -> None:
        for slot in form.verb.slots:
            if slot.kind not in {"name", "names"}:
                continue
            lexicon = form.lexicons[slot.name]
            for one in lexicon.ids:
                for locale in LOCALES:
                    key = words(self.name(one, locale))
                    if lexicon.find(" ".join(key)) != [one]:
                        raise LanguageError(f"“{self.name(one, locale)}” is not the name of one thing only.")
                    if key in form.keys or set(key) & (ALWAYS | WHEN | THEN):
                        raise LanguageError(f"“{self.name(one, locale)}” is a word of the order {form.verb.name}.")


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


_ALWAYS: Mapping[Locale, str] = {"en": "always", "de": "immer"}
_WHEN: Mapping[Locale, str] = {"en": "when", "de": "wenn"}
_THEN: Mapping[Locale, str] = {"en": "then", "de": "dann"}


def _head(verb: Verb, locale: Locale) -> str:
    return verb.words[locale][0].partition("...")[0].strip()


def _unsaid(slot: Slot, order: Order, verb: Verb) -> bool:
    """Whether an order lacks what is usual; a figure that is said with a plus need not be said plainly."""
    plus = any(one.sign and one.name in order.args for one in verb.slots)
    return usual(slot) and not (plus and slot.kind == "number" and slot.optional)


def _fresh(ask: Ask, used: set[tuple[str, Value]]) -> Ask:
    """Return an ask without the names that earlier examples used, as long as others are left."""
    domains = {}
    for name, domain in ask.domains.items():
        left = tuple(one for one in domain.names if (name, one) not in used)
        domains[name] = msgspec.structs.replace(domain, names=left) if left else domain
    return Ask(ask.verb, domains, ask.must)


def _in_order(verb: Verb) -> tuple[Slot, ...]:
    """Return a verb's slots as they are written: by place, by key word, and what takes the rest of the line."""
    return tuple(sorted(verb.slots, key=lambda slot: (bool(slot.words), slot.kind == "text")))


def _quoted(value: Value, *, plain: bool) -> str:
    """Return a text as it is written: bare where it may take the rest of the line, else in quotes."""
    written = str(value)
    first = next(iter(tokens(written)), None)
    begins = first is not None and first.start == 0 and first.text != ","
    if plain and begins and '"' not in written and "#" not in written and normalise(written) == written:
        return written
    return '"' + written.replace('"', '""') + '"'


def _replaced(content: str, word: str, by: str) -> str:
    return content.replace(word, by, 1)


def _same_beginning(wanted: Order) -> Callable[[Order], bool]:
    def matches(order: Order) -> bool:
        same = order.verb == wanted.verb and order.standing == wanted.standing
        return same and wanted.args.items() <= order.args.items()

    return matches


def _refuse_greedy_places(form: Form) -> None:
    """Refuse a place that may be left out and would then swallow what belongs to a later one."""
    for at, slot in enumerate(form.places):
        for later in form.places[at + 1 :]:
            if slot.optional and _overlap(form, slot, later):
                raise LanguageError(f"In {form.verb.name}, {later.name} would be read as {slot.name}.")


def _overlap(form: Form, one: Slot, other: Slot) -> bool:
    if "number" in {one.kind, other.kind}:
        return one.kind == other.kind and one.sign == other.sign
    if "text" in {one.kind, other.kind}:
        return one.kind == "text"
    return bool(set(form.lexicons[one.name].exact) & set(form.lexicons[other.name].exact))
