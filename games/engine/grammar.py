"""The grammar that a title's verbs make: how a line becomes an order.

Both languages are read at once. A word is looked up as it stands first, then as a unique abbreviation. Words without a
key word go to the first free slot that they fit, so their sequence matters only where two slots hold the same things.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from games.engine.contract import LOCALES, Order, Slot, Value, Verb, Words
from games.engine.wording import Token, each_token, number, tokens, words

ALWAYS = frozenset({"always", "immer"})
WHEN = frozenset({"when", "wenn"})
THEN = frozenset({"then", "dann"})
_AND = frozenset({",", "and", "und", "&"})
_ARROWS = frozenset({"-", "--", "->", "-->", ">", "→", "➜", "➔"})
_QUOTED = re.compile(r'"((?:[^"]|"")*)"(?=[\s.,;]|$)')


class LanguageError(ValueError):
    """A title's verbs or names cannot be told apart. A mistake of the title, or of a name an organiser supplied."""


class Fault(Struct, frozen=True):
    """Why a line is not an order: a code (text ``line.<code>``) and its data."""

    code: str
    data: dict[str, Value] = {}


class Parsed(Struct, frozen=True):
    """What a line says: an order as far as it was understood, and the first fault, if any."""

    order: Order | None
    fault: Fault | None = None
    abbreviated: bool = False


class Lexicon:
    """The names of some things, in both languages, for looking up."""

    def __init__(self, names: Mapping[str, Words], ids: Iterable[str]) -> None:
        self.ids = tuple(dict.fromkeys(ids))
        self.exact: dict[str, list[str]] = {}
        for one in self.ids:
            for form in _forms(names, one):
                self._add(form, one)
        for one in self.ids:
            key = " ".join(words(one))
            if key and key not in self.exact:
                self._add(key, one)
        self.sorted = sorted(self.exact)
        self.longest = max((form.count(" ") + 1 for form in self.exact), default=0)

    def _add(self, form: str, one: str) -> None:
        found = self.exact.setdefault(form, [])
        if one not in found:
            found.append(one)

    def find(self, form: str) -> list[str]:
        """Return the ids that this is a full name of."""
        return self.exact.get(form, [])

    def begin(self, form: str) -> list[str]:
        """Return the ids that have a name beginning so: none, one, or the first two if there are several."""
        found: list[str] = []
        for at in range(bisect_left(self.sorted, form), len(self.sorted)):
            if not self.sorted[at].startswith(form):
                break
            found += [one for one in self.exact[self.sorted[at]] if one not in found]
            if len(found) > 1:
                break
        return found


class Form:
    """One verb, ready for reading: its slots by place and by key word."""

    def __init__(self, verb: Verb, lexicons: Mapping[tuple[str, ...], Lexicon]) -> None:
        self.verb = verb
        self.places = tuple(slot for slot in verb.slots if not slot.words)
        self.lexicons = {slot.name: lexicons[slot.among] for slot in verb.slots}
        self.keys: dict[tuple[str, ...], Slot] = {}
        for slot in verb.slots:
            for locale in LOCALES:
                for word in slot.words.get(locale, ()):
                    if not words(word):
                        raise LanguageError(f"A key word of {verb.name} has no letters: “{word}”.")
                    if self.keys.setdefault(words(word), slot) is not slot:
                        raise LanguageError(f"“{word}” stands for two slots of {verb.name}.")
        self.starts: dict[str, list[tuple[str, ...]]] = {}
        for key in sorted(self.keys, key=len, reverse=True):
            self.starts.setdefault(key[0], []).append(key)
        self.numbers = Counter(slot.sign for slot in self.places if slot.kind == "number")
        self.tails = {tail for _, tail in _verb_forms(verb) if tail}


class Entry(Struct, frozen=True):
    """One way to write a verb."""

    form: Form
    rest: tuple[str, ...]


class Found(Struct, frozen=True):
    """Verbs that a line may begin with, and the index behind their words."""

    forms: tuple[Form, ...]
    after: int
    abbreviated: bool = False


