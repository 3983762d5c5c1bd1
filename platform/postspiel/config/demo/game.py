"""One demo from the first account to the report: sets the stage, lets it play, and counts what came of it."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from games.engine import records
from games.engine.contract import Locale, Options
from games.engine.registry import title
from games.engine.rolls import commitment
from games.engine.turns import state_hash
from postspiel.accounts.models import User
from postspiel.config.demo.stage import Process, Stage
from postspiel.config.parts import address, all_parts
from postspiel.config.supervisor import Part
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import positions, services
from postspiel.play.models import Game, Turn
from postspiel.reports.models import Report
from tournaments.models import Standing

NAMES = ("Anna", "Bruno", "Clara", "Daniel", "Elena", "Felix")
LOCALES: tuple[Locale, ...] = ("en", "de")
PLAYERS = (sys.executable, "-m", "postspiel.config.demo.players")
LOOK_EVERY = 0.25  # seconds

type Say = Callable[[str], Any]


@dataclass(frozen=True)
class Plan:
    """What shall be played; ``seconds`` is when to give up."""

    title: str
    seats: int
    seed: int
    options: Options
    seconds: float


def play(plan: Plan, folder: Path, say: Say) -> dict[str, Any]:
    """Play the game of the plan on real processes; return the summary that the command prints."""
    began = time.monotonic()
    call_command("prepare", verbosity=0)
    people = [_person(index) for index in range(plan.seats)]
    with Stage(folder) as stage:
        players = _set_the_stage(stage, plan, people)
        game = _start_game(plan, people)
        say(f"{', '.join(person.email for person in people)} play {game.name}, logs in {folder}")
        finished = _watch(game, stage, began + plan.seconds, say)
    game.refresh_from_db()
    return _summary(plan, game, folder, _errors(stage, players, game, finished), time.monotonic() - began)


def _person(index: int) -> User:
    """A player with a confirmed address: every second one reads German, all get the position as a file."""
    name = NAMES[index]
    person = User.objects.create_user(
        f"{name.lower()}@players.invalid", display_name=name, locale=LOCALES[index % 2], position_file=True
    )
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def _set_the_stage(stage: Stage, plan: Plan, people: Sequence[User]) -> Process:
    """Start the players, then the server's parts as ``manage.py run`` does."""
    players = stage.start(Part("players", PLAYERS), told=_part(plan, people))
    for part in all_parts().values():
        stage.start(part)
    return players


def _part(plan: Plan, people: Sequence[User]) -> dict[str, Any]:
    bots = sorted(title(plan.title).bots)
    mailbox: Any = settings.POSTSPIEL_SMTP
    return {
        "mailbox_port": mailbox["port"],
        "door_port": address(settings.POSTSPIEL_MAIL_LISTEN)[1],
        "seed": plan.seed,
        "players": [
            {"email": one.email, "name": one.display_name, "locale": one.locale, "bot": bots[index % len(bots)]}
            for index, one in enumerate(people)
        ],
    }


@transaction.atomic
def _start_game(plan: Plan, people: Sequence[User]) -> Game:
    """The first player organises. The last one who joins starts the game; the seed is the plan's by then."""
    name = f"Demo {plan.seed}"
    schedule = services.Schedule(hours=24, first_hours=24, minimum_minutes=0, reminder_hours=0)
    game = services.create_game(
        organiser=people[0], title=plan.title, name=name, size=plan.seats, options=plan.options, schedule=schedule
    )
    seed = hashlib.sha256(f"demo {plan.title} {plan.seed}".encode()).digest()
    Game.objects.filter(pk=game.pk).update(
        seed=seed, commitment=commitment(seed), key=f"demo{plan.seed % 1_000_000:06}"
    )
    game.refresh_from_db()
    for person in people:
        services.join_game(game=game, player=person)
    return game


def _watch(game: Game, stage: Stage, until: float, say: Say) -> bool:
    """Tell each new turn until everything has come to its end; False if a part died or the time is up."""
    told = 0
    while time.monotonic() < until and not stage.ended_early():
        number = Turn.objects.filter(game=game).count() - 1
        if number != told:
            told = number
            say(f"turn {number}: {Incoming.objects.count()} mails in, {Outgoing.objects.count()} mails out")
        if _at_rest(game):
            return True
        time.sleep(LOOK_EVERY)
    say(f"gave up: {', '.join(stage.ended_early()) or 'time is up'}")
    return False


def _at_rest(game: Game) -> bool:
    """Whether the game is over, its ladder moved, its reports made, and no mail on its way."""
    over = Game.objects.filter(pk=game.pk, status=Game.Status.ENDED).exists()
    if not over or not Standing.objects.exists() or not Report.objects.filter(game=game).exists():
        return False
    reports = Report.objects.filter(game=game).exclude(state__in=(Report.State.DONE, Report.State.FAILED))
    out = Outgoing.objects.filter(state__in=(Outgoing.State.QUEUED, Outgoing.State.SENDING))
    unread = Incoming.objects.filter(state__in=(Incoming.State.WAITING, Incoming.State.READING))
    return not (reports.exists() or out.exists() or unread.exists())


def _errors(stage: Stage, players: Process, game: Game, finished: bool) -> list[str]:
    """What went wrong, a sentence each: tracebacks, mails without an answer, refusals that nobody intended."""
    told = next((step for step in players.talk if step["step"] == "ended"), None)
    found = [f"{process.name}: a traceback" for process in stage.processes for _ in range(process.tracebacks())]
    if not finished:
        found.append("the game did not come to its end")
    if told is None:
        return [*found, "the players ended without a word"]
    found += [f"unanswered: {one}" for one in told["unanswered"]]
    found += [f"refused: {one}" for one in told["refused"]]
    return [*found, *_misplayed(game)]


def _misplayed(game: Game) -> Iterator[str]:
    """Faults of record, report and mail: the record must replay to the stored last state and verify."""
    if game.status != Game.Status.ENDED:
        return
    record = records.decode(services.export_record(game))
    if state_hash(records.replay(record)) != state_hash(positions.final_state_of(game)):
        yield "the record replays to another state"
    yield from records.verify(record).findings
    for report in Report.objects.filter(game=game).exclude(state=Report.State.DONE):
        yield f"no report in {report.locale}: {report.error}"
    for mail in Outgoing.objects.filter(state=Outgoing.State.FAILED):
        yield f"a mail to {mail.to} was given up: {mail.answer}"


def _summary(plan: Plan, game: Game, folder: Path, errors: list[str], seconds: float) -> dict[str, Any]:
    for error in errors:
        print(error, file=sys.stderr)
    standings = Standing.objects.select_related("player").order_by("-rating")
    report = Report.objects.filter(game=game, locale="en", state=Report.State.DONE).first()
    return {
        "title": plan.title,
        "seats": plan.seats,
        "turns": Turn.objects.filter(game=game, number__gt=0).count(),
        "mails_in": Incoming.objects.count(),
        "mails_out": Outgoing.objects.filter(state=Outgoing.State.SENT).count(),
        "errors": len(errors),
        "outcome": game.outcome,
        "ladder": {one.player.public_name: round(one.rating, 1) for one in standings},
        "record": _record(game, folder),
        "report": report.file.path if report else None,
        "seconds": round(seconds, 1),
    }


def _record(game: Game, folder: Path) -> str | None:
    """Write the game's record beside the logs; return where, or None if the game is not over."""
    if game.status != Game.Status.ENDED:
        return None
    path = folder / "record.json"
    path.write_bytes(services.export_record(game))
    return str(path)
