"""What a receipt says, from plain facts: nothing here needs a game."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Order, Text
from games.engine.language import LineProblem, Reading
from postspiel.mail.reading import comparable
from postspiel.play import receipts
from postspiel.play.inbox.authority import not_ours
from postspiel.play.receipts import Facts, Lacking, Wrong
from postspiel.play.rendering import as_text
from postspiel.play.understanding import Understood


def facts(**changed: Any) -> Facts:
    return Facts(
        **{
            "heading": "Venice, turn 3",
            "deadline": "Friday (Europe/Berlin)",
            "verdict": "All you sent was taken.",
            **changed,
        }
    )


def text(**changed: Any) -> str:
    return as_text(receipts.pieces(facts(**changed)))


def test_a_whole_receipt_reads_from_the_verdict_to_what_was_ignored() -> None:
    assert (
        text(
            wrong=(Wrong(line=3, text="brieb A 400", reason="No order.", understood="", suggestion="bribe A 4000"),),
            new=("bribe P 2000",),
            old=("always defend 2000",),
            hints=("This leaves you 1000.",),
            said=("Your press to Red was sent.",),
            lacking=(
                Lacking(what="Pay for applicants.", examples=("bribe A 1000", "bribe P 1000"), owed=True, count=2),
            ),
            state="Your orders are on file.",
            foreseen=(Text("Yellow pays 2000."),),
            roll="the first player",
            digest="ab12",
            how=("Send a new line.",),
            ignored=("Kind regards", "Ada"),
        )
        == """\
Venice, turn 3
==============

All you sent was taken.

- Your press to Red was sent.

What was not taken
------------------

- Line 3, “brieb A 400”: No order. Perhaps: bribe A 4000

Perhaps you meant the following; send back what fits:

bribe A 4000

Your orders in force
--------------------

New with this mail:

bribe P 2000

As before:

always defend 2000

Worth a second look
-------------------

- This leaves you 1000.

What you still owe
------------------

- Pay for applicants. 2 of these, for example: “bribe A 1000”, “bribe P
  1000”

Your orders are on file.

Deadline: Friday (Europe/Berlin).

If only your orders were carried out
------------------------------------

Yellow pays 2000.

What follows depends on chance (the first player).

What the others order may change all of this.

How to change this
------------------

Send a new line.

Seal of these orders: ab12. It is checked by everybody when the game is
over.

These lines of your mail were not read as orders:
| Kind regards
| Ada"""
    )


def test_what_follows_a_reason_begins_a_sentence() -> None:
    wrong = (Wrong(line=1, text="send", reason="It is written: send SCHOLAR", understood="send"),)
    assert "It is written: send SCHOLAR. Understood so far: send." in " ".join(text(wrong=wrong).split())


def test_what_stays_is_called_unchanged_only_if_nothing_is_new() -> None:
    assert "Unchanged:\n\nbribe P 2000" in text(old=("bribe P 2000",))
    assert "As before:\n\nbribe P 2000" in text(old=("bribe P 2000",), new=("bribe A 1000",))


def wrong(count: int) -> Reading:
    return Reading(problems=tuple(LineProblem(line, "x", "verb", {}) for line in range(count)))


@pytest.mark.parametrize(
    ("understood", "sentence"),
    (
        (Understood("accepted"), "All you sent was taken."),
        (Understood("partial", reading=wrong(1)), "One of your lines could not be taken, the others were."),
        (Understood("partial", reading=wrong(7)), "7 of your lines could not be taken, the others were."),
        (Understood("partial"), "What you sent was taken, but your orders are not final yet."),
        (Understood("rejected", reading=wrong(1)), "Nothing of what you sent could be taken, so nothing has changed."),
        (
            Understood("accepted", outranked=(Order("say", {"text": "x"}),)),
            "What you sent was read, but where you said otherwise later, that counts.",
        ),
        (Understood("rejected", "empty"), "There were no orders in what you sent, so nothing has changed."),
        (
            Understood("rejected", "late", named=3, open=4),
            "What you sent came after the deadline of turn 4, so nothing was changed.",
        ),
        (
            Understood("rejected", "wrong-turn", named=3, open=4),
            "What you sent was for turn 3, but turn 4 is open now, so nothing was changed.",
        ),
        (
            Understood("rejected", "not-running"),
            "No turn of this game is open for your orders, so nothing was changed.",
        ),
        (Understood("rejected", "not-yours"), "No turn of this game is open for your orders, so nothing was changed."),
    ),
)
def test_each_verdict_is_one_sentence_at_every_door(understood: Understood, sentence: str) -> None:
    assert receipts.verdict(understood) == sentence


def test_what_could_not_be_read_or_done_is_not_called_taken() -> None:
    unread = receipts.verdict(Understood("rejected", "empty"), unreadable=True)
    assert unread == "What you sent could not be read, so nothing has changed."
    done = receipts.verdict(Understood("accepted"), failed=True)
    assert done == "What you sent was read, but not all of it could be done."


@given(st.integers(0, 300), st.integers(0, 300))
def test_at_most_twenty_problems_are_listed_and_all_are_counted(wrong: int, ignored: int) -> None:
    lines = tuple(Wrong(line=line, text="nonsense", reason="No order.") for line in range(1, wrong + 1))
    told = text(wrong=lines, ignored=("x",) * ignored)
    assert told.count("“nonsense”") == min(wrong, receipts.MOST_PROBLEMS)
    assert (f"\n{wrong - receipts.MOST_PROBLEMS} more lines could not" in told) == (wrong > receipts.MOST_PROBLEMS)
    assert told.count("| x") == min(ignored, receipts.MOST_IGNORED)
    assert (f"… and {ignored - receipts.MOST_IGNORED} more lines" in told) == (ignored > receipts.MOST_IGNORED)


OURS = ("Carnival, turn 3\n\nYou owe orders: if none come in time, the\nrules play for you.\n", "Red  #1\n> as said\n")
WORDS = st.sampled_from((*" ".join(OURS).split(), "\n", "\n> ", "  ", "new", ">", "#"))


@pytest.mark.parametrize(
    ("line", "kept"),
    (
        ("> You owe orders: if none come in time, the", False),
        ("> orders: if none come in time, the rules play for", False),
        (">Red #1", False),
        (">> \t", False),
        ("On Monday Carnival wrote:", True),
        ("You owe orders: none", True),
        ("you OWE orders:  if", False),
        ("owe You", True),
    ),
)
def test_a_receipt_leaves_out_what_only_repeats_us_however_it_is_broken(line: str, kept: bool) -> None:
    assert list(not_ours(line, map(comparable, OURS))) == [line] * kept


@given(text=st.lists(WORDS).map(" ".join), sent=st.lists(st.sampled_from(OURS)))
def test_what_repeats_us_is_found_as_if_all_words_were_compared(text: str, sent: list[str]) -> None:
    ours = "".join(f" {' '.join(one.lower().split())} \n" for one in sent)
    words = {line: " ".join(line.lower().lstrip("> \t").split()) for line in text.splitlines()}
    found = not_ours(text, map(comparable, sent))
    assert list(found) == [line for line in text.splitlines() if words[line] and f" {words[line]} " not in ours]
