"""A program for `test_crashes`: workers that die while they start games or resolve turns, and the sweep after them.

It runs against the database of its environment and prints one JSON object: for each act a list of what was found, for
each place where a worker was killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Do everything and print what was found.

    "start", "advance": kill a worker after each statement of it; "between": sweep after each statement of a start;
    "race": many at once.
    """
    _prepare()
    print(
        json.dumps({"race": [_race()], "between": [_between()], "start": _kill("start"), "advance": _kill("advance")})
    )


def _kill(act: str) -> list[dict[str, object]]:
    doing: tuple[Callable[[], Any], Callable[[Any], None]] = {
        "start": (_full_but_one, _take_last_seat),
        "advance": (_due_game, _advance),
    }[act]
    found: list[dict[str, object]] = []
    while not found or found[-1]["killed"]:
        found.append(_one(len(found) + 1, *doing))
    return found


def _race() -> dict[str, object]:
    from postspiel.mail.models import Outgoing
    from postspiel.play.models import Turn

    game = _due_game()
    advanced = _at_once(_advance_one, [game.turns.get(number=1).pk] * 5)
    second = game.turns.get(number=2)
    _hand_in((game.pk, 1, None))
    Turn.objects.filter(pk=second.pk).update(reminder=second.opened)
    _at_once(_sweep, range(5))
    reminded = list(Outgoing.objects.filter(kind="reminder").values_list("to", flat=True))
    return {
        "advanced": advanced,
        "after": _facts(game),
        "reminded": reminded,
        "sheets": [_race_of_sheets() for _time in range(5)],
    }


def _between() -> dict[str, object]:
    """Sweep, on a connection of its own, between any two statements of a start.

    These sweeps leave no heartbeat: on SQLite the start, which waits for them here, would keep them from writing it.
    """
    from postspiel.play import heartbeats

    game = _full_but_one()
    sweeps = 0

    def sweep_behind(execute: Any, *arguments: Any) -> Any:
        nonlocal sweeps
        answer = execute(*arguments)
        with ThreadPoolExecutor(1) as other:
            other.submit(_act_at, (0.0, _sweep, 0)).result()
        sweeps += 1
        return answer

    quiet = patch.object(heartbeats, "_note"), patch.object(heartbeats, "trust", return_value=True)
    with quiet[0], quiet[1], connection.execute_wrapper(sweep_behind):
        _take_last_seat(game)
    return {"sweeps": sweeps, **_facts(game)}


def _race_of_sheets() -> dict[str, object]:
    """Four sheets and the resolver come at once to a turn whose deadline has passed."""
    from postspiel.play.models import Sheet

    game = _due_game()
    turn = game.turns.get(number=1)
    verdicts = _at_once(_hand_in, [(game.pk, number, turn.deadline) for number in (1, 2, 0, 3, 4)])
    mine = Sheet.objects.get(turn=turn, seat__index=0).orders
    following = Sheet.objects.get(turn__game=game, turn__number=2, seat__index=0)
    return {
        "verdicts": verdicts,
        "on_file": mine[0]["args"]["number"] if mine else None,
        "counted": json.loads(bytes(following.turn.state))["numbers"][0],
        "left": following.orders,
    }


def _at_once(act: Callable[[Any], Any], given: Iterable[Any]) -> list[Any]:
    """What several processes answer that do something at the same moment."""
    connection.close()
    start = time.time() + 0.5
    with ProcessPoolExecutor(5, mp_context=get_context("fork")) as pool:
        return list(pool.map(_act_at, [(start, act, one) for one in given]))


def _act_at(given: tuple[float, Callable[[Any], Any], Any]) -> Any:
    start, act, one = given
    time.sleep(max(0.0, start - time.time()))
    try:
        return act(one)
    finally:
        connection.close()


def _advance_one(turn_id: int) -> bool:
    return bool(services().advance(turn_id))


def _sweep(_number: int) -> None:
    services().sweep()


