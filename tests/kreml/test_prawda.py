"""The Prawda: every kind of event is told, in both languages, with every die, age and declared point."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from itertools import pairwise

import pytest
from msgspec.structs import asdict

from games.engine.contract import LOCALES, Block, Copy, Event, Grid, Heading, Locale
from games.engine.turns import heard
from games.kreml import events
from games.kreml.data import PEOPLE
from games.kreml.events import KINDS, Happening, read
from games.kreml.state import OFFICES, SEATS
from games.kreml.title import TITLE
from games.kreml.wording import TEXTS, Wording
from tests.kreml.reading import Game, words

A, B, C = "p11", "p3", "p8"  # Satin, Samowarow, Parolina
VOTES = {"yes": (A,), "no": (B, C), "abstain": ()}
SAMPLES: tuple[Happening, ...] = (
    events.Start(("minsk", "odessa", "riga"), ("riga", "minsk", "odessa"), PEOPLE[:8], PEOPLE[8:13]),
    *(events.Listed("minsk", ("10:p11", "9:p3"), drawn) for drawn in (0, 1)),
    events.Sealed(1951),
    *(events.Phase(1953, phase) for phase in range(1, 9)),
    *(
        events.Power(power, "kgb", A, stand_in, controlled)
        for power in ("purges", "spy", "commission")
        for stand_in, controlled in ((0, 1), (1, 1), (0, 0))
    ),
    *(events.Power(power, "", "", 0, 0) for power in ("purges", "spy", "commission")),
    *(events.Aged(A, cause, 65, 66) for cause in ("sick", "chief", "investigated")),
    *(events.Honoured(A, 96, place) for place in (*OFFICES, "candidates", "people", "siberia")),
    *(events.Declared(A, "minsk", before, 7) for before in (0, 3)),
    *(events.Controlled(A, "minsk", before) for before in ("", "riga")),
    *(
        events.Cancelled(A, act, B, "")
        for act in ("cure", "recall", "purge", "close", "investigate", "accuse", "banish", "nominate", "promote")
    ),
    events.Cancelled(A, "nominate", "", ""),
    events.Cancelled(A, "swap", B, C),
    *(events.Cancelled(A, act, B, "kgb") for act in ("demote", "move", "promote")),
    *(events.Cancelled(A, "vote", B, vote) for vote in ("yes", "no", "abstain")),
    events.Returned(A),
    events.Cured(A),
    events.Recalled(A),
    *(
        events.Purged(A, B, place, cure, 12, 14 - 3 * cure, success, 65, 66)
        for place in (*OFFICES, "candidates")
        for cure in (0, 1)
        for success in (0, 1)
    ),
    events.Closed(A, B, 1951),
    events.Investigated(A, B, 65, 66),
    events.Accused(A, B, 1951),
    *(
        events.Voted(A, vote, B, poll, controlled)
        for poll in ("trial", "first", "second")
        for vote, controlled in (("yes", 1), ("no", 1), ("abstain", 1), ("abstain", 0))
    ),
    events.Convicted(A, B, "sport", **VOTES),
    events.Acquitted(A, B, **VOTES, before=65, after=68),
    events.Banished(A, B, 65, 67),
    *(
        events.Examined(A, "kgb", 65, cure, 7, result, 1, 0 if result in {"sudden", "died", "heals"} else 2)
        for cure in (0, 1)
        for result in ("sudden", "died", "two", "one", "heals", "none")
    ),
    *(events.Nominated(A, B, poll, silent) for poll in ("first", "second") for silent in (0, 1)),
    events.Elected(A, "vote", "foreign", **VOTES),
    *(events.Elected(A, how, "foreign") for how in ("alone", "defence", "oldest")),
    *(events.Rejected(A, B, poll, **VOTES, before=65, after=66) for poll in ("first", "second")),
    events.Headless(1955),
    events.Moved(A, "swap", B, C, "kgb", "sport", 65, 66),
    *(events.Moved(A, act, B, "", "candidates", "sport", 65, 66) for act in ("promote", "demote", "move")),
    *(
        events.Filled(A, source, target)
        for source in ("sport", "candidates", "people")
        for target in ("kgb", "candidates")
    ),
    events.Rehabilitated(A, B, 65, 70),
    events.Parade(A, 0, 0, 0, 1, 1, 65, 65),
    *(events.Parade(A, marks, 12, 8, waved, 1, 65, 66) for marks in (1, 2) for waved in (0, 1)),
    *(events.Unattended(1955, who) for who in (A, "")),
    *(events.Ended(reason, A, nestor) for reason in ("three_waves", "1960", "1961") for nestor in (0, 1)),
    events.Ended("draw", "", 0),
    events.Opened("minsk", ("10:p11", "9:p3")),
    events.Final("minsk", 1, 10),
)


def event(happening: Happening) -> Event:
    return Event(type(happening).__name__.lower(), asdict(happening))


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def fields(form: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(form) if field}


# --- texts ------------------------------------------------------------------------------------------------------------


def test_all_phrasings_of_a_text_in_both_languages_name_the_same_facts() -> None:
    assert TEXTS["en"].keys() == TEXTS["de"].keys()
    for key, english in TEXTS["en"].items():
        forms = [*lines(english), *lines(TEXTS["de"][key])]
        assert len({frozenset(fields(form)) for form in forms}) == 1, key
        assert len(lines(english)) == len(lines(TEXTS["de"][key])), key
        assert all(form == form.strip() != "" for form in forms), key


def test_what_happens_often_has_three_phrasings_or_more() -> None:
    often = [
        key
        for key in TEXTS["en"]
        if re.match(r"story\.(declared|controlled|purged\.[sf]|examined\.(one|two)|power\.)", key)
    ]
    assert len(often) > 8
    assert all(len(lines(TEXTS[locale][key])) >= 3 for locale in LOCALES for key in often if "nobody" not in key)


def test_the_samples_are_of_every_kind() -> None:
    assert {type(sample) for sample in SAMPLES} == set(KINDS.values())


@pytest.mark.parametrize("locale", LOCALES)
def test_every_kind_of_event_is_told_in_every_phrasing(locale: Locale) -> None:
    """A text names its facts only; so all phrasings are tried by telling the sample in many years."""
    for sample in SAMPLES:
        for year in range(12):
            blocks = TITLE.story({}, [event(events.Phase(1951 + year, 3)), event(sample)], locale)
            told = words(blocks[1:])
            assert "{" not in told
            assert "None" not in told
            for line in told.splitlines():
                assert line[0] == line[0].upper(), line
                assert "  " not in line, line


@pytest.mark.parametrize("locale", LOCALES)
def test_the_same_turn_always_reads_the_same_and_neighbours_differ(locale: Locale) -> None:
    shown = [event(events.Declared(who, "minsk", 0, 3)) for who in PEOPLE[1:9]]
    blocks = TITLE.story({}, shown, locale)
    assert blocks == TITLE.story({}, shown, locale)
    told = next(block.items for block in blocks if hasattr(block, "items"))
    names = [Wording(locale, "classic").name(who) for who in PEOPLE[1:9]]
    bare = [line.replace(name, "X") for line, name in zip(told, names, strict=True)]
    assert all(one != other for one, other in pairwise(bare))


def test_nothing_to_tell_is_told_too() -> None:
    assert words(TITLE.story({}, (), "en")) == "Nothing that everybody may know."


# --- whole games ------------------------------------------------------------------------------------------------------


def facts(happening: Happening, wording: Wording) -> set[str]:
    """Names and numbers that nobody may miss in the report of what happened."""
    if isinstance(happening, events.Phase | events.Sealed | events.Ended | events.Headless | events.Opened):
        return set()
    data = asdict(happening)
    found = {
        wording.name(value)
        for key, value in data.items()
        if key in {"who", "by", "other", "seat", "on"} and isinstance(value, str) and value
    }
    costs = data.get("before") != data.get("after")
    found |= {str(data[key]) for key in ("roll", "needed", "points", "waves", "opened") if data.get(key)}
    found |= {str(data[key]) for key in ("before", "after") if isinstance(data.get(key), int) and data[key] and costs}
    own_will = isinstance(happening, events.Cancelled) and happening.act in {"vote", "cure", "recall"}
    return {wording.name(data["by"])} if own_will else found


def whole_lines(blocks: Iterable[Block]) -> list[str]:
    """Every sentence, and every row of a table."""
    found: list[str] = []
    for block in blocks:
        if isinstance(block, Grid):
            found += [" ".join(row) for row in block.rows]
        else:
            found += words([block]).splitlines()
    return found


@pytest.mark.parametrize("pace", ("classic", "brisk"))
@pytest.mark.parametrize("locale", LOCALES)
def test_public_events_tell_the_whole_game(locale: Locale, pace: str) -> None:
    wording = Wording(locale, "classic")
    kinds = set()
    for seed in range(4):
        game = Game(seed, 4, {"pace": pace})
        for turn in game.turns:
            public = heard(turn, None)
            told = whole_lines(TITLE.story(game.options, public, locale))
            assert not re.search(r"[{}]|\bp\d|None", "\n".join(told))
            for happening in map(read, public):
                kinds.add(type(happening))
                named = facts(happening, wording)
                assert any(all(fact in line for fact in named) for line in told), (happening, told)
    assert len(kinds) >= 20


@pytest.mark.parametrize("locale", LOCALES)
def test_the_end_opens_all_lists_and_ranks_everybody(locale: Locale) -> None:
    game = Game(1, 3, {})
    final = game.states[-1]
    result = TITLE.outcome(final)
    assert result is not None
    grids = [block for block in TITLE.story({}, heard(game.turns[-1], None), locale) if isinstance(block, Grid)]
    ranking, lists = grids[-2:]
    assert [row[2] for row in ranking.rows] == [str(points) for points in sorted(result.scores, reverse=True)]
    assert len(lists.rows) == 10
    assert len(lists.head) == 1 + len(SEATS[:3])
    wording = Wording(locale, "classic")
    for at, mine in enumerate(final.lists):
        assert [row[at + 1] for row in lists.rows] == [
            wording.name(who) for who, _ in sorted((mine or {}).items(), key=lambda pair: -pair[1])
        ]


def test_a_purge_a_die_and_a_quiet_phase_read_like_a_newspaper() -> None:
    turn = [
        event(events.Phase(1953, 1)),
        event(events.Phase(1953, 2)),
        event(events.Purged(A, B, "sport", 1, 12, 7, 1, 65, 66)),
    ]
    blocks = TITLE.story({}, turn, "en")
    heads = [block.text for block in blocks if isinstance(block, Heading)]
    assert heads[0].startswith("Phase 1, cures: ")
    assert heads[1].startswith("Phase 2, purges: ")
    assert "Samowarow" in heads[1]
    told = words(blocks)
    assert "1953" in words(blocks[:1])
    for fact in ("Satin", "12", "7", "three less as the victim is in cure", "from the Ministry of Sport", "65 to 66"):
        assert fact in told
    assert "PRAWDA, Moskau 1953" in words(TITLE.story({}, turn, "de"))
    assert "von 65 auf 66" in words(TITLE.story({}, turn, "de"))


def test_a_private_list_is_told_to_its_seat_only() -> None:
    game = Game(3, 3, {})
    sealing = game.turns[1]
    assert "Your secret list" in words(TITLE.story({}, heard(sealing, 1), "en"))
    assert "Your secret list" not in words(TITLE.story({}, heard(sealing, None), "en"))
    assert not any(isinstance(block, Copy) for block in TITLE.story({}, sealing, "en"))
