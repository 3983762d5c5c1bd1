"""Records: what comes out of the rows replays to the same game, and comes back in."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine import branches, records, turns
from postspiel.accounts.models import User
from postspiel.play import positions, selectors, services
from postspiel.play.models import Game, Result
from postspiel.play.records import player_names, record_of
from tests.play.conftest import Make, hand_in, hours, seat


def play_out(game: Game, clock: time_machine.Traveller) -> Game:
    """Play a duel to its end with sheets of every kind: on file, final, none, standing, partly wrong."""
    hand_in(game, 0, "guess Bob 4\nalways guess Bob 5\nset 4")
    clock.shift(hours(100))
    services.sweep()
    hand_in(game, 0, "set 12\nguess Bob 6\ndone")
    hand_in(game, 1, "set 5\ndone")
    clock.shift(hours(100))
    services.sweep()
    clock.shift(hours(100))
    services.sweep()
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    return game


def test_a_record_verifies_and_replays_to_every_stored_state(duel: Game, clock: time_machine.Traveller) -> None:
    game = play_out(duel, clock)

    record = records.decode(services.export_record(game))

    assert records.verify(record).ok, records.verify(record).findings
    stored = [turn.state_hash for turn in game.turns.order_by("number")][1:]
    steps = [turns.state_hash(step.state) for step in records.replay_steps(record)]
    assert steps[:-1] == stored
    assert steps[-1] == turns.state_hash(positions.final_state_of(game))
    assert record.turns[-1].outcome == positions.outcome_of(game)
    assert record.players == ("Ada", "Bert")
    assert record.turns[2].kept[0] == record.turns[1].kept[0] != ()


def test_a_whole_game_of_intrige_between_bots_runs_by_the_sweep_alone_and_verifies(
    make: Make, clock: time_machine.Traveller
) -> None:
    game = make("intrige", size=4)
    for bot in ("random", "courtier", "random", "courtier"):
        services.seat_bot(game=game, index=None, bot=bot)
    for _sweep in range(40):
        services.sweep()

    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    record = records.decode(services.export_record(game))
    assert records.verify(record).ok, records.verify(record).findings
    assert turns.state_hash(records.replay(record)) == turns.state_hash(positions.final_state_of(game))
    assert min(entry["place"] for entry in game.result.entries) == 1


def test_a_record_survives_the_way_out_and_in_again(duel: Game, clock: time_machine.Traveller, stranger: User) -> None:
    game = play_out(duel, clock)
    raw = services.export_record(game)
    with pytest.raises(services.PlayError, match="already"):
        services.import_record(raw, organiser=stranger)
    Game.objects.filter(pk=game.pk).delete()

    imported = services.import_record(raw, organiser=stranger)

    assert imported.imported
    assert imported.status == Game.Status.ENDED
    assert not Result.objects.exists()
    assert services.export_record(imported) == raw
    assert selectors.position(imported, None) == selectors.position(game, None)
    assert len(selectors.log(imported, None)) == 4


def test_runs_that_were_taken_back_come_in_again_and_are_checked(
    duel: Game, clock: time_machine.Traveller, olga: User, stranger: User
) -> None:
    """Two rollbacks into two runs, one of them into the other; in the end all of it goes out as it came in."""

    def play(*values: int) -> None:
        clock.shift(60)
        for index, value in enumerate(values):
            hand_in(duel, index, f"set {value}\nguess Bob {value}\ndone" if index == 0 else f"set {value}\ndone")
        assert services.advance(duel.turns.get(status="open").pk)

    def back(to: int, last: int) -> None:
        services.roll_back(game=Game.objects.get(), to=to, who=olga, why="", expected=last)

    for values in ((3, 4), (5, 6)):
        play(*values)
    back(2, 3)
    play(7, 7)
    play(4, 1)
    back(3, 3)
    play(2, 2)
    back(1, 3)
    for values in ((3, 4), (5, 6), (1, 2)):
        play(*values)
    raw = services.export_record(Game.objects.get())
    record = records.decode(raw)
    assert [turn.number for turn in record.superseded] == [1, 2, 2, 3, 3]
    assert records.verify(record).ok
    Game.objects.all().delete()

    forged = msgspec.structs.replace(record.superseded[2], state_hash="0" * 64)
    touched = msgspec.structs.replace(record, superseded=(*record.superseded[:2], forged, *record.superseded[3:]))
    with pytest.raises(services.PlayError, match="follows from no position"):
        services.import_record(records.encode(touched), organiser=stranger)
    assert not Game.objects.exists()
    assert branches.verify(record).ok
    assert branches.verify(records.sealed(touched), "de").findings == (
        "Zug 2 eines zurückgenommenen Verlaufs folgt aus keiner Stellung der Partie.",
    )

    assert services.export_record(services.import_record(raw, organiser=stranger)) == raw


def test_a_record_goes_out_and_in_by_the_command(
    duel: Game, clock: time_machine.Traveller, stranger: User, tmp_path: Path
) -> None:
    file, missing = tmp_path / "game.json", str(tmp_path / "missing.json")
    with pytest.raises(CommandError, match="published when it is over"):
        call_command("record", "export", duel.key)
    game = play_out(duel, clock)
    raw, key = services.export_record(game), game.key
    call_command("record", "export", key, str(file))
    assert file.read_bytes() == raw
    for arguments, told in (
        (("export", "nothere"), "no game “nothere”"),
        (("import", str(file), "--organiser", "nobody@example.org"), "Nobody here has the address"),
        (("import", missing, "--organiser", stranger.email), "No such file"),
        (("import", str(file), "--organiser", stranger.email), "already"),
    ):
        with pytest.raises(CommandError, match=told):
            call_command("record", *arguments)

    game.delete()
    call_command("record", "import", str(file), "--organiser", stranger.email)

    assert Game.objects.get(key=key).organiser == stranger
    assert player_names(Game.objects.get(key=key)) == ("Ada", "Bert")


def test_a_game_ended_by_vote_has_a_record_too(duel: Game, clock: time_machine.Traveller) -> None:
    hand_in(duel, 0, "set 4\ndone")
    hand_in(duel, 1, "set 5\ndone")
    services.advance(duel.turns.get(status="open").pk)
    for index in (0, 1):
        services.propose_end(seat=seat(duel, index))
    duel.refresh_from_db()

    record = record_of(duel)

    assert [turn.number for turn in record.turns] == [0, 1]
    assert record.turns[-1].outcome is None
    assert records.verify(records.sealed(record)).ok


def test_the_record_of_a_running_game_leaves_nobody(duel: Game) -> None:
    with pytest.raises(services.PlayError, match="when it is over"):
        services.export_record(duel)


@pytest.mark.parametrize(
    "broken",
    (
        b"",
        b"\xff\x00",
        b"[]",
        b'{"title": "toy"}',
        b"x" * 21_000_000,
    ),
)
def test_what_is_no_record_is_refused(olga: User, broken: bytes) -> None:
    with pytest.raises(services.PlayError):
        services.import_record(broken, organiser=olga)


@pytest.mark.parametrize("field", ("seed", "game_key", "turns", "seal", "title", "commitment"))
def test_a_record_that_was_touched_is_refused(
    duel: Game, clock: time_machine.Traveller, olga: User, field: str
) -> None:
    raw = services.export_record(play_out(duel, clock))
    Game.objects.all().delete()
    data = json.loads(raw)
    data[field] = {
        "seed": "00" * 32, "game_key": "../../x", "turns": data["turns"][:-1], "seal": "0" * 64, "title": "relay",
        "commitment": "0" * 64,
    }[field]  # fmt: skip

    with pytest.raises(services.PlayError):
        services.import_record(json.dumps(data).encode(), organiser=olga)

    assert not Game.objects.exists()
    services.import_record(raw, organiser=olga)


def test_the_number_of_queries_of_an_export_does_not_depend_on_the_number_of_turns(
    make: Make, clock: time_machine.Traveller
) -> None:
    def played(rounds: int) -> Game:
        game = make()
        Game.objects.filter(pk=game.pk).update(options={"rounds": rounds, "mood": "calm", "open": False})
        for _seat in range(2):
            services.seat_bot(game=game, index=None, bot="five")
        for number in range(1, rounds + 1):
            services.advance(game.turns.get(number=number).pk)
        return Game.objects.get(pk=game.pk)

    def queries(game: Game) -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            services.export_record(game)
        return len(found)

    assert queries(played(1)) == queries(played(6))
