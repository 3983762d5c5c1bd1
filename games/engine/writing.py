"""Writing orders: the canonical line of an order, and how a verb is used, in either language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.contract import Locale, Order, Slot, Title, Value, Verb, Words
from games.engine.wording import normalise, tokens

ALWAYS: Mapping[Locale, str] = {"en": "always", "de": "immer"}
WHEN: Mapping[Locale, str] = {"en": "when", "de": "wenn"}
THEN: Mapping[Locale, str] = {"en": "then", "de": "dann"}


class Writer:
    """Writes a title's orders with given names."""

    def __init__(self, title: Title[Any], names: Mapping[str, Words]) -> None:
        self.title = title
        self.names = names
        self.verbs = {verb.name: verb for verb in title.verbs}

    def write(self, order: Order, locale: Locale) -> str:
        """Return an order, even an incomplete one, as its canonical line."""
        clauses = [(WHEN[locale], order.when)] if order.when else []
        clauses += [(THEN[locale], one) for one in order.then]
        line = self._simple(order, locale, last=not clauses)
        for at, (word, clause) in enumerate(clauses, 1):
            line += f" {word} {self._simple(clause, locale, last=at == len(clauses))}"
        return f"{ALWAYS[locale]} {line}" if order.standing else line

    def clauses(self, order: Order, locale: Locale) -> str:
        """Return what is written behind an order's ``when``: its trigger and its consequences; "" if it has none."""
        bare = Order(order.verb, order.args, standing=order.standing)
        return self.write(order, locale)[len(self.write(bare, locale)) :].strip().removeprefix(f"{WHEN[locale]} ")

    def _simple(self, order: Order, locale: Locale, *, last: bool) -> str:
        verb = self.verbs[order.verb]
        given = [slot for slot in _in_order(verb) if slot.name in order.args]
        line = head(verb, locale)
        placed = [slot for slot in given if not slot.words]
        for slot in given:
            key = f"{slot.words[locale][0]} " if slot.words else ""
            value = order.args[slot.name]
            plain = last and slot is given[-1] and bool(slot.words)
            line += f" {key}{_quoted(value, plain=plain) if slot.kind == 'text' else self._shown(slot, value, locale)}"
            if placed and slot is placed[-1]:
                line += tail(verb, locale)
        return line

    def _shown(self, slot: Slot, value: Value, locale: Locale) -> str:
        if isinstance(value, int):
            return f"+{value}" if slot.sign == "+" else str(value)
        return ", ".join(self.name(one, locale) for one in ((value,) if isinstance(value, str) else value))

    def name(self, one: str, locale: Locale) -> str:
        """Return the canonical name of an id."""
        return self.names[one][locale][0] if one in self.names else one

    def usage(self, verb: Verb, locale: Locale) -> str:
        """Return how a verb is written: ``bribe SCHOLAR AMOUNT [max N]``."""
        slots = _in_order(verb)
        parts = [self._label_with_word(slot, locale) for slot in slots]
        parts = [f"[{part}]" if slot.optional else part for slot, part in zip(slots, parts, strict=True)]
        placed = sum(not slot.words for slot in slots)
        if placed:
            parts[placed - 1] += tail(verb, locale)
        shown = " ".join(parts)
        always = {"never": "", "may": f"[{ALWAYS[locale]}] ", "must": f"{ALWAYS[locale]} "}[verb.standing]
        return f"{always}{head(verb, locale)} {shown}".strip()

    def label(self, slot: str, locale: Locale) -> str:
        known = self.title.about.texts[locale]
        return known.get(f"slot.{slot}", slot).upper()

    def _label_with_word(self, slot: Slot, locale: Locale) -> str:
        if slot.kind == "name" and len(slot.among) == 1:
            return self.name(slot.among[0], locale)
        sign = "+" if slot.sign else ""
        label = sign + self.label(slot.name, locale)
        return f"{slot.words[locale][0]} {label}" if slot.words else label


def head(verb: Verb, locale: Locale) -> str:
    """Return a verb's canonical first words."""
    return verb.words[locale][0].partition("...")[0].strip()


def tail(verb: Verb, locale: Locale) -> str:
    """Return what follows a verb's arguments by place (the " an" of "klage ... an"), or ""."""
    rest = verb.words[locale][0].partition("...")[2].strip()
    return f" {rest}" if rest else ""


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
