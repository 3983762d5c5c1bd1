"""Calendars that people subscribe to: who has one, under which secret token, and which turns stand in it."""

from __future__ import annotations

import secrets

from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.play import audience
from postspiel.play.models import Feed, Game, Seat, Sheet, Turn

BYTES = 24
"""Length of a token; who guesses one reads somebody's deadlines."""


def renew(*, user: User, game: Game | None = None) -> Feed:
    """Make a person's calendar (of one game, or of all that he plays in), or give it a new token instead of the old."""
    fresh = {"token": secrets.token_urlsafe(BYTES), "made": timezone.now()}
    feed, _made = Feed.objects.update_or_create(user=user, game=game, defaults=fresh)
    return feed


def close(*, user: User, game: Game | None = None) -> None:
    """Take a person's calendar away, so that its address leads nowhere."""
    Feed.objects.filter(user=user, game=game).delete()


def feed_of(user: User, game: Game | None = None) -> Feed | None:
    """Return a person's calendar; None if he has none."""
    return Feed.objects.filter(user=user, game=game).first()


def by_token(token: str) -> Feed | None:
    """Return the calendar of a token, if its owner still may see what is in it."""
    feed = Feed.objects.select_related("user", "game").filter(token=token, user__is_active=True).first()
    if feed is None or feed.game is None:
        return feed
    return feed if audience.visible_game(feed.game.key, feed.user) else None


def turns_of(feed: Feed) -> list[Turn]:
    """Return the open turns in a calendar that have a deadline, the next one first."""
    turns = Turn.objects.select_related("game").filter(status=Turn.Status.OPEN, deadline__isnull=False)
    mine = Seat.objects.filter(player=feed.user).values("game")
    chosen = turns.filter(game__in=mine) if feed.game_id is None else turns.filter(game=feed.game_id)
    return list(chosen.defer("state", "game__final_state").order_by("deadline", "pk"))


def waiting(feed: Feed, turns: list[Turn]) -> set[int]:
    """Return the ids of those turns that wait for a sheet of the calendar's owner."""
    own = Sheet.objects.filter(turn__in=turns, seat__player=feed.user, asked=True)
    return set(own.exclude(status=Sheet.Status.FINAL).values_list("turn", flat=True))
