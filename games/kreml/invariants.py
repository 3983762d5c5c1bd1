"""What must always hold (section 1), as sentences about what does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.kreml.data import NESTOR, PEOPLE, roster
from games.kreml.state import FIRST_YEAR, LAST_YEAR, MORTAL, OFFICES, RANKS, ROW, WAVES, State, alive, members


def invariants(state: State) -> Iterator[str]:
    """One sentence for each invariant that the state breaks."""
    yield from _places(state)
    yield from _bodies(state)
    yield from _points(state)
    yield from _course(state)


def _places(state: State) -> Iterator[str]:
    everywhere = [
        *state.offices.values(),
        *state.candidates,
        *state.people,
        *state.siberia,
        *state.wall,
        *state.honours,
    ]
    if Counter(everywhere) != Counter(PEOPLE):
        yield f"Not everybody is in exactly one place: {Counter(everywhere) - Counter(PEOPLE)}"
    if not state.offices.keys() <= set(OFFICES):
        yield "There is an office that does not exist."
    if len(state.candidates) > ROW:
        yield f"There are {len(state.candidates)} candidates."


def _bodies(state: State) -> Iterator[str]:
    sitting = set(members(state))
    playing = set(alive(state))
    for who, one in state.politicians.items():
        if one.age < roster(state.setting.roster).people[who].age:
            yield f"{who} has become younger."
        if not 0 <= one.marks <= 2 or not 0 <= one.waves <= WAVES:
            yield f"{who} has {one.marks} marks and has waved {one.waves} times."
        if one.cure and who not in sitting:
            yield f"{who} is in cure without an office."
        if one.opened and (who in state.siberia or who not in playing):
            yield f"{who} is under investigation where there is none."
    late = [who for who in playing if state.politicians[who].age >= MORTAL]
    if late and state.stage not in {"trial", "rebels"}:
        yield f"{late} should be on the honours list."
    if any(state.politicians[who].age < MORTAL for who in state.honours):
        yield "Somebody is on the honours list too early."


def _points(state: State) -> Iterator[str]:
    for who, one in state.politicians.items():
        if one.controller < 0:
            if any(one.declared):
                yield f"Nobody controls {who}, for whom points are declared."
        elif one.declared[one.controller] < max(one.declared):
            yield f"{who} does not follow whoever has declared most."
        for seat, shown in enumerate(one.declared):
            mine = state.lists[seat]
            if not 0 <= shown <= (RANKS if mine is None else mine.get(who, 0)):
                yield f"Seat {seat} has declared {shown} on {who}."
    if any(state.politicians[NESTOR].declared):
        yield "Somebody has influence on Nestor."
    for mine in state.lists:
        if mine is not None and (
            len(set(mine.values())) < len(mine) or not set(mine.values()) <= set(range(1, RANKS + 1))
        ):
            yield "A list gives the same points twice."


def _course(state: State) -> Iterator[str]:
    if not FIRST_YEAR <= state.year <= LAST_YEAR:
        yield f"It is {state.year}."
    if (state.stage == "trial") != (state.trial is not None):
        yield "A trial is due in another turn."
    if (state.stage in {"election", "rebels"}) != (state.poll is not None):
        yield "An election is due in another turn."
    if (state.stage == "over") != (state.ending is not None):
        yield "The game is over and is not."
    if sorted(state.seniority) != list(range(state.seats)):
        yield "The seniority is not one of the players."
    if state.tally.passed > state.tally.parades:
        yield "More parades were passed than held."