class Verbs:
    """The verbs that may begin an order (or follow ``when``), by their words."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = {form.verb.name: form for form in forms}
        self.first: dict[str, list[Entry]] = {}
        for form in forms:
            for head, _ in _verb_forms(form.verb):
                self._add(head, form)
        self.sorted = sorted(self.first)
        self.longest = max((1 + len(entry.rest) for entries in self.first.values() for entry in entries), default=0)

    def _add(self, head: tuple[str, ...], form: Form) -> None:
        if not head:
            raise LanguageError(f"The verb {form.verb.name} has an empty word.")
        entries = self.first.setdefault(head[0], [])
        for entry in entries:
            if entry.rest == head[1:] and entry.form is not form:
                raise LanguageError(f"“{' '.join(head)}” stands for {entry.form.verb.name} and {form.verb.name}.")
        entries.append(Entry(form, head[1:]))

    def may_begin(self, key: str) -> bool:
        """Return whether a verb begins with this word, or with one that it abbreviates."""
        return key in self.first or (len(key) > 1 and any(self._beginning(key)))

    def find(self, parts: Sequence[Token], at: int) -> Found | None:
        """Return the verb written there; several if an abbreviation is not unique; None if there is none."""
        key = parts[at].key
        entries, abbreviated = self.first.get(key, []), False
        if not entries and len(key) > 1:
            entries, abbreviated = list(self._beginning(key)), True
        best: dict[str, Form] = {}
        length = -1
        for entry in entries:
            if len(entry.rest) >= length and _follows(parts, at + 1, entry.rest):
                if len(entry.rest) > length:
                    best, length = {}, len(entry.rest)
                best[entry.form.verb.name] = entry.form
        return Found(tuple(best.values()), at + 1 + length, abbreviated) if best else None

    def _beginning(self, key: str) -> Iterator[Entry]:
        for at in range(bisect_left(self.sorted, key), len(self.sorted)):
            if not self.sorted[at].startswith(key):
                return
            yield from self.first[self.sorted[at]]


class Grammar:
    """All verbs of a title under given names."""

    def __init__(self, verbs: Sequence[Verb], names: Mapping[str, Words]) -> None:
        self.names = names
        everything = tuple(names)
        among = {slot.among for verb in verbs for slot in verb.slots} | {()}
        self.lexicons = {ids: Lexicon(names, ids or everything) for ids in among}
        forms = [Form(verb, self.lexicons) for verb in verbs]
        self.forms = {form.verb.name: form for form in forms}
        self.orders = Verbs([form for form in forms if form.verb.role != "trigger"])
        self.triggers = Verbs([form for form in forms if form.verb.role == "trigger"])
        self.conditional = bool(self.triggers.forms)

    def is_meant(self, line: str) -> bool:
        """Return whether a bare normalised line begins with a verb in full: then it is an order, right or wrong."""
        parts = tuple(islice(each_token(line), self.orders.longest))
        if not parts or parts[0].key in ALWAYS or parts[0].key not in self.orders.first:
            return False
        found = self.orders.find(parts, 0)
        return found is not None and len(found.forms) == 1

    def parse(self, line: str, *, partly: bool = False) -> Parsed | None:
        """Read a bare normalised line; None if it begins with no verb. ``partly``: required slots may lack."""
        opening = list(islice(each_token(line), 2))
        standing = bool(opening) and opening[0].key in ALWAYS
        if len(opening) <= standing or not self.orders.may_begin(opening[standing].key):
            return None
        return Reader(self, line, tokens(line), partly=partly).line(int(standing), standing=standing)


class Reader:
    """Reads one line: a verb and its arguments, ``when`` a trigger, ``then`` consequences."""

    def __init__(self, grammar: Grammar, line: str, parts: Sequence[Token], *, partly: bool = False) -> None:
        self.grammar = grammar
        self.text = line
        self.parts = parts
        self.partly = partly
        self.at = 0
        self.fault: Fault | None = None

    def line(self, at: int, *, standing: bool) -> Parsed | None:
        """Read the line from a word on."""
        found = self.grammar.orders.find(self.parts, at)
        if found is None:
            return None
        self.at = found.after
        if len(found.forms) > 1:
            choices = tuple(form.verb.words["en"][0] for form in found.forms)
            return Parsed(None, Fault("verb_ambiguous", {"word": self.parts[at].text, "choices": choices}), True)
        order = self._arguments(found.forms[0], standing=standing)
        order = self._conditions(order)
        self._standing(found.forms[0].verb, standing=standing)
        return Parsed(order, self.fault, found.abbreviated)

    def _conditions(self, order: Order) -> Order:
        when: Order | None = None
        then: list[Order] = []
        while self.grammar.conditional and self.at < len(self.parts):
            word = self.parts[self.at]
            trigger = word.key in WHEN
            part = self._part(self.grammar.triggers if trigger else self.grammar.orders, word)
            if part is None:
                break
            if not trigger:
                then.append(part)
            elif when is None and not then:
                when = part
            else:
                self._wrong("surplus", word=word.text)
                break
        return Order(order.verb, order.args, when, tuple(then), order.standing)

    def _part(self, verbs: Verbs, word: Token) -> Order | None:
        """Read the verb behind ``when`` or ``then``."""
        self.at += 1
        found = verbs.find(self.parts, self.at) if self.at < len(self.parts) else None
        if found is None or len(found.forms) > 1:
            self._wrong("clause", word=word.text, choices=tuple(v.verb.words["en"][0] for v in verbs.forms.values()))
            return None
        self.at = found.after
        return self._arguments(found.forms[0], standing=False)

    def _standing(self, verb: Verb, *, standing: bool) -> None:
        if standing and verb.standing == "never":
            self._wrong("standing_never", verb=verb.name)
        elif not standing and verb.standing == "must":
            self._wrong("standing_must", verb=verb.name)

    def _wrong(self, code: str, **data: Value) -> None:
        if self.fault is None:
            self.fault = Fault(code, data)

    # --- arguments ---

    def _arguments(self, form: Form, *, standing: bool) -> Order:
        args: dict[str, Value] = {}
        while self.at < len(self.parts) and not self._clause():
            if not self._argument(form, args):
                self._unread(form, args)
                self.at += 1
        lacking = [slot for slot in form.verb.slots if not slot.optional and slot.name not in args]
        if lacking and not self.partly:
            self._wrong("missing", slot=lacking[0].name, verb=form.verb.name)
        return Order(
            form.verb.name, {s.name: args[s.name] for s in form.verb.slots if s.name in args}, None, (), standing
        )

    def _clause(self) -> bool:
        word = self.parts[self.at]
        return self.grammar.conditional and word.key in WHEN | THEN and not word.text.startswith('"')

    def _argument(self, form: Form, args: dict[str, Value]) -> bool:
        """Read one argument; False if the word fits nowhere."""
        return (
            (self.parts[self.at].text.startswith('"') and self._text_place(form, args))
            or self._keyed(form, args)
            or self._placed(form, args, exact=True)
            or self._keyed_short(form, args)
            or self._placed(form, args, exact=False)
            or self._text_place(form, args)
            or self._noise(form)
        )

    def _keyed(self, form: Form, args: dict[str, Value]) -> bool:
        for key in form.starts.get(self.parts[self.at].key, ()):
            if _follows(self.parts, self.at, key, shortened=False):
                return self._take(form, form.keys[key], self.at + len(key), args)
        return False

    def _keyed_short(self, form: Form, args: dict[str, Value]) -> bool:
        word = self.parts[self.at].key
        if len(word) < 2:
            return False
        slots = {
            s.name: s for k, s in form.keys.items() if len(k) == 1 and k[0].startswith(word) and s.name not in args
        }
        if len(slots) != 1 or any(self._place(form, slot, exact=False) for slot in self._free(form, args)):
            return False
        return self._take(form, next(iter(slots.values())), self.at + 1, args)

    def _take(self, form: Form, slot: Slot, at: int, args: dict[str, Value]) -> bool:
        """Read the value behind a key word; always True, since the key word was understood."""
        word = self.parts[self.at].text
        start, self.at = self.at, at
        read = self._value(form, slot, exact=True) or self._value(form, slot, exact=False)
        if slot.name in args:
            self._wrong("twice", word=word)
        if read is None:
            self._wrong("value", word=" ".join(p.text for p in self.parts[start:at]), slot=slot.name)
            return True
        args.setdefault(slot.name, read[0])
        self.at = read[1]
        return True

    def _free(self, form: Form, args: Mapping[str, Value]) -> Iterator[Slot]:
        return (slot for slot in form.places if slot.name not in args)

    def _placed(self, form: Form, args: dict[str, Value], *, exact: bool) -> bool:
        for slot in self._free(form, args):
            read = self._place(form, slot, exact=exact)
            if read is not None:
                args[slot.name], self.at = read
                return True
        return False

    def _place(self, form: Form, slot: Slot, *, exact: bool) -> tuple[Value, int] | None:
        return None if slot.kind == "text" else self._value(form, slot, exact=exact)

    def _text_place(self, form: Form, args: dict[str, Value]) -> bool:
        slot = next((slot for slot in self._free(form, args) if not slot.optional or slot.kind == "text"), None)
        if slot is None or slot.kind != "text":
            return False
        args[slot.name], self.at = self._text()
        return True

    def _noise(self, form: Form) -> bool:
        """Pass over a comma or an arrow between arguments, and over the second half of a verb ("klage X an")."""
        word = self.parts[self.at]
        if word.text != "," and not self._arrow() and (word.key,) not in form.tails:
            return False
        self.at += 1
        return True

    def _arrow(self) -> bool:
        """Whether a dash or an arrow stands between words; before a figure it may be a minus."""
        behind = self.parts[self.at + 1].text if self.at + 1 < len(self.parts) else "0"
        return self.parts[self.at].text in _ARROWS and not behind[0].isdigit()

    def _unread(self, form: Form, args: Mapping[str, Value]) -> None:
        word = self.parts[self.at]
        slot = self._expected(form, args, figure=word.text[:1].isdigit() or word.text[:1] in {"+", "-"})
        if slot is None:
            self._wrong("surplus", word=word.text)
        elif slot.kind == "number":
            self._wrong("number", word=word.text, slot=slot.name)
        else:
            several = bool(word.key) and len(form.lexicons[slot.name].begin(word.key)) > 1
            self._wrong("name_ambiguous" if several else "name_unknown", word=word.text, slot=slot.name)

    def _expected(self, form: Form, args: Mapping[str, Value], *, figure: bool) -> Slot | None:
        """Return the slot that a word was probably meant for: one that must be there, or one of its kind."""
        free = list(self._free(form, args))
        names = [slot for slot in free if slot.kind != "number" and len(form.lexicons[slot.name].ids) > 1]
        numbers = [slot for slot in free if slot.kind == "number" and (figure or not slot.sign)]
        must = [slot for slot in free if not slot.optional]
        return next(iter([*must, *(numbers if figure else [*names, *numbers])]), None)

    # --- values ---

    def _value(self, form: Form, slot: Slot, *, exact: bool) -> tuple[Value, int] | None:
        if self.at >= len(self.parts):
            return None
        if slot.kind == "text":
            return self._text()
        if slot.kind == "number":
            return self._number(form, slot)
        if slot.kind == "name":
            return self._name(form.lexicons[slot.name], self.at, exact=exact)
        return self._names(form.lexicons[slot.name], exact=exact)

    def _number(self, form: Form, slot: Slot) -> tuple[int, int] | None:
        grouped = bool(slot.words) or form.numbers[slot.sign] < 2
        read = number(self.parts, self.at, grouped=grouped)
        if read is None:
            return None
        sign, value, after = read
        if slot.sign == "+":
            return (value, after) if sign == "+" else None
        plain = sign != "+" or bool(slot.words) or not form.numbers["+"]
        return (value, after) if plain else None

    def _name(self, lexicon: Lexicon, at: int, *, exact: bool) -> tuple[str, int] | None:
        """Read the longest name that begins at a word; several words may be short for a name even if ``exact``."""
        for count in range(min(lexicon.longest, len(self.parts) - at), 0, -1):
            keys = [part.key for part in self.parts[at : at + count]]
            form = " ".join(keys)
            found = lexicon.find(form)
            if len(found) != 1 and (count > 1 or not exact) and all(keys):
                found = lexicon.begin(form)
            if len(found) == 1:
                return found[0], at + count
        read = number(self.parts, at) if exact else None
        found = lexicon.find(str(read[1])) if read else []
        return (found[0], read[2]) if read and len(found) == 1 else None

    def _names(self, lexicon: Lexicon, *, exact: bool) -> tuple[tuple[str, ...], int] | None:
        found: list[str] = []
        at = self.at
        while at < len(self.parts):
            read = self._name(lexicon, at, exact=True)
            if read is None and (found or not exact):
                read = self._name(lexicon, at, exact=False)
            if read is None:
                break
            found.append(read[0])
            at = read[1]
            if at + 1 >= len(self.parts) or self.parts[at].text.lower() not in _AND:
                break
            at += 1
        return (tuple(found), at) if found else None

    def _text(self) -> tuple[str, int]:
        start = self.parts[self.at].start
        quoted = _QUOTED.match(self.text, start)
        if quoted is None:
            return self.text[start:].strip(), len(self.parts)
        after = next(
            (i for i in range(self.at, len(self.parts)) if self.parts[i].start >= quoted.end()), len(self.parts)
        )
        return quoted[1].replace('""', '"'), after


def _forms(names: Mapping[str, Words], one: str) -> Iterator[str]:
    for locale in LOCALES:
        for word in names.get(one, {}).get(locale, ()):
            if form := " ".join(words(word)):
                yield form


def _verb_forms(verb: Verb) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the ways to write a verb: its words, and those that may follow its arguments (written "klage ... an")."""
    for locale in LOCALES:
        for written in verb.words.get(locale, ()):
            head, _, tail = written.partition("...")
            yield words(head), words(tail)


def _follows(parts: Sequence[Token], at: int, rest: Sequence[str], *, shortened: bool = True) -> bool:
    """Whether these words stand there, in full or, if ``shortened`` is allowed, by their first letters."""
    if at + len(rest) > len(parts):
        return False
    pairs = zip(parts[at : at + len(rest)], rest, strict=True)
    return all(
        part.key == word or (shortened and len(part.key) > 1 and word.startswith(part.key)) for part, word in pairs
    )
