"""The order form, made from what a seat is asked (DESIGN section 3: verbs and asks make the form).

It knows no title. Each group of asks that exclude each other is one question; what it answers is a line of the order
language, so that form and mail go one way. What no question can hold (standing orders, conditions) stays in a text
field, so that a form never loses an order that is in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.engine.contract import Ask, Domain, Locale, Options, Order, Sheet, Slot, Title, Value
from games.engine.language import Language, Unwritable, language
from games.engine.sheets import alternatives

LONGEST_TEXT = 300
MORE = "more"
EMPTY: tuple[object, ...] = (None, "", [], ())


@dataclass(frozen=True)
class Asked:
    """What an order form is made from: the title and options, what the seat is asked, and what it has on file."""

    title: Title[Any]
    options: Options
    asks: tuple[Ask, ...]
    on_file: Sheet
    locale: Locale

    @property
    def language(self) -> Language:
        """The order language of this game."""
        return language(self.title, self.options)


@dataclass
class Row:
    """One ask as it stands in the form: what is settled, and which fields are open."""

    ask: Ask
    settled: dict[str, Value]
    open: dict[str, Slot]
    prefix: str
    label: str = ""
    help: str = ""
    radio: Any = None
    fields: list[Any] = field(default_factory=list)

    def name_of(self, slot: str) -> str:
        """The name of a slot's field."""
        return f"{self.prefix}-{slot}"


@dataclass
class Question:
    """A group of asks of which one can be answered. `owed`: silence is a missed turn."""

    name: str
    rows: list[Row]
    owed: bool
    needs_choice: bool
    none: Any = None


class NamesWidget(forms.MultiWidget):
    """A select for each place of a list: an order of names may be a ranking, which tick boxes would forget."""

    def __init__(self, choices: list[tuple[str, str]], most: int) -> None:
        places = [forms.Select({"aria-label": f"{place + 1}."}, choices) for place in range(most)]
        super().__init__(places)

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        return [*(value or ()), *[""] * len(self.widgets)][: len(self.widgets)]


class NamesField(forms.MultiValueField):
    """Several names, in the order in which they were chosen."""

    def __init__(self, label: str, names: list[tuple[str, str]], most: int) -> None:
        choices = [("", "-"), *names]
        fields = [forms.ChoiceField(choices=choices, required=False) for _place in range(most)]
        widget = NamesWidget(choices, most)
        super().__init__(fields, label=label, required=False, require_all_fields=False, widget=widget)

    def compress(self, data_list: list[str]) -> tuple[str, ...]:
        return tuple(name for name in data_list if name)


