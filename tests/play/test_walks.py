"""Random walks: whatever people do, in whatever sequence, a game stays whole and ends, and its record verifies."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import Random

import pytest
import time_machine
from django.db.models import Count

from games.engine import records, turns
from postspiel.accounts.models import User
from postspiel.mail.models import Outgoing
from postspiel.play import positions, selectors, services
from postspiel.play.models import Game, Sheet, Submission, Turn
from postspiel.play.records import record_of
from tests.play.conftest import Make, check_owing, hours

WORDS = (
    "done",
    "wait",
    "nothing",
    "always done",
    "cancel all",
    "set 4",
    "set 99",
    "always set 3",
    "guess Bob 4",
    "hello",
)


class Walk:
    """One game and what may happen to it at any moment."""

    def __init__(self, game: Game, random: Random, clock: time_machine.Traveller, organiser: User) -> None:
        self.game, self.random, self.clock, self.organiser = game, random, clock, organiser
        self.sent = 0

    def step(self) -> None:
        acts: tuple[tuple[int, Callable[[], object]], ...] = (
            (30, self.hand_in_by_bot),
            (30, self.write),
            (20, self.pass_time),
            (20, self.advance),
            (5, self.extend),
            (5, self.remind),
            (4, self.press),
            (2, self.vote),
            (1, self.resign),
            (1, self.put_bot),
        )
        [act] = self.random.choices([act for _weight, act in acts], [weight for weight, _act in acts])
        with suppress(services.PlayError):
            act()

    def turn(self) -> Turn:
        turn = selectors.open_turn(self.game)
        if turn is None:
            raise services.PlayError("over")
        return turn

    def hand_in(self, text: str, **more: object) -> None:
        seat = self.random.choice(selectors.seats_of(self.game))
        turn = selectors.open_turn(self.game)
        given = {
            "door": "mail",
            "writer": seat.player,
            "received": datetime.now(UTC),
            "turn_number": self.random.choice([None, turn.number if turn else 3, 1]),
        }
        services.hand_in(seat=seat, text=text, **(given | more))  # type: ignore[arg-type]
        self.sent += 1

    def write(self) -> None:
        self.hand_in("\n".join(self.random.choices(WORDS, k=self.random.randint(0, 4))))

    def hand_in_by_bot(self) -> None:
        turn = self.turn()
        seat = self.random.choice(selectors.seats_of(self.game))
        bot = self.random.choice(list(positions.title_of(self.game).bots.values()))
        orders = bot(positions.seen(turn, seat.index), seat.index, self.random)
        done = self.random.random() < 0.8
        services.hand_in(
            seat=seat,
            text="",
            orders=orders,
            done=done,
            replace=True,
            door="form",
            writer=seat.player,
            received=datetime.now(UTC),
        )
        self.sent += 1

    def pass_time(self) -> None:
        self.clock.shift(hours(self.random.choice([0.01, 1, 20, 80])))

    def advance(self) -> None:
        services.sweep()

    def extend(self) -> None:
        services.extend(turn=self.turn(), hours=self.random.randint(-1, 200), who=self.organiser, why="walk")

    def remind(self) -> None:
        services.remind(turn=self.turn(), who=self.organiser)

    def press(self) -> None:
        seat = self.random.choice(selectors.seats_of(self.game))
        services.send_press(seat=seat, to=self.random.choice([None, [], [0], [1, 2]]), text="set 4")

    def vote(self) -> None:
        seat = self.random.choice(selectors.seats_of(self.game))
        self.random.choice([services.propose_end, services.withdraw_end])(seat=seat)

    def resign(self) -> None:
        seat = self.random.choice(selectors.seats_of(self.game))
        if seat.player is not None:
            services.resign(seat=seat, who=seat.player)

    def put_bot(self) -> None:
        bot = self.random.choice(list(positions.title_of(self.game).bots))
        services.put_bot(game=self.game, index=self.random.randrange(self.game.size), bot=bot, who=self.organiser)

    def check(self) -> None:
        """What holds at any moment."""
        self.game.refresh_from_db()
        numbers = list(self.game.turns.exclude(status="superseded").order_by("number").values_list("number", flat=True))
        assert numbers == list(range(len(numbers)))
        running = self.game.status == Game.Status.RUNNING
        assert self.game.turns.filter(status="open").count() == int(running)
        for turn in self.game.turns.filter(number__gt=0).annotate(count=Count("sheets")):
            assert turn.count == self.game.size
        assert Submission.objects.filter(seat__game=self.game).count() == self.sent
        assert not Sheet.objects.filter(missed=True, seat__game=self.game, owes=False).exists()
        check_owing(self.game)

    def check_end(self) -> None:
        """What holds when it is over."""
        assert self.game.status == Game.Status.ENDED
        record = records.sealed(record_of(self.game))
        found = records.verify(record)
        assert found.ok, found.findings
        states = [turn.state_hash for turn in self.game.turns.filter(number__gt=0).order_by("number")]
        replayed = [turns.state_hash(step.state) for step in records.replay_steps(record)]
        assert replayed[: len(states)] == states
        assert replayed[-1] == turns.state_hash(positions.final_state_of(self.game))
        assert len(self.game.result.entries) == self.game.size
        twice = Outgoing.objects.values("event", "to").annotate(count=Count("pk")).filter(count__gt=1)
        assert not twice.exists()


@pytest.mark.parametrize("title", ("toy", "relay", "intrige"))
@pytest.mark.parametrize("number", range(3))
def test_a_game_stays_whole_whatever_happens(
    make: Make, clock: time_machine.Traveller, olga: User, ada: User, bert: User, title: str, number: int
) -> None:
    random = Random(f"{title} {number}")
    game = make(title, size=3, minimum_minutes=random.choice([0, 30]), hours=random.choice([1, 12, 48]), first_hours=24)
    for player in random.sample([olga, ada, bert], 3):
        services.join_game(game=game, player=player)
    walk = Walk(game, random, clock, olga)
    for step in range(200):
        walk.step()
        if step % 5 == 0:
            walk.check()
    while game.status != Game.Status.ENDED:
        clock.shift(hours(400))
        services.sweep()
        game.refresh_from_db()
    walk.check()
    walk.check_end()
