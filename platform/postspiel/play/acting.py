"""What who runs a game may do to it beside moving deadlines and pausing (DESIGN section 4).

Each act is one transaction, names what its author saw (so that a second click changes nothing), leaves a row in the
list of acts with who, why, before and after, and is told by mail to those whom it concerns.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import deadlines, ending, games, notices, pausing, positions, replacing, roles, storable, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Act, Game, Result, Seat, Submission, Turn
from postspiel.play.sheets import HandedIn, hand_in

LONGEST = 4000
AGAIN = timedelta(minutes=10)
"""The same message to the same people within this time is a second click."""

type Readers = Literal["all", "late"] | int


def force_turn(*, turn: Turn, who: User, why: str, expected: int) -> None:
    """Resolve the open turn now, with the sheets that are there; nobody who still had time counts as having missed it.

    ``expected`` is the number of the turn that the organiser saw. PlayError if another one is open, if the game is
    paused, if a mail waits to be read, or if the person does not run the game.
    """
    now = timezone.now()
    with transaction.atomic():
        held = _open(turn.game, who, expected)
        pausing.must_go(held.game)
        if turns.unread(held).exists():
            raise PlayError(_("A mail to this game waits to be read; try again in a minute."))
        before = held.deadline.isoformat() if held.deadline else ""
        act = _note(held.game, who, "forced", why, turn=held.number, before=before, after=now.isoformat())
        notices.acted(act, _seats(held.game))
        held.status, held.closed, held.due = Turn.Status.DONE, now, now
        held.save(update_fields=["status", "closed", "due"])
        turns.play_out(held, now)


def remove_player(*, seat: Seat, who: User, why: str) -> None:
    """Take the seat from the player whom ``seat`` names: it is free again before the start, open after it.

    Nothing that he had ordered is carried out. He is told, and so are the others. PlayError if somebody else holds the
    seat meanwhile, if the game is over, or if the person does not run it.
    """
    with transaction.atomic():
        turn = turns.claim(seat.game_id)
        game = turn.game if turn else games.lock(seat.game_id)
        roles.must_run(game, who)
        player = seat.player
        if player is None or not Seat.objects.filter(pk=seat.pk, player=player).exists():
            raise PlayError(_("This player does not hold the seat any more."))
        reason = storable.text(why).strip()[:200]
        act = _removed(game, seat, who, reason) if turn else _sent_away(game, seat, who)
        act.data |= {"why": reason, "before": _named(game, player), "after": ""}
        act.save(update_fields=["data"])
        notices.acted(act, _seats(game))
        if turn is None:
            notices.act_told(act, player)


def swap_seats(*, one: Seat, other: Seat, who: User) -> None:
    """Let who sits in two seats of a game change places, before it starts.

    The seats are as the organiser saw them. PlayError if somebody else sits there meanwhile, if they are the same or of
    two games, if the game has started, or if the person does not run it.
    """
    with transaction.atomic():
        game = games.lock(one.game_id)
        roles.must_run(game, who)
        if one.pk == other.pk or one.game_id != other.game_id:
            raise PlayError(_("Two seats of one game can be swapped."))
        if not (_as_seen(one) and _as_seen(other)):
            raise PlayError(_("Somebody else sits there meanwhile; have another look."))
        _exchange(one, other)
        act = _note(game, who, "swapped", "", before=f"{one.index},{other.index}", after=f"{other.index},{one.index}")
        notices.acted(act, (one, other))


def end_game(*, game: Game, who: User, why: str) -> None:
    """End a running game at once: nobody has won, all share the first place.

    PlayError if it does not run, or if the person does not run it or plays in it himself.
    """
    with transaction.atomic():
        turn = pausing.running(game)
        roles.must_judge(turn.game, who)
        _finish(turn, who, "ended-early", why)


def annul_game(*, game: Game, who: User, why: str) -> None:
    """Let a game count for nothing: its result is struck off ladders; one that still runs ends.

    PlayError if it has not started or is annulled already, or if the person does not run it or plays in it himself.
    """
    with transaction.atomic():
        turn = turns.claim(game.pk)
        game = Game.objects.select_related("organiser").get(pk=game.pk)
        roles.must_judge(game, who)
        if turn is not None:
            _finish(turn, who, "annulled", why)
        elif not Result.objects.filter(game=game, annulled=False).exists():
            raise PlayError(_("There is no result of this game that counts."))
        else:
            notices.acted(_note(game, who, "annulled", why, before="", after=""), _seats(game))
        Result.objects.filter(game=game).update(annulled=True)


def act_for(*, seat: Seat, text: str, who: User, why: str, expected: int) -> HandedIn:
    """Hand in lines for a player, who is told of it with these lines; they merge into his sheet like a mail.

    ``expected`` is the number of the turn that the organiser saw. PlayError if another one is open, if nobody holds the
    seat, if nothing of it can be taken, if it was done already, or if the person plays in the game himself: the answer
    could show him what others keep secret.
    """
    with transaction.atomic():
        turn = _open(seat.game, who, expected)
        roles.must_judge(turn.game, who)
        held = Seat.objects.select_related("game", "player").get(pk=seat.pk)
        if held.player is None:
            raise PlayError(_("Nobody holds this seat."))
        _must_be_new(turn, held, storable.text(text))
        done = hand_in(
            seat=held,
            text=text,
            door=Submission.Door.ORGANISER,
            writer=who,
            received=timezone.now(),
            turn_number=expected,
        )
        if done.verdict == "rejected":
            raise PlayError(_("No line of this can be taken as an order; nothing has changed."))
        lines = storable.text(text)[:LONGEST]
        notices.acted(_note(turn.game, who, "acted-for", why, turn=turn.number, seat=held.index, text=lines), [held])
    return done


def message(*, game: Game, text: str, who: User, to: Readers) -> int:
    """Mail the players of a game something: all, those who are late, or the one of a seat. Returns how many.

    PlayError if nothing is said or too much, if there is nobody, if just that was sent already, or if the person does
    not run the game; who plays in it himself does not learn who is late.
    """
    words = storable.text(text).strip()
    if not words or len(words) > LONGEST:
        raise PlayError(_("Write something, %(most)d characters at most.") % {"most": LONGEST})
    with transaction.atomic():
        held = Game.objects.select_for_update(of=("self",)).select_related("organiser").get(pk=game.pk)
        (roles.must_judge if to == "late" else roles.must_run)(held, who)
        readers = [seat for seat in _readers(held, to) if seat.player_id is not None]
        if not readers:
            raise PlayError(_("There is nobody to write to."))
        sent = {"to": str(to), "text": words}
        if held.acts.filter(kind="message", who=who, data=sent, made__gt=timezone.now() - AGAIN).exists():
            raise PlayError(_("You have sent just that already."))
        notices.acted(games.note(held, who, "message", **sent), readers)
    return len(readers)


def _open(game: Game, who: User, expected: int) -> Turn:
    turn = pausing.running(game)
    roles.must_run(turn.game, who)
    if turn.number != expected:
        sentence = _("Turn %(open)d is open meanwhile, not turn %(expected)d; have another look.")
        raise PlayError(sentence % {"open": turn.number, "expected": expected})
    return turn


def _removed(game: Game, seat: Seat, who: User, reason: str) -> Act:
    replacing.open_seat(seat=seat, why="removed", who=who, reason=reason)
    return game.acts.filter(kind="removed").latest("pk")


def _sent_away(game: Game, seat: Seat, who: User) -> Act:
    Seat.objects.filter(pk=seat.pk).update(player=None, joined=None)
    return games.note(game, who, "removed", seat=seat.index)


def _named(game: Game, player: User) -> str:
    """Return a player's name for the list of acts; nothing where nobody is to know who plays what."""
    return "" if game.hides_players else player.public_name