def _hand_in(given: tuple[int, int, Any]) -> str:
    """Ada's sheet; the number 0 is the resolver."""
    from django.utils import timezone

    from postspiel.play.models import Seat

    game, number, received = given
    seat = Seat.objects.select_related("player").get(game=game, index=0)
    if number == 0:
        services().advance(seat.game.turns.get(number=1).pk)
        return ""
    handed = services().hand_in(
        seat=seat,
        text=f"set {number}",
        door="form",
        writer=seat.player,
        received=received or timezone.now(),
        turn_number=1 if received else None,
    )
    return str(handed.verdict)


def _one(statement: int, make: Callable[[], Any], act: Callable[[Any], None]) -> dict[str, object]:
    game = make()
    connection.close()  # a child must not inherit it
    killed = _die_after(statement, lambda: act(game))
    if killed:
        services().sweep()
        half = _facts(game)
        if half["status"] == "open":
            _take_last_seat(game)
    services().sweep()
    services().sweep()
    return {"statement": statement, "killed": killed, **_facts(game)}


def _die_after(statement: int, act: Callable[[], None]) -> bool:
    """Do something in a process of its own that kills itself after so many statements; whether it came to that."""
    child = os.fork()
    if child == 0:
        left = [statement]

        def count(execute: Any, *arguments: Any) -> Any:
            answer = execute(*arguments)
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        with connection.execute_wrapper(count):
            act()
        os._exit(0)
    _pid, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        return False
    assert os.WTERMSIG(status) == signal.SIGKILL
    return True


def _facts(game: Any) -> dict[str, object]:
    from postspiel.mail.models import Outgoing
    from postspiel.play.models import Event, Roll, Sheet

    game.refresh_from_db()
    turns = game.turns.order_by("number")
    return {
        "status": game.status,
        "turns": [[turn.number, turn.status] for turn in turns],
        "sheets": Sheet.objects.filter(turn__game=game).count(),
        "events": Event.objects.filter(turn__game=game).count(),
        "rolls": Roll.objects.filter(turn__game=game).count(),
        "mails": Outgoing.objects.filter(kind="turn", data__turn__in=[turn.pk for turn in turns]).count(),
        "last_turn_mails": Outgoing.objects.filter(kind="turn", data__turn=turns.last().pk).count() if turns else 0,
        "acts": sorted(game.acts.values_list("kind", flat=True)),
    }


def _full_but_one() -> Any:
    from postspiel.accounts.models import User

    game = services().create_game(
        organiser=User.objects.get(email="ada@example.org"),
        title="toy",
        name="A game",
        size=2,
        options={},
        schedule=services().Schedule(),
    )
    services().join_game(game=game, player=User.objects.get(email="ada@example.org"))
    return game


def _take_last_seat(game: Any) -> None:
    from postspiel.accounts.models import User

    services().join_game(game=game, player=User.objects.get(email="bert@example.org"))


def _due_game() -> Any:
    """A game whose first turn is due: Ada has handed in, Bert owes."""
    from django.utils import timezone

    game = _full_but_one()
    _take_last_seat(game)
    past = timezone.now() - timedelta(minutes=1)
    game.turns.filter(status="open").update(due=past, deadline=past)
    return game


def _advance(game: Any) -> None:
    services().advance(game.turns.get(number=1).pk)


def services() -> Any:
    from postspiel.play import services

    return services


def _prepare() -> None:
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ["DJANGO_SETTINGS_MODULE"] = "postspiel.config.settings"
    django.setup()
    from django.core.management import call_command

    from postspiel.accounts.models import User
    from postspiel.config.celery import app
    from tests.play import toys

    app.conf.update(broker_url="memory://", broker_transport_options={})
    toys.install()
    call_command("migrate", verbosity=0)
    for name in ("ada", "bert"):
        User.objects.create_user(f"{name}@example.org", locale="en")


if __name__ == "__main__":
    main()
