"""The Prawda: what happened in a turn, as prose; made of events alone, so a report of a whole game needs nothing else.

Which of several phrasings is printed depends on what is told and on nothing else, so a turn always reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import asdict

from games.engine.contract import Block, Event, Grid, Heading, Items, Locale, Options, Text
from games.kreml import data
from games.kreml.events import (
    Accused,
    Acquitted,
    Aged,
    Banished,
    Cancelled,
    Controlled,
    Convicted,
    Declared,
    Elected,
    Ended,
    Examined,
    Filled,
    Final,
    Happening,
    Honoured,
    Listed,
    Moved,
    Nominated,
    Opened,
    Parade,
    Phase,
    Power,
    Purged,
    Rehabilitated,
    Rejected,
    Sealed,
    Start,
    Unattended,
    Voted,
    read,
)
from games.kreml.phases.health import STEP, YOUNG
from games.kreml.state import FIRST_YEAR, OFFICES, RANKS
from games.kreml.wording import Wording

NAMED = frozenset({"who", "by", "other", "seat", "on"})
SPAN = " → "


class Section(NamedTuple):
    """A part of the newspaper: a phase (0: none), its year (0: not known), and what happened in it."""

    phase: int
    year: int
    told: list[Any]


def story(options: Options, events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
    """The events that a reader may know, as a newspaper; his own list as a table."""
    wording = Wording(locale, str(options.get("roster", "classic")))
    return Newspaper(wording, str(options.get("health", "classic"))).print(list(map(read, events)))


class Newspaper:
    """Prints one edition."""

    def __init__(self, wording: Wording, health: str) -> None:
        self.wording = wording
        self.health = health
        self.year = 0

    def print(self, told: list[Any]) -> tuple[Block, ...]:
        """All that is to be told, by phases; the end of a game comes last."""
        if not told:
            return (Text(self.wording.say("story.quiet"), "quiet"),)
        years = (FIRST_YEAR if isinstance(one, Start) else getattr(one, "year", 0) for one in told)
        self.year = max(years)
        key, size = "story.masthead" if self.year else "story.late", len(told)
        blocks: list[Block] = [Text(self.wording.vary(key, (told[0], size), year=self.year), "quiet")]
        final = [one for one in told if isinstance(one, Ended | Opened | Final)]
        for section in _sections([one for one in told if one not in final]):
            blocks += self._section(section)
        return (*blocks, *self._end(final))

    # --- sections ---

    def _section(self, section: Section) -> Iterator[Block]:
        if headline := self._headline(section):
            yield Heading(headline, 3)
        lines = [line for line in self._lines(section) if line]
        if section.phase and all(isinstance(one, Power | Aged) for one in section.told):
            lines.append(self.wording.vary(f"quiet.{section.phase}", (section.year, section.told)))
        if lines:
            yield Items(tuple(lines))
        if examined := [one for one in section.told if isinstance(one, Examined)]:
            yield self._bulletin(examined)
        for one in section.told:
            if isinstance(one, Listed):
                yield from self._own_list(one)

    def _headline(self, section: Section) -> str:
        if not section.phase:
            behind = any(isinstance(one, Declared) for one in section.told)
            return self.wording.say("story.scenes") if behind else ""
        name = self.wording.say(f"phase.{section.phase}")
        rank, key, who = min((_weight(one) for one in section.told), default=(len(GREAT), "", ""))
        if rank == len(GREAT):
            key = str(section.phase)
        seed = (section.year, section.phase, who)
        headline = self.wording.vary(f"headline.{key}", seed, who=self.wording.name(who))
        return self.wording.say("story.heading", phase=section.phase, name=name, headline=headline)

    def _lines(self, section: Section) -> Iterator[str]:
        for _, same in groupby(section.told, key=_group):
            one, *more = happenings = list(same)
            match one:
                case Listed() | Examined(result="none"):
                    pass
                case Start():
                    yield self._start(one)
                case Aged():
                    yield self.wording.vary(f"story.aged.{one.cause}", (self.year, one), who=self._years(happenings))
                case Voted():
                    yield self._votes(happenings)
                case Filled(target="candidates", source="people") if more:
                    who = self.wording.people(one.who for one in happenings)
                    yield self.wording.vary("story.filled.row", (self.year, one), who=who)
                case Sealed():
                    yield self.wording.vary("story.sealed", one, year=one.year)
                case Cancelled():
                    yield self._cancelled(one)
                case _:
                    yield " ".join(map(self._line, happenings))

    # --- sentences ---

    def _line(self, one: Happening) -> str:
        """One thing that happened, in one of the phrasings of its kind."""
        key = f"story.{type(one).__name__.lower()}.{_variant(one)}"
        return self.wording.vary(key, (self.year, one), **self._words(asdict(one)))

    def _words(self, facts: Mapping[str, Any]) -> dict[str, str | int]:
        """The data of an event as people read them: names, places to go to and come from, numbers of voters."""
        say, words = self.wording.say, dict(facts)
        for key, value in facts.items():
            if key in NAMED or (key == "before" and isinstance(value, str)):
                words[key] = self.wording.name(value)
            elif isinstance(value, tuple):
                words[key] = len(value)
        for key, word, way in WAYS:
            if facts.get(key):
                words[word] = say(f"{way}.{facts[key]}")
        if "office" in facts:
            words["office"] = self.wording.name(facts["office"])
            words["power"] = say(f"power.{facts['power']}")
        if "needed" in facts and "cure" in facts:
            words["cure"] = say("story.purged.cure") if facts["cure"] else ""
        for key in ("marks", "now"):
            if key in facts:
                words[key] = self.wording.marks(facts[key])
        return words

    def _start(self, one: Start) -> str:
        members = self.wording.join(self._office(*pair) for pair in zip(one.members, OFFICES, strict=False))
        candidates, seats = self.wording.people(one.candidates), self.wording.people(one.seniority)
        return self.wording.vary("story.start", one, members=members, candidates=candidates, seats=seats)

    def _office(self, who: str, office: str) -> str:
        return self.wording.say("word.in_office", who=self.wording.name(who), office=self.wording.name(office))

    def _years(self, aged: Sequence[Aged]) -> str:
        name, say = self.wording.name, self.wording.say
        return self.wording.join(
            say("word.years", who=name(one.who), before=one.before, after=one.after) for one in aged
        )

    def _cancelled(self, one: Cancelled) -> str:
        key = one.detail if one.act == "vote" else one.act if one.who else "silent"
        other = self.wording.name(one.detail) if one.act == "swap" else ""
        act = self.wording.say(f"act.{key}", who=self.wording.name(one.who), other=other)
        return self.wording.vary("story.cancelled.any", (self.year, one), by=self.wording.name(one.by), act=act)

    def _votes(self, votes: Sequence[Voted]) -> str:
        parts = []
        for kind in ("yes", "no", "abstain", "unled"):
            who = [one.who for one in votes if (one.vote if one.controlled else "unled") == kind]
            if who:
                parts.append(self.wording.say(f"story.votes.{kind}", who=self.wording.people(who)))
        one = votes[0]
        key, on = f"story.votes.{one.poll}", self.wording.name(one.on)
        return self.wording.vary(key, (self.year, votes), on=on, votes="; ".join(parts))

    # --- tables ---

    def _bulletin(self, examined: Sequence[Examined]) -> Grid:
        columns = ("member", "where", "age", "die", "range", "marks")
        head = tuple(self.wording.say(f"story.{column}") for column in columns)
        rows = tuple(self._bulletin_row(one) for one in examined)
        return Grid(self.wording.say("story.examined.caption"), head, rows, numeric=(2, 3))

    def _bulletin_row(self, one: Examined) -> tuple[str, ...]:
        say = self.wording.say
        place = say(f"short.{one.place}")
        where = say("story.in_cure", place=place) if one.cure else place
        before = self.wording.marks(one.marks)
        now = "†" if one.result in {"sudden", "died"} else self.wording.marks(one.now)
        marks = before if now == before else say("story.examined.change", marks=before, now=now)
        return self.wording.name(one.who), where, str(one.age), str(one.roll), self._range(one), marks

    def _range(self, one: Examined) -> str:
        """What each result of the die would have meant, by the health table."""
        table = data.health(self.health)
        limits = table.cure if one.cure else table.work
        b = max(0, min(data.FRAILEST, (one.age - YOUNG) // STEP))
        ill = (("†", limits.sudden[b]), ("++", limits.two[b]), ("+", limits.one[b]))
        return " ".join([*(f"{sign}≤{most}" for sign, most in ill if most), f"\N{MINUS SIGN}≥{limits.heals[b]}"])

    def _own_list(self, one: Listed) -> Iterator[Block]:
        if one.drawn:
            yield Text(self.wording.say("story.list_drawn"), "strong")
        head = self.wording.say("story.points"), self.wording.say("story.politician")
        rows = tuple((points, self.wording.name(who)) for points, who in map(_entry, one.entries))
        yield Grid(self.wording.say("story.list_caption"), head, rows, numeric=(0,))

    # --- the end ---

    def _end(self, told: Sequence[Any]) -> Iterator[Block]:
        final = sorted((one for one in told if isinstance(one, Final)), key=lambda one: one.place)
        opened = [one for one in told if isinstance(one, Opened)]
        for one in told:
            if isinstance(one, Ended):
                yield Heading(self.wording.say("story.end"), 3)
                yield Text(self.result(one, final), "strong")
        if final:
            head = tuple(self.wording.say(f"story.{column}") for column in ("place", "player", "points"))
            rows = tuple((str(one.place), self.wording.name(one.seat), str(one.points)) for one in final)
            yield Grid(self.wording.say("story.ended.final"), head, rows, numeric=(0, 2))
        if opened:
            yield self._opened(opened)

    def result(self, end: Ended, final: Sequence[Final]) -> str:
        """How the game ended and who has won, in two sentences."""
        who = self.wording.name(end.who)
        sentence = self.wording.say(f"story.ended.{end.reason}", who=who)
        if end.reason == "draw":
            return sentence
        if end.nestor:
            return f"{sentence} {self.wording.say('story.ended.lost')}"
        winners = [one for one in final if one.place == 1 and one.points]
        key = ("nobody", "won")[len(winners)] if len(winners) < 2 else "shared"
        points = winners[0].points if winners else 0
        seats = self.wording.people(one.seat for one in winners)
        return f"{sentence} {self.wording.say(f'story.ended.{key}', who=who, seats=seats, points=points)}"

    def _opened(self, opened: Sequence[Opened]) -> Grid:
        lists = [{int(points): self.wording.name(who) for points, who in map(_entry, one.entries)} for one in opened]
        head = (self.wording.say("story.points"), *(self.wording.name(one.seat) for one in opened))
        empty = self.wording.say("word.empty")
        rows = tuple((str(rank), *(mine.get(rank, empty) for mine in lists)) for rank in range(RANKS, 0, -1))
        return Grid(self.wording.say("story.ended.opened"), head, rows, numeric=(0,))


WAYS = (("place", "from", "from"), ("source", "from", "from"), ("source", "back", "to"), ("target", "to", "to"))
"""Which places of an event are told as where somebody comes from, or goes to."""

GREAT: Sequence[tuple[str, type[Happening]]] = (
    ("elected", Elected),
    ("waved", Parade),
    ("convicted", Convicted),
    ("purged", Purged),
    ("dead", Examined),
    ("acquitted", Acquitted),
    ("rejected", Rejected),
    ("accused", Accused),
    ("rehabilitated", Rehabilitated),
    ("honoured", Honoured),
)
"""What makes a headline, the greatest first."""


def _weight(one: Happening) -> tuple[int, str, str]:
    """How much of a headline something is (less is more), the headline's key, and whom it is about."""
    for rank, (key, kind) in enumerate(GREAT):
        if isinstance(one, kind):
            known = _headline_key(one, key)
            return (rank, known, one.who) if known else (len(GREAT), "", "")  # type: ignore[attr-defined]
    return len(GREAT), "", ""


