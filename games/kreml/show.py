"""The position as a seat sees it: what it is asked, orders to copy, the board, and tables (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.contract import Block, Copy, Grid, Heading, Locale, Order, Page, Text
from games.engine.language import Language
from games.kreml.apparatchik import ranking, reckoned
from games.kreml.board import picture
from games.kreml.data import NESTOR
from games.kreml.ending import outcome
from games.kreml.events import Ended, Final
from games.kreml.phases.commission import PROPOSERS
from games.kreml.state import CHIEF, OFFICES, SEATS, State, office_of
from games.kreml.story import Newspaper
from games.kreml.view import View
from games.kreml.wording import Wording

TIED = "\N{NO-BREAK SPACE}"
COLUMNS = ("place", "who", "age", "marks", "notes", "influence")
LIST_COLUMNS = ("points", "who", "place", "shown", "influence")


def show(language: Language, seen: State, seat: int | None, locale: Locale) -> Page:
    """The page of a seat, or of a watcher (None)."""
    wording = Wording(locale, seen.setting.roster)
    return Page(_title(wording, seen), tuple(Sheet(language, wording, seen, seat).blocks()))


def _title(wording: Wording, seen: State) -> str:
    who = wording.name(View(seen, 0).voted_on)
    brisk = seen.stage == "spy" and seen.setting.pace == "brisk"
    return wording.say("head.spy_brisk" if brisk else f"head.{seen.stage}", year=seen.year, who=who)


class Sheet:
    """What one seat sees."""

    def __init__(self, language: Language, wording: Wording, seen: State, seat: int | None) -> None:
        self.language = language
        self.wording = wording
        self.say = wording.say
        self.seen = seen
        self.seat = seat
        self.view = View(seen, 0 if seat is None else seat)

    def blocks(self) -> Iterator[Block]:
        """The whole page."""
        for sentence in self.asked():
            yield Text(sentence, "strong")
        yield from self._earlier()
        yield from self._copy()
        yield Heading(self.say("show.board"), 3)
        yield picture(self.seen, self.wording.locale)
        yield self._members()
        if gone := self._gone():
            yield Text(gone)
        if self.seat is not None and self.view.mine:
            yield self._list()
        yield Text(self.say("show.seniority", seats=self.wording.people(SEATS[one] for one in self.seen.seniority)))
        yield Text(self.say("show.legend"), "quiet")

    # --- what is asked ---

    def asked(self) -> list[str]:
        """What the seat is asked, in a sentence or two."""
        if self.seen.stage == "over":
            return [self._result()]
        if self.seen.stage == "ranking":
            return [self.say("ask.ranking")]
        if self.seat is None:
            return [self.say("ask.watch")]
        return list(self._asked()) or [self.say("ask.idle")]

    def _result(self) -> str:
        end, result = self.seen.ending, outcome(self.seen)
        if end is None or result is None:
            return ""
        finals = [
            Final(SEATS[seat], place, points)
            for seat, (place, points) in enumerate(zip(result.places, result.scores, strict=True))
        ]
        ended = Ended(end.reason, end.who, int(end.who == NESTOR))
        return Newspaper(self.wording, self.seen.setting.health).result(ended, finals)

    def _asked(self) -> Iterator[str]:
        """What is the seat's own to do, by whom it controls."""
        view, stage = self.view, self.seen.stage
        if view.actor and self._mine(view.actor) and stage != "commission":
            who, office = self.wording.name(view.actor), self.wording.name(office_of(self.seen, view.actor))
            yield self.say(f"ask.{stage}", who=who, office=office)
        if stage == "commission" and (proposer := view.in_line(PROPOSERS)) and self._mine(proposer):
            who, office = self.wording.name(proposer), self.wording.name(office_of(self.seen, proposer))
            yield self.say("ask.nomination", who=who, office=office)
        if stage == "purges" and (ill := [who for who in view.members if view.one(who).marks and self._mine(who)]):
            yield self.say("ask.cures", who=self.wording.people(ill))
        if stage == "autumn" and (promoters := [who for who in view.members if self._mine(who) and self._lifts(who)]):
            yield self.say("ask.promoters", who=self.wording.people(promoters))
        if "vote" in view.verbs and (voters := [who for who in view.voters if self._mine(who)]):
            yield self._vote(self.wording.people(voters))

    def _vote(self, voters: str) -> str:
        name, seen = self.wording.name, self.seen
        if seen.trial is not None:
            return self.say("ask.trial", accused=name(seen.trial.accused), accuser=name(seen.trial.accuser), who=voters)
        if seen.poll is not None:
            nominee, proposer = name(seen.poll.nominee), name(seen.poll.proposer)
            return self.say("ask.election", nominee=nominee, proposer=proposer, who=voters)
        return self.say("ask.spy_votes" if seen.stage == "spy" else "ask.commission", who=voters)

    def _mine(self, who: str) -> bool:
        return self.seat is not None and self.view.one(who).controller == self.seat

    def _lifts(self, who: str) -> bool:
        return not self.view.one(who).cure and office_of(self.seen, who) != CHIEF

    def _earlier(self) -> Iterator[Block]:
        """The seat's orders of the turn before that still count."""
        kept = self.seen.earlier[self.seat] if self.seat is not None else None
        if kept:
            yield Text(self.say("ask.earlier", orders="; ".join(self._write(order) for order in kept)))

    def _copy(self) -> Iterator[Block]:
        """Orders that are reckoned well."""
        if self.seat is None or self.seen.stage == "over":
            return
        if self.seen.stage == "ranking":
            yield Heading(self.say("show.copy"), 3)
            yield Text(self.say("ask.sample"), "quiet")
            yield Copy((self._write(ranking(self.seen, lambda: 0.0)),))
            return
        orders = reckoned(self.seen, self.seat)
        lines = [self._write(order) for order in orders]
        if lines:
            yield Heading(self.say("show.copy"), 3)
            yield Copy(tuple(lines))

    def _write(self, order: Order) -> str:
        return self.language.write(order, self.wording.locale)

    # --- tables ---

    def _members(self) -> Grid:
        seen = self.seen
        rows = [self._row(self.say(f"short.{office}"), seen.offices.get(office, "")) for office in OFFICES]
        rows += [self._row(f"{self.say('place.candidates')} {at}", who) for at, who in enumerate(seen.candidates, 1)]
        for place in ("people", "siberia"):
            who = sorted(getattr(seen, place), key=lambda one: (-seen.politicians[one].age, int(one[1:])))
            rows += [self._row(self.say(f"place.{place}"), one) for one in who]
        head = tuple(self.say(f"show.col_{column}") for column in COLUMNS)
        return Grid(self.say("show.members"), head, tuple(rows), numeric=(2,))

    def _row(self, place: str, who: str) -> tuple[str, ...]:
        if not who:
            return place, self.say("show.vacant"), "", "", "", ""
        one = self.view.one(who)
        notes = [self.say("show.cure")] if one.cure else []
        notes += [f"§{one.opened}"] if one.opened else []
        notes += ["★" * one.waves] if one.waves else []
        return place, self.wording.name(who), str(one.age), "+" * one.marks, ", ".join(notes), self._influence(who)

    def _influence(self, who: str) -> str:
        """Declared points, the controller's first."""
        one = self.view.one(who)
        shown = [(seat, points) for seat, points in enumerate(one.declared) if points]
        shown.sort(key=lambda pair: (pair[0] != one.controller, -pair[1]))
        return ", ".join(f"{self.wording.name(SEATS[seat])}{TIED}{points}" for seat, points in shown)

    def _gone(self) -> str:
        seen, people = self.seen, self.wording.people
        return self.say("show.gone", wall=people(seen.wall), honours=people(seen.honours))

    def _list(self) -> Grid:
        """The own list: points, where its people are, what is shown of them."""
        head = tuple(self.say(f"show.col_{column}") for column in LIST_COLUMNS)
        mine = sorted((self.view.mine or {}).items(), key=lambda pair: -pair[1])
        return Grid(self.say("show.list"), head, tuple(self._list_row(*pair) for pair in mine), numeric=(0, 3))

    def _list_row(self, who: str, points: int) -> tuple[str, ...]:
        place = self.view.places[who]
        where = self.say(f"short.{place}" if place in OFFICES else f"place.{place}")
        shown = self.view.one(who).declared[self.view.seat]
        return str(points), self.wording.name(who), where, str(shown), self._influence(who)