class OrderForm(forms.Form):
    """The form; once valid, `text` is what the player orders, one order a line."""

    def __init__(self, asked: Asked, data: Mapping[str, Any] | None = None, more: str = "") -> None:
        """`more`: lines that stand in the text field beside the orders on file that no question can hold."""
        self.asked = asked
        self.questions = list(_questions(asked))
        matched, rest = _match(asked.on_file, [row for one in self.questions for row in one.rows])
        super().__init__(data, initial=_initial(self.questions, matched))
        self._add_fields()
        lines = [self._write(order) for order in rest]
        self.fields[MORE] = forms.CharField(
            label=_("More orders, one a line"),
            help_text=_("Standing orders, conditions, and anything else that can be written in a mail."),
            required=False,
            max_length=20_000,
            initial="\n".join([*lines, *more.splitlines()]),
            widget=forms.Textarea(attrs={"class": "orders", "rows": 3, "spellcheck": "false"}),
        )
        self._bind()

    @property
    def owed(self) -> list[Question]:
        """The questions that must be answered."""
        return [one for one in self.questions if one.owed]

    @property
    def free(self) -> list[Question]:
        """The questions that may be left alone."""
        return [one for one in self.questions if not one.owed]

    @property
    def free_in_use(self) -> bool:
        """Whether one of those has an answer already, so that they should not be folded away."""
        return any(self[name].value() not in EMPTY for one in self.free for name in _names(one))

    @property
    def text(self) -> str:
        """The orders of a valid form, as the player could have written them."""
        lines: list[str] = [self._write(order) for order in self.cleaned_data["orders"]]
        return "\n".join([*lines, *self.cleaned_data[MORE].splitlines()])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["orders"] = [order for one in self.questions if (order := self._answer(one, cleaned)) is not None]
        return cleaned

    def _answer(self, question: Question, cleaned: Mapping[str, Any]) -> Order | None:
        row = _chosen(question, cleaned)
        if row is None:
            return None
        order = Order(row.ask.verb, {**row.settled, **_filled(row, cleaned)})
        try:
            return self.asked.language.accept(order)
        except Unwritable:
            self.add_error(_place(row, cleaned), _("This order is not complete, or it cannot be written in one line."))
            return None

    def _write(self, order: Order) -> str:
        return self.asked.language.write(order, self.asked.locale)

    def _add_fields(self) -> None:
        for question in self.questions:
            if question.needs_choice:
                self.fields[question.name] = _choice(question)
            for row in question.rows:
                for slot in row.open.values():
                    made = _field(slot, row.ask.domains[slot.name], self.asked)
                    made.template_name = "forms/slot.html"  # type: ignore[attr-defined]
                    self.fields[row.name_of(slot.name)] = made

    def _bind(self) -> None:
        """Give each row its fields, for templates that go through the questions."""
        for question in self.questions:
            if question.needs_choice:
                _bind_choice(question, self[question.name])
            for row in question.rows:
                row.fields = [self[row.name_of(name)] for name in row.open]


def _questions(asked: Asked) -> Iterator[Question]:
    verbs = {verb.name: verb for verb in asked.title.verbs}
    for number, group in enumerate(alternatives(verbs, asked.asks)):
        name = f"q{number}"
        rows = [_row(ask, asked, f"{name}-{at}") for at, ask in enumerate(group)]
        settled = any(not _deciding(row) for row in rows)
        yield Question(name, rows, any(ask.must for ask in group), settled or len(rows) > 1)


def _row(ask: Ask, asked: Asked, prefix: str) -> Row:
    slots = {slot.name: slot for slot in asked.language.verbs[ask.verb].slots if slot.name in ask.domains}
    settled = {name: value for name, slot in slots.items() if (value := _only(slot, ask.domains[name])) is not None}
    row = Row(ask, settled, {name: slot for name, slot in slots.items() if name not in settled}, prefix)
    row.label = asked.language.write(Order(ask.verb, row.settled), asked.locale)
    row.help = asked.title.about.texts[asked.locale].get(f"verb.{ask.verb}", "")
    return row


def _only(slot: Slot, domain: Domain) -> Value | None:
    """The one value that a slot can have, None if there is a choice."""
    if slot.kind == "name" and len(domain.names) == 1:
        return domain.names[0]
    return domain.low if slot.kind == "number" and domain.low == domain.high else None


def _deciding(row: Row) -> list[str]:
    """The open slots by which one sees that the order is meant: all but texts."""
    return [name for name, slot in row.open.items() if slot.kind != "text"]


def _field(slot: Slot, domain: Domain, asked: Asked) -> forms.Field:
    label = slot_label(slot, asked)
    if slot.kind == "number":
        attrs = {"step": domain.step, "inputmode": "numeric"}
        return forms.IntegerField(
            label=label,
            required=False,
            min_value=domain.low,
            max_value=domain.high,
            step_size=domain.step,
            widget=forms.NumberInput(attrs=attrs),
        )
    if slot.kind == "text":
        return forms.CharField(label=label, required=False, max_length=LONGEST_TEXT)
    names = [(name, asked.language.name(name, asked.locale)) for name in domain.names]
    if slot.kind == "names":
        return NamesField(label, names, min(domain.many, len(names)))
    return forms.ChoiceField(label=label, required=False, choices=[("", "-"), *names])


