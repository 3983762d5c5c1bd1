"""Reports: the book of a game, made once, by whoever has the claim."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
import time_machine
from django.core.files.storage import default_storage
from pytest_django import Settings

from games.engine import records
from games.engine.contract import LOCALES, Block, Grid, Heading, Items, Locale, Text
from postspiel.accounts.models import User
from postspiel.play import positions, press, selectors
from postspiel.play import services as play
from postspiel.play.models import Event, Game, Result
from postspiel.reports import book, document, printing, services, tasks
from postspiel.reports.models import Report
from postspiel.reports.selectors import report_of, reports_of
from tests.results import played
from tournaments import services as ladders
from tournaments.models import RatingChange

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kinds(settings: Settings) -> None:
    settings.MAIL_KINDS = played.MAIL_KINDS | settings.MAIL_KINDS


@pytest.fixture(autouse=True)
def _storage(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(played.START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def running(clock: time_machine.Traveller) -> Game:
    game = played.new_game(played.four_players())
    played.one_turn(game, played.chances(1)[0], clock)
    return game


@pytest.fixture
def short(running: Game) -> Game:
    """A game that its players ended by vote after a turn."""
    for seat in selectors.seats_of(running):
        play.propose_end(seat=seat)
    running.refresh_from_db()
    assert running.status == Game.Status.ENDED
    return running


def quick_print(html: str, *, attached: printing.Attached, made: object) -> bytes:
    """Stands for WeasyPrint where a test is about claims, not about pages."""
    return f"%PDF {len(html)} {attached.name} {made}".encode()


# --- the whole book ---------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_pdf_of_a_whole_game_tells_all_that_was_public_in_both_languages(
    clock: time_machine.Traveller, tmp_path: Path
) -> None:
    game = played.whole_game(clock)
    tasks.sweep()
    assert [report.locale for report in reports_of(game)] == ["de", "en"]
    for report in reports_of(game):
        tasks.make(report.pk)

    for locale in LOCALES:
        told = squeezed(pdftotext(path_of(game, locale)))
        assert len(selectors.log(game, None)) > 20
        for log in selectors.log(game, None, locale):
            assert [text for text in texts(log.blocks) if squeezed(text) not in told] == []
        for line in result_lines(game, locale):
            assert squeezed(line) in told
        assert squeezed("Whoever seats my priest has a friend.") in told
        assert squeezed("Das Schiff zur Insel ist <b>voll</b> & fährt heute.") in told
        assert squeezed("secret treaty") not in told
        assert squeezed(bytes(game.seed).hex()) in told
        assert squeezed(game.commitment) in told
        assert "1530" in told, "the ladder was brought up to date first"
    the_record_is_inside(game, tmp_path)
    the_file_says_what_it_is(game)


def the_record_is_inside(game: Game, folder: Path) -> None:
    subprocess.run(["pdfdetach", "-saveall", "-o", folder, path_of(game, "en")], check=True)
    raw = (folder / document.record_name(game)).read_bytes()
    assert raw == play.export_record(game)
    assert records.verify(records.decode(raw)).ok


def the_file_says_what_it_is(game: Game) -> None:
    path = path_of(game, "de")
    told = subprocess.run(["pdfinfo", path], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^Title: +Der Winter in Ferrara & “Briefe”, Intrige$", told, re.MULTILINE)
    assert re.search(r"^Tagged: +yes$", told, re.MULTILINE)
    assert re.search(r"^Page size: .*A4", told, re.MULTILINE)


def test_a_game_that_ended_by_vote_has_a_book_without_a_winner(short: Game) -> None:
    english, german = (document.html(short, locale) for locale in LOCALES)

    assert "The game ended without a winner." in english
    assert "Die Partie endete ohne Sieger." in german
    assert '<html lang="de">' in german


def test_a_running_game_has_no_book(running: Game) -> None:
    with pytest.raises(book.NotOver):
        services.request(running, "en")
    with pytest.raises(book.NotOver):
        document.html(running, "en")
    assert not Report.objects.exists()


def test_private_press_is_in_the_book_if_the_game_opens_it_at_its_end(short: Game) -> None:
    said = {"turn": short.turns.get(number=1), "seat": short.seats.get(index=1), "sent": played.START}
    short.press.create(to=[2, 3], text="a secret treaty", **said)
    short.press.create(to=[2], text="a held confession", held=True, **said)
    short.press.create(to=None, text="a public speech", **said)
    closed = document.html(short, "de")
    assert "a public speech" in closed
    assert "treaty" not in closed

    Game.objects.filter(pk=short.pk).update(press_opened=True)
    services.request(short, "de")
    tasks.make(Report.objects.get().pk)

    told = squeezed(pdftotext(path_of(short, "de")))
    assert squeezed("Gelb an alle a public speech") in told
    assert squeezed("Gelb an Grün, Blau a secret treaty") in told
    assert "confession" not in told, "what was never sent stays its writer's"


def test_everything_that_people_wrote_is_escaped(short: Game) -> None:
    Game.objects.filter(pk=short.pk).update(name="<script>alert(1)</script>")
    short.refresh_from_db()

    html = document.html(short, "en")

    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def change_what_is_private(game: Game) -> None:
    """Change press and events that not everybody may know."""
    game.press.filter(seat__index=1).update(text="changed")
    Event.objects.filter(turn__game=game, index=99).update(data={"seat": "green", "scholar": "D", "court": "red"})


def with_secrets(game: Game) -> Game:
    """The game with a private press and a private event."""
    turn = game.turns.get(number=1)
    game.press.create(turn=turn, seat=game.seats.get(index=1), to=[2], text="a secret treaty", sent=played.START)
    sent = {"seat": "red", "scholar": "A", "court": "green"}
    Event.objects.create(turn=turn, index=99, kind="sent", data=sent, to=[1])
    return game


def test_what_was_private_stays_out_of_the_book(short: Game) -> None:
    game = with_secrets(short)
    before = [document.html(game, locale) for locale in LOCALES]

    change_what_is_private(game)

    assert [document.html(game, locale) for locale in LOCALES] == before


@pytest.mark.parametrize("door", ((positions, "may_hear"), (press, "may_read")))
def test_a_leak_planted_in_the_book_is_found(
    short: Game, monkeypatch: pytest.MonkeyPatch, door: tuple[ModuleType, str]
) -> None:
    monkeypatch.setattr(*door, lambda row, index: True)
    game = with_secrets(short)
    before = document.html(game, "en")

    change_what_is_private(game)

    assert document.html(game, "en") != before


def test_the_same_game_gives_the_same_bytes(short: Game) -> None:
    html = document.html(short, "en")
    file = printing.Attached("record.json", b"{}", "The record")
    assert short.ended is not None

    first, second = (printing.pdf(html, attached=file, made=short.ended) for _ in range(2))

    assert first.startswith(b"%PDF-1.7")
    assert first == second


@pytest.mark.parametrize("reference", ('<img src="https://example.org/a.png">', '<img src="file:///etc/passwd">'))
def test_a_report_fetches_nothing(reference: str, caplog: pytest.LogCaptureFixture) -> None:
    file = printing.Attached("record.json", b"{}", "The record")

    content = printing.pdf(f"<p>Here</p>{reference}", attached=file, made=played.START)

    assert content.startswith(b"%PDF")
    assert "disallowed protocol" in caplog.text


# --- making it once ---------------------------------------------------------------------------------------------------


def test_the_sweep_asks_for_the_languages_of_the_players(short: Game) -> None:
    services.sweep()
    services.sweep()

    assert [(report.locale, report.state) for report in reports_of(short)] == [("de", "queued"), ("en", "queued")]


def test_the_sweep_leaves_old_games_to_who_asks(short: Game, clock: time_machine.Traveller) -> None:
    clock.shift(services.FRESH + timedelta(days=1))

    services.sweep()
    assert reports_of(short) == []

    services.request(short, "en")
    assert len(reports_of(short)) == 1


def test_asking_twice_makes_one_report(short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "pdf", quick_print)
    first = services.request(short, "en")

    assert services.make(first.pk)
    assert services.request(short, "en") == first
    assert not services.make(first.pk)
    assert path_of(short, "en").read_bytes().startswith(b"%PDF")
    first.refresh_from_db()
    assert first.attempts == 1


def test_a_report_that_somebody_makes_is_left_to_him_until_his_claim_is_lost(
    short: Game, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "pdf", quick_print)
    report = services.request(short, "en")
    Report.objects.filter(pk=report.pk).update(state=Report.State.MAKING, claim=1, claimed=short.ended, attempts=1)

    assert not services.make(report.pk)

    clock.shift(services.LEASE + timedelta(seconds=1))
    assert services.make(report.pk)


def test_a_worker_that_was_thought_dead_writes_over_nothing(
    short: Game, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = services.request(short, "en")

    def slow(html: str, *, attached: printing.Attached, made: object) -> bytes:
        monkeypatch.setattr(printing, "pdf", quick_print)
        clock.shift(services.LEASE + timedelta(seconds=1))
        assert services.make(report.pk)
        return b"late"

    monkeypatch.setattr(printing, "pdf", slow)
    assert not services.make(report.pk)

    report.refresh_from_db()
    assert (report.state, report.claim) == (Report.State.DONE, 2)
    assert path_of(short, "en").read_bytes() != b"late"
    assert len(default_storage.listdir("reports")[1]) == 1


def test_what_fails_is_tried_again_with_growing_pauses_and_then_says_so(
    short: Game, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(html: str, **more: object) -> bytes:
        raise OSError("no font")

    monkeypatch.setattr(printing, "pdf", broken)
    report = services.request(short, "en")
    pauses = []
    for _ in range(services.MOST_ATTEMPTS - 1):
        assert not services.make(report.pk)
        report.refresh_from_db()
        assert (report.state, report.error) == (Report.State.QUEUED, "OSError: no font")
        assert not services.make(report.pk), "not due yet"
        pauses.append(report.due)
        clock.move_to(report.due)
    assert pauses == sorted(set(pauses))

    services.make(report.pk)
    report.refresh_from_db()
    assert (report.state, report.attempts) == (Report.State.FAILED, services.MOST_ATTEMPTS)
    assert "failed" in caplog.text

    monkeypatch.setattr(printing, "pdf", quick_print)
    services.sweep()
    assert not services.make(report.pk), "given up"
    services.request(short, "en")
    assert services.make(report.pk)
    report.refresh_from_db()
    assert (report.state, report.error) == (Report.State.DONE, "")


# --- reading it back --------------------------------------------------------------------------------------------------


def path_of(game: Game, locale: Locale) -> Path:
    report = report_of(game, locale)
    assert report is not None
    assert report.state == Report.State.DONE, report.error
    return Path(default_storage.path(str(report.file)))


def pdftotext(path: Path) -> str:
    return subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout


def squeezed(text: str) -> str:
    """A text without what setting it in lines adds or takes away: spaces and hyphens."""
    return re.sub(r"[\s\u00ad\u2010-]+", "", text)


def texts(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Items():
                yield from block.items
            case Text() | Heading():
                yield block.text
            case Grid():
                yield from ("".join(row) for row in (block.head, *block.rows))
            case _:
                pass


def result_lines(game: Game, locale: Locale) -> Iterator[str]:
    assert game.outcome is not None
    for seat in selectors.seats_of(game):
        assert seat.player is not None
        place, score = game.outcome["places"][seat.index], game.outcome["scores"][seat.index]
        yield f"{place}{selectors.seat_name(game, seat.index, locale)}{seat.player.display_name}{score}"


def test_the_book_of_an_imported_game_names_who_played_elsewhere(short: Game) -> None:
    raw = play.export_record(short)
    names = [line.player for line in book.gather(short, "en").lines]
    short.delete()
    imported = play.import_record(raw, organiser=User.objects.create_user("zoe@example.org"))
    assert sorted(line.player for line in book.gather(imported, "en").lines) == sorted(names)


# --- an end that is taken back ----------------------------------------------------------------------------------------


def test_a_rollback_takes_back_result_rating_and_report_and_the_record_has_both_runs(
    running: Game, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 24, Rally the Troops: rewinding the last turn left the result and the rating in place."""
    monkeypatch.setattr(printing, "pdf", quick_print)
    host = User.objects.create_superuser("hugo@example.org")
    played.one_turn(running, played.chances(2)[1], clock)
    _vote_end(running)
    ladders.pull()
    services.request(running, "en")
    first = Report.objects.get()
    assert services.make(first.pk)
    assert RatingChange.objects.exists()

    clock.shift(60)
    play.roll_back(game=running, to=1, who=host, why="Wrong sheet", expected=2)
    ladders.pull()
    assert not RatingChange.objects.exists()
    assert report_of(running, "en") is None
    services.sweep()
    assert not Report.objects.exists()

    running.refresh_from_db()
    played.one_turn(running, played.chances(3)[2], clock)
    _vote_end(running)
    ladders.pull()
    services.request(running, "en")
    second = Report.objects.get()
    assert second.pk != first.pk
    assert services.make(second.pk)
    assert reports_of(running) == [second]
    assert Result.objects.count() == 1
    assert RatingChange.objects.exists()

    record = records.decode(play.export_record(running))
    assert [turn.number for turn in record.superseded] == [1, 2]
    assert records.verify(record).ok
    forged = msgspec.structs.replace(record.superseded[0], digests={0: "0" * 64})
    changed = records.sealed(msgspec.structs.replace(record, superseded=(forged, *record.superseded[1:])))
    assert not records.verify(changed).ok


def _vote_end(game: Game) -> None:
    for seat in selectors.seats_of(game):
        play.propose_end(seat=seat)
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
