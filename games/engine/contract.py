"""What a title is: plain immutable values and one protocol (DESIGN section 3).

Everything here can be written as JSON by msgspec. A *seat* is always an index, 0-based and clockwise. *Ids* of seats,
pieces, offices and so on are short lower- or upper-case ASCII strings; what people read and write for them stands in
``About.names`` (or in ``Title.names`` where an organiser may supply them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Literal, Protocol

from msgspec import Struct

type Locale = Literal["en", "de"]
LOCALES: tuple[Locale, ...] = ("en", "de")

type Words = Mapping[Locale, tuple[str, ...]]
"""Ways to write one thing, by language; the first is the canonical one."""

type Value = int | str | tuple[str, ...]
"""What an order's argument or an event's datum may be: a number, an id or a text, several ids."""

type Choice = bool | int | str
"""What an option may be set to."""

type Options = Mapping[str, Choice]


# --- the order language -----------------------------------------------------------------------------------------------


class Slot(Struct, frozen=True):
    """An argument of a verb.

    Without ``words`` it is found by its position; with them, by its key word (``max 8000``), anywhere behind the
    positional ones. ``kind`` says how it is read: one of the ids the title names, several of them (comma-separated),
    a whole number (``sign`` "+" means that it must be written with a plus, as in ``+1000``), or a text, which takes
    the rest of the line.
    """

    name: str
    kind: Literal["name", "names", "number", "text"] = "name"
    words: Words = {}
    sign: Literal["", "+"] = ""
    optional: bool = False
    among: tuple[str, ...] = ()
    """The ids that may stand here at all (empty: any id); what is legal *now* is said by a Domain."""


class Verb(Struct, frozen=True):
    """A kind of order, trigger or rule, and how it is written.

    Orders with the same ``family`` (the verb's own name if empty), ``key`` arguments, ``standing`` and trigger replace
    each other when a later mail or form brings them. ``standing`` says whether ``always`` may or must stand before the
    line. ``role`` "trigger" marks what may only follow ``when``; ``conditional`` says that it may follow this verb, so
    that forms offer it.
    """

    name: str
    words: Words
    slots: tuple[Slot, ...] = ()
    key: tuple[str, ...] = ()
    family: str = ""
    role: Literal["order", "rule", "trigger"] = "order"
    standing: Literal["never", "may", "must"] = "never"
    conditional: bool = False


class Order(Struct, frozen=True):
    """One line of the order language: a verb with its arguments (by slot name), a trigger and consequences."""

    verb: str
    args: dict[str, Value] = {}
    when: Order | None = None
    then: tuple[Order, ...] = ()
    standing: bool = False


type Sheet = tuple[Order, ...]
"""The orders of one seat for one turn, in the order in which they were written."""


class Domain(Struct, frozen=True):
    """What a slot may hold just now: ids, or a range of numbers, or (neither given) a free text.

    ``many`` is the most ids that may be listed. A slot with one name only is settled; a form shows it as a label.
    """

    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1
    many: int = 1


class Ask(Struct, frozen=True):
    """One order that a seat may give now, with what each slot may hold. ``must``: owed, so that silence is an NMR.

    ``waivable``: owed, but a power that one may leave unused: "done" alone says so. ``early``: it is for a later turn;
    a form offers it, but nobody is waited for because of it. ``vote``: the turn is a vote, and this is the question;
    it follows from public facts alone. A seat that may give two orders of a verb gets two asks.
    """

    verb: str
    domains: dict[str, Domain]
    must: bool = False
    waivable: bool = False
    early: bool = False
    vote: bool = False


class Problem(Struct, frozen=True):
    """What is wrong with one order of a sheet, so that a person can mend it.

    ``order`` is its index in the sheet. The text is ``texts[locale]["problem.<code>"]`` of the title, a format string
    over ``data``. ``fix`` is the nearest order that would be right. ``refuses`` False: a hint only, the order stands.
    """

    order: int
    code: str
    data: dict[str, Value] = {}
    fix: Order | None = None
    refuses: bool = True


# --- what happens -----------------------------------------------------------------------------------------------------


class Event(Struct, frozen=True):
    """One thing that happened, with those who may know it (``to`` None: everybody, watchers included)."""

    kind: str
    data: dict[str, Value] = {}
    to: frozenset[int] | None = None


class Outcome(Struct, frozen=True):
    """How a game ended: each seat's place (1 is best, ties share the better number) and score (the title's own unit).

    ``places`` all equal and ``decided`` False is a draw, or a game that everybody lost.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    decided: bool = True


class Table(Protocol):
    """Where a reducer stands: live, preview, replay and fuzz differ only in the table they pass."""

    def roll(self, label: str, sides: int) -> int:
        """A recorded random number from 1 to ``sides``."""

    def tell(self, event: Event) -> None:
        """Add an event to the turn's log."""

    def keep(self, seat: int, sheet: Sheet) -> None:
        """Say which orders of a seat are already in force for the next turn: standing and ahead-of-time ones."""


# --- what people see --------------------------------------------------------------------------------------------------


