"""Words that cannot be told apart: found when a language is built, not when a player's line is misread."""

from __future__ import annotations

from games.engine import controls
from games.engine.contract import LOCALES, Slot
from games.engine.grammar import ALWAYS, THEN, WHEN, Form, Grammar, LanguageError
from games.engine.wording import words
from games.engine.writing import Writer


def refuse_clashes(grammar: Grammar, writer: Writer) -> None:
    """Raise LanguageError if the words of a title cannot be told apart."""
    for verbs in (grammar.orders, grammar.triggers):
        for first in verbs.first:
            if first in controls.RESERVED or first in ALWAYS | WHEN | THEN:
                raise LanguageError(f"The verb “{first}” is a word of the platform.")
    for form in grammar.forms.values():
        _refuse_unreadable_names(form, writer)
        _refuse_greedy_places(form)


def _refuse_unreadable_names(form: Form, writer: Writer) -> None:
    for slot in form.verb.slots:
        if slot.kind not in {"name", "names"}:
            continue
        lexicon = form.lexicons[slot.name]
        for one in lexicon.ids:
            for locale in LOCALES:
                key = words(writer.name(one, locale))
                if lexicon.find(" ".join(key)) != [one]:
                    raise LanguageError(f"“{writer.name(one, locale)}” is not the name of one thing only.")
                if key in form.keys or set(key) & (ALWAYS | WHEN | THEN):
                    raise LanguageError(f"“{writer.name(one, locale)}” is a word of the order {form.verb.name}.")


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
