"""Suggesting orders: examples, and the right line nearest to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from rapidfuzz import fuzz, process

from games.engine.contract import LOCALES, Ask, Domain, Locale, Order, Slot, Value, Verb
from games.engine.grammar import Fault, Grammar
from games.engine.sheets import usual
from games.engine.wording import LONGEST_LINE, bare, normalise, words
from games.engine.writing import Writer, head


class Adviser:
    """Makes lines that a seat may want to write."""

    def __init__(self, grammar: Grammar, writer: Writer) -> None:
        self.grammar = grammar
        self.writer = writer
        self.verbs = writer.verbs

    def examples(self, asks: Iterable[Ask], locale: Locale) -> tuple[str, ...]:
        """Return one legal-looking line for each ask, with different names where there are several."""
        used: set[tuple[str, Value]] = set()
        found: list[str] = []
        for ask in asks:
            order = self._example(_fresh(ask, used))
            used.update(order.args.items())
            found.append(self.writer.write(order, locale))
        return tuple(dict.fromkeys(found))

    def _example(self, ask: Ask) -> Order:
        """Return an order for an ask, with at least one argument if it may have any."""
        order = self._legal(ask, Order(ask.verb))
        if order.args or not ask.domains:
            return order
        name, domain = next(iter(ask.domains.items()))
        return self._legal(ask, Order(ask.verb, {name: domain.names[0] if domain.names else domain.low}))

    def nearest(self, line: str, asks: Iterable[Ask], locale: Locale) -> str | None:
        """Return the line that a seat with these asks may have meant, made of legal choices; None without asks."""
        content = bare(normalise(line[:LONGEST_LINE]))
        written = [
            self.writer.write(self._legal(ask, self._partly(content, ask.verb), content), locale) for ask in asks
        ]
        return process.extractOne(content, written, scorer=fuzz.ratio)[0] if written else None

    def _partly(self, content: str, verb: str) -> Order:
        """Return what can be read of a line under a verb."""
        parsed = self.grammar.parse(content, partly=True)
        if parsed is None or parsed.order is None:
            rest = content.partition(" ")[2]
            parsed = self.grammar.parse(f"{head(self.verbs[verb], 'en')} {rest}", partly=True)
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
                args[slot.name] = self._legal_value(
                    slot, _others(domain, args) if value is None else domain, value, line
                )
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
        forms = {word: one for one in reversed(names) for loc in LOCALES for word in words(self.writer.name(one, loc))}
        said = [word for word in words(line) if len(word) > 2]
        found = [process.extractOne(word, list(forms), scorer=fuzz.ratio, score_cutoff=60) for word in said[:20]]
        best = max((hit for hit in found if hit), key=lambda hit: hit[1], default=None)
        return forms[best[0]] if best else names[0]

    def mended(self, content: str, fault: Fault, order: Order | None, locale: Locale) -> str | None:
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
        line = self.writer.write(mended, locale)
        parsed = self.grammar.parse(line)
        return line if parsed is not None and parsed.fault is None and parsed.order == mended else None


def _others(domain: Domain, args: Mapping[str, Value]) -> Domain:
    """Return a domain without what the order names already, as long as something is left: nobody swaps with himself."""
    left = tuple(one for one in domain.names if one not in args.values())
    return msgspec.structs.replace(domain, names=left) if left else domain


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
    return msgspec.structs.replace(ask, domains=domains)
