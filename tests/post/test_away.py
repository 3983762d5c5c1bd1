"""Saying by mail that one is away."""

from __future__ import annotations

from datetime import date

import pytest

from postspiel.accounts.models import Absence, User
from postspiel.mail.models import Incoming
from postspiel.play.models import Game
from tests.post.conftest import deliver, letter, orders, player, seat, speak, state, turn, words


@pytest.mark.parametrize(
    ("text", "locale", "sentence"),
    (
        ("away 5.3. 12.3.", "en", "You are away from 5 March 2026 to 12 March 2026."),
        ("Abwesend vom 5. März bis 12. März", "de", "Du bist vom 5. März 2026 bis zum 12. März 2026 abwesend."),
    ),
)
def test_an_absence_is_noted_and_told(game: Game, ada: User, text: str, locale: str, sentence: str) -> None:
    speak(ada, locale)
    assert deliver(game, ada, text).verdict == Incoming.Verdict.ACCEPTED
    found = Absence.objects.get()
    assert (found.user, found.first, found.last) == (ada, date(2026, 3, 5), date(2026, 3, 12))
    assert sentence in words(letter("receipt", ada).text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    (
        ("away", "When you are away could not be read."),
        ("away for 3 days", "When you are away could not be read."),
        ("away 2026-03-12 2026-03-05", "Your absence was not noted: The last day comes before the first."),
    ),
)
def test_what_cannot_be_noted_is_told(game: Game, ada: User, text: str, sentence: str) -> None:
    deliver(game, ada, text)
    told = words(letter("receipt", ada).text)
    assert sentence in told
    assert "away 24.12. 6.1." in told or "not noted" in told
    assert not Absence.objects.exists()


def test_it_may_stand_among_orders_and_prose_about_it_is_none(game: Game, ada: User) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    right = "\n".join(orders(letter("turn", acts).text, game))
    deliver(game, acts, f"Away from my desk I think best.\naway 2026-03-05\n{right}")
    assert Absence.objects.get().last == date(2026, 3, 5)
    assert len(seat(game, acts).sheets.get(turn=turn(game)).orders) == 2


def test_nobody_is_made_absent_by_a_stranger(game: Game, ada: User) -> None:
    assert deliver(game, ada, "away 5.3. 12.3.", sender="who@example.net").verdict == Incoming.Verdict.HELD
    assert not Absence.objects.exists()
