"""Named people, and games of theirs that have ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from postspiel.accounts.models import User
from postspiel.play.models import Game, Result

type End = Callable[..., Result]
type People = dict[str, User]

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva")
FIRST_END = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def people(db: None) -> People:
    return {
        name: User.objects.create_user(f"{name.lower()}@example.org", display_name=name, locale="en") for name in NAMES
    }


@pytest.fixture
def end(people: People) -> End:
    """Write down that a game has ended: players in finishing order; who shares a place stands in one tuple."""

    def end(*order: str | tuple[str, ...], title: str = "intrige", bots: int = 0, decided: bool = True) -> Result:
        number = Game.objects.count() + 1
        groups = [(one,) if isinstance(one, str) else one for one in order]
        ended = FIRST_END + timedelta(days=number)
        game = Game.objects.create(
            key=f"game{number}",
            title=title,
            name=f"Game {number}",
            size=sum(map(len, groups)) + bots,
            organiser=people["Ada"],
            invitation=f"invitation{number}",
            status=Game.Status.ENDED,
            rules=1,
            seed=bytes(32),
            commitment="0" * 64,
            created=ended,
            ended=ended,
        )
        entries: list[dict[str, object]] = []
        for group in groups:
            place = len(entries) + 1
            entries += [_entry(len(entries) + at, people[name].pk, "", place) for at, name in enumerate(group)]
        entries += [_entry(len(entries) + at, None, "courtier", len(entries) + 1 + at) for at in range(bots)]
        return Result.objects.create(game=game, title=title, entries=entries, decided=decided, ended=ended)

    return end


def _entry(seat: int, user: int | None, bot: str, place: int) -> dict[str, object]:
    return {"seat": seat, "user": user, "bot": bot, "place": place, "score": 100 - place}
