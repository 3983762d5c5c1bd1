"""One set of rules for every door and every reader: the cases about history and rules of the turn cycle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from random import Random
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import transaction
from django.forms import model_to_dict
from django.urls import reverse
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import Settings

from games.engine import playing, records, registry, rolls
from games.engine import turns as engine
from games.engine.contract import About, Sheet, Table
from games.engine.language import Unwritable, language
from postspiel.accounts.models import User
from postspiel.mail import outbox
from postspiel.mail import services as mail
from postspiel.mail.models import Outgoing
from postspiel.play import positions, selectors, services, turns
from postspiel.play.models import Act, DeadlineChange, Event, Game, Roll, Seat, Submission, Turn
from postspiel.play.models import Sheet as Handed
from postspiel.reports import document
from tests.engine.toy import State, Toy
from tests.people import signed_in
from tests.play.conftest import Make, hand_in, hours, seat

TITLES = ("toy", "intrige", "kreml")


def open_turn(game: Game) -> Turn:
    return Turn.objects.select_related("game").get(game=game, status="open")


def play(game: Game, *values: int) -> None:
    """Let every seat hand in a number and be done, so that the turn ends."""
    for index, value in enumerate(values):
        hand_in(game, index, f"set {value}\ndone")
    assert services.advance(open_turn(game).pk)


def playing_title(monkeypatch: pytest.MonkeyPatch, title: Toy) -> None:
    known = {**registry.titles(), "toy": title}
    monkeypatch.setattr(registry, "titles", lambda: known)


# --- history ----------------------------------------------------------------------------------------------------------


def test_all_that_people_do_is_written_down_and_the_game_replays(
    make: Make, clock: time_machine.Traveller, olga: User, ada: User, bert: User, stranger: User
) -> None:
    """Case 22, powergrid#4: undo was impossible, since drops were not in the log."""
    game = make()
    services.join_game(game=game, player=ada)
    services.leave_game(game=game, player=ada)
    services.join_game(game=game, player=ada, index=1)
    services.swap_seats(one=seat(game, 0), other=seat(game, 1), who=olga)
    services.join_game(game=game, player=bert)
    services.extend(turn=open_turn(game), hours=5, who=olga, why="Snow")
    services.pause_game(game=game, who=olga, why="")
    clock.shift(hours(1))
    services.resume_game(game=game, who=olga)
    play(game, 3, 4)
    services.resign(seat=seat(game, 1), who=bert)
    services.take_over(seat=seat(game, 1), user=stranger)
    play(game, 5, 6)
    services.roll_back(game=game, to=2, who=olga, why="Wrong", expected=3)
    services.force_turn(turn=open_turn(game), who=olga, why="", expected=2)
    play(game, 1, 2)

    done = list(Act.objects.order_by("pk").values_list("kind", "who__display_name"))
    assert done == [
        ("created", "Olga"),
        ("joined", "Ada"),
        ("left", "Ada"),
        ("joined", "Ada"),
        ("swapped", "Olga"),
        ("joined", "Bert"),
        ("started", "Bert"),
        ("extended", "Olga"),
        ("paused", "Olga"),
        ("resumed", "Olga"),
        ("resigned", "Bert"),
        ("taken-over", "Stranger"),
        ("rolled-back", "Olga"),
        ("forced", "Olga"),
    ]
    assert DeadlineChange.objects.count() == 2
    record = records.decode(services.export_record(Game.objects.get()))
    assert records.verify(record).ok, records.verify(record).findings
    assert ([turn.number for turn in record.turns], [turn.number for turn in record.superseded]) == ([0, 1, 2, 3], [2])


