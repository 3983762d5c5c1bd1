"""Arbitrary orders of a title, for hypothesis: any that its verbs allow, legal in a position or not."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from games.engine.contract import Order, Slot, Value, Verb, Words
from games.engine.wording import normalise

PIECES = st.sampled_from(("...", "=", ",", '"', "#", "when", "then", "note", "max", "4,000", "'", "x", "-", "“", "ß"))
TEXTS = st.text(max_size=40).map(normalise) | st.lists(PIECES, max_size=5).map(" ".join).map(normalise)


def orders(verbs: tuple[Verb, ...], names: Mapping[str, Words]) -> st.SearchStrategy[Order]:
    """Any order of these verbs: standing or not, with and without trigger and consequences."""
    ordinary = [verb for verb in verbs if verb.role != "trigger"]
    triggers = [verb for verb in verbs if verb.role == "trigger"]
    simple = st.one_of([_simple(verb, names) for verb in ordinary])
    when = st.none() | st.one_of([_simple(verb, names) for verb in triggers]) if triggers else st.none()
    then = st.lists(simple, max_size=2).map(tuple) if triggers else st.just(())
    return st.one_of([_whole(verb, names, when, then) for verb in ordinary])


def _whole(
    verb: Verb,
    names: Mapping[str, Words],
    when: st.SearchStrategy[Order | None],
    then: st.SearchStrategy[tuple[Order, ...]],
) -> st.SearchStrategy[Order]:
    standing = {"never": st.just(False), "must": st.just(True), "may": st.booleans()}[verb.standing]
    return st.builds(Order, st.just(verb.name), _args(verb, names), when, then, standing)


def _simple(verb: Verb, names: Mapping[str, Words]) -> st.SearchStrategy[Order]:
    return st.builds(Order, st.just(verb.name), _args(verb, names))


def _args(verb: Verb, names: Mapping[str, Words]) -> st.SearchStrategy[dict[str, Value]]:
    must = {slot.name: value(slot, names) for slot in verb.slots if not slot.optional}
    may = {slot.name: value(slot, names) for slot in verb.slots if slot.optional}
    return st.fixed_dictionaries(must, optional=may)


def value(slot: Slot, names: Mapping[str, Words]) -> st.SearchStrategy[Value]:
    """Anything a slot may hold."""
    ids = st.sampled_from(slot.among or tuple(names))
    if slot.kind == "text":
        return TEXTS
    if slot.kind == "number":
        return st.integers(0 if slot.sign else -(10**14), 10**14)
    return ids if slot.kind == "name" else st.lists(ids, min_size=1, max_size=4).map(tuple)
