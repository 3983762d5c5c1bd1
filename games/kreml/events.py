"""Everything that can happen, as a typed catalogue: the newspaper and the private sheet are written from these alone.

A class is one kind of event; its name in lower case is the event's ``kind``, its fields are the event's data. ``tell``
writes one to the table, ``read`` makes the typed value of an event again. Throughout:

* politicians are ids ("p11"), players ids of seats ("minsk"), places those of ``state.Place``;
* ``by`` is who acts, ``who`` to whom it happens; ``before`` and ``after`` are ages of ``by`` (of ``who`` where nobody
  acts), equal if the act costs nothing;
* yes and no are 1 and 0; what does not apply is "" or 0.

Public unless said otherwise. They come in the order in which things happened, each phase opened by ``Phase``.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from games.engine.contract import Event, Table

type Ids = tuple[str, ...]


class Happening(Struct, frozen=True):
    """One thing that happened."""


# --- set-up and lists -------------------------------------------------------------------------------------------------


class Start(Happening, frozen=True):
    """The game begins. ``seniority``: seats, the most senior first. ``members``: holders of the eight offices in rank
    order; ``candidates``: the row.
    """

    seats: Ids
    seniority: Ids
    members: Ids
    candidates: Ids


class Listed(Happening, frozen=True):
    """PRIVATE to ``seat``: the list it plays with, "10:p11", "9:p3" ...; ``drawn`` 1 if it was drawn at random since
    nothing valid was handed in.
    """

    seat: str
    entries: Ids
    drawn: int


class Sealed(Happening, frozen=True):
    """All lists are sealed; the year 1951 can begin."""

    year: int


# --- the frame --------------------------------------------------------------------------------------------------------


class Phase(Happening, frozen=True):
    """A phase (1 to 8) of a year begins. Phase 3 and 5 may go on in a later turn without another one of these."""

    year: int
    phase: int


class Power(Happening, frozen=True):
    """Whose the power of this phase is: ``power`` is "purges", "spy" or "commission", ``office`` the office that wields
    it, ``who`` its holder; both "" if nobody is there to. ``stand_in`` 1 if it is not the first in line. ``controlled``
    0: he sits there and does nothing.
    """

    power: str
    office: str
    who: str
    stand_in: int
    controlled: int


class Aged(Happening, frozen=True):
    """Somebody aged without acting. ``cause``: "sick" (not in cure, phase 1), "chief" (phase 1), "investigated"."""

    who: str
    cause: str
    before: int
    after: int


class Honoured(Happening, frozen=True):
    """Somebody has reached 96 and leaves for the honours list at the end of a phase. ``place``: where he was."""

    who: str
    age: int
    place: str


# --- control ----------------------------------------------------------------------------------------------------------


class Declared(Happening, frozen=True):
    """A player shows points on a politician: ``before`` and now ``points``. Several for one contest; the controller's
    or winner's comes last.
    """

    who: str
    seat: str
    before: int
    points: int


class Controlled(Happening, frozen=True):
    """A politician follows another player from now on; ``before`` "" if he never followed anybody."""

    who: str
    seat: str
    before: str


class Cancelled(Happening, frozen=True):
    """What ``by`` had announced does not take place, as he follows another player since. ``act`` is the verb ("cure",
    "recall", "purge", "close", "investigate", "accuse", "banish", "nominate", "swap", "promote", "demote", "move", or
    "vote"), ``who`` its object ("" for none), ``detail`` the other politician of a swap, an office, or the vote.
    """

    by: str
    act: str
    who: str
    detail: str


# --- phases 1 and 2 ---------------------------------------------------------------------------------------------------


class Returned(Happening, frozen=True):
    """A healthy member leaves the sanatorium."""

    who: str


class Cured(Happening, frozen=True):
    """A sick member goes into cure."""

    who: str


class Recalled(Happening, frozen=True):
    """A sick member is fetched from his cure."""

    who: str


class Purged(Happening, frozen=True):
    """An attempt at a purge. ``place``: the victim's, before it; ``cure`` 1 if he was in cure (needed is 3 less).
    ``success`` 1: he is in Siberia; 0: the purges of this year are over.
    """

    by: str
    who: str
    place: str
    cure: int
    roll: int
    needed: int
    success: int
    before: int
    after: int


# --- phase 3 ----------------------------------------------------------------------------------------------------------


class Closed(Happening, frozen=True):
    """An investigation is closed; ``opened``: the year in which it was opened."""

    by: str
    who: str
    opened: int


class Investigated(Happening, frozen=True):
    """An investigation is opened."""

    by: str
    who: str
    before: int
    after: int


class Accused(Happening, frozen=True):
    """Somebody is put on trial; ``opened``: the year of his investigation. In the classic pace the votes come with the
    next turn.
    """

    by: str
    who: str
    opened: int


class Voted(Happening, frozen=True):
    """One vote: ``vote`` is "yes", "no" or "abstain", ``on`` the accused or nominee, ``poll`` "trial", "first" or
    "second". ``controlled`` 0: he follows nobody, and abstains.
    """

    who: str
    vote: str
    on: str
    poll: str
    controlled: int


class Convicted(Happening, frozen=True):
    """A trial ends in Siberia. ``place``: the office lost. The rest are voters."""

    who: str
    by: str
    place: str
    yes: Ids
    no: Ids
    abstain: Ids


class Acquitted(Happening, frozen=True):
    """A trial fails: the investigation is over, the accuser ages."""

    who: str
    by: str
    yes: Ids
    no: Ids
    abstain: Ids
    before: int
    after: int


class Banished(Happening, frozen=True):
    """A candidate is sent to Siberia without a trial."""

    by: str
    who: str
    before: int
    after: int


# --- phase 4 ----------------------------------------------------------------------------------------------------------


class Examined(Happening, frozen=True):
    """The health of a member is rolled. ``result``: "sudden" (dies at once), "died" (of a third mark), "two", "one"
    (marks more), "heals", "none". ``marks`` before and ``now`` after it (0 for the dead); ``place``: his office.
    """

    who: str
    place: str
    age: int
    cure: int
    roll: int
    result: str
    marks: int
    now: int


# --- phase 5 ----------------------------------------------------------------------------------------------------------


class Nominated(Happening, frozen=True):
    """Somebody is proposed as chief. ``poll``: "first", or "second" (one of the rebels). ``silent`` 1: nobody said
    whom, so it is the oldest who may be. In the classic pace the votes come with the next turn.
    """

    by: str
    who: str
    poll: str
    silent: int


class Elected(Happening, frozen=True):
    """There is a new chief. ``how``: "vote", "alone" (the only member), "defence" (both votes failed, and the defence
    minister or his stand-in helped himself), "oldest" (nobody was present). ``place``: the office he leaves. The rest
    are voters, if there was a vote.
    """

    who: str
    how: str
    place: str
    yes: Ids = ()
    no: Ids = ()
    abstain: Ids = ()


class Rejected(Happening, frozen=True):
    """A nominee fails with three or more NO. ``poll`` "first": the proposer ``by`` ages; "second": he does not."""

    who: str
    by: str
    poll: str
    yes: Ids
    no: Ids
    abstain: Ids
    before: int
    after: int


class Headless(Happening, frozen=True):
    """There is no member at all, so there is no chief this year."""

    year: int


# --- phase 6 ----------------------------------------------------------------------------------------------------------


class Moved(Happening, frozen=True):
    """Somebody moves somebody. ``act``: "swap", "promote", "demote" or "move"; ``source`` and ``target`` are the places
    of ``who`` before and after; ``other`` is whom he was swapped with ("" else; he went from target to source).
    """

    by: str
    act: str
    who: str
    other: str
    source: str
    target: str
    before: int
    after: int


class Filled(Happening, frozen=True):
    """A gap is filled by seniority of age."""

    who: str
    source: str
    target: str


# --- phases 7 and 8 ---------------------------------------------------------------------------------------------------


class Rehabilitated(Happening, frozen=True):
    """Somebody comes back from Siberia to the people."""

    by: str
    who: str
    before: int
    after: int


class Parade(Happening, frozen=True):
    """The October parade. ``roll`` and ``needed`` are 0 for a healthy chief. ``waved`` 1: he stood it; ``waves`` counts
    his parades up to now.
    """

    who: str
    marks: int
    roll: int
    needed: int
    waved: int
    waves: int
    before: int
    after: int


class Unattended(Happening, frozen=True):
    """The parade marches past an empty stand: the chief ``who`` is in cure, or there is none ("")."""

    year: int
    who: str


# --- the end ----------------------------------------------------------------------------------------------------------


class Ended(Happening, frozen=True):
    """The game is over. ``reason``: "three_waves", "1960", "1961" or "draw"; ``who`` decides it ("" in a draw).
    ``nestor`` 1: it is Nestor, so everybody loses.
    """

    reason: str
    who: str
    nestor: int


class Opened(Happening, frozen=True):
    """A secret list is opened at the end: "10:p11", "9:p3" ..."""

    seat: str
    entries: Ids


class Final(Happening, frozen=True):
    """A player's result: his secret points on who decides the game, and his place (1 is best)."""

    seat: str
    place: int
    points: int


KINDS: dict[str, type[Happening]] = {kind.__name__.lower(): kind for kind in Happening.__subclasses__()}
"""Every kind of event by its name."""

_NAMES = {kind: name for name, kind in KINDS.items()}


def tell(table: Table, happening: Happening, to: frozenset[int] | None = None) -> None:
    """Write what happened to the table; ``to``: the seats that may know it (None: everybody)."""
    table.tell(Event(_NAMES[type(happening)], asdict(happening), to))


def read(event: Event) -> Any:
    """The typed value of an event, for ``match``; a KeyError if its kind is unknown."""
    return msgspec.convert(event.data, KINDS[event.kind])