def _as_seen(seat: Seat) -> bool:
    return Seat.objects.filter(pk=seat.pk, player=seat.player_id, bot=seat.bot).exists()


def _exchange(one: Seat, other: Seat) -> None:
    """Let two seats change who sits there; each is emptied first, as nobody may hold two seats."""
    sits = [(seat.player_id, seat.bot, seat.joined) for seat in (one, other)]
    Seat.objects.filter(pk__in=(one.pk, other.pk)).update(player=None, bot="", joined=None)
    for seat, (player, bot, joined) in zip((other, one), sits, strict=True):
        seat.player_id, seat.bot, seat.joined = player, bot, joined
        seat.save(update_fields=["player", "bot", "joined"])


def _finish(turn: Turn, who: User, kind: str, why: str) -> None:
    now, game = timezone.now(), turn.game
    held = _seats(game)
    turn.status, turn.closed = Turn.Status.SUPERSEDED, now
    turn.save(update_fields=["status", "closed"])
    notices.acted(_note(game, who, kind, why, turn=turn.number), held)
    ending.finish(game=game, state=positions.state_of(turn), outcome=ending.drawn(game.size), seats=held, now=now)


def _must_be_new(turn: Turn, seat: Seat, text: str) -> None:
    last = Submission.objects.filter(turn=turn, seat=seat).order_by("-pk").first()
    if last is not None and last.door == Submission.Door.ORGANISER and last.text == text:
        raise PlayError(_("These lines were handed in for this player already."))


def _readers(game: Game, to: Readers) -> Collection[Seat]:
    if to == "all":
        return _seats(game)
    if to == "late":
        turn = Turn.objects.select_related("game").filter(game=game, status=Turn.Status.OPEN).first()
        return deadlines.late_seats(turn) if turn else []
    return [seat for seat in _seats(game) if seat.index == to]


def _seats(game: Game) -> list[Seat]:
    return list(game.seats.select_related("player", "game").order_by("index"))


def _note(game: Game, who: User, kind: str, why: str, **data: str | int) -> Act:
    return games.note(game, who, kind, why=storable.text(why).strip()[:200], **data)
