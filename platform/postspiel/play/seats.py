"""Who sits where: joining, bots, leaving before the start, resigning after it."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.play import games, notices, positions, replacing, roles, turns
from postspiel.play.errors import PlayError
from postspiel.play.models import Game, Seat


def join(*, game: Game, player: User, index: int | None = None, invitation: str = "") -> Seat:
    """Give a player a free seat (the first, or the one with this index); the last one taken starts the game.

    PlayError if the game has started, if he sits in it already, if the seat is taken, or if the game is not listed and
    he neither organises it nor has its invitation.
    """
    with transaction.atomic():
        held = games.lock(game.pk)
        _must_be_invited(held, player, invitation)
        _must_be_reliable(held, player)
        if held.seats.filter(player=player).exists():
            raise PlayError(_("You have a seat in this game already."))
        seat = _free_seat(held, index)
        seat.player, seat.joined = player, timezone.now()
        seat.save(update_fields=["player", "joined"])
        games.note(held, player, "joined", seat=seat.index)
        notices.joined(seat)
        _start_if_full(held, player)
    return seat


def seat_bot(*, game: Game, index: int | None, bot: str) -> Seat:
    """Have a bot of the title play a free seat (None: the first); the last one taken starts the game.

    PlayError if the title has no such bot, if the seat is taken, or if the game has started.
    """
    with transaction.atomic():
        held = games.lock(game.pk)
        _must_have_bot(held, bot)
        seat = _free_seat(held, index)
        seat.bot = bot
        seat.save(update_fields=["bot"])
        games.note(held, held.organiser, "bot", seat=seat.index, bot=bot)
        _start_if_full(held, held.organiser)
    return seat


def leave(*, game: Game, player: User) -> None:
    """Give a seat back before the game has started. PlayError if it has, or if he has none."""
    with transaction.atomic():
        held = games.lock(game.pk)
        if not held.seats.filter(player=player).update(player=None, joined=None):
            raise PlayError(_("You have no seat in this game."))
        games.note(held, player, "left")


def clear(*, game: Game, index: int, who: User) -> None:
    """Take a bot off its seat before the game has started. PlayError if it has, or if no bot sits there."""
    with transaction.atomic():
        held = games.lock(game.pk)
        roles.must_run(held, who)
        if not held.seats.filter(index=index).exclude(bot="").update(bot=""):
            raise PlayError(_("No bot sits there."))
        games.note(held, who, "bot-left", seat=index)


def resign(*, seat: Seat, who: User) -> None:
    """Give a seat up in a running game: it stays in the game, open, and is played by the rules' defaults.

    Nothing that the player had ordered is carried out any more. PlayError if the game does not run, or if the seat is
    not his.
    """
    if not Seat.objects.filter(pk=seat.pk, player=who).exists():
        raise PlayError(_("This is not your seat."))
    replacing.open_seat(seat=seat, why="resigned", who=who)


def put_bot(*, game: Game, index: int, bot: str, who: User) -> Seat:
    """Have a bot play a seat that is open in a running game, from the open turn on.

    PlayError if the game does not run, if somebody has the seat, if the title has no such bot, or if somebody else
    organises the game.
    """
    now = timezone.now()
    with transaction.atomic():
        turn = turns.claim(game.pk)
        if turn is None:
            raise PlayError(_("This game does not run."))
        roles.must_run(turn.game, who)
        _must_have_bot(turn.game, bot)
        seat = Seat.objects.filter(game=game, index=index, player=None, bot="").first()
        if seat is None:
            raise PlayError(_("This seat is taken."))
        seat.bot = bot
        seat.save(update_fields=["bot"])
        games.note(turn.game, who, "bot", seat=index, bot=bot)
        turns.renew_sheet(turn, seat)
        turns.reckon(turn, now)
    return seat


def ask_resignation(*, seat: Seat, cause: str) -> None:
    """Have the player confirm by a link that he gives his seat up, as a mail alone never does it.

    ``cause`` tells one request from another, so that the same mail read twice asks once.
    """
    with transaction.atomic():
        notices.resignation_asked(seat, cause)


def _free_seat(game: Game, index: int | None) -> Seat:
    free = [seat for seat in game.seats.select_related("game").order_by("index") if games.is_free(seat)]
    wanted = [seat for seat in free if index is None or seat.index == index]
    if not wanted:
        raise PlayError(_("All seats are taken.") if not free else _("This seat is taken."))
    return wanted[0]


def _start_if_full(game: Game, who: User) -> None:
    if not any(games.is_free(seat) for seat in game.seats.all()):
        games.begin(game, who, timezone.now())


def _must_have_bot(game: Game, bot: str) -> None:
    if bot not in positions.title_of(game).bots:
        raise PlayError(_("This title has no bot of that name."))


def _must_be_invited(game: Game, player: User, invitation: str) -> None:
    known = secrets.compare_digest(invitation.encode(), game.invitation.encode())
    if not (game.listed or known or game.organiser_id == player.pk):
        raise PlayError(_("This game can be joined by invitation only."))


def _must_be_reliable(game: Game, player: User) -> None:
    refused = replacing.unreliable(game, player)
    if refused and game.organiser_id != player.pk:
        raise PlayError(refused)
