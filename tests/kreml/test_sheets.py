"""Orders: what is asked and owed, what is refused and how it could be mended, and the turns of a year (section 5)."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.contract import LOCALES, Order
from games.engine.sheets import merge, missing, owes
from games.engine.turns import preview, start
from games.kreml import asks, events
from games.kreml.state import State
from games.kreml.title import TITLE
from tests.kreml.playing import IDS, LANGUAGE, ROW, SEATING, board, order, problems, sheet, turn, whole_game, written

FOLLOW = dict.fromkeys(SEATING.values(), "minsk 1")
LISTS = {0: {"satin": 7, "rubelow": 9}}
ILL = {"parolina": {"marks": 1}, "datschin": {"opened": 1951}, "sport": {}}


# --- the language -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("german", "english"),
    (
        ("rangliste 10 Satin, 9 Rubelow, 1 Eisbaerski", "rank 10 Satin, 9 Rubelow, 1 Eisbärski"),
        ("biete 7 auf Satin wenn gegen Rubelow dann stopp", "bid 7 on Satin when against Rubelow then stop"),
        ("biete alle auf KGB wenn handelt dann säubere Rubelow", "bid all on KGB when acts then purge Rubelow"),
        ("biete 5 auf irgendwer wenn gegen Satin", "bid 5 on anybody when against Satin"),
        ("biete 3 auf Satin wenn stimmt nein dann stimme ja", "bid 3 on Satin when votes no then vote yes"),
        ("biete 3 auf Satin wenn Phase 6", "bid 3 on Satin when phase 6"),
        ("immer halte alle", "always hold all"),
        ("halte Satin bis 9", "hold Satin up to 9"),
        ("kur Satin", "cure Satin"),
        ("hole Satin", "recall Satin"),
        ("kur ab ++", "cure from 2"),
        ("immer kur ab +", "always cure from 1"),
        ("saeubere Satin, KGB-Chef, Rubelow stopp nach 2", "purge Satin, KGB, Rubelow stop after 2"),
        ("schliesse Satin", "close Satin"),
        ("schließe Satin", "close Satin"),
        ("untersuche Satin stopp bei Alter 80", "investigate Satin stop at age 80"),
        ("klage Satin an sonst Rubelow", "accuse Satin else Rubelow"),
        ("anklage Satin sonst Rubelow", "accuse Satin else Rubelow"),
        ("verbanne Satin", "banish Satin"),
        ("stimme nein mit KGB zu Satin", "vote no with KGB head on Satin"),
        ("stimme Enthaltung", "vote abstain"),
        ("immer schütze Satin, Rubelow", "always protect Satin, Rubelow"),
        ("bekämpfe Außenminister", "oppose foreign minister"),
        ("nominiere Satin, Rubelow", "nominate Satin, Rubelow"),
        ("tausche Satin mit Pelzmuetzin", "swap Satin with Pelzmützin"),
        ("befördere Satin zu Außenminister durch Rubelow", "promote Satin to foreign by Rubelow"),
        ("degradiere Satin zu Sport", "demote Satin to sport minister"),
        ("versetze Satin zu Industrie", "move Satin to industry"),
        ("rehabilitiere Satin durch Rubelow", "rehabilitate Satin by Rubelow"),
        ("stopp nach 2", "stop after 2"),
        ("stopp bei Alter 80", "stop at age 80"),
        ("säubere Osip Satin", "purge Satin"),
    ),
)
def test_both_languages_say_the_same(german: str, english: str) -> None:
    assert order(german) == order(english)
    for locale in LOCALES:
        assert order(LANGUAGE.write(order(english), locale)) == order(english)


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "fix"),
    (
        ("halt Satin bis 9", "halt", None),
        ("bid 8 on Satin", "too_high", "bid 7 on Satin"),
        ("hold Satin up to 8", "too_high", "hold Satin up to 7"),
        ("bid 11 on Satin", "points", "bid 10 on Satin"),
        ("bid 0 on Satin", "points", "bid 1 on Satin"),
        ("hold Satin up to 0", "points", "hold Satin up to 1"),
        ("bid on Satin", "bid_points", "bid all on Satin"),
        ("bid 3 all on Satin", "bid_points", "bid 3 on Satin"),
        ("bid 3 on Wanzenow", "not_listed", None),
        ("bid 3 on Aparatschik", "gone", None),
        ("bid 3 on sport", "not_listed", None),
        ("bid 3 on agriculture", "vacant", None),
        ("bid 3 on anybody", "anybody", None),
        ("bid 3 on anybody when acts", "anybody", None),
        ("bid 3 on Satin when phase 9", "phase_number", None),
        ("bid 3 on Satin then stop", "no_then", "bid 3 on Satin"),
        ("bid 3 on Satin when phase 2 then stop", "no_then", "bid 3 on Satin when phase 2"),
        ("bid 3 on Satin when acts then stop then stop", "one_then", "bid 3 on Satin when acts then stop"),
        ("bid 3 on Satin when acts then stop after 2", "then_stop", "bid 3 on Satin when acts then stop"),
        ("bid 3 on Satin when acts then bid 3 on Rubelow", "then_verb", "bid 3 on Satin when acts"),
        ("bid 3 on Satin when acts then hold all", "then_verb", "bid 3 on Satin when acts"),
        ("bid 3 on Satin when votes then purge Rubelow", "then_moment", "bid 3 on Satin when votes then stop"),
        ("bid 3 on Satin when acts then vote yes", "then_moment", "bid 3 on Satin when acts then stop"),
        ("purge Rubelow when acts", "only_bids", "purge Rubelow"),
        ("purge Wanzenow", "no_target", None),
        ("purge Wanzenow, Rubelow", "no_target", "purge Rubelow"),
        ("purge agriculture, Rubelow", "vacant", "purge Rubelow"),
        ("purge Rubelow stop after 0", "stop_number", "purge Rubelow"),
        ("cure Satin", "healthy", None),
        ("cure Wanzenow, Parolina", "not_member", "cure Parolina"),
        ("vote yes", "not_now", None),
        ("protect Satin", "not_now", "always protect Satin"),
        ("nominate Satin", "not_now", None),
        ("rank 10 Satin", "not_now", None),
        ("stop", "stop_what", None),
        ("stop after 0", "stop_number", None),
        ("stop at age 100", "stop_number", None),
        ("always vote no on Satin", "always_vote", "vote no on Satin"),
        ("always protect Aparatschik, Satin", "gone", "always protect Satin"),
    ),
)
def test_a_wrong_line_is_refused_with_the_nearest_right_one(line: str, code: str, fix: str | None) -> None:
    state = board(lists=LISTS, people={"parolina": {"marks": 1}}, seating={"agriculture": None})
    (problem,) = problems(state, line)
    assert (problem.code, problem.refuses, written(problem)) == (code, True, fix)
    for locale in LOCALES:
        assert f"problem.{code}" in TITLE.about.texts[locale]
    if problem.fix is not None and code not in {"points", "not_now", "always_vote"}:
        assert not [one for one in TITLE.check(state, 0, (problem.fix,)) if one.refuses]


@pytest.mark.parametrize(
    ("stage", "line", "code", "fix"),
    (
        ("spy", "close Satin", "no_file", None),
        ("spy", "investigate Datschin, Satin", "has_file", "investigate Satin"),
        ("spy", "investigate Wanzenow", "not_member", None),
        ("spy", "accuse Satin", "no_old_file", None),
        ("spy", "accuse Parolina", "no_old_file", None),
        ("spy", "accuse Datschin else Wanzenow", "not_member", "accuse Datschin"),
        ("spy", "banish Satin", "not_candidate", None),
        ("autumn", "swap chief with Satin", "chief_stays", None),
        ("autumn", "promote Satin to chief", "chief_stays", "promote Satin"),
        ("autumn", "swap Satin with KGB", "same", None),
        ("autumn", "swap Satin with Quotenko", "siberia", None),
        ("autumn", "demote Aparatschik", "gone", None),
        ("autumn", "rehabilitate Satin by KGB", "not_siberia", None),
        ("autumn", "rehabilitate Quotenko by Aparatschik", "not_member", None),
        ("autumn", "purge Satin", "not_now", None),
        ("over", "hold all", "over", None),
    ),
)
def test_a_wrong_line_of_other_phases_is_refused_too(stage: Any, line: str, code: str, fix: str | None) -> None:
    people = {"datschin": {"opened": 1951}, "parolina": {"opened": 1952}}
    (problem,) = problems(board(stage, people=people, siberia=("quotenko",)), line)
    assert (problem.code, problem.refuses, written(problem)) == (code, True, fix)


@pytest.mark.parametrize(
    ("line", "code", "fix"),
    (
        ("vote no with Wanzenow", "no_voter", "vote no"),
        ("vote no on Satin", "not_up", "vote no on Datschin"),
        ("oppose Satin", "not_now", "always oppose Satin"),
    ),
)
def test_a_wrong_vote_is_refused(line: str, code: str, fix: str) -> None:
    state = turn(board("spy", follow=FOLLOW, people={"datschin": {"opened": 1951}}), "accuse Datschin").state
    (problem,) = problems(state, line)
    assert (problem.code, written(problem)) == (code, fix)


def test_a_wrong_nomination_is_refused() -> None:
    state = board("nomination", seating={"chief": None})
    assert [(one.code, written(one)) for one in problems(state, "nominate Rubelow, Satin")] == [
        ("self", "nominate Satin")
    ]
    assert problems(state, "nominate Wanzenow")[0].code == "not_member"


@pytest.mark.parametrize(
    ("line", "code", "fix"),
    (
        ("rank 10 Satin, 9 Satin, 8 Rubelow", "rank_twice", "rank 10 Satin, 8 Rubelow"),
        ("rank 10 Nestor Aparatschik, 9 Satin", "nestor", "rank 9 Satin"),
        ("rank", "rank_empty", None),
        ("always hold Satin up to 3", "no_list", None),
    ),
)
def test_a_wrong_list_is_refused(line: str, code: str, fix: str | None) -> None:
    (problem,) = problems(start(TITLE, {}, 3, b"seed", "game").state, line)
    assert problem.code == code
    assert problem.fix == (order(fix) if fix else None)


@pytest.mark.parametrize(
    ("stage", "line", "code"),
    (
        ("purges", "bid 3 on Satin", "bid_low"),
        ("autumn", "swap Satin with Aktenjew", "too_far"),
        ("autumn", "swap Wanzenow with Kaviarin", "both_people"),
        ("autumn", "promote Satin", "wrong_level"),
        ("autumn", "promote Aktenjew to foreign", "wrong_level"),
    ),
)
def test_what_is_hardly_meant_is_hinted_at_and_stands(stage: Any, line: str, code: str) -> None:
    (problem,) = problems(board(stage, follow={"satin": "riga 3"}), line)
    assert (problem.code, problem.refuses) == (code, False)


@pytest.mark.parametrize(
    ("stage", "lines", "code"),
    (
        ("purges", "cure Parolina; recall Parolina", "cure_twice"),
        ("spy", "accuse Datschin; accuse Datschin", "twice"),
        ("spy", "banish Aktenjew; banish Ordenskaja", "twice"),
    ),
)
def test_of_two_lines_that_clash_the_later_is_refused(stage: Any, lines: str, code: str) -> None:
    people = {"datschin": {"opened": 1951}, "parolina": {"marks": 1}}
    (problem,) = problems(board(stage, people=people), lines)
    assert (problem.order, problem.code) == (1, code)


@pytest.mark.parametrize(
    "wrong",
    (
        Order("dance"),
        Order("purge"),
        Order("purge", {"who": "p3"}),
        Order("purge", {"who": ("nobody",)}),
        Order("bid", {"points": True, "on": "p3"}),
        Order("bid", {"points": 3, "on": "p3", "extra": 1}),
        Order("bid", {"points": 3, "on": "p3"}, when=Order("purge", {"who": ("p3",)})),
        Order("bid", {"points": 3, "on": "p3"}, when=Order("acts"), then=(Order("purge", {"who": ()}),)),
        Order("acts"),
    ),
)
def test_an_order_of_another_shape_is_refused(wrong: Order) -> None:
    assert TITLE.check(board(), 0, (wrong,))[0].code in {"malformed", "standing"}


def test_a_standing_act_from_a_program_is_refused() -> None:
    (problem,) = TITLE.check(board(), 0, (Order("purge", {"who": (IDS["rubelow"],)}, standing=True),))
    assert (problem.code, written(problem)) == ("standing", "purge Rubelow")


def test_a_later_mail_replaces_orders_of_one_kind_for_one_person_and_bids_with_other_triggers_stand_beside() -> None:
    state = board(people={"parolina": {"marks": 1}, "datschin": {"marks": 1}})
    on_file = sheet("bid 3 on Satin; bid 4 on Satin when acts; purge Rubelow; cure Parolina; hold Satin up to 2")
    merged = merge(TITLE, state, 0, on_file, sheet("bid 5 on Satin; purge Tundrow; cure Datschin; recall Parolina"))
    assert {LANGUAGE.write(one, "en") for one in merged.sheet} == {
        "bid 4 on Satin when acts",
        "bid 5 on Satin",
        "hold Satin up to 2",
        "purge Tundrow",
        "cure Datschin",
        "recall Parolina",
    }
    assert not merged.refused


# --- what is asked and owed -------------------------------------------------------------------------------------------


def test_everybody_is_asked_the_same_whatever_he_controls() -> None:
    for state in whole_game(3, 4)[1:-1]:
        found = []
        for seat in range(4):
            mine = [ask for ask in asks.asks(TITLE.mask(state, seat), seat) if ask.verb not in {"bid", "hold"}]
            found.append([(ask.verb, ask.domains) for ask in mine])
            assert mine
        assert all(one == found[0] for one in found)


@pytest.mark.parametrize(
    ("stage", "who", "verb"),
    (
        ("purges", "satin", "purge"),
        ("spy", "tundrow", "investigate"),
        ("nomination", "rubelow", "nominate"),
        ("autumn", "samowarow", "swap"),
    ),
)
def test_an_office_with_a_power_owes_its_use(stage: Any, who: str, verb: str) -> None:
    chief = {"chief": None} if stage == "nomination" else {}
    state = board(stage, follow={who: "odessa 1", "datschin": "riga 1"}, seating=chief)
    assert [owes(TITLE, TITLE.mask(state, seat), seat) for seat in range(3)] == [False, True, False]
    assert next(ask.verb for ask in TITLE.asks(state, 1) if ask.must) == verb
    assert all(ask.waivable for ask in TITLE.asks(state, 1) if ask.must), "a power can be left unused by being done"


def test_what_is_owed_is_answered_by_any_of_its_alternatives_and_by_lists() -> None:
    state = board("spy", follow={"tundrow": "minsk 1"})
    assert [ask.verb for ask in missing(TITLE, state, 0, ()) if ask.must] == ["investigate"]
    assert not [ask for ask in missing(TITLE, state, 0, sheet("investigate Satin, Rubelow")) if ask.must]
    state = board("autumn", follow={"samowarow": "minsk 1"})
    assert not [ask for ask in missing(TITLE, state, 0, sheet("demote Parolina")) if ask.must]


def test_a_mend_that_is_no_order_is_not_proposed() -> None:
    state = start(TITLE, {}, 3, b"seed", "game").state
    [problem] = LANGUAGE.read("rank 10 Chief", "en", TITLE.asks(state, 0)).problems
    assert (problem.understood, problem.suggestion) == ("rank", None)


def test_an_example_names_nobody_twice() -> None:
    state = board("autumn", follow={"samowarow": "minsk 1"})
    lines = LANGUAGE.examples(TITLE.asks(state, 0), "en")
    [swap] = [line for line in lines if line.startswith("swap")]
    one, other = swap.removeprefix("swap ").split(" with ")
    assert one != other


def test_votes_are_not_owed_and_a_list_is() -> None:
    state = turn(board("spy", follow=FOLLOW, people={"datschin": {"opened": 1951}}), "accuse Datschin").state
    assert not any(owes(TITLE, state, seat) for seat in range(3))
    first = start(TITLE, {}, 3, b"seed", "game").state
    assert all(owes(TITLE, first, seat) for seat in range(3))
    assert not any(ask.waivable for ask in TITLE.asks(first, 0)), "nobody plays without a list because he was done"


# --- the turns of a year ----------------------------------------------------------------------------------------------


def stages(state: State, *orders: str) -> list[str]:
    """The stages of the turns from here to the next year."""
    found: list[str] = [state.stage]
    while True:
        state = turn(state, *(orders if state.stage in {"spy", "nomination"} else ("vote no",))).state
        if state.stage == "purges":
            return found
        found.append(state.stage)


def test_the_turns_of_a_year() -> None:
    people = {"datschin": {"opened": 1951}}
    plain = board(follow=FOLLOW)
    assert stages(plain) == ["purges", "spy", "autumn"]
    assert stages(board(follow=FOLLOW, people=people), "accuse Datschin") == ["purges", "spy", "trial", "autumn"]
    assert stages(board(follow=FOLLOW, seating={"chief": None})) == [
        "purges",
        "spy",
        "nomination",
        "election",
        "rebels",
        "autumn",
    ]
    brisk = board(follow=FOLLOW, seating={"chief": None}, people=people, pace="brisk")
    assert stages(brisk, "accuse Datschin") == ["purges", "spy", "commission", "autumn"]


def test_a_turn_is_left_out_only_if_nobody_could_act() -> None:
    sick = {name: {"marks": 1, "cure": True} for name in SEATING.values()}
    told = turn(board(follow=FOLLOW, people=sick))
    assert told.state.year == 1953  # all in cure: no spy, and no autumn
    assert told.state.stage == "purges"
    assert {one.phase for one in told.all(events.Phase)} == {1, 2, 3, 4, 6, 7, 8}
    assert turn(board()).state.stage == "spy"  # nobody follows anybody, but could


# --- preview ----------------------------------------------------------------------------------------------------------


def test_a_preview_goes_up_to_the_first_die() -> None:
    state = board(follow=FOLLOW, people={"parolina": {"marks": 1}})
    found = preview(TITLE, state, 0, sheet("cure Parolina; purge Rubelow"))
    assert found.stopped_at == "purge of Rubelow"
    assert [event.kind for event in found.events] == ["phase", "cured", "aged", "phase", "power"]
    assert preview(TITLE, state, 0, ()).stopped_at is None


def test_a_preview_knows_nothing_of_others() -> None:
    state = board(follow={"satin": "riga 3"}, row=ROW)
    found = preview(TITLE, state, 0, sheet("bid 4 on Satin"))
    assert "controlled" in [event.kind for event in found.events]


def test_no_example_of_an_order_is_a_line_that_would_be_refused() -> None:
    """A bare "stop" says nothing: its example needs a number."""
    seen = TITLE.mask(whole_game(1, 3)[1], 0)
    examples = LANGUAGE.examples(TITLE.asks(seen, 0), "en")
    assert "stop after 1" in examples
    for line in examples:
        assert not problems(seen, line), line