def _headline_key(one: Happening, key: str) -> str:
    match one:
        case Purged(success=0):
            return "missed"
        case Parade(waved=0):
            return "collapsed"
        case Examined(result=result) if result not in {"sudden", "died"}:
            return ""
        case _:
            return key


def _variant(one: Happening) -> str:
    """Which of the texts of its kind tells an event."""
    if isinstance(one, Power):
        return _leader(one)
    tell = VARIANT.get(type(one))
    return tell(one) if tell else "any"


VARIANT: Mapping[type[Happening], Callable[[Any], str]] = {
    Declared: lambda one: "more" if one.before else "first",
    Controlled: lambda one: "again" if one.before else "first",
    Purged: lambda one: "success" if one.success else "failure",
    Examined: lambda one: str(one.result),
    Nominated: lambda one: "silent" if one.silent else str(one.poll),
    Elected: lambda one: str(one.how),
    Rejected: lambda one: str(one.poll),
    Moved: lambda one: str(one.act),
    Parade: lambda one: "healthy" if not one.needed else "passed" if one.waved else "failed",
    Unattended: lambda one: "cure" if one.who else "nobody",
}


def _leader(one: Power) -> str:
    if not one.who:
        return "nobody"
    return "idle" if not one.controlled else "stand_in" if one.stand_in else "first"


def _group(one: Happening) -> object:
    """What neighbours must share to be told together."""
    match one:
        case Aged():
            return "aged", one.cause
        case Voted():
            return "voted", one.poll
        case Filled(target="candidates", source="people"):
            return "row"
        case Declared() | Controlled():
            return "contest", one.who
        case _:
            return id(one)


def _sections(told: Sequence[Any]) -> list[Section]:
    """What happened, by phases; a phase that goes on from an earlier turn is known by what happens."""
    sections = [Section(0, 0, [])]
    for one in told:
        if isinstance(one, Phase):
            sections.append(Section(one.phase, one.year, []))
            continue
        goes_on = _phase_of(one)
        if goes_on and not sections[-1].phase:
            sections.append(Section(goes_on, 0, []))
        sections[-1].told.append(one)
    return [section for section in sections if section.phase or section.told]


def _phase_of(one: Happening) -> int:
    match one:
        case Voted(poll="trial") | Convicted() | Acquitted() | Banished():
            return 3
        case Voted() | Elected() | Rejected() | Nominated():
            return 5
        case _:
            return 0


def _entry(entry: str) -> tuple[str, str]:
    """Read "10:p11"."""
    points, _, who = entry.partition(":")
    return points, who
