"""Accepting orders as values: what a form or a program sends must be what the language could have read."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.contract import Order, Slot, Value
from games.engine.grammar import Form, Grammar
from games.engine.wording import normalise


class Unwritable(ValueError):  # noqa: N818 - says what is the matter with an order
    """An order (from a form or a program) that the language has no line for; a fault as of a line."""

    def __init__(self, code: str, **data: Value) -> None:
        super().__init__(f"{code} {data}")
        self.code = code
        self.data = data


def accepted(grammar: Grammar, order: Order) -> Order:
    """Return an order with clean arguments, in the sequence of its verb's slots; Unwritable says what is wrong."""
    clean = _simple(grammar.orders.forms, order)
    when = _simple(grammar.triggers.forms, order.when) if order.when else None
    then = tuple(_simple(grammar.orders.forms, one) for one in order.then)
    return Order(clean.verb, clean.args, when, then, order.standing)


def _simple(forms: Mapping[str, Form], order: Order) -> Order:
    """Return an order, trigger or consequence without its clauses."""
    form = forms.get(order.verb)
    if form is None:
        raise Unwritable("verb_unknown", word=order.verb)
    slots = {slot.name: slot for slot in form.verb.slots}
    for name in order.args:
        if name not in slots:
            raise Unwritable("slot_unknown", word=name, verb=order.verb)
    args = {name: _value(form, slot, order.args[name]) for name, slot in slots.items() if name in order.args}
    for name, slot in slots.items():
        if not slot.optional and name not in args:
            raise Unwritable("missing", slot=name, verb=order.verb)
    return Order(order.verb, args)


def _value(form: Form, slot: Slot, value: Value) -> Value:
    if slot.kind == "text" and isinstance(value, str):
        return normalise(value)
    if slot.kind == "number" and type(value) is int and (value >= 0 or not slot.sign):
        return value
    ids = form.lexicons[slot.name].ids
    if slot.kind == "name" and isinstance(value, str) and value in ids:
        return value
    if slot.kind == "names" and isinstance(value, tuple) and value and all(one in ids for one in value):
        return value
    raise Unwritable("slot_value", slot=slot.name, word=str(value)[:80])
