"""The order form, made from what a seat is asked (DESIGN section 3: verbs and asks make the form).

It knows no title. Each group of asks that exclude each other is one question; what it answers is a line of the order
language, so that form and mail go one way. An order that one may give about several things is asked for once more than
it is given. What no question can hold stays in a text field, so that a form never loses an order that is in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.engine.contract import Ask, Domain, Locale, Options, Order, Sheet, Slot, Title, Value, Verb
from games.engine.language import Language, Reading, Unwritable, language, line_problem_text
from games.engine.sheets import alternatives
from games.engine.writing import ALWAYS as ALWAYS_WORD
from games.engine.writing import THEN, WHEN

LONGEST_TEXT = 300
MORE = "more"
ALWAYS, CLAUSES = ":always", ":when"
"""What the names of the fields beside a row's slots end with."""

SPARE = 2
MOST_ROWS = 24
"""So many empty rows are there for an order that may be given more than once, and so many rows at most."""

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
    verb: Verb
    label: str = ""
    help: str = ""
    radio: Any = None
    fields: list[Any] = field(default_factory=list)

    def name_of(self, slot: str) -> str:
        """The name of a slot's field."""
        return f"{self.prefix}-{slot}"

    @property
    def always(self) -> str:
        """The name of the field by which the order stands until it is cancelled; "" if it cannot."""
        return f"{self.prefix}{ALWAYS}" if self.verb.standing == "may" else ""

    @property
    def clauses(self) -> str:
        """The name of the field for a trigger and what follows it; "" if this order takes none."""
        return f"{self.prefix}{CLAUSES}" if self.verb.conditional else ""


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
        self.questions = list(_questions(asked, data or {}))
        matched, rest = _match(asked.on_file, [row for one in self.questions for row in one.rows])
        super().__init__(data, initial=_initial(self.questions, matched, asked))
        self._add_fields()
        lines = [self._write(order) for order in rest]
        self.fields[MORE] = forms.CharField(
            label=_("More orders, one a line"),
            help_text=_("Anything else that can be written in a mail."),
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
        values = [self[name].value() for one in self.free for name in _names(one)]
        return any(value not in EMPTY and value is not False for value in values)

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
        standing = bool(cleaned.get(row.always)) or row.verb.standing == "must"
        order = Order(row.ask.verb, {**row.settled, **_filled(row, cleaned)}, standing=standing)
        try:
            return self._conditional(row, self.asked.language.accept(order), cleaned.get(row.clauses) or "")
        except Unwritable:
            self.add_error(_place(row, cleaned), _("This order is not complete, or it cannot be written in one line."))
            return None

    def _conditional(self, row: Row, order: Order, clauses: str) -> Order | None:
        """Return the order with the trigger and the consequences that were written beside it."""
        if not clauses.strip():
            return order
        reading = self.asked.language.read_clauses(order, clauses, self.asked.locale, self.asked.asks)
        if reading.problems or len(reading.orders) != 1:
            self.add_error(row.clauses, _clause_error(reading, self.asked.locale))
            return None
        return reading.orders[0].order

    def _write(self, order: Order) -> str:
        return self.asked.language.write(order, self.asked.locale)

    def _add_fields(self) -> None:
        for question in self.questions:
            if question.needs_choice:
                self.fields[question.name] = _choice(question)
            for row in question.rows:
                for slot in row.open.values():
                    made = _field(slot, row.ask.domains[slot.name], self.asked)
                    self._add(row.name_of(slot.name), made)
                for name, made in _beside(row, self.asked.locale):
                    self._add(name, made)

    def _add(self, name: str, made: forms.Field) -> None:
        made.template_name = "forms/slot.html"  # type: ignore[attr-defined]
        self.fields[name] = made

    def _bind(self) -> None:
        """Give each row its fields, for templates that go through the questions."""
        for question in self.questions:
            if question.needs_choice:
                _bind_choice(question, self[question.name])
            for row in question.rows:
                beside = [name for name in (row.always, row.clauses) if name]
                row.fields = [self[name] for name in (*map(row.name_of, row.open), *beside)]


def _questions(asked: Asked, data: Mapping[str, Any]) -> Iterator[Question]:
    verbs = {verb.name: verb for verb in asked.title.verbs}
    for number, group in enumerate(alternatives(verbs, asked.asks)):
        first = _question(f"q{number}", group, asked)
        yield first
        for copy in range(1, _times(first, asked, data)):
            again = _question(f"{first.name}.{copy}", group, asked)
            again.rows[0].help = ""
            yield again


def _question(name: str, group: Sequence[Ask], asked: Asked) -> Question:
    rows = [_row(ask, asked, f"{name}-{at}") for at, ask in enumerate(group)]
    settled = any(not _deciding(row) for row in rows)
    return Question(name, rows, any(ask.must for ask in group), settled or len(rows) > 1)


def _times(question: Question, asked: Asked, data: Mapping[str, Any]) -> int:
    """How often to ask: an order that one may give about several things, more often than it is given or was sent."""
    [row, *others] = question.rows
    if others or question.owed or not _one_thing_each(row):
        return 1
    given = sum(order.verb == row.verb.name for order in asked.on_file)
    sent = sum(f"{question.name}.{copy}-0" in {key.rpartition("-")[0] for key in data} for copy in range(MOST_ROWS))
    return min(max(given + SPARE, sent + 1), MOST_ROWS)


def _one_thing_each(row: Row) -> bool:
    """Whether such orders are about one thing each, of several that can be chosen."""
    return bool(row.verb.key) and all(name in row.open and row.open[name].kind != "names" for name in row.verb.key)


def _row(ask: Ask, asked: Asked, prefix: str) -> Row:
    slots = {slot.name: slot for slot in asked.language.verbs[ask.verb].slots if slot.name in ask.domains}
    settled = {name: value for name, slot in slots.items() if (value := _only(slot, ask.domains[name])) is not None}
    verb = asked.language.verbs[ask.verb]
    row = Row(ask, settled, {name: slot for name, slot in slots.items() if name not in settled}, prefix, verb)
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


def _beside(row: Row, locale: Locale) -> Iterator[tuple[str, forms.Field]]:
    """Yield the fields beside a row's slots: whether it stands, and on what condition."""
    if row.always:
        yield row.always, forms.BooleanField(label=ALWAYS_WORD[locale], required=False)
    if row.clauses:
        label = f"{WHEN[locale]} … {THEN[locale]} …"
        yield row.clauses, forms.CharField(label=label, required=False, max_length=LONGEST_TEXT)


def _clause_error(reading: Reading, locale: Locale) -> str:
    if not reading.problems:
        return _("This is no condition; “help” tells what can stand here.")
    problem = reading.problems[0]
    said = line_problem_text(problem, locale)
    return f"{said} {problem.suggestion}" if problem.suggestion else said


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
    if order.verb != row.ask.verb or ((order.when or order.then) and not row.clauses):
        return False
    if order.standing and not row.always:
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


def _initial(questions: Sequence[Question], matched: Mapping[str, Order], asked: Asked) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    for question in questions:
        for at, row in enumerate(question.rows):
            order = matched.get(row.prefix)
            if order is not None:
                initial[question.name] = str(at) if len(question.rows) > 1 else True
                initial |= {row.name_of(name): order.args[name] for name in row.open if name in order.args}
                initial |= {row.always: True} if order.standing else {}
                initial |= {row.clauses: asked.language.clauses(order, asked.locale)} if row.clauses else {}
    return initial


def _names(question: Question) -> Iterator[str]:
    if question.needs_choice:
        yield question.name
    for row in question.rows:
        yield from map(row.name_of, row.open)
        yield from (name for name in (row.always, row.clauses) if name)
