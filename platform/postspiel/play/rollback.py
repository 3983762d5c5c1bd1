"""Taking a game back to a turn: a new event that points at it; what was played since is kept, superseded."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import turns as engine
from postspiel.accounts.models import User
from postspiel.play import games, missing, notices, occupancies, positions, roles, storable, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Ballot, Game, Result, Seat, Sheet, Turn


def roll_back(*, game: Game, to: int, who: User, why: str, expected: int) -> Turn:
    """Take a game back to the start of turn ``to``, and open that turn anew; an ended game runs again.

    What was played since is kept, superseded, and stands in the record. Sheets of then are on file again where the same
    player holds the seat; rolls of a turn with a changed sheet come out anew. The result, and with it ratings and the
    report, is taken back. ``expected`` is the number of the last turn that the organiser saw. PlayError if another one
    is the last, if ``to`` is none before it, if the rules have changed since, or if the person does not run the game
    or plays in it himself.
    """
    now = timezone.now()
    with transaction.atomic():
        held = _claim(game)
        roles.must_judge(held, who)
        last = _last(held, expected)
        target = _target(held, to, last)
        act = games.note(
            held, who, "rolled-back", turn=to, why=storable.text(why).strip()[:200], before=expected, after=to
        )
        _take_back(held, last, to, now)
        turn = _open_again(held, target, last, now)
        notices.acted(act, held.seats.select_related("player", "game"))
    return turn


def _claim(game: Game) -> Game:
    """Take a game that runs or has ended for writing."""
    turns.claim(game.pk)
    held = Game.objects.select_for_update(of=("self",)).select_related("organiser").get(pk=game.pk)
    if held.status not in (Game.Status.RUNNING, Game.Status.ENDED) or held.imported:
        raise PlayError(_("Only a game that was played here can be taken back to a turn."))
    return held


def _last(game: Game, expected: int) -> Turn:
    turn = _history(game).order_by("-number").first()
    if turn is None or turn.number != expected:
        raise PlayError(_("The game has gone on meanwhile; have another look before you take it back."))
    turn.game = game
    return turn


def _target(game: Game, to: int, last: Turn) -> Turn:
    """Return the turn to go back to. PlayError if it was not resolved, or under rules that are not played any more."""
    turn = _history(game).filter(number=to, status=Turn.Status.DONE).first()
    if turn is None or to < 1:
        raise PlayError(
            _("A game can be taken back to a turn from 1 to %(last)d that was resolved.")
            % {"last": last.number if last.status == Turn.Status.DONE else last.number - 1}
        )
    turn.game = game
    if turn.rules != positions.title_of(game).about.rules:
        raise PlayError(_("That turn was played under other rules than those of today; it cannot be opened again."))
    return turn


def _history(game: Game) -> QuerySet[Turn]:
    return Turn.objects.filter(game=game).exclude(status=Turn.Status.SUPERSEDED)


def _take_back(game: Game, last: Turn, to: int, now: datetime) -> None:
    """Supersede every turn from ``to`` on, and make an ended game run again, without its result."""
    if game.status == Game.Status.ENDED:
        _keep_end(game, last)
        Result.objects.filter(game=game).delete()
        game.status, game.ended, game.final_state, game.outcome = Game.Status.RUNNING, None, None, None
        game.save(update_fields=["status", "ended", "final_state", "outcome"])
    branch = _history(game).filter(number__gte=to)
    branch.filter(status=Turn.Status.OPEN).update(status=Turn.Status.SUPERSEDED, closed=now)
    branch.filter(status=Turn.Status.DONE).update(status=Turn.Status.SUPERSEDED, taken_back=True)
    Ballot.objects.filter(game=game).delete()


def _keep_end(game: Game, last: Turn) -> None:
    """Keep the position in which the game had ended, as the row behind its last turn, for the record of the branch."""
    state = positions.final_state_of(game)
    ended = game.ended or last.opened
    Turn.objects.create(
        game=game,
        number=last.number + 1,
        status=Turn.Status.SUPERSEDED,
        rules=game.rules,
        state=engine.encode_state(state),
        state_hash=engine.state_hash(state),
        opened=ended,
        closed=ended,
    )


def _open_again(game: Game, target: Turn, last: Turn, now: datetime) -> Turn:
    before = Turn.objects.get(game=game, number=target.number - 1, status=Turn.Status.DONE)
    step = engine.Step(positions.state_of(target), kept=positions.kept_of(before))
    times = turns.following(last, step.state, now, now)
    seats = list(game.seats.select_related("player").order_by("index"))
    occupancies.go_back(game, target.number)
    missing.recount(seats)
    turn = turns.open_turn(game=game, number=target.number, step=step, times=times, seats=seats)
    _put_on_file(target, turn, seats)
    turns.reckon(turn, now)
    return turn


def _put_on_file(target: Turn, turn: Turn, seats: list[Seat]) -> None:
    """Put what players had handed in for the turn on file again, so that nobody has to write it twice."""
    handed = target.sheets.filter(seat__in=seats, player=F("seat__player")).exclude(status=Sheet.Status.NONE)
    for old in handed.filter(automatic=False):
        Sheet.objects.filter(turn=turn, seat=old.seat_id).update(
            status=Sheet.Status.ON_FILE, orders=old.orders, digest=old.digest, automatic=False
        )
