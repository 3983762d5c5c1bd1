"""What every title that is installed must do, whatever its rules: the contract, tested from outside."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import registry
from games.engine.contract import LOCALES, Choice, Locale, Option, Order, Title
from games.engine.language import language
from games.engine.options import OptionError, complete
from games.engine.playing import assert_sound, fuzz, game_seed, play, random_bot
from games.engine.records import decode, encode, replay, verify
from games.engine.sheets import missing, replace
from games.engine.texts import roll_text
from games.engine.turns import encode_state, is_vote, preview, state_hash
from tests.engine.strategies import orders

TITLES = tuple(registry.titles().values())
EACH = pytest.mark.parametrize("title", TITLES, ids=[title.about.slug for title in TITLES])


def choices(option: Option) -> tuple[Choice, ...]:
    if isinstance(option.default, bool):
        return (False, True)
    return (option.low, option.high) if isinstance(option.default, int) else option.choices


def all_options(title: Title[Any], seats: int) -> list[dict[str, Choice]]:
    """Every combination of options (of numbers, the least and the greatest) that the title does not refuse."""
    names = [option.name for option in title.about.options]
    found = []
    for values in itertools.product(*map(choices, title.about.options)):
        try:
            found.append(complete(title, dict(zip(names, values, strict=True)), seats))
        except OptionError:
            continue
    return found


def defaults(title: Title[Any]) -> dict[str, Choice]:
    return complete(title, {}, title.about.sizes[0])


@EACH
@given(data=st.data(), locale=st.sampled_from(LOCALES))
def test_every_order_survives_being_written_and_read(title: Title[Any], data: st.DataObject, locale: Locale) -> None:
    words = language(title, defaults(title))
    order = data.draw(orders(title.verbs, words.names))
    line = words.write(order, locale)
    reading = words.read(line)
    assert [found.order for found in reading.orders] == [order], (line, reading)
    assert words.accept(order) == order


@EACH
def test_every_combination_of_options_survives_messy_sheets(title: Title[Any]) -> None:
    for seats in title.about.sizes:
        for at, options in enumerate(all_options(title, seats)):
            played = fuzz(title, options, seats, game_seed(at, seats))
            assert played.outcome is not None, options
            assert len(played.outcome.places) == seats


@EACH
@settings(max_examples=5)
@given(seed=st.binary(min_size=32, max_size=32))
def test_a_whole_game_is_a_true_record_and_replays_to_the_same_state(title: Title[Any], seed: bytes) -> None:
    seats = title.about.sizes[0]
    played = play(title, defaults(title), seats, seed, [random_bot(title)] * seats, recorded=True)
    assert played.record is not None
    record = decode(encode(played.record))
    assert verify(record).ok, verify(record).findings
    assert state_hash(replay(record)) == state_hash(played.states[-1])


@EACH
def test_random_play_from_the_asks_alone_is_legal_and_leaves_little_owed(title: Title[Any]) -> None:
    seats = title.about.sizes[-1]
    bot = random_bot(title)
    owed = unanswered = 0

    def watched(seen: Any, seat: int, rng: Any) -> tuple[Order, ...]:
        nonlocal owed, unanswered
        sheet = bot(seen, seat, rng)
        assert sheet == replace(title, seen, seat, sheet).sheet
        owed += sum(ask.must for ask in missing(title, seen, seat, ()))
        unanswered += sum(ask.must for ask in missing(title, seen, seat, sheet))
        preview(title, seen, seat, sheet)
        return sheet

    for game in range(5):
        assert play(title, defaults(title), seats, game_seed(1, game), [watched] * seats).outcome is not None
    assert owed
    assert unanswered <= 0.03 * owed  # it plans nothing, so that now and then the money or the places run out


@EACH
def test_states_are_sound_and_can_be_stored(title: Title[Any]) -> None:
    seats = title.about.sizes[0]
    played = play(title, defaults(title), seats, b"stored", [random_bot(title)] * seats)
    for state in played.states:
        assert_sound(title, state)
        assert title.load(encode_state(state), title.about.rules) == state
        for viewer in (*range(seats), None):
            seen = title.mask(state, viewer)
            assert title.mask(seen, viewer) == seen
            assert title.load(encode_state(seen), title.about.rules) == seen


@EACH
def test_votes_are_where_the_title_says_and_everybody_knows_of_them(title: Title[Any]) -> None:
    seats, found = title.about.sizes[0], False
    played = play(title, defaults(title), seats, b"votes", [random_bot(title)] * seats)
    for state in played.states:
        asked = [title.asks(title.mask(state, seat), seat) for seat in range(seats)]
        votes = {any(ask.vote for ask in asks) for asks in asked if asks}
        assert len(votes) <= 1
        found |= True in votes
        assert is_vote(title, state, seats) == (True in votes)
    assert found == title.about.votes


@EACH
def test_every_example_and_every_copied_order_is_understood(title: Title[Any]) -> None:
    seats = title.about.sizes[0]
    words = language(title, defaults(title))
    played = play(title, defaults(title), seats, b"copied", [random_bot(title)] * seats)
    for state, seat, locale in itertools.product(played.states, range(seats), LOCALES):
        seen = title.mask(state, seat)
        lines = words.examples(title.asks(seen, seat), locale)
        lines += tuple(line for block in title.show(seen, seat, locale).blocks for line in getattr(block, "lines", ()))
        reading = words.read("\n".join(lines))
        assert not reading.problems, reading.problems
        assert not reading.ignored, reading.ignored


@EACH
def test_texts_are_complete_in_both_languages(title: Title[Any]) -> None:
    english, german = (title.about.texts[locale] for locale in LOCALES)
    assert set(english) == set(german)
    needed = {"title", "tagline", *(f"verb.{verb.name}" for verb in title.verbs if verb.role != "trigger")}
    for option in title.about.options:
        needed |= {f"option.{option.name}", f"option.{option.name}.help"}
        needed |= {f"option.{option.name}.{choice}" for choice in option.choices}
    assert needed <= set(english)
    assert set(title.about.seats) <= set(title.about.names)


@EACH
def test_every_roll_has_a_name_in_each_language(title: Title[Any]) -> None:
    """A receipt says where the preview stops; "health of Satin" is no German."""
    seats = title.about.sizes[0]
    options = complete(title, {}, seats)
    record = play(title, options, seats, game_seed(1, 1), [random_bot(title)] * seats, recorded=True).record
    assert record is not None
    labels = {roll.label for turn in record.turns for roll in turn.rolls}
    assert labels
    for label in labels:
        what = label.partition(" of ")[0]
        assert f"roll.{what}" in title.about.texts["de"] or label in title.names(options), label
        for locale in LOCALES:
            assert "(" not in roll_text(title, options, label, locale)
