"""What a receipt says, from plain facts: nothing here needs a game."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Text
from postspiel.play import receipts
from postspiel.play.receipts import Facts, Lacking, Wrong
from postspiel.play.rendering import as_text


def facts(**changed: Any) -> Facts:
    return Facts(
        **{"heading": "Venice, turn 3", "deadline": "Friday (Europe/Berlin)", "verdict": "accepted", **changed}
    )


def text(**changed: Any) -> str:
    return as_text(receipts.pieces(facts(**changed)))


def test_a_whole_receipt_reads_from_the_verdict_to_what_was_ignored() -> None:
    assert (
        text(
            verdict="partial",
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

Your mail was read; one line of it could not be taken, the others were.

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
    assert "It is written: send SCHOLAR. Understood so far: send." in " ".join(
        text(verdict="rejected", wrong=wrong).split()
    )


def test_an_empty_mail_is_answered_with_what_is_on_file() -> None:
    told = text(verdict="empty", old=("bribe P 2000",))
    assert "We found no orders in your mail, so nothing has changed." in told
    assert "Unchanged:\n\nbribe P 2000" in told


def test_a_late_mail_is_told_why_and_nothing_else_is_judged() -> None:
    told = text(verdict="rejected", late="You answered turn 2; turn 3 is open now.")
    assert "You answered turn 2; turn 3 is open now." in told
    assert "could not be taken" not in told


@given(st.integers(0, 300), st.integers(0, 300))
def test_at_most_twenty_problems_are_listed_and_all_are_counted(wrong: int, ignored: int) -> None:
    lines = tuple(Wrong(line=line, text="nonsense", reason="No order.") for line in range(1, wrong + 1))
    told = text(verdict="rejected", wrong=lines, ignored=("x",) * ignored)
    assert told.count("“nonsense”") == min(wrong, receipts.MOST_PROBLEMS)
    assert (f"\n{wrong - receipts.MOST_PROBLEMS} more lines could not" in told) == (wrong > receipts.MOST_PROBLEMS)
    assert told.count("| x") == min(ignored, receipts.MOST_IGNORED)
    assert (f"… and {ignored - receipts.MOST_IGNORED} more lines" in told) == (ignored > receipts.MOST_IGNORED)