class Doubled(Toy):
    """The toy after a change of its rules, in which every number counts twice."""

    about: About = replace(Toy.about, rules=2)

    def __init__(self) -> None:
        self.loaded: set[int] = set()

    def load(self, raw: bytes, rules: int) -> State:
        self.loaded.add(rules)
        return super().load(raw, rules)

    def resolve(self, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        after = super().resolve(state, sheets, table)
        return replace(after, numbers=tuple(None if one is None else min(9, 2 * one) for one in after.numbers))


def test_half_played_games_go_on_under_new_rules_and_each_turn_says_which(
    duel: Game, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 23, 18xx#9886: a fix of the rules broke running games."""
    play(duel, 3, 4)
    changed = Doubled()
    playing_title(monkeypatch, changed)

    play(duel, 3, 4)

    assert changed.loaded == {1}
    assert positions.state_of(open_turn(duel)).numbers == (6, 8)
    assert list(duel.turns.order_by("number").values_list("rules", flat=True)) == [1, 1, 1, 2]
    assert changed.loaded == {1, 2}
    with pytest.raises(services.PlayError, match="other rules"):
        services.roll_back(game=duel, to=1, who=olga, why="", expected=3)
    play(duel, 1, 2)
    record = records.decode(services.export_record(Game.objects.get()))
    found = records.verify(record)
    assert (found.ok, len(found.notes)) == (True, 2), found
    assert [turn.rules for turn in record.turns] == [1, 1, 2, 2]


# --- one reducer ------------------------------------------------------------------------------------------------------


def test_live_preview_replay_and_import_are_one_function(
    duel: Game, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cases 25 and 30: the replay was a second implementation (Rally the Troops), the planner allowed what the engine
    refused (terra-mystica#9). A change of the one function shows behind every door.
    """
    tables = set()

    def twisted(title: Toy, state: State, sheets: Mapping[int, Sheet], table: Table) -> State:
        tables.add(type(table).__name__)
        after = resolve(title, state, sheets, table)
        return replace(after, points=tuple(points + 7 for points in after.points))

    resolve = Toy.resolve
    monkeypatch.setattr(Toy, "resolve", twisted)
    foreseen = selectors.preview(seat(duel, 0), ())
    assert foreseen is not None and foreseen.state is not None  # noqa: PT018
    assert foreseen.state.points == (7, 7)
    play(duel, 3, 4)
    assert positions.state_of(open_turn(duel)).points == (7, 7)
    assert tables == {"PreviewTable", "LiveTable"}
    for _turn in range(2):
        play(duel, 3, 4)
    raw = services.export_record(Game.objects.get())
    Game.objects.update(key="other", commitment="")
    tables.clear()

    imported = services.import_record(raw, organiser=olga)
    assert tables == {"RecordedTable"}
    assert positions.final_state_of(imported).points == (21, 21)
    monkeypatch.setattr(Toy, "resolve", resolve)
    assert not records.verify(records.decode(raw)).ok


@pytest.fixture
def begun(make: Make, ada: User, bert: User, stranger: User, clock: time_machine.Traveller) -> Callable[[str], Game]:
    """A function that begins a game of a title, always the same one, and plays two turns at random."""

    def made(title: str) -> Game:
        game = make(title, size=3)
        Game.objects.update(key="same", seed=b"same" * 8, commitment=rolls.commitment(b"same" * 8))
        game.refresh_from_db()
        for person in (ada, bert, stranger):
            services.join_game(game=game, player=person)
        random = Random(5)
        for _turn in range(2):
            clock.shift(60)
            for index in range(3):
                at_random(game, index, random)
            clock.shift(hours(100))
            services.advance(open_turn(game).pk)
        game.refresh_from_db()
        return game

    return made


def at_random(game: Game, index: int, random: Random) -> None:
    title = positions.title_of(game)
    orders = playing.random_sheet(title, positions.seen(open_turn(game), index), index, random)
    hand_in(game, index, "", orders=orders, replace=True)


def stored(game: Game) -> list[Any]:
    """Every row that says what a game is."""
    rows = (Game.objects.all(), Turn.objects.all(), Handed.objects.all(), Event.objects.all(), Roll.objects.all())
    return [model_to_dict(row) | {"pk": row.pk} for found in rows for row in found.order_by("pk")]


@pytest.mark.parametrize("title", TITLES[1:])
def test_no_page_mail_or_report_changes_the_game(
    title: str, begun: Callable[[str], Game], ada: User, olga: User
) -> None:
    """Case 28, eressea 3076: writing the reports changed the game."""
    game = begun(title)
    at_random(game, 0, Random(1))
    turn, place = open_turn(game), seat(game, 0)
    before = stored(game)

    for who, pages in ((ada, ("game", "api-game", "game-sheet", "game-press-archive")), (olga, ("game-organise",))):
        for page in pages:
            assert signed_in(who).get(reverse(page, args=[game.key])).status_code == 200
    assert signed_in(ada).post(reverse("game-preview", args=[game.key]), {"way": "text", "text": ""}).status_code == 200
    for kind in ("turn", "reminder", "status", "help"):
        outbox.render(Outgoing(kind=kind, recipient=ada, object_id=place.pk, data={"turn": turn.pk}, to=ada.email))
    assert stored(game) == before

    for index in range(3):
        services.propose_end(seat=seat(game, index))
    game.refresh_from_db()
    before = stored(game)
    for locale in ("en", "de"):
        assert document.html(game, locale)
    services.export_record(game)
    assert stored(game) == before


# --- every rule behind every door -------------------------------------------------------------------------------------


def messes(game: Game, index: int, count: int) -> list[str]:
    """Texts of orders as bad as the language allows."""
    title, options = positions.title_of(game), positions.options_of(game)
    words, seen = language(title, options), positions.seen(open_turn(game), index)
    names, found = tuple(title.names(options)), []
    for number in range(4 * count):
        orders = playing.mess(title, names, seen, index, Random(number))
        try:
            lines = [words.write(order, "en") for order in orders]
        except Unwritable:
            continue
        if lines and words.read("\n".join(lines)).orders:
            found.append("\n".join(lines))
    return found[:count]


def busiest(game: Game) -> Seat:
    """The seat that is asked most in the open turn."""
    turn, title = open_turn(game), positions.title_of(game)
    asked = [len(title.asks(positions.seen(turn, index), index)) for index in range(game.size)]
    return seat(game, asked.index(max(asked)))


@pytest.mark.parametrize("title", TITLES)
def test_what_was_refused_is_not_carried_out(title: str, begun: Callable[[str], Game]) -> None:
    """Case 29, eressea 3086: a forbidden order was executed when its error message was suppressed."""
    game, refused = begun(title), 0
    place = busiest(game).index
    for text in messes(game, place, 12):
        with transaction.atomic():
            handed = hand_in(game, place, text, replace=True)
            refused += len(handed.refused)
            came = what_comes(game)
            transaction.set_rollback(True)
        with transaction.atomic():
            if handed.verdict != "rejected":
                hand_in(game, place, "", orders=handed.understood.sheet, replace=True)
            assert what_comes(game) == came
            transaction.set_rollback(True)
    assert refused


def what_comes(game: Game) -> engine.Step:
    """What would come of the open turn as its sheets are now."""
    turn = open_turn(game)
    return turns.resolve(turn, list(turn.sheets.select_related("seat").order_by("seat__index")))


def by_mail(place: Seat, player: User, text: str) -> Submission:
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = player.email, "somebody", "<1@example.org>"
    message.set_content(text)
    to = [mail.spell(mail.address_for("seat", place.pk), "play")]
    raw = message.as_bytes()
    (incoming,) = mail.receive(raw, door="smtp", sender=player.email, recipients=to, received=timezone.now())
    mail.read(incoming.pk)
    return Submission.objects.get(incoming=incoming)


def by_form(place: Seat, player: User, text: str) -> Submission:
    page = reverse("game-orders", args=[place.game.key])
    signed_in(player).post(page, {"way": "text", "text": text})
    return Submission.objects.latest("pk")


def by_api(place: Seat, player: User, text: str) -> Submission:
    page = reverse("api-orders", args=[place.game.key])
    signed_in(player).post(page, {"text": text}, content_type="application/json")
    return Submission.objects.latest("pk")


@pytest.mark.parametrize("title", TITLES)
def test_every_rule_holds_by_mail_by_form_and_by_program(
    title: str, begun: Callable[[str], Game], settings: Settings
) -> None:
    """Case 31, terra-mystica#18: a command typed by hand worked although its button was disabled."""
    settings.POSTSPIEL_MAIL_DOMAIN = "play.example.org"
    game, verdicts = begun(title), set()
    place = busiest(game)
    player = place.player
    assert player is not None
    EmailAddress.objects.create(user=player, email=player.email, primary=True, verified=True)
    Handed.objects.filter(turn=open_turn(game)).update(orders=[])
    for text in messes(game, place.index, 8):
        found = [what_became_of(door, place, player, text) for door in (by_mail, by_form, by_api)]
        assert found[0] == found[1] == found[2], text
        verdicts.add(found[0][0])
    assert len(verdicts) > 1


def what_became_of(door: Callable[[Seat, User, str], Submission], place: Seat, player: User, text: str) -> list[Any]:
    """The verdict, what was refused and why, and the sheet, of a text by a door; nothing of it stays."""
    with transaction.atomic():
        understood = door(place, player, text).reading
        sheet = Handed.objects.get(turn=open_turn(place.game), seat=place)
        transaction.set_rollback(True)
    refused = [(problem["order"], problem["code"]) for problem in understood["refused"]]
    return [understood["verdict"], refused, sheet.orders, sheet.status]
