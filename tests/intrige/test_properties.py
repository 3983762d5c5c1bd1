"""What must always hold: section 3 of the rules, sentence by sentence (the eighth is in test_whole_games)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest
from msgspec.structs import replace

from games.engine.contract import Event
from games.intrige.sending import attacks_own, complete_sends
from games.intrige.state import SEATS, Scholar, State
from tests.intrige.playing import FLAGS, FreeTable, codes, play, position

GAMES = [(seats, seed, flags) for seats in (3, 4, 5) for seed in range(3) for flags in (0, 1, 8)]


def states(seats: int, seed: int, flags: int) -> list[State]:
    return play(seed, seats, {name: bool(flags & 1 << at) for at, name in enumerate(FLAGS)})


@pytest.mark.parametrize("game", GAMES)
def test_1_nobody_lacks_an_area_and_a_filled_area_never_empties(game: tuple[int, int, int]) -> None:
    for before, after in pairwise(states(*game)):
        for old, new in zip(before.courts, after.courts, strict=True):
            assert all(one is not None for was, one in zip(old, new, strict=True) if was is not None)
        for seat, waiting in enumerate(after.waiting):
            seated = {one.craft for one in after.courts[seat] if one is not None}
            assert after.courts[seat].count(None) == 4 - len(seated)
            assert len({one.craft for one in waiting} - seated) <= after.courts[seat].count(None)


@pytest.mark.parametrize("game", GAMES)
def test_2_groups_are_known_when_admission_begins_and_do_not_share_a_craft(game: tuple[int, int, int]) -> None:
    for before, after in pairwise(states(*game)):
        if after.groups and after.bribes:
            assert (before.groups, before.active, before.round) == (after.groups, after.active, after.round)
        crafts = Counter(craft for group in after.groups for craft in {one.craft for one in group.members})
        assert len(after.groups) <= 4
        assert not crafts or max(crafts.values()) == 1


@pytest.mark.parametrize("game", GAMES)
def test_3_eight_are_sent_in_rounds_1_to_4_and_nobody_is_left_waiting(game: tuple[int, int, int]) -> None:
    sent: Counter[int] = Counter()
    course = states(*game)
    for before, after in pairwise(course):
        sent[before.round] += sum(map(len, before.home)) - sum(map(len, after.home))
    assert {turn: count for turn, count in sent.items() if count} == dict.fromkeys(range(1, 5), 2 * game[0])
    assert not any(course[-1].waiting)
    assert not any(course[-1].home)


@pytest.mark.parametrize("seats", (3, 4, 5))
def test_4_who_is_sent_in_round_r_and_never_displaced_is_paid_6_minus_r_times(seats: int) -> None:
    seen = 0
    for seed in range(12):
        table = FreeTable(seed)
        play(seed, seats, table=table)
        seen += check_payouts(table.events)
    assert seen > 20


def check_payouts(events: list[Event]) -> int:
    """Follow those whose like was sent to that court but once, from sending to the end; how many there were."""
    turn, sent, seat, paid = 1, {}, {}, Counter[object]()
    twice = Counter((e.data["seat"], e.data["scholar"], e.data["court"]) for e in events if e.kind == "sent")
    for event in events:
        data = event.data
        match event.kind:
            case "round":
                turn = int(str(data["round"]))
            case "sent":
                sent[data["seat"], data["scholar"], data["court"]] = turn
            case "seated" | "replaced":
                seat[data["seat"], data["scholar"], data["court"]] = f"{data['court']}:{data['area']}"
            case "banished":
                seat.pop((data["seat"], data["scholar"], data["court"]), None)
            case "income":
                assert isinstance(data["posts"], tuple)
                paid.update((data["seat"], post) for post in data["posts"])
    alone = [who for who in seat if twice[who] == 1 and only_one_of_its_seat(events, who[0], seat[who])]
    for who in alone:
        assert paid[who[0], seat[who]] == 6 - sent[who]
    return len(alone)


def only_one_of_its_seat(events: list[Event], owner: object, post: str) -> bool:
    takers = [e for e in events if e.kind in {"seated", "replaced"} and f"{e.data['court']}:{e.data['area']}" == post]
    return sum(e.data["seat"] == owner for e in takers) == 1


@pytest.mark.parametrize("seats", (3, 4, 5))
def test_5_only_income_changes_the_total_and_comes_in_rounds_2_to_5_and_at_the_end(seats: int) -> None:
    for seed in range(10):
        table = FreeTable(seed)
        end = play(seed, seats, table=table)[-1]
        income = sum(int(str(event.data["amount"])) for event in table.told("income"))
        assert sum(purse or 0 for purse in end.cash) == 32000 * seats + income
        assert all((purse or 0) % 1000 == 0 for purse in end.cash)
        turn, times = 1, Counter[tuple[object, int]]()
        for event in table.told("income", "round"):
            turn = int(str(event.data.get("round", turn)))
            if event.kind == "income":
                times[event.data["seat"], turn] += 1
        for seat in SEATS[:seats]:
            assert times[seat, 1] == 0
            assert [times[seat, turn] <= 1 for turn in range(2, 5)] == [True] * 3
            assert times[seat, 5] <= 2, "his turn's, and the last one"
        assert sum(times[seat, 5] for seat in SEATS[:seats]) > seats


@pytest.mark.parametrize("game", GAMES)
def test_6_at_the_end_seated_and_banished_are_all(game: tuple[int, int, int]) -> None:
    end = states(*game)[-1]
    assert sum(one is not None for court in end.courts for one in court) + len(end.island) == 8 * game[0]


def last_two(seats: int, home: str, at: tuple[int, int]) -> State:
    """Red has two scholars left; their likes sit at these courts."""
    state = position([9] * seats, "red", phase="decision")
    courts = [list(court) for court in state.courts]
    for place, (craft, court) in enumerate(zip(home, at, strict=True)):
        courts[court][place] = Scholar(0, craft)
    return replace(state, home=(home, *state.home[1:]), courts=tuple(tuple(court) for court in courts))


@pytest.mark.parametrize("seats", (3, 4, 5))
def test_7_only_with_three_players_somebody_can_be_forced_to_attack_himself(seats: int) -> None:
    forced = 0
    for at in product(range(1, seats), range(1, seats)):
        state = last_two(seats, "SD", at)
        forced += any(attacks_own(state, send) for send in complete_sends(state, []))
    assert bool(forced) is (seats == 3)
    if seats == 3:
        state = last_two(3, "SD", (1, 1))
        assert codes(state, 0, "send S Yellow\nsend D Green") == [], "forbidding it would deadlock"
