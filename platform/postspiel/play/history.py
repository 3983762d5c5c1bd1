"""A game as who runs it sees it: its turns, the state of each sheet and mail, never what is written in them.

Who plays in the game himself learns of the sheets how many are in, and nothing of the mails of others: that a receipt
went out would tell who has handed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import QuerySet

from postspiel.accounts.models import User
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.play import audits, roles
from postspiel.play.models import DeadlineChange, Game, Seat, Sheet, Turn

MOST = 30
"""So many of the last mails, in and out, and of the last acts are listed."""


@dataclass(slots=True)
class Step:
    """One turn. ``sheets`` (without orders) are empty for who plays in the game."""

    turn: Turn
    handed_in: int = 0
    asked: int = 0
    sheets: list[Sheet] = field(default_factory=list)
    changes: list[DeadlineChange] = field(default_factory=list)


def turns(game: Game) -> QuerySet[Turn]:
    """Return a game's turns, those that were taken back too, the last first."""
    return game.turns.exclude(number=0).order_by("-pk").defer("state", "kept")


def steps(turns: list[Turn], game: Game, user: User) -> list[Step]:
    """Return turns with what happened to their sheets and deadlines. Three queries."""
    found = {turn.pk: Step(turn) for turn in turns}
    reveals = roles.may_reveal(game, user)
    sheets = Sheet.objects.filter(turn__in=list(found)).defer("orders").select_related("seat").order_by("seat__index")
    for sheet in sheets:
        _count(found[sheet.turn_id], sheet, reveals=reveals)
    for change in DeadlineChange.objects.filter(turn__in=list(found)).select_related("who").order_by("pk"):
        found[change.turn_id].changes.append(change)
    return list(found.values())


def mails_out(game: Game, user: User) -> list[Outgoing]:
    """Return the last mails to a game's seats, without bytes; none for who plays in the game."""
    if not roles.may_reveal(game, user):
        return []
    rows = Outgoing.objects.filter(address__in=_addresses(game)).select_related("address")
    return list(rows.defer("raw", "texts", "data").order_by("-pk")[:MOST])


def mails_in(game: Game, user: User) -> list[Incoming]:
    """Return the last mails from a game's seats, without bytes; none for who plays in the game."""
    if not roles.may_reveal(game, user):
        return []
    rows = Incoming.objects.filter(address__in=_addresses(game)).select_related("address")
    return list(rows.defer("raw").order_by("-pk")[:MOST])


def acts(game: Game, user: User) -> list[audits.Entry]:
    """Return what was done with a game last, as a person may read it."""
    return audits.entries(user, list(audits.acts(user, audits.Sought(game=game.key))[:MOST]))


def seat_indices(game: Game) -> dict[int, int]:
    """Return the index of each seat of a game, by id: mails name the seat by its address."""
    return dict(game.seats.values_list("pk", "index"))


def _addresses(game: Game) -> list[int]:
    seats = Seat.objects.filter(game=game).values("pk")
    return list(Address.objects.filter(kind="seat", object_id__in=seats).values_list("pk", flat=True))


def _count(step: Step, sheet: Sheet, *, reveals: bool) -> None:
    step.asked += sheet.asked
    step.handed_in += sheet.asked and sheet.status != Sheet.Status.NONE
    if reveals:
        step.sheets.append(sheet)
