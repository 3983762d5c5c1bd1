"""Games in which nobody is to know who plays which seat before they end: who may know, what gives somebody away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser

from postspiel.accounts.models import User
from postspiel.play import positions, roles
from postspiel.play.models import Game, Seat

SHORTEST = 3
"""Parts of names with fewer letters are no names: they stand in every text."""

_WORD = re.compile(r"\w+")


def knows_players(game: Game, viewer: User | AnonymousUser | None) -> bool:
    """Whether a person may know who holds the seats: anybody; in anonymous games only who runs and does not play."""
    return not game.hides_players or roles.may_reveal(game, viewer)


def names_writer(text: str, seat: Seat, known_as: Collection[str] = ()) -> bool:
    """Whether a text gives away who holds a seat: by his public name, one of its parts, or one of his addresses.

    ``known_as`` are other names of his, such as the one that his mail program writes. What seats are called is no name.
    """
    player = seat.player
    if player is None:
        return False
    plain = _plain(text)
    known = EmailAddress.objects.filter(user=player).values_list("email", flat=True)
    if any(address.casefold() in plain for address in {player.email, *known}):
        return True
    words, seats = _WORD.findall(plain), set(_seat_words(seat.game))
    return any(_stands_in(words, name, seats) for name in {player.display_name, *known_as})


def _stands_in(words: list[str], name: str, seats: set[str]) -> bool:
    parts = _WORD.findall(_plain(name))
    telling = {part for part in parts if len(part) >= SHORTEST and part not in seats}
    whole = any(words[at : at + len(parts)] == parts for at in range(len(words))) if parts else False
    return not telling.isdisjoint(words) or (whole and not seats.issuperset(parts))


def _seat_words(game: Game) -> Iterator[str]:
    for forms in positions.title_of(game).names(positions.options_of(game)).values():
        for names in forms.values():
            yield from _WORD.findall(_plain(" ".join(names)))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
