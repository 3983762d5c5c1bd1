"""What everybody can read off the board, and the seat's own list: the ground that asks and checks stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from games.kreml.phases.commission import PROPOSERS
from games.kreml.phases.purges import PURGERS
from games.kreml.phases.spy import MINISTERS
from games.kreml.state import CHIEF, OFFICES, Politician, Stage, State

VERBS_OF: Mapping[Stage, frozenset[str]] = {
    "ranking": frozenset({"rank"}),
    "purges": frozenset({"bid", "hold", "stop", "cure", "recall", "cure_from", "purge"}),
    "spy": frozenset({"bid", "hold", "stop", "close", "investigate", "accuse", "banish"}),
    "trial": frozenset({"bid", "hold", "stop", "vote", "protect"}),
    "nomination": frozenset({"bid", "hold", "stop", "nominate"}),
    "election": frozenset({"bid", "hold", "stop", "vote", "oppose"}),
    "rebels": frozenset({"bid", "hold", "stop", "vote", "oppose"}),
    "commission": frozenset({"bid", "hold", "stop", "nominate", "vote", "oppose"}),
    "autumn": frozenset({"bid", "hold", "stop", "swap", "promote", "demote", "move", "rehabilitate"}),
}
"""The orders that have their moment in a turn."""

BRISK_SPY = VERBS_OF["spy"] | {"vote", "protect"}


class View:
    """A position as a seat sees it, made ready for questions."""

    def __init__(self, seen: State, seat: int) -> None:
        self.seen = seen
        self.seat = seat
        self.stage = seen.stage
        self.mine = seen.lists[seat]

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The orders that have their moment now."""
        if self.stage == "spy" and self.seen.setting.pace == "brisk":
            return BRISK_SPY
        return VERBS_OF.get(self.stage, frozenset())

    @cached_property
    def places(self) -> dict[str, str]:
        """Where everybody is."""
        seen = self.seen
        places = {holder: office for office, holder in seen.offices.items()}
        for row in ("candidates", "people", "siberia", "wall", "honours"):
            places |= dict.fromkeys(getattr(seen, row), row)
        return places

    def one(self, who: str) -> Politician:
        """A politician."""
        return self.seen.politicians[who]

    def person(self, name: str) -> str:
        """Whom a name means: a politician, or the holder of an office ("" while it is vacant)."""
        return self.seen.offices.get(name, "") if name in OFFICES else name

    def gone(self, who: str) -> bool:
        """Whether somebody is dead or on the honours list."""
        return self.places[who] in {"wall", "honours"}

    @cached_property
    def members(self) -> list[str]:
        """The Politburo, in rank order."""
        return [self.seen.offices[office] for office in OFFICES if office in self.seen.offices]

    def in_line(self, offices: Iterable[str]) -> str:
        """The first of these offices' holders who is present, or ""."""
        holders = (self.seen.offices.get(office, "") for office in offices)
        return next((who for who in holders if who and not self.one(who).cure), "")

    @property
    def actor(self) -> str:
        """Who wields the power of this turn by what is public now, or ""."""
        match self.stage:
            case "purges":
                return self.in_line(PURGERS)
            case "spy":
                return self.in_line(MINISTERS)
            case "nomination" | "commission":
                return self.in_line(PROPOSERS)
            case "autumn":
                return self.in_line((CHIEF,))
            case _:
                return ""

    @property
    def voters(self) -> list[str]:
        """Who may vote in this turn."""
        if self.seen.poll is not None:
            out = {self.seen.poll.proposer}
            out |= set() if self.seen.setting.nominee_votes else {self.seen.poll.nominee}
            return [who for who in self.members if not self.one(who).cure and who not in out]
        return [who for who in self.members if not self.one(who).cure]

    @property
    def voted_on(self) -> str:
        """Who is voted on in this turn, if that is known."""
        if self.seen.trial is not None:
            return self.seen.trial.accused
        return self.seen.poll.nominee if self.seen.poll is not None else ""
