"""The order language: every order survives being written and read, and people's ways of writing are understood."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine.contract import LOCALES, Locale, Order, Slot, Verb, Words
from games.engine.controls import Control
from games.engine.grammar import LanguageError
from games.engine.language import Language, Reading, Unwritable, language, line_problem_text
from games.engine.texts import texts
from tests.engine.strategies import orders
from tests.engine.toy import NAMES, OPTIONS, TOY, VERBS, Toy

TALK = language(TOY, OPTIONS)
ASKS = TOY.asks(TOY.mask(TOY.load(b'{"round":1,"rounds":3,"numbers":[1,2],"points":[0,0]}', 1), 0), 0)


def one(text: str) -> Order:
    """The order of a text that holds nothing else."""
    reading = TALK.read(text)
    assert not reading.problems, reading.problems
    assert len(reading.orders) == 1, reading
    return reading.orders[0].order


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


@given(order=orders(VERBS, NAMES), locale=st.sampled_from(LOCALES))
def test_every_order_survives_being_written_and_read(order: Order, locale: Locale) -> None:
    assert one(TALK.write(order, locale)) == order
    assert TALK.accept(order) == order


@given(order=orders(VERBS, NAMES), locale=st.sampled_from(LOCALES))
def test_the_canonical_line_is_canonical(order: Order, locale: Locale) -> None:
    line = TALK.write(order, locale)
    assert TALK.write(one(line), locale) == line
    assert (
        one(
            f"  - {line.swapcase() if '"' not in line and 'note' not in line and 'notiz' not in line else line}  # mine"
        )
        == order
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    (
        ("guess bob 3", {"seat": "bob", "number": 3}),
        ("RATE Bobo 3", {"seat": "bob", "number": 3}),
        ("rate Aenne 3", {"seat": "ann", "number": 3}),
        ("rate änne 3", {"seat": "ann", "number": 3}),
        ("gu b 3", {"seat": "bob", "number": 3}),
        ("guess 3 Bob.", {"seat": "bob", "number": 3}),
        ("guess dora long\N{NON-BREAKING HYPHEN}name 3", {"seat": "dora", "number": 3}),
        ("guess\N{NO-BREAK SPACE}Bob\N{ZERO WIDTH SPACE} 3", {"seat": "bob", "number": 3}),
        (
            "\N{ZERO WIDTH NO-BREAK SPACE}gu\N{SOFT HYPHEN}ess \u201cBob\u201d \uff13",
            {"seat": "bob", "number": 3},
        ),
        ("1. guess Bob 3", {"seat": "bob", "number": 3}),
        ("• guess Bob 3", {"seat": "bob", "number": 3}),
        ("**guess Bob 3**", {"seat": "bob", "number": 3}),
        ("guess Bob 3 # because", {"seat": "bob", "number": 3}),
        ("guess 3 -> Bob", {"seat": "bob", "number": 3}),
        ("guess 3 => Bob", {"seat": "bob", "number": 3}),
        ("guess 3 \N{EN DASH} *Bob*", {"seat": "bob", "number": 3}),
        ("guess Bob 3 with GROSSE KATZE", {"seat": "bob", "number": 3, "with": "big cat"}),
        ("rate Bobo 3 mit Baer", {"seat": "bob", "number": 3, "with": "B"}),
        ("guess Bob 3 with 10.000", {"seat": "bob", "number": 3, "with": "10000"}),
        ("guess Bob 3 note 50% off, when you like", {"seat": "bob", "number": 3, "note": "50% off, when you like"}),
    ),
)
def test_people_write_the_same_order_in_many_ways(written: str, meant: dict[str, object]) -> None:
    assert one(written) == Order("guess", meant)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "figure",
    (
        "4000",
        "4.000",
        "4,000",
        "4'000",
        "4\N{RIGHT SINGLE QUOTATION MARK}000",
        "4 000",
        "4\N{NARROW NO-BREAK SPACE}000",
        "4k",
        "4K",
        "4000.",
    ),
)
def test_numbers_are_read_in_the_forms_of_many_countries(figure: str) -> None:
    assert one(f"set {figure}") == Order("set", {"number": 4000})


@pytest.mark.parametrize("figure", ("4.00", "4,0", "40.00", "4.000,5", "1e3", "vier", "--4", "-> 4", "4k5", "9" * 30))
def test_what_is_no_whole_number_is_told(figure: str) -> None:
    assert codes(TALK.read(f"set {figure}")) == ["number"]


def test_a_plus_belongs_to_slots_that_want_one() -> None:
    assert one("lift +1k max 9000") == Order("lift", {"by": 1000, "max": 9000})
    assert one("hebe + 2 an sonst 3") == Order("lift", {"by": 2, "else": 3})
    assert codes(TALK.read("lift 1000")) == ["number"]


def test_a_list_is_read_with_commas_and_and() -> None:
    wanted = Order("feed", {"pets": ("A", "big cat", "10000")})
    assert one("feed ape, lion, 10000") == wanted
    assert one("füttere Affe,Löwe und 10.000") == wanted


def test_the_longest_verb_is_meant() -> None:
    assert one("always feed all") == Order("feed_all", standing=True)
    assert codes(TALK.read("feed all")) == ["standing_must"]
    assert TALK.read("feed all").problems[0].suggestion == "always feed all"


def test_triggers_and_consequences_read_as_they_are_written() -> None:
    assert one("set 5 when hit by Bob then guess Ann 3") == Order(
        "set", {"number": 5}, Order("hit", {"seat": "bob"}), (Order("guess", {"seat": "ann", "number": 3}),)
    )
    assert codes(TALK.read("set 5 when set 4")) == ["clause"]


@pytest.mark.parametrize(
    ("line", "code", "suggestion"),
    (
        ("guess Bbo 3", "name_unknown", "guess Bob 3"),
        ("gess Bob 3", "verb_near", "guess Bob 3"),
        ("ste 4", "verb_near", "set 4"),
        ("guess Bob", "missing", "guess Bob 0"),
        ("set 4,000.5", "number", None),
        ("guess Bob 3 please", "surplus", "guess Bob 3"),
        ("set 4 max 5", "surplus", "set 4"),
        ("guess Bob 3 with", "value", None),
        ("lift +1 max 3 max 4", "twice", "lift +1 max 3"),
        ("always lift +1", "standing_never", "lift +1"),
        ("Orders: set 4", "own_line", "set 4"),
        ("Order: set 4", "own_line", "set 4"),
        ("If he comes: guess Bob 3", "own_line", "guess Bob 3"),
        ("donne", "verb_near", "done"),
        ("fertg", "verb_near", "done"),
        ("cancel everybody", "cancel_what", "cancel all"),
        ("press: hello\nend press", "press_whom", None),
        ("press: hello", "press_open", None),
        ("press to Bob, Nobody: hello\nend press", "press_to", None),
        ("press to Bob: hello", "press_open", None),
    ),
)
def test_a_wrong_line_is_told_with_its_mend(line: str, code: str, suggestion: str | None) -> None:
    reading = TALK.read(f"Hello,\n{line}", "en", ASKS)
    assert codes(reading) == [code]
    problem = reading.problems[0]
    assert problem.line == 2
    assert not reading.orders
    if suggestion is not None:
        assert problem.suggestion == suggestion
    for locale in LOCALES:
        told = line_problem_text(problem, locale)
        assert "(" not in told.replace(f"({problem.data.get('slot')})", "").replace(
            f"({problem.data.get('word')})", ""
        ), told


@pytest.mark.parametrize(
    "line",
    (
        "Hi there,",
        "Sent from my iPhone",
        "> set 4",
        "See you on Monday at 9",
        "Orders:",
        "Orders: none so far",
        "PS: done",
        "Done with the garden today",
        "Wait for Bob",
        "Gue whom I met",
        "se",
    ),
)
def test_what_is_no_order_is_ignored_and_listed(line: str) -> None:
    reading = TALK.read(f"{line}\nset 4")
    assert reading.ignored == ((1, line),)
    assert len(reading.orders) == 1
    assert not reading.problems


@pytest.mark.parametrize(
    ("line", "control"),
    (
        ("done", Control("done", line=1)),
        ("Fertig!", Control("done", line=1)),
        ("warte", Control("wait", line=1)),
        ("always done", Control("always done", line=1)),
        ("immer fertig", Control("always done", line=1)),
        ("NICHTS", Control("nothing", line=1)),
        ("cancel always set", Control("cancel", "always set", 1)),
        ("streiche alles", Control("cancel", "alles", 1)),
        ("help", Control("help", line=1)),
        ("hilfe setze", Control("help", "setze", 1)),
        ("schlage ende vor", Control("propose", "end", 1)),
        ("propose prolong", Control("propose", "prolong", 1)),
        ("ich gebe auf", Control("resign", line=1)),
        ("befehle", Control("orders", line=1)),
    ),
)
def test_words_of_the_platform_are_read_in_both_languages(line: str, control: Control) -> None:
    assert TALK.read(line).controls == (control,)


def test_nothing_inside_a_press_block_is_an_order() -> None:
    reading = TALK.read("press to Bob and Zid: hello\nset 4\ndone\n\nBye\nend press\nset 5")
    assert reading.controls == (Control("press", line=1, to=("bob", "cid"), text="hello\nset 4\ndone\n\nBye"),)
    assert [(found.line, found.order.args["number"]) for found in reading.orders] == [(7, 5)]
    assert TALK.read("depesche an alle:\nhallo\nende depesche").controls[0].to == ("*",)


@pytest.mark.parametrize("end", ("\n", "\r\n", "\r", "\N{LINE SEPARATOR}", "\x0b", "\x85"))
def test_lines_end_in_many_ways(end: str) -> None:
    assert [found.line for found in TALK.read(f"set 1{end}{end}set 2").orders] == [1, 3]


@pytest.mark.parametrize(
    ("what", "left"),
    (("all", 0), ("always", 3), ("set", 3), ("always set", 3), ("guess bob", 3), ("rate", 2), ("guess", 2)),
)
def test_cancel_takes_out_what_begins_so(what: str, left: int) -> None:
    sheet = [one(line) for line in ("set 1", "always set 2", "guess bob 3", "guess cid 4")]
    gone = TALK.matcher(what)
    assert gone is not None
    assert len([order for order in sheet if not gone(order)]) == left
    assert TALK.matcher("the milk") is None
    rule = TALK.matcher("feed all")
    assert rule is not None
    assert rule(one("always feed all"))


@pytest.mark.parametrize(
    ("order", "code"),
    (
        (Order("fly"), "verb_unknown"),
        (Order("hit", {"seat": "bob"}), "verb_unknown"),
        (Order("set"), "missing"),
        (Order("set", {"number": "4"}), "slot_value"),
        (Order("set", {"number": True}), "slot_value"),
        (Order("set", {"number": 4, "colour": "red"}), "slot_unknown"),
        (Order("guess", {"seat": "A", "number": 4}), "slot_value"),
        (Order("lift", {"by": -1}), "slot_value"),
        (Order("lift", {"by": 1}, standing=True), "standing_never"),
        (Order("feed_all"), "standing_must"),
        (Order("say", {"text": "x" * 3000}), "unreadable"),
    ),
)
def test_an_order_that_is_none_is_not_accepted_from_a_form(order: Order, code: str) -> None:
    with pytest.raises(Unwritable) as told:
        TALK.accept(order)
    assert told.value.code == code


def test_a_text_from_a_form_is_made_writable() -> None:
    assert TALK.accept(Order("say", {"text": " a\n# b\u200b "})) == Order("say", {"text": "a # b"})


def test_examples_and_suggestions_are_legal() -> None:
    assert TALK.examples(ASKS, "de") == ("setze 0", "hebe +1 an", "rate Bobo 0")
    assert TALK.nearest("guess Ann 12", ASKS, "en") == "guess Bob 9"


def test_help_names_every_verb_and_every_control_word() -> None:
    for locale in LOCALES:
        shown = str(TALK.help(locale))
        assert all(verb.words[locale][0].split(" ...")[0] in shown for verb in VERBS)
    assert "hilfe" in str(TALK.help("de"))
    assert set(texts("en")) == set(texts("de"))


class Titled(Toy):
    """The toy with other verbs or names."""

    def __init__(self, verbs: tuple[Verb, ...], names: Mapping[str, Words] = NAMES) -> None:
        self.verbs = verbs
        self.about = replace(Toy.about, names=names)


def verb(name: str, *slots: Slot) -> Verb:
    return Verb(name, {"en": (name,), "de": (name,)}, slots)


@pytest.mark.parametrize(
    "verbs",
    (
        (verb("press"),),
        (verb("status"),),
        (verb("always"),),
        (verb("go"), Verb("walk", {"en": ("go",), "de": ("geh",)})),
        (verb("go", Slot("a", "number", optional=True), Slot("b", "number")),),
        (
            verb(
                "go", Slot("a", words={"en": ("to",), "de": ("nach",)}), Slot("b", words={"en": ("to",), "de": ("zu",)})
            ),
        ),
    ),
)
def test_a_title_whose_words_clash_is_refused_when_it_is_built(verbs: tuple[Verb, ...]) -> None:
    Language(Titled((verb("go", Slot("a", "number")),)), OPTIONS)
    with pytest.raises(LanguageError):
        Language(Titled(verbs), OPTIONS)


@pytest.mark.parametrize("bad", ("Bobo", "with", "when it rains", "...", ""))
def test_a_name_that_cannot_be_told_apart_is_refused(bad: str) -> None:
    names: dict[str, Words] = {**NAMES, "cid": {"en": (bad,), "de": (bad,)}}
    with pytest.raises(LanguageError):
        Language(Titled(VERBS, names), OPTIONS)


PIECES = ("set", "guess", "bob", "4", ",", "when", "then", "always", "+", "#", '"', "k", "000", "note")


@given(text=st.text(max_size=300) | st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_no_text_breaks_the_reader(text: str) -> None:
    reading = TALK.read(text, "de", ASKS)
    for found in reading.orders:
        assert one(TALK.write(found.order, "de")) == found.order
    for problem in reading.problems:
        assert line_problem_text(problem, "en")


LINES = st.lists(st.lists(st.sampled_from((*PIECES, "done", "cancel", "press to Bob:", "\n"))).map(" ".join))


@given(text=LINES.map("\n".join))
def test_only_of_wrong_lines_it_matters_who_asks_and_what_he_may_order(text: str) -> None:
    plain, asked = TALK.read(text), TALK.read(text, "de", ASKS)
    assert replace(plain, problems=()) == replace(asked, problems=())
    assert codes(plain) == codes(asked)


def seconds(text: str) -> float:
    began = time.process_time()
    TALK.read(text, "en", ASKS)
    return time.process_time() - began


@pytest.mark.parametrize(
    "text",
    (
        "guess xx yy zz " * 20 + "\n",
        "set " + "1.000" * 20 + "\n",
        "gusse bob bob bob\n",
        "* _" * 60 + "\n",
        "always " * 40 + "\n",
    ),
)
def test_nonsense_is_read_in_linear_time(text: str) -> None:
    seconds(text)
    assert seconds(text * 200) < 2


@pytest.mark.parametrize("piece", ("set ", "a ", "1.000", "* ", '"', "say '", "#", "guess bob 3 note "))
def test_a_very_long_line_costs_little(piece: str) -> None:
    assert seconds(piece * (100_000 // len(piece))) < 0.5