class Heading(Struct, frozen=True, tag="heading"):
    """A heading inside a page; ``level`` 2 to 4."""

    text: str
    level: int = 2


class Text(Struct, frozen=True, tag="text"):
    """A paragraph of plain text. ``tone`` lets a renderer set quiet remarks apart."""

    text: str
    tone: Literal["plain", "quiet", "strong"] = "plain"


class Items(Struct, frozen=True, tag="items"):
    """A list of short texts, one thing a line (what happened, who may do what)."""

    items: tuple[str, ...]
    ordered: bool = False


class Grid(Struct, frozen=True, tag="grid"):
    """A table: header cells, rows of cells, and a caption. ``numeric`` lists the columns to be set flush right."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[int, ...] = ()


class Picture(Struct, frozen=True, tag="picture"):
    """An SVG drawing (no script, no external reference) with its text twin for mail and for who does not see it."""

    svg: str
    alt: str
    twin: str


class Copy(Struct, frozen=True, tag="copy"):
    """Orders to be copied into an answer, already written in the reader's language, one a line."""

    lines: tuple[str, ...]


type Block = Heading | Text | Items | Grid | Picture | Copy


class Page(Struct, frozen=True):
    """What a seat (or a watcher) sees: a title line such as "Round 2, Green's court: bribes", and blocks."""

    title: str
    blocks: tuple[Block, ...]


class Option(Struct, frozen=True):
    """A choice that an organiser makes when he creates a game.

    A flag if ``default`` is a bool, a number from ``low`` to ``high`` if it is an int, else one of ``choices``. Label
    and help are ``texts[locale]["option.<name>"]`` and ``["option.<name>.help"]``; a choice's label is
    ``["option.<name>.<choice>"]``.
    """

    name: str
    default: Choice
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


class About(Struct, frozen=True):
    """What the platform must know of a title before any game exists.

    ``seats`` are the ids of the seats in clockwise order (a game of n seats uses the first n); ``sizes`` the numbers
    of seats that can be played. ``names`` gives each id its words. ``texts`` are all other texts by language and key;
    at least "title", "tagline", "option.*", "problem.*" and "verb.<name>" (one line of help for each verb).
    ``rules`` counts versions of the rules: a change that alters any result raises it. ``votes``: some turns
    may be votes (`Ask.vote`), so that a schedule can make them shorter.
    """

    slug: str
    rules: int
    sizes: tuple[int, ...]
    seats: tuple[str, ...]
    options: tuple[Option, ...]
    names: Mapping[str, Words]
    texts: Mapping[Locale, Mapping[str, str]]
    votes: bool = False


type Bot[S] = Callable[[S, int, Random], Sheet]
"""A player that is a function of its masked state, its seat and a seeded source of randomness."""

type Stats = Mapping[str, float | Mapping[str, float]]


class Title[S](Protocol):
    """A kind of game: a value that the registry finds.

    ``seen`` is always a masked state: what a seat gets is computed from ``mask(state, seat)``, the events addressed to
    it and its own sheet, and from nothing else. States are immutable; no method changes its arguments.
    """

    @property
    def about(self) -> About: ...

    @property
    def verbs(self) -> tuple[Verb, ...]: ...

    @property
    def bots(self) -> Mapping[str, Bot[S]]: ...

    def names(self, options: Options) -> Mapping[str, Words]:
        """The names of all things under these options (``about.names`` and what an organiser supplied)."""

    def refuse(self, options: Options, seats: int) -> str | None:
        """The key of the text that says why these options do not go together, or None."""

    def setup(self, options: Options, seats: int, table: Table) -> S:
        """The first position. Its rolls depend on the seed alone."""

    def mask(self, state: S, viewer: int | None) -> S:
        """The state as a seat (None: a watcher) may know it: the same type, the secrets of others blanked."""

    def asks(self, seen: S, seat: int) -> tuple[Ask, ...]:
        """What the seat may order now; empty where it has nothing to say. Follows from public facts and its own."""

    def check(self, seen: S, seat: int, sheet: Sheet) -> tuple[Problem, ...]:
        """What is wrong with a sheet, order by order; of two orders that clash the later is refused."""

    def resolve(self, state: S, sheets: Mapping[int, Sheet], table: Table) -> S:
        """Play the turn. Total: missing sheets and impossible orders are replaced by the rules' defaults.

        Also called with a masked state and one sheet (preview): what is blanked is taken to suffice.
        """

    def show(self, seen: S, seat: int | None, locale: Locale) -> Page:
        """The position as that seat sees it, with what it is asked and orders to copy."""

    def story(self, options: Options, events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
        """What happened in one turn, as prose; the events are those that the reader may know."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended; None while it runs."""

    def load(self, raw: bytes, rules: int) -> S:
        """Read a stored state (JSON) written under this or an older version of the rules."""

    def invariants(self, state: S) -> Iterable[str]:
        """One sentence for each invariant that the state breaks; for fuzzing and for tests."""

    def stats(self, finals: Sequence[S]) -> Stats:
        """The title's own figures over many ended games, for ``simulate``."""