def slot_label(slot: Slot, asked: Asked) -> str:
    """What a slot is called for people: its key word as it stands in a line, else its name in the title's texts."""
    if slot.words:
        return slot.words[asked.locale][0]
    known = asked.title.about.texts[asked.locale].get(f"slot.{slot.name}", slot.name)
    return f"{slot.sign} {known}".strip()


def _choice(question: Question) -> forms.Field:
    if len(question.rows) == 1:
        return forms.BooleanField(label=question.rows[0].label, required=False)
    choices = [("", _("no order")), *((str(at), row.label) for at, row in enumerate(question.rows))]
    return forms.ChoiceField(label=_("Which?"), required=False, choices=choices, widget=forms.RadioSelect)


def _bind_choice(question: Question, choice: forms.BoundField) -> None:
    """Give a question's only row its tick box, or each of its rows a radio button, and one for none of them."""
    if len(question.rows) == 1:
        question.rows[0].radio = choice
        return
    question.none, *radios = choice.subwidgets
    for row, radio in zip(question.rows, radios, strict=True):
        row.radio = radio


def _chosen(question: Question, cleaned: Mapping[str, Any]) -> Row | None:
    """The row that is meant: the one that was marked, else the only one that was filled in."""
    mark = cleaned.get(question.name)
    if mark:
        return question.rows[int(mark)] if len(question.rows) > 1 else question.rows[0]
    filled = [row for row in question.rows if _filled(row, cleaned)]
    return filled[0] if len(filled) == 1 else None


def _filled(row: Row, cleaned: Mapping[str, Any]) -> dict[str, Value]:
    found: dict[str, Any] = {name: cleaned.get(row.name_of(name)) for name in row.open}
    return {name: value for name, value in found.items() if value not in EMPTY}


def _place(row: Row, cleaned: Mapping[str, Any]) -> str | None:
    """The field beside which a complaint about a row belongs; None if the row has none."""
    needed = [name for name, slot in row.open.items() if not slot.optional]
    empty = [name for name in needed if cleaned.get(row.name_of(name)) in EMPTY]
    return row.name_of([*empty, *row.open][0]) if row.open else None


def _match(sheet: Sheet, rows: Sequence[Row]) -> tuple[dict[str, Order], list[Order]]:
    """Find for each order on file the row that can hold it: orders by the row's prefix, and those that fit nowhere."""
    taken: dict[str, Order] = {}
    rest: list[Order] = []
    for order in sheet:
        free = (row for row in rows if row.prefix not in taken and _fits(order, row))
        found = next(free, None)
        if found is None:
            rest.append(order)
        else:
            taken[found.prefix] = order
    return taken, rest


def _fits(order: Order, row: Row) -> bool:
    if order.verb != row.ask.verb or order.when or order.then or order.standing:
        return False
    same = all(order.args.get(name, value) == value for name, value in row.settled.items())
    return same and all(_holds(row, name, value) for name, value in order.args.items() if name not in row.settled)


def _holds(row: Row, name: str, value: Value) -> bool:
    slot, domain = row.open.get(name), row.ask.domains.get(name)
    if slot is None or domain is None:
        return False
    if isinstance(value, int):
        return slot.kind == "number" and domain.low <= value <= domain.high and not (value - domain.low) % domain.step
    if slot.kind == "text":
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    names = (value,) if isinstance(value, str) else value
    most = domain.many if slot.kind == "names" else 1
    return slot.kind in {"name", "names"} and set(names) <= set(domain.names) and len(names) <= most


def _initial(questions: Sequence[Question], matched: Mapping[str, Order]) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    for question in questions:
        for at, row in enumerate(question.rows):
            order = matched.get(row.prefix)
            if order is not None:
                initial[question.name] = str(at) if len(question.rows) > 1 else True
                initial |= {row.name_of(name): order.args[name] for name in row.open if name in order.args}
    return initial


def _names(question: Question) -> Iterator[str]:
    if question.needs_choice:
        yield question.name
    for row in question.rows:
        yield from map(row.name_of, row.open)
